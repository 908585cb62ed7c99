"""The registry: finds live tables, loads them from the store, holds them, and evicts them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from weakref import WeakValueDictionary

from msgspec.structs import replace

from ...core.errors import BrokenGame, DamagedTable, NotFound
from ...core.tiles import check_identity
from ...hosting.entries import Forgotten
from ...hosting.settings import check_bots
from ...hosting.state import TableState
from ...hosting.stored import StoredEntry
from ..bus.bus import Bus
from ..clock import SystemClock
from ..single_flight import SingleFlightCache
from ..storage.quarantine import check_number, reading
from ..storage.rows import ID
from ..storage.store import Store
from ..workers.packages import Packages
from .live import LiveTable
from .live_cache import LiveTableCache
from .presence_bus import PresenceBus

MAX_ENTRIES_PER_STEP = 20
"""Entries of a long log that are applied before other tasks have their turn."""


class TableRegistry:
    """The live tables of a process."""

    def __init__(
        self, store: Store, clock: SystemClock, packages: Packages, bus: Bus | None
    ) -> None:
        self.store = store
        self.packages = packages
        self.clock = clock
        self.cache: LiveTableCache = LiveTableCache()
        self.live: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """Tables that any task refers to, cached or not: there are never two of one id."""
        self.bus = bus
        """The way to other processes, if there can be any."""
        self.presence: PresenceBus = PresenceBus(bus, clock, self.live)
        self.drive: Callable[[LiveTable], None] = lambda _: None
        """Starts the driver of a changed table that needs one; set by `TableDriver`."""
        self.public_changes: int = 0
        """Changes that the lobby shows: players who came or left, and games that began or ended."""
        self._loads = SingleFlightCache[LiveTable | None](max_entries=0)
        self._replay_turns = asyncio.Lock()
        """Long logs are replayed in turns: a hundred of them hold up no one longer than one."""

    async def find(self, id: str) -> LiveTable:
        """A table by its id, from memory or from the store, with what other processes did."""
        live = self.live.get(id)
        if live is None and ID.fullmatch(id):  # PostgreSQL refuses texts with a zero byte.
            self.store.quarantine.check(id)
            live = await self._loads.get(id, None, lambda: self._load(id))
        if live is None:
            raise NotFound("There is no such table.", "unknown_table")
        async with live.lock:
            if live.closing_error is None:
                await self.catch_up(live)  # A client of another process has seen its entries.
        if live.closing_error is not None:
            raise live.closing_error
        self.keep(live)
        return live

    def held(self, id: str) -> LiveTable | None:
        """A table in memory, as far as this process knows it; None if it is not in memory."""
        return self.live.get(id)

    async def _load(self, id: str) -> LiveTable | None:
        try:
            stored = await self.store.load(id)
            if stored is None:
                return None
            with reading(id):
                stored = replace(stored, settings=self.cache.share_settings(stored.settings))
                settings, packages = stored.settings, self.packages
                check_bots(settings, await packages.list_known_bots(settings))
                state, tiles = await packages.open_table(settings, stored.seed, stored.created)
                check_identity("This table", stored.set, tiles)
                live = LiveTable(stored, self.clock, state)
        except DamagedTable as error:
            self.store.quarantine.add(error)
            raise
        self.keep(live)
        return live

    def keep(self, live: LiveTable) -> None:
        """Cache a table as the one used last, and evict others if there are too many."""
        self.cache[live.id] = self.live[live.id] = live
        for other in self.cache.evict_unused(live):
            if other.driver is not None:
                other.driver.cancel()

    def drop(self, live: LiveTable, error: NotFound) -> None:
        """Close a table that is no longer in the store."""
        self.cache.discard(live.id)
        if self.live.get(live.id) is live:
            del self.live[live.id]
        live.close(error)

    def close_broken(self, live: LiveTable, error: BrokenGame) -> None:
        """Close a table whose game fails; all others go on."""
        if isinstance(error, DamagedTable):
            self.store.quarantine.add(error)
            self.cache.discard(live.id)  # An operator may repair it.
        live.close(error)

    def note_public_change(self, live: LiveTable) -> None:
        """Note that what the lobby shows of a table is out of date."""
        self.public_changes += live.state.settings.visibility == "public"

    def broadcast(self, live: LiveTable) -> None:
        """Send a new state to all viewers."""
        live.broadcast()
        if live.viewers:
            self.presence.note_change(live)

    async def catch_up(self, live: LiveTable) -> None:
        """Apply the entries that other processes have appended; the caller holds the lock."""
        try:
            news = await self.store.news(live.id, live.state.version)
            is_rewritten = live.state.version > 0 and any(
                isinstance(stored.entry, Forgotten) for stored in news or ()
            )
            if is_rewritten:  # Earlier entries have changed, too: start again.
                table, news = await self.store.load(live.id), await self.store.news(live.id, 0)
                if table is not None:
                    state, _ = await self.packages.open_table(
                        table.settings, table.seed, table.created
                    )
                    live.reset(table, state)
            if news is None:
                error = NotFound("There is no such table.", "unknown_table")
                self.drop(live, error)
                raise error
            async for stored, made, is_complete in self._replay(live, news, is_rewritten):
                is_shown = is_complete and (not is_rewritten or stored is news[-1])
                self.apply_entry(live, stored, is_shown, made)
            live.is_loaded = True
            self.drive(live)
        except BrokenGame as broken:
            self.close_broken(live, broken)
            raise

    async def _replay(
        self, live: LiveTable, log: list[StoredEntry], is_rewritten: bool
    ) -> AsyncIterator[tuple[StoredEntry, TableState | None, bool]]:
        """The entries of a log; the states that workers have made of them, and whether viewers can
        be shown these."""
        first = live.state.version + 1
        for number, stored in enumerate(log, start=first):
            check_number(live.id, stored.number, number)
        if live.state.game.is_installed:
            is_watched = bool(live.viewers) and not is_rewritten
            async for step in self.packages.replay(live.id, live.state, log, is_watched):
                yield step
            return
        for stored in log:
            yield stored, None, True
            if stored.number % MAX_ENTRIES_PER_STEP == 0:
                async with self._replay_turns:
                    await asyncio.sleep(0)

    def apply_entry(
        self,
        live: LiveTable,
        stored: StoredEntry,
        broadcast: bool = True,
        state: TableState | None = None,
    ) -> None:
        """Apply an entry of another process, and send the new state to all viewers."""
        with reading(live.id, stored.number):
            live.apply_entry(stored, state)
        self.cache.note_change(live)
        if broadcast:
            self.broadcast(live)
