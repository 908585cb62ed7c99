"""Taking back: as often as people do, but not so often that it fills a table's log.

A log is played through when its table is loaded, and shown when its history is asked for. Whatever
goes forward ends some day; only what is taken back can go on for ever.
"""

from __future__ import annotations

from ...core.errors import IllegalMove, TooMany
from ...games.moves import PutBack, TakeOut, Undo
from ...hosting.log import MAX_ENTRIES, Entry, Left, Moved, Returned, TableState
from ..clock import SystemClock
from ..traffic.limits import TokenBucket

A_SECOND, AT_ONCE = 0.5, 100
"""How often each seat takes something back, in the long run and in one moment."""

MOST = MAX_ENTRIES * 3 // 4
"""Entries of a log after which nothing is taken back: the rest is for playing to the end."""

BACK = (Undo, TakeOut, PutBack)
"""Moves that take back."""


class Undoing:
    """What the seats of a table have taken back lately, as far as this process knows."""

    def __init__(self, clock: SystemClock) -> None:
        self.clock = clock
        self._buckets: dict[int, TokenBucket] = {}

    def check(self, state: TableState, entry: Entry) -> None:
        """Refuse what takes back too much; nothing else is ever refused."""
        seat = _taken_back(state, entry)
        if seat is None:
            return
        if state.version >= MOST:
            raise IllegalMove(
                "Too much has been taken back at this table: play on.", "too_much_undone"
            )
        bucket = self._buckets.get(seat)
        if bucket is None:
            bucket = self._buckets[seat] = TokenBucket(A_SECOND, AT_ONCE, self.clock)
        if not bucket.take():
            refusal = TooMany("You take back a lot: wait a few seconds.", "undone_too_fast")
            raise refusal.retry_after(bucket.wait())


def _taken_back(state: TableState, entry: Entry) -> int | None:
    """The seat that takes something back, if that is what happens."""
    if isinstance(entry, Moved):
        return entry.move.player if isinstance(entry.move, BACK) else None
    if isinstance(entry, Returned) or (isinstance(entry, Left) and state.game_state is None):
        return entry.seat
    return None
