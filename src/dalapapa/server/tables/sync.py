"""What other processes do at tables: PostgreSQL notifies of it, a file of SQLite is polled."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable

from ...core.errors import BrokenGame, NotFound, Unavailable
from ...hosting.entries import Forgotten
from ...hosting.stored import StoredEntry
from ..storage.notifications import DELETED, FORGOTTEN, count_admin_changes, receive_notifications
from .live import LiveTable
from .registry import TableRegistry

logger: logging.Logger = logging.getLogger("dalapapa")

RETRY_DELAY_S = 0.5
"""The time after which a failed database is asked again."""

POLL_INTERVAL_S = 1.0
"""The pause between checks for changes that other programs make in a file of SQLite."""

MAX_CONCURRENT_REFRESHES = 5
"""Tables that are read again together when notifications were missed: moves need connections,
too."""


class TableSync:
    """Applies to live tables what other processes make durable."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry = registry
        self.store = registry.store
        self.presence = registry.presence
        self.on_forget: Callable[[], None] = lambda: None
        """Clears caches: an operator has removed the name of a player, or changed tables."""
        self._listener: asyncio.Task[None] | None = None
        self._refreshes: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(MAX_CONCURRENT_REFRESHES)
        self._behind: dict[LiveTable, int] = {}
        """Tables whose log has grown, and up to which number."""
        self._reading: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to listen, or to poll."""
        follow = self._listen if self.store.postgres else self._poll
        self._listener = asyncio.create_task(follow())

    async def close(self, drivers: set[asyncio.Task[None]]) -> None:
        """Cancel drivers and readers together, then what they have left to be read."""
        readers = {task for task in (self._listener, self._reading) if task}
        for tasks in (drivers | readers, self._refreshes):
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _listen(self) -> None:
        while True:
            try:
                await receive_notifications(
                    self.store, self._note_entry, self._refresh_all, self.presence.receive
                )
            except Exception as error:
                logger.warning("could not get changes from the database: %s", type(error).__name__)
            await asyncio.sleep(RETRY_DELAY_S)

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
                    self._refresh_all()
                known = count
            await asyncio.sleep(POLL_INTERVAL_S)

    def _drop_deleted(self, live: LiveTable) -> None:
        self.registry.drop(
            live,
            NotFound("This table was deleted by the operator of this server.", "unknown_table"),
        )

    def _note_entry(self, id: str, number: int) -> None:
        """Handle the notification of an entry that another process has appended."""
        live = self.registry.live.get(id)
        if number == FORGOTTEN:
            self.on_forget()
        elif live is not None and number == DELETED:
            self._drop_deleted(live)
        elif live is not None and live.state.version < number:
            self._behind[live] = number
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._read_behind())

    async def _read_behind(self) -> None:
        """Read the new entries of all tables that are behind in one query."""
        while self._behind:
            behind, self._behind = self._behind, {}
            try:
                logs = await self.store.logs({live.id: live.state.version for live in behind})
            except Unavailable:
                logs = {}
            for live, number in behind.items():
                # Else a command is at work there, and will catch up, or a worker has to help.
                if not live.lock.locked() and not live.state.game.is_installed:
                    self._apply_entries(live, logs.get(live.id, []))
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

    def _refresh_all(self) -> None:
        """Read all live tables again, because notifications may have been missed."""
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
