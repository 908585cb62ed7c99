"""The quarantine of damaged tables: the log names each once, and all other tables go on.

Reading any row ends in a table or in `DamagedTable`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from ...core.errors import BrokenGame, DalapapaError, DamagedTable, OtherSet, Unavailable
from ..clock import SYSTEM_CLOCK, SystemClock
from ..monitoring.logging_setup import logger

RETRY_DELAY_S = 60
"""The time after which a damaged table is read again: an operator may have repaired it."""

MAX_QUARANTINED_TABLES = 10_000
"""The oldest ones beyond this number are forgotten, and may be logged again."""


def mark_of(id: str) -> str:
    """The mark in logs in place of an id, which opens a table; `dalapapa check` shows both."""
    return sha256(str(id).encode(errors="surrogateescape")).hexdigest()[:8]


@contextmanager
def reading(table: str, entry: int | None = None) -> Iterator[None]:
    """Raise `DamagedTable` for any failure in the block: a row does not hold what was stored."""
    try:
        yield
    except (BrokenGame, OtherSet, Unavailable):
        raise
    except DalapapaError as error:
        raise _make_error(table, error.code, str(error), entry) from None
    except Exception as error:  # A row may hold anything; the rules expect what they wrote.
        line = (str(error).splitlines() or [""])[0][:200]
        raise _make_error(table, type(error).__name__, f"it is unreadable: {line}", entry) from None


def check_number(table: str, number: int, expected: int) -> None:
    """Refuse a gap in the numbers of entries."""
    if number != expected:
        what = f"there is no entry {expected}, but one with the number {number}"
        raise _make_error(table, "gap", what, expected)


def make_orphan_error(table: str) -> DamagedTable:
    """The error for a log that belongs to no table."""
    return _make_error(table, "no_row", "it has entries, but no row of its own", None)


def _make_error(table: str, kind: str, what: str, entry: int | None) -> DamagedTable:
    sentence = "The server can no longer read this table: it is in quarantine."
    return DamagedTable(sentence, table=table, kind=kind, what=what, entry=entry)


class Quarantine:
    """The damaged tables that a process has found."""

    def __init__(self, clock: SystemClock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self._found: OrderedDict[str, tuple[float, DamagedTable]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._found)

    def check(self, id: str) -> None:
        """Refuse a table that was recently found to be damaged."""
        until, error = self._found.get(id, (0.0, None))
        if error is not None and self.clock.monotonic() < until:
            raise error

    def add(self, error: DamagedTable) -> None:
        """Add a damaged table, and log it unless that was done."""
        if error.table not in self._found:
            place = "" if error.entry is None else f" at entry {error.entry}"
            logger.warning(
                "table #%s is damaged%s (%s) and in quarantine: run `dalapapa check` for details",
                mark_of(error.table),
                place,
                error.kind,
            )
        self._found[error.table] = self.clock.monotonic() + RETRY_DELAY_S, error
        while len(self._found) > MAX_QUARANTINED_TABLES:
            self._found.popitem(last=False)
