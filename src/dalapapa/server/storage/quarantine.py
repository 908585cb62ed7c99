"""Tables that cannot be read are put aside: they are named to the operator once, and harm nobody.

Whatever a row holds, reading it ends in a table or in `DamagedTable`.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from ...core.errors import BrokenGame, DalapapaError, DamagedTable, OtherSet, Unavailable
from ..clock import SYSTEM_CLOCK, SystemClock

logger = logging.getLogger("dalapapa")

SECONDS = 60
"""Until a damaged table is looked at again: an operator may have mended it."""

MOST = 10_000
"""Damaged tables that are remembered; beyond, the oldest ones may be named again."""


def mark_of(id: str) -> str:
    """What a log says instead of an id, which opens a table; `dalapapa check` shows both."""
    return sha256(str(id).encode(errors="surrogateescape")).hexdigest()[:8]


@contextmanager
def reading(table: str, entry: int | None = None) -> Iterator[None]:
    """What fails in here means that a row does not hold what was kept in it."""
    try:
        yield
    except (BrokenGame, OtherSet, Unavailable):
        raise
    except DalapapaError as error:
        raise _damaged(table, error.code, str(error), entry) from None
    except Exception as error:  # A row may hold anything, and the rules expect what they wrote.
        line = (str(error).splitlines() or [""])[0][:200]
        raise _damaged(table, type(error).__name__, f"it cannot be read: {line}", entry) from None


def check_number(table: str, number: int, expected: int) -> None:
    """Entries are numbered without a gap."""
    if number != expected:
        what = f"there is no entry {expected}, but one with the number {number}"
        raise _damaged(table, "gap", what, expected)


def without_row(table: str) -> DamagedTable:
    """A log that belongs to no table."""
    return _damaged(table, "no_row", "it has entries, but no row of its own", None)


def _damaged(table: str, kind: str, what: str, entry: int | None) -> DamagedTable:
    sentence = "The server cannot read this table any more: it has been put aside."
    return DamagedTable(sentence, table=table, kind=kind, what=what, entry=entry)


class PutAside:
    """The damaged tables that a process has met."""

    def __init__(self, clock: SystemClock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self._met: OrderedDict[str, tuple[float, DamagedTable]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._met)

    def check(self, id: str) -> None:
        """Refuse a table that was found to be damaged a moment ago."""
        until, error = self._met.get(id, (0.0, None))
        if error is not None and self.clock.monotonic() < until:
            raise error

    def put(self, error: DamagedTable) -> None:
        """Remember a table, and name it to the operator unless that was done."""
        if error.table not in self._met:
            place = "" if error.entry is None else f" at entry {error.entry}"
            logger.warning(
                "table #%s is damaged%s (%s) and put aside: see `dalapapa check`",
                mark_of(error.table),
                place,
                error.kind,
            )
        self._met[error.table] = self.clock.monotonic() + SECONDS, error
        while len(self._met) > MOST:
            self._met.popitem(last=False)
