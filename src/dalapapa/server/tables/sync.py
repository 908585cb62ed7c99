"""What other processes do at tables: the bus announces it, a file of SQLite is polled."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable

from ...core.errors import BrokenGame, NotFound, Unavailable
from ...hosting.entries import Forgotten
from ...hosting.stored import StoredEntry
from ..bus.bus import Bus
from ..storage.notifications import DELETED, FORGOTTEN, count_admin_changes
from .live import LiveTable
from .registry import TableRegistry

logger: logging.Logger = logging.getLogger("dalapapa")

RETRY_DELAY_S = 0.5
"""The time after which a failed database is asked again."""

POLL_INTERVAL_S = 1.0
"""The pause between checks for changes that other programs make in a file of SQLite."""

CHECK_INTERVAL_S = 2.0
"""The pause between checks of tables with viewers, if the bus can lose announcements. A table that
has changed since the last check is left out, so an entry is missed for twice this time at most."""

MAX_TABLES_PER_CHECK = 500
"""Tables that are checked in one query: other queries wait meanwhile."""

MAX_CONCURRENT_REFRESHES = 5
"""Tables that are read again together when notifications were missed: moves need connections,
too."""


class TableSync:
    """Applies to live tables what other processes make durable."""

    def __init__(self, registry: TableRegistry, bus: Bus | None) -> None:
        self.registry = registry
        self.bus = bus
        self.store = registry.store
        self.presence = registry.presence
        self.on_forget: Callable[[], None] = lambda: None
        """Clears caches: an operator has removed the name of a player, or changed tables."""
        self._poller: asyncio.Task[None] | None = None
        self._refreshes: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(MAX_CONCURRENT_REFRESHES)
        self._behind: dict[LiveTable, int] = {}
        """Tables whose log has grown, and up to which number."""
        self._reading: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to receive what the bus brings, and to poll for what it does not bring."""
        if self.bus is None:
            self._poller = asyncio.create_task(self._poll())
            return
        self.bus.open(self)
        if self.bus.is_lossy:
            self._poller = asyncio.create_task(self._check_watched_tables())

    async def close(self, drivers: set[asyncio.Task[None]]) -> None:
        """Cancel drivers and readers together, then what they have left to be read."""
        readers = {task for task in (self._poller, self._reading) if task}
        for tasks in (drivers | readers, self._refreshes):
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _check_watched_tables(self) -> None:
        while True:
            await asyncio.sleep(CHECK_INTERVAL_S)
            watched = [
                live
                for live in self.registry.live.values()
                if live.viewers and live.changed_at < live.time.now() - 1000 * CHECK_INTERVAL_S
            ]
            for start in range(0, len(watched), MAX_TABLES_PER_CHECK):
                self._check(watched[start : start + MAX_TABLES_PER_CHECK])
                if self._reading is not None:
                    await asyncio.wait({self._reading})

    async def _poll(self) -> None:
        """Follow the changes that `dalapapa admin` counts in a file of SQLite."""
        known: int | None = None
        while True:
            with contextlib.suppress(Unavailable):
                count = await count_admin_changes(self.store)
                if known is not None and count != known:
                    self.on_forget()
                    held = dict(self.registry.live)
                    for id in held.keys() - await self.store.find_existing(list(held)):
                        self._drop_deleted(held[id])
                    self.note_gap()
                known = count
            await asyncio.sleep(POLL_INTERVAL_S)

    def _drop_deleted(self, live: LiveTable) -> None:
        self.registry.drop(
            live,
            NotFound("This table was deleted by the operator of this server.", "unknown_table"),
        )

    def receive_entry(self, table: str, number: int) -> None:
        """Handle the announcement of an entry that another process has appended."""
        live = self.registry.live.get(table)
        if number == FORGOTTEN:
            self.on_forget()
        elif live is not None and number == DELETED:
            self._drop_deleted(live)
        elif live is not None and live.state.version < number:
            self._behind[live] = number
            self._read_soon()

    @property
    def process(self) -> str:
        """The name of this process."""
        return self.presence.process

    def receive_post(self, text: str) -> None:
        """Handle a post about presence."""
        self.presence.receive(text)

    def note_followed(self, tables: Iterable[str]) -> None:
        """Read what may have been appended before the announcements of these tables arrive."""
        live = self.registry.live
        self._check([live[table] for table in tables if table in live])

    def _check(self, tables: Iterable[LiveTable]) -> None:
        """Read the entries of tables that were not announced, if there are any."""
        for live in tables:
            self._behind.setdefault(live, live.state.version)
        self._read_soon()

    def _read_soon(self) -> None:
        if self._behind and (self._reading is None or self._reading.done()):
            self._reading = asyncio.create_task(self._read_behind())

    async def _read_behind(self) -> None:
        """Read the new entries of all tables that are behind in one query."""
        while self._behind:
            behind, self._behind = self._behind, {}
            try:
                logs = await self.store.logs({live.id: live.state.version for live in behind})
            except Unavailable:
                logs = {}
            for live, announced in behind.items():
                log = logs.get(live.id, [])
                number = max(announced, log[-1].number) if log else announced
                # Else a command is at work there, and will catch up, or a worker has to help.
                if not live.lock.locked() and not live.state.game.is_installed:
                    self._apply_entries(live, log)
                if live.state.version < number and live.closing_error is None:
                    self.refresh_soon(live, number)

    def _apply_entries(self, live: LiveTable, log: list[StoredEntry]) -> None:
        try:
            for stored in log:
                if isinstance(stored.entry, Forgotten):
                    return  # Earlier entries have changed, too: `catch_up` starts again.
                if stored.number == live.state.version + 1:
                    self.registry.apply_entry(live, stored)
            self.registry.drive(live)
        except BrokenGame as error:
            self.registry.close_broken(live, error)

    def note_gap(self) -> None:
        """Read all live tables again, because announcements may have been missed."""
        self.presence.resync()
        for live in tuple(self.registry.live.values()):
            self.refresh_soon(live)

    def refresh_soon(self, live: LiveTable, number: int | None = None) -> None:
        """Schedule reading the new entries of a table, at least up to `number` if it is known."""
        task = asyncio.create_task(self._refresh(live, number))
        self._refreshes.add(task)
        task.add_done_callback(self._refreshes.discard)

    async def _refresh(self, live: LiveTable, number: int | None) -> None:
        """Try to catch up until it succeeds."""
        while True:
            try:
                async with self._slots, live.lock:
                    if number is None or live.state.version < number:
                        await self.registry.catch_up(live)
                return
            except (BrokenGame, NotFound):
                return
            except Unavailable:
                await asyncio.sleep(RETRY_DELAY_S)
