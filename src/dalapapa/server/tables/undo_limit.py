"""The limit on undoing: as often as people do it, but not so often that it fills a table's log.

A log is replayed when its table is loaded, and its history can be requested. All other moves lead
to the end of the game; only undone ones can go on without end.
"""

from __future__ import annotations

from ...core.errors import IllegalMove, TooMany
from ...games.moves import PutBack, TakeOut, Undo
from ...hosting.entries import Entry, Left, Moved, Returned
from ...hosting.state import MAX_ENTRIES, TableState
from ..clock import SystemClock
from ..traffic.limits import TokenBucket

UNDOS_PER_SECOND, MAX_UNDOS_AT_ONCE = 0.5, 100
"""How often each seat may undo, in the long run and in one moment."""

MAX_VERSION_TO_UNDO = MAX_ENTRIES * 3 // 4
"""Version of a table after which nothing can be undone: the rest is for playing to the end."""

UNDO_MOVES = (Undo, TakeOut, PutBack)


class UndoLimit:
    """How often the seats of a table have undone lately, as far as this process knows."""

    def __init__(self, clock: SystemClock) -> None:
        self.clock = clock
        self._buckets: dict[int, TokenBucket] = {}

    def check(self, state: TableState, entry: Entry) -> None:
        """Refuse an entry that undoes too often."""
        seat = _find_undoing_seat(state, entry)
        if seat is None:
            return
        if state.version >= MAX_VERSION_TO_UNDO:
            raise IllegalMove("This table has used up its takebacks: play on.", "too_much_undone")
        bucket = self._buckets.get(seat)
        if bucket is None:
            bucket = self._buckets[seat] = TokenBucket(
                UNDOS_PER_SECOND, MAX_UNDOS_AT_ONCE, self.clock
            )
        if not bucket.take():
            refusal = TooMany("You take back too often: wait a few seconds.", "undone_too_fast")
            raise refusal.retry_after(bucket.wait())


def _find_undoing_seat(state: TableState, entry: Entry) -> int | None:
    """The seat that undoes something by an entry, if it does."""
    if isinstance(entry, Moved):
        return entry.move.player if isinstance(entry.move, UNDO_MOVES) else None
    if isinstance(entry, Returned) or (isinstance(entry, Left) and state.game_state is None):
        return entry.seat
    return None
