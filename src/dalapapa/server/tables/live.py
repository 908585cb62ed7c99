"""A live table: the state of an online table in memory, and its viewers.

It performs no I/O. `registry.py` loads live tables, `commands.py` changes them, `sync.py` applies
the changes of other processes.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from typing import Protocol

import msgspec

from ...core.errors import BrokenGame, DalapapaError
from ...hosting.encoder import StateEncoder
from ...hosting.entries import Moved
from ...hosting.state import TableState, advance, open_table, refuse_closed
from ...hosting.stored import StoredEntry, StoredTable
from ...hosting.tokens import find_seats, hash_token
from ..clock import SystemClock, TableTime
from .presence import TablePresence
from .undo_limit import UndoLimit

MOVE_ID_CACHE_SIZE = 64
"""Hashed ids of the latest moves of a table: a repeated message is not carried out twice."""


class TableViewer(Protocol):
    """A subscriber to the changes of a live table, such as a socket."""

    def on_change(self, live: LiveTable) -> None:
        """Handle a new state, which is durable. Must not wait."""

    def on_close(self, error: DalapapaError) -> None:
        """Handle the end of the table: it was deleted, closed or is broken. Must not wait."""


class LiveTable:
    """A table in memory: its state at one version, and its viewers."""

    def __init__(
        self, stored: StoredTable, clock: SystemClock, state: TableState | None = None
    ) -> None:
        self.time: TableTime = TableTime(clock, stored.created)
        self.is_loaded = False
        """Whether all stored entries were applied: entries that come later were just made."""
        self.id: str = stored.id
        self.created: int = stored.created
        self.settings_bytes: int = len(msgspec.json.encode(stored.settings))
        self.state: TableState = state or open_table(stored.settings, stored.seed, stored.created)
        """At first without entries; a worker has made it if the game is from a package."""
        self.release_memory()
        self.lock: asyncio.Lock = asyncio.Lock()
        self.viewers: set[TableViewer] = set()
        self.presence: TablePresence = TablePresence(self.time.now())
        self.undo_limit: UndoLimit = UndoLimit(clock)
        self.waits: dict[int, int] = self._find_waits(stored.created)
        """The seats that the game waits for, and since when, by the log."""
        self.recent_move_ids: OrderedDict[str, int] = OrderedDict()
        """The versions that the latest moves made, by their hashed ids."""
        self.move_counts: Counter[int] = Counter()
        """The number of moves of each seat, with those that were undone."""
        self.broadcast_cache: dict[tuple[tuple[int, ...], bool], bytes] = {}
        """Messages of the broadcast in progress, by the viewer's seats and whether they include
        moves: viewers for whom both are equal get the same bytes."""
        self.encoder: StateEncoder = StateEncoder(stored.id)
        self.wake_driver: asyncio.Event = asyncio.Event()
        """Set when the state has changed or no viewer is left."""
        self.driver: asyncio.Task[None] | None = None
        self.leads_bots: bool = False
        """Whether this process moves the bots: the process that made their last move does."""
        self.bots_asked_at: int = self.time.now()
        """When the bots became due to move, if they are."""
        self.changed_at: int = self.bots_asked_at
        self.closing_error: DalapapaError | None = None
        """Why the table is closed: its game failed, an operator closed it, or it was deleted."""

    def _find_waits(self, at: int, before: dict[int, int] | None = None) -> dict[int, int]:
        state = self.state
        asked = () if state.game_state is None else state.game.next_actors(state.game_state)
        return {seat: (before or {}).get(seat, at) for seat in asked}

    def seats_of(self, token: str) -> tuple[int, ...]:
        """The seats that a token owns."""
        return find_seats((seat.owner for seat in self.state.seats), hash_token(token))

    def next_deadline(self) -> int | None:
        """When the driver has to end a clock or timer; not a timer that waits for its players."""
        state, timer = self.state, self.state.timer
        if timer is None or self.time.now() < timer.deadline:
            return state.deadline()
        limit, clock_over = state.time_limit, state.clock_deadline()
        if limit is None:
            return clock_over
        return limit.deadline if clock_over is None else min(limit.deadline, clock_over)

    def apply_entry(
        self, stored: StoredEntry, state: TableState | None = None, made_here: bool = False
    ) -> None:
        """Apply a durable entry; `state` is the result if it was computed already."""
        self.state = state or advance(self.state, stored.entry, stored.at)
        if not made_here and (jump := self.time.hear(stored.at, self.is_loaded)):
            self.bots_asked_at += jump
            self.presence.shift(jump)
        self.changed_at = now = self.time.now()
        self.waits = self._find_waits(stored.at, self.waits)
        if stored.nonce is not None:
            self.recent_move_ids[stored.nonce] = stored.number
            if len(self.recent_move_ids) > MOVE_ID_CACHE_SIZE:
                self.recent_move_ids.popitem(last=False)
        if isinstance(stored.entry, Moved):
            self.move_counts[getattr(stored.entry.move, "player", -1)] += 1
            by_bot = stored.entry.cause == "program"
            if by_bot:
                self.leads_bots = made_here
            # Where several act at once, a person's move does not restart the time of the bots.
            if by_bot or len(self.waits) < 2:
                self.bots_asked_at = now

    def reset(self, stored: StoredTable, state: TableState) -> None:
        """Return to version 0, because earlier entries were rewritten in the database."""
        self.state = state
        self.waits = self._find_waits(stored.created)
        self.encoder = StateEncoder(stored.id)  # The old one has encoded what was forgotten.
        self.recent_move_ids.clear()
        self.move_counts.clear()

    def release_memory(self) -> None:
        """Free the memory of the game, which the next move rebuilds."""
        if self.state.game_state is not None:
            self.state.game_state.rest()

    def release_undo_memory(self) -> None:
        """Free what only undo would need, because the next move is expected soon."""
        state = self.state.game_state
        if state is None or self.state.game.is_installed:  # Workers have the latter's tables.
            return
        if state.table is not None:
            state.table.lend()
            if state.before is not None:
                state.before.rest()

    def broadcast(self) -> None:
        """Send the new state to all viewers, and wake the driver."""
        if self.state.closed is not None:
            self.close(refuse_closed(self.state.closed))
            return
        try:
            for viewer in tuple(self.viewers):
                viewer.on_change(self)
        except BrokenGame as error:
            self.close(error)
        self.broadcast_cache.clear()
        self.wake_driver.set()

    def close(self, error: DalapapaError) -> None:
        """Close the table for all viewers."""
        self.closing_error = error
        for viewer in tuple(self.viewers):
            viewer.on_close(error)
        self.wake_driver.set()
