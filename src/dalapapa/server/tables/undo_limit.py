"""The limit on undoing: as often as people do it, but not so often that it fills a table's log.

A log is replayed when its table is loaded, and its history can be requested. All other moves lead
to the end of the game; only undone ones can go on without end.
"""

from __future__ import annotations

from ...core.errors import TooMany
from ...hosting.commands import check_undo_room, find_undoing_seat
from ...hosting.entries import Entry
from ...hosting.state import TableState
from ..clock import SystemClock
from ..traffic.limits import TokenBucket

UNDOS_PER_SECOND, MAX_UNDOS_AT_ONCE = 0.5, 100
"""How often each seat may undo, in the long run and in one moment."""


class UndoLimit:
    """How often the seats of a table have undone lately, as far as this process knows."""

    def __init__(self, clock: SystemClock) -> None:
        self.clock = clock
        self._buckets: dict[int, TokenBucket] = {}

    def check(self, state: TableState, entry: Entry) -> None:
        """Refuse an entry that undoes too often."""
        seat = find_undoing_seat(state, entry)
        if seat is None:
            return
        check_undo_room(state, entry)
        bucket = self._buckets.get(seat)
        if bucket is None:
            bucket = self._buckets[seat] = TokenBucket(
                UNDOS_PER_SECOND, MAX_UNDOS_AT_ONCE, self.clock
            )
        if not bucket.take():
            refusal = TooMany("You take back too often: wait a few seconds.", "undone_too_fast")
            raise refusal.retry_after(bucket.wait())
