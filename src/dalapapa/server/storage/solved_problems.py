"""How many browsers have found the problem of a day, and nothing else about them.

A browser makes up a mark for each problem of a day. The hash of the mark is kept for that day and a
week, so that nobody counts twice, and that what was found without a connection can still arrive;
then only the number is left.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.dialects import postgresql, sqlite

from ...core.errors import BadInput
from ...problems import parse_date
from ..clock import SystemClock
from ..traffic.limits import TokenBuckets
from .store import Store, finders, finds

FIRST = timedelta(hours=14)
"""How long before midnight in Greenwich a day begins in the Pacific."""

LAST = timedelta(hours=36)
"""How long after the midnight it begins with in Greenwich a day ends everywhere."""

LATE = timedelta(days=7)
"""How long after its day a find may arrive that a browser had to keep: it knows a week ahead."""


def time_of(now: int) -> datetime:
    """A time of the server's clock, which counts milliseconds."""
    return datetime.fromtimestamp(now / 1000, UTC)


def counts(date: str, now: int) -> bool:
    """Whether finds of a day are counted: from when it begins anywhere, until they are too late."""
    midnight = datetime.combine(parse_date(date), datetime.min.time(), UTC)
    return midnight - FIRST <= time_of(now) < midnight + LAST + LATE


def past(now: int) -> ColumnElement[bool]:
    """Of the marks of days that are not counted any more."""
    return finders.c.date <= (time_of(now) - LAST - LATE).date().isoformat()


class Finds:
    """Counts. `added` is how much one address may add."""

    def __init__(self, store: Store, clock: SystemClock, added: TokenBuckets) -> None:
        self.store = store
        self.clock = clock
        self.added = added

    async def count(self, kind: str, date: str) -> int:
        """How many have found the problem of a day."""
        async with self.store.reading() as connection:
            found = await connection.scalar(select(finds.c.count).where(_problem(kind, date)))
        return int(found or 0)

    async def add(self, kind: str, date: str, mark: str, address: str) -> int:
        """Count a browser that has found it, once; how many there are. Refuses another day's."""
        if not counts(date, self.clock.now()):
            raise BadInput("Finds of this day are not counted now.", "another_day")
        if not self.added.take(address):
            return await self.count(kind, date)
        insert = (postgresql if self.store.postgres else sqlite).insert
        kept = sha256(f"{kind} {date} {mark}".encode(errors="surrogatepass")).hexdigest()
        finder = insert(finders).values(date=date, kind=kind, mark=kept).on_conflict_do_nothing()
        first = insert(finds).values(date=date, kind=kind, count=1)
        one_more = first.on_conflict_do_update(
            index_elements=["date", "kind"], set_={"count": finds.c.count + 1}
        )
        async with self.store.writing() as connection:
            if (await connection.execute(finder)).rowcount == 1:
                await connection.execute(one_more)
            found = await connection.scalar(select(finds.c.count).where(_problem(kind, date)))
        return int(found or 0)


def _problem(kind: str, date: str) -> ColumnElement[bool]:
    return and_(finds.c.kind == kind, finds.c.date == date)
