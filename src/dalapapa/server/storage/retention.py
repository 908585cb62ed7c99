"""What happens to tables in the long run: how long each kind is kept, and who sees to it.

Games that are over are archived (`archive.py`) and tables that nobody uses any more go, while the
server runs, a few at a time, so that nobody's move waits. Of several processes on one PostgreSQL,
one does it. Whoever is killed in between loses nothing: each batch is one transaction.

A table that somebody watches stays. Processes do not see each other's viewers, so each notes in
the database what is watched here (`seen`), where the last change alone would not tell.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Meta
from sqlalchemy import (
    ColumnElement,
    Table,
    Update,
    bindparam,
    delete,
    func,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from ...core.errors import BadInput, DalapapaError
from ...core.notation import shortened
from ..clock import SYSTEM_CLOCK, SystemClock
from .archive import Archived, Line, pack
from .solved_problems import past
from .store import (
    Store,
    archive,
    asked_addresses,
    attempts,
    challenges,
    entries,
    finders,
    mailed_addresses,
    subscribers,
    tables,
)

if TYPE_CHECKING:  # They ask how many there are.
    from ..tables.tables import LiveTable, Tables

logger = logging.getLogger("dalapapa")

DAY = 86_400_000
"""Milliseconds."""

FIRST, EVERY, SOONEST = 20, 600, 10
"""Seconds until the first sweep, from one to the next, and at least, when the server is full."""

DOUBTED = 3_600_000
"""Milliseconds that the clock may gain while a process runs, before it is not believed."""

NOTED = 900_000
"""Milliseconds without a change after which a table that is watched is noted as seen."""

PRESSED = 3_600_000
"""Milliseconds that tables which nobody used are kept while there is no room for others."""

MAX_TABLES_AT_ONCE, MAX_ROWS_AT_ONCE = 50, 2_000
"""Of one transaction; a single long log may have more rows."""

REST = 3
"""After a batch, the sweep rests so many times as long as the batch took."""

LOCK = 720_121
"""In PostgreSQL's advisory locks: who has it sweeps."""

ASKED_DAYS = 30
"""How long it is remembered that a mail address was asked for its consent."""

UNCONFIRMED_DAYS = 2
"""How long a mail address waits for its consent."""

COUNTED, COUNTED_NEAR = 60, 1
"""Seconds for which a count of all tables is good; and when it is near the limit."""

NEAR = 0.9

Days = Annotated[float, Meta(ge=1, le=100_000)] | Literal["never"]


class Keep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For how many days tables are kept, counted from their last change or viewer."""

    unused: Days = 7
    """A table at which nothing has happened since it was set up; then it is removed."""
    waiting: Days = 30
    """A table that is waiting for players; then it is removed."""
    playing: Days = 180
    """A game without a move; then it is removed."""
    over: Annotated[float, Meta(ge=0, le=100_000)] | Literal["never"] = 30
    """A finished game; then it is archived, and can be opened as before."""
    archived: Days = "never"
    """An archived game, counted from its end; then it is removed."""
    challenges: Days = 365
    """A challenge that nobody takes up any more; then it is removed, and its games stay."""


def keep_from(data: dict[str, Any]) -> Keep:
    """What is kept, from plain data; what is missing has its default."""
    for name, value in data.items():
        if name not in Keep.__struct_fields__:
            reason = f"there is no kind of table called {shortened(name)}; known are "
            raise BadInput(
                f"What is kept: {reason}{', '.join(Keep.__struct_fields__)}.", "bad_keep"
            )
        try:
            msgspec.convert({name: value}, Keep)
        except msgspec.ValidationError:
            least = 0 if name == "over" else 1
            raise BadInput(
                f"What is kept: {name} is a number of days from {least} to 100000, or never;"
                f" not {shortened(str(value))}.",
                "bad_keep",
            ) from None
    return msgspec.convert(data, Keep)


class Swept(NamedTuple):
    """What a sweep came to."""

    archived: int = 0
    removed: int = 0


class TableCount:
    """About how many tables there are, archive apart, and whether there is room for another.

    Counting takes the longer the more there are, so a count is good for a while; what other
    processes have set up meanwhile is not in it.
    """

    def __init__(self, store: Store, most: int, clock: SystemClock = SYSTEM_CLOCK) -> None:
        self.most = most
        self.store = store
        self.clock = clock
        self.refused = asyncio.Event()
        """Somebody was refused for want of room."""
        self._known: int | None = None
        self._at = 0.0
        self._counting = asyncio.Lock()

    async def full(self) -> bool:
        """Whether there are as many as there may be."""
        return await self.room() <= 0

    async def room(self) -> int:
        """About how many more there may be."""
        async with self._counting:
            good = COUNTED if (self._known or 0) < NEAR * self.most else COUNTED_NEAR
            if self._known is None or self.clock.monotonic() >= self._at + good:
                self._known = await self.store.count()
                self._at = self.clock.monotonic()
        return self.most - self._known

    def add(self) -> None:
        """One was set up here."""
        if self._known is not None:
            self._known += 1

    def forget(self) -> None:
        """Some have gone: who asks next counts anew, for a count may know of them already."""
        self._at = -math.inf


class Retention:
    """Sweeps the tables of a database every now and then; `tables` are those of this process."""

    def __init__(
        self,
        store: Store,
        keep: Keep | None = None,
        clock: SystemClock = SYSTEM_CLOCK,
        tables: Tables | None = None,
    ) -> None:
        self.store = store
        self.keep = keep or Keep()
        self.clock = clock
        self.tables = tables
        self.archived: int = 0
        self.removed: int = 0
        self._began = clock.now(), clock.monotonic()
        self._insert = (postgresql if store.postgres else sqlite).insert
        self._noted: WeakKeyDictionary[LiveTable, int] = WeakKeyDictionary()
        self._unreadable: set[str] = set()
        """Tables that cannot be archived as they are: they stay."""
        self._task: asyncio.Task[None] | None = None
        self._notes: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begin to sweep."""
        if self.tables is not None:
            self.tables.on_watch = self.notice
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop; what is half done is undone by the database."""
        tasks = [*self._notes, *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        await asyncio.sleep(FIRST)
        while True:
            try:
                await self.sweep()
            except DalapapaError as error:
                logger.warning("tables are not swept: %s", error)
            except Exception:
                logger.warning("tables are not swept", exc_info=True)
            await asyncio.sleep(SOONEST)
            if self.tables is not None:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.tables.count.refused.wait(), EVERY - SOONEST)

    async def sweep(self) -> Swept:
        """Archive and remove what is due, however much that is, with rests for everybody else."""
        await self._note_watched()
        archived = removed = 0
        async with self._alone() as alone:
            if not alone:
                return Swept()
            now, keep = self._now(), self.keep
            pressed = await self._pressed()
            over = now if pressed else _before(now, keep.over)
            unused = _before(now, keep.unused)
            if pressed:
                unused = max(unused, now - PRESSED)
            archived = await self._archive_all(over)
            never_used = tables.c.changed == tables.c.created
            for phase, kept in (("waiting", keep.waiting), ("playing", keep.playing)):
                removed += await self._remove_all(phase, unused, never_used)
                removed += await self._remove_all(phase, _before(now, kept))
            removed += await self._remove_archived(_before(now, keep.archived))
            async with self.store.writing() as connection:
                await connection.execute(delete(finders).where(past(now)))
                forgotten = challenges.c.changed < int(_before(now, keep.challenges))
                await connection.execute(delete(challenges).where(forgotten))
                asked = asked_addresses.c.at < now - ASKED_DAYS * DAY
                await connection.execute(delete(asked_addresses).where(asked))
                await connection.execute(
                    delete(mailed_addresses).where(mailed_addresses.c.paid_until < now)
                )
                silent = subscribers.c.created < now - UNCONFIRMED_DAYS * DAY
                unconfirmed = (subscribers.c.state == "asked", silent)
                await connection.execute(delete(subscribers).where(*unconfirmed))
        return Swept(archived, removed)

    def _now(self) -> int:
        """The time, but a clock that is put forward by days while we run makes nothing old."""
        wall, monotonic = self._began
        passed = int(1000 * (self.clock.monotonic() - monotonic))
        return min(self.clock.now(), wall + passed + DOUBTED)

    async def _pressed(self) -> bool:
        if self.tables is None:
            return False
        self.tables.count.refused.clear()
        return await self.tables.count.full()

    @contextlib.asynccontextmanager
    async def _alone(self) -> AsyncIterator[bool]:
        """Whether no other process sweeps meanwhile; a process that dies lets go of it."""
        if not self.store.postgres:  # One process has the file.
            yield True
            return
        async with self.store.autocommit() as connection:
            taken = text("SELECT pg_try_advisory_lock(:lock)")
            alone = bool((await connection.execute(taken, {"lock": LOCK})).scalar_one())
            try:
                yield alone
            finally:
                if alone:
                    given = text("SELECT pg_advisory_unlock(:lock)")
                    await connection.execute(given, {"lock": LOCK})

    async def _rest(self, began: float) -> None:
        await asyncio.sleep(REST * (self.clock.monotonic() - began))

    # -- who watches -------------------------------------------------------------------------

    def notice(self, live: LiveTable) -> None:
        """Somebody watches a table from now on: if it is old, it must be known at once."""
        if self._to_note(live):
            self._noted[live] = self.clock.now()
            task = asyncio.create_task(self._note([live.id]))
            self._notes.add(task)
            task.add_done_callback(self._notes.discard)

    def _to_note(self, live: LiveTable) -> bool:
        if live.state.phase == "over" and self.keep.archived == "never":
            return False
        return max(live.state.at, self._noted.get(live, 0)) < self.clock.now() - NOTED

    async def _note_watched(self) -> None:
        held = () if self.tables is None else tuple(self.tables.live.values())
        watched = [live for live in held if live.viewers and self._to_note(live)]
        for start in range(0, len(watched), MAX_TABLES_AT_ONCE):
            some = watched[start : start + MAX_TABLES_AT_ONCE]
            await self._note([live.id for live in some])
            self._noted.update(dict.fromkeys(some, self.clock.now()))

    async def _note(self, ids: Iterable[str]) -> None:
        # In the order of ids, as entries are written: so nobody blocks anybody.
        seen = [{"of": id, "now": self.clock.now()} for id in sorted(ids)]
        with contextlib.suppress(DalapapaError):  # The next sweep notes it again.
            async with self.store.writing() as connection:
                await connection.execute(_SEEN, seen)
                if self.keep.archived != "never":
                    await connection.execute(_SEEN_IN_ARCHIVE, seen)

    def _watched_here(self, id: str) -> bool:
        live = None if self.tables is None else self.tables.live.get(id)
        return live is not None and bool(live.viewers)

    # -- archiving ---------------------------------------------------------------------------

    async def _archive_all(self, before: float) -> int:
        archived = 0
        left = set(self._unreadable)
        async for ids in self._due("over", before, left):
            began = self.clock.monotonic()
            done = await self._archive(ids)
            left.update(set(ids).difference(done))  # Until the next sweep.
            archived += len(done)
            self.archived += len(done)
            self._gone(len(done))
            await self._rest(began)
        return archived

    async def _archive(self, ids: Sequence[str]) -> list[str]:
        """Move tables into the archive, those that have not grown meanwhile; which ones."""
        packed = await self._packed(ids)
        if not packed:
            return []
        async with self.store.writing() as connection:
            still = select(tables.c.id, tables.c.changed).where(
                tables.c.id.in_(packed), tables.c.phase == "over"
            )
            # An entry is written under a lock of its table. Who has one is not waited for.
            locked = still.order_by(tables.c.id).with_for_update(skip_locked=True)
            changed = {row.id: row.changed for row in await connection.execute(locked)}
            counted = select(entries.c.table_id, func.count().label("length")).where(
                entries.c.table_id.in_(changed)
            )
            lengths = {
                row.table_id: row.length
                for row in await connection.execute(counted.group_by(entries.c.table_id))
            }
            rows = [
                {"id": id, "created": packed[id].created, "changed": at, "data": packed[id].data}
                for id, at in changed.items()
                if lengths.get(id, 0) == packed[id].length
            ]
            if not rows:
                return []
            added = self._insert(archive).on_conflict_do_nothing().returning(archive.c.id)
            done = [row.id for row in await connection.execute(added, rows)]
            await connection.execute(delete(tables).where(tables.c.id.in_(done)))
        self._unreadable.update({row["id"] for row in rows}.difference(done))
        return done

    async def _packed(self, ids: Sequence[str]) -> dict[str, _Packed]:
        """Tables as rows of the archive. What cannot be packed stays what it is."""
        async with self.store.reading() as connection:
            found = (await connection.execute(select(tables).where(tables.c.id.in_(ids)))).all()
            theirs = select(entries).where(entries.c.table_id.in_(ids)).order_by(entries.c.number)
            logs: dict[str, list[Line]] = {id: [] for id in ids}
            for row in await connection.execute(theirs):
                logs[row.table_id].append(Line(row.number, row.at, row.nonce, row.entry))
        packed = {}
        for row in found:
            log = tuple(logs[row.id])
            if [line.number for line in log] != list(range(1, len(log) + 1)):
                logger.warning("a table cannot be archived: entries of it are missing")
                self._unreadable.add(row.id)
                continue
            whole = Archived(
                row.id, row.created, row.settings, row.seed, row.set_name, row.set_fingerprint, log
            )
            # In a thread, because the longest logs take a tenth of a second.
            data = await asyncio.to_thread(pack, whole)
            packed[row.id] = _Packed(row.created, len(log), data)
        return packed

    # -- removing ----------------------------------------------------------------------------

    async def _remove_all(
        self, phase: str, before: float, more: ColumnElement[bool] | None = None
    ) -> int:
        removed = 0
        left: set[str] = set()
        async for ids in self._due(phase, before, left, more):
            began = self.clock.monotonic()
            left.update(filter(self._watched_here, ids))
            there = (tables.c.id.in_([id for id in ids if id not in left]),)
            due = (*there, *_due(tables, before), tables.c.phase == phase)
            async with self.store.writing() as connection:
                locked = select(tables.c.id).where(*due).order_by(tables.c.id)
                some = (await connection.execute(locked.with_for_update(skip_locked=True))).all()
                gone = [row.id for row in some]
                if gone:
                    await connection.execute(delete(tables).where(tables.c.id.in_(gone)))
                    await connection.execute(nameless_attempts(gone))
            left.update(set(ids).difference(gone))
            removed += len(gone)
            self.removed += len(gone)
            self._gone(len(gone))
            await self._rest(began)
        return removed

    async def _remove_archived(self, before: float) -> int:
        removed = 0
        left: set[str] = set()
        while True:
            began = self.clock.monotonic()
            some = select(archive.c.id).where(*_due(archive, before), archive.c.id.not_in(left))
            some = some.order_by(archive.c.changed).limit(MAX_TABLES_AT_ONCE)
            async with self.store.writing() as connection:
                ids = (await connection.execute(some)).scalars().all()
                left.update(filter(self._watched_here, ids))
                gone = [id for id in ids if id not in left]
                if gone:
                    await connection.execute(delete(archive).where(archive.c.id.in_(gone)))
                    await connection.execute(nameless_attempts(gone))
            if not ids:
                return removed
            removed += len(gone)
            self.removed += len(gone)
            await self._rest(began)

    # -- what is due -------------------------------------------------------------------------

    async def _due(
        self, phase: str, before: float, left: set[str], more: ColumnElement[bool] | None = None
    ) -> AsyncIterator[list[str]]:
        """Ids of tables that have not changed since, a batch at a time, without those `left`."""
        length = select(func.max(entries.c.number)).where(entries.c.table_id == tables.c.id)
        for visibility in ("public", "private"):  # By the index of the lobby.
            while True:
                wanted = (
                    select(tables.c.id, func.coalesce(length.scalar_subquery(), 0).label("rows"))
                    .where(tables.c.visibility == visibility, tables.c.phase == phase)
                    .where(*_due(tables, before, by_viewers=phase != "over"))
                    .where(tables.c.id.not_in(left))
                    .order_by(tables.c.changed)
                    .limit(MAX_TABLES_AT_ONCE)
                )
                if more is not None:
                    wanted = wanted.where(more)
                async with self.store.reading() as connection:
                    found = (await connection.execute(wanted)).all()
                if not found:
                    break
                ids: list[str] = []
                rows = 0
                for row in found:
                    rows += row.rows
                    if ids and rows > MAX_ROWS_AT_ONCE:
                        break
                    ids.append(row.id)
                yield ids

    def _gone(self, number: int) -> None:
        if number and self.tables is not None:
            self.tables.count.forget()


class _Packed(NamedTuple):
    created: int
    length: int
    data: bytes


_SEEN = update(tables).where(tables.c.id == bindparam("of")).values(seen=bindparam("now"))
_SEEN_IN_ARCHIVE = (
    update(archive).where(archive.c.id == bindparam("of")).values(seen=bindparam("now"))
)


def nameless_attempts(gone: Sequence[str]) -> Update:
    """Of a game that is gone, a challenge knows nothing but that there was one."""
    return update(attempts).where(attempts.c.table_id.in_(gone)).values(name=None)


def _due(kind: Table, before: float, by_viewers: bool = True) -> list[ColumnElement[bool]]:
    """The conditions of what has not changed since, nor been watched."""
    latest = int(before)
    conditions: list[ColumnElement[bool]] = [kind.c.changed < latest]
    if by_viewers:
        conditions.append(or_(kind.c.seen.is_(None), kind.c.seen < latest))
    return conditions


def _before(now: int, days: float | Literal["never"]) -> float:
    """The time before which something is due; never is the beginning of time."""
    return -1 if days == "never" else now - days * DAY
