"""How many browsers have solved the problem of a day.

A browser generates a random mark for each problem of a day. The hash of the mark is stored for that
day and a week, so that no browser counts twice, and so that solutions found offline can still
arrive; then only the number is left.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256

from sqlalchemy import ColumnElement, and_, select

from ...core.errors import BadInput
from ...problems import parse_date
from ..clock import SystemClock
from ..traffic.limits import TokenBuckets
from .schema import finders, finds
from .store import Store

DAY_BEGINS_EARLIER = timedelta(hours=14)
"""How long before midnight in Greenwich a day begins in the Pacific."""

DAY_ENDS_AFTER = timedelta(hours=36)
"""How long after its first midnight in Greenwich a day ends everywhere."""

MAX_DELAY = timedelta(days=7)
"""How long after its day a solution may arrive: offline, a browser knows the problems of a week."""


def time_of(now: int) -> datetime:
    """A time in milliseconds since 1970 as a date and time."""
    return datetime.fromtimestamp(now / 1000, UTC)


def is_counted(date: str, now: int) -> bool:
    """Whether solutions of a day are counted: from its first beginning anywhere until the limit."""
    midnight = datetime.combine(parse_date(date), datetime.min.time(), UTC)
    return midnight - DAY_BEGINS_EARLIER <= time_of(now) < midnight + DAY_ENDS_AFTER + MAX_DELAY


def is_expired(now: int) -> ColumnElement[bool]:
    """The condition for marks of days that are no longer counted."""
    return finders.c.date <= (time_of(now) - DAY_ENDS_AFTER - MAX_DELAY).date().isoformat()


class SolvedProblems:
    """Counts solved problems. `added` limits how many one address may add."""

    def __init__(self, store: Store, clock: SystemClock, added: TokenBuckets) -> None:
        self.store = store
        self.clock = clock
        self.added = added

    async def count(self, kind: str, date: str) -> int:
        async with self.store.reading() as connection:
            found = await connection.scalar(select(finds.c.count).where(_problem(kind, date)))
        return int(found or 0)

    async def add(self, kind: str, date: str, mark: str, address: str) -> int:
        """Count a browser once, and return the number; refuses the problems of other days."""
        if not is_counted(date, self.clock.now()):
            raise BadInput("The server counts only solutions of current problems.", "another_day")
        if not self.added.take(address):
            return await self.count(kind, date)
        mark_hash = sha256(f"{kind} {date} {mark}".encode(errors="surrogatepass")).hexdigest()
        finder = {"date": date, "kind": kind, "mark": mark_hash}
        first = {"date": date, "kind": kind, "count": 1}
        more = self.store.upsert(finds, first, ["date", "kind"], {"count": finds.c.count + 1})
        async with self.store.writing() as connection:
            if (await connection.execute(self.store.insert_new(finders), finder)).rowcount == 1:
                await connection.execute(more)
            found = await connection.scalar(select(finds.c.count).where(_problem(kind, date)))
        return int(found or 0)


def _problem(kind: str, date: str) -> ColumnElement[bool]:
    return and_(finds.c.kind == kind, finds.c.date == date)
