"""Retention: archives finished games and removes unused tables while the server runs.

Tables are handled a few at a time, each batch in one transaction, so that no move waits. Of several
processes on one PostgreSQL, one sweeps. A table with viewers stays. Processes do not see each
other's viewers, so each notes in the database which tables are watched here (`seen`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from functools import partial
from typing import Literal, NamedTuple, Protocol
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Table, Update, bindparam, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ...core.errors import DalapapaError
from ...hosting.state import TableState
from ..clock import SYSTEM_CLOCK, SystemClock
from ..monitoring.logging_setup import logger
from ..tasks import cancel_tasks
from .archive import Archived, Line, pack
from .retention_policy import RetentionPolicy
from .schema import (
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
from .solved_problems import is_expired
from .store import Store
from .table_count import TableCount

DAY_MS = 86_400_000

FIRST_SWEEP_DELAY_S, SWEEP_INTERVAL_S, MIN_SWEEP_INTERVAL_S = 20, 600, 10
"""Time until the first sweep and between sweeps, and the shortest time when the server is full."""

MAX_CLOCK_GAIN_MS = 3_600_000
"""How far the clock may be put forward while a process runs, before it is not believed."""

SEEN_INTERVAL_MS = 900_000
"""Time without a change after which a watched table is noted as seen."""

MIN_UNUSED_MS = 3_600_000
"""The time for which unused tables are kept while there is no room for others."""

MAX_TABLES_PER_BATCH, MAX_ROWS_PER_BATCH = 50, 2_000
"""The size of one transaction; a single long log may have more rows."""

PAUSE_FACTOR = 3
"""The pause after a batch, as a multiple of the time that the batch took."""

LOCK_ID = 720_121
"""The id of the advisory lock of PostgreSQL whose owner sweeps."""

ASKED_ADDRESS_DAYS = 30
"""The time for which a question to a mail address is remembered."""

UNCONFIRMED_DAYS = 2
"""The time for which a subscription by mail waits for consent."""


class SweepResult(NamedTuple):
    """How many tables a sweep has archived and removed."""

    archived: int = 0
    removed: int = 0


class WatchedTable(Protocol):
    """A table in memory that may have viewers."""

    @property
    def id(self) -> str: ...

    @property
    def state(self) -> TableState: ...

    @property
    def viewers(self) -> Collection[object]: ...


Act = Callable[[list[str]], Awaitable[list[str]]]
"""Does something with tables, and returns the ids of those for which it worked."""


class Retention:
    """Sweeps the tables of a database periodically."""

    def __init__(
        self,
        store: Store,
        policy: RetentionPolicy | None = None,
        clock: SystemClock = SYSTEM_CLOCK,
        live_tables: Mapping[str, WatchedTable] | None = None,
        count: TableCount | None = None,
    ) -> None:
        self.store = store
        self.policy: RetentionPolicy = policy or RetentionPolicy()
        self.clock = clock
        self.live_tables = {} if live_tables is None else live_tables
        self.count = count
        """The count that decides whether the server is full."""
        self.archived: int = 0
        self.removed: int = 0
        self._began = clock.now(), clock.monotonic()
        self._noted: WeakKeyDictionary[WatchedTable, int] = WeakKeyDictionary()
        self._unreadable: set[str] = set()
        """Tables that cannot be archived as they are: they stay."""
        self._task: asyncio.Task[None] | None = None
        self._notes: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop; the database rolls back the batch in progress."""
        await cancel_tasks([*self._notes, self._task])

    async def _run(self) -> None:
        await asyncio.sleep(FIRST_SWEEP_DELAY_S)
        while True:
            try:
                await self.sweep()
            except DalapapaError as error:
                logger.warning("could not archive and remove old tables: %s", error)
            except Exception:
                logger.warning("could not archive and remove old tables", exc_info=True)
            await asyncio.sleep(MIN_SWEEP_INTERVAL_S)
            if self.count is not None:
                with contextlib.suppress(TimeoutError):
                    rest = SWEEP_INTERVAL_S - MIN_SWEEP_INTERVAL_S
                    await asyncio.wait_for(self.count.refused.wait(), rest)

    async def sweep(self) -> SweepResult:
        """Archive and remove everything that is due, with pauses for other tasks."""
        await self._note_watched()
        archived = removed = 0
        async with self.store.advisory_lock(LOCK_ID) as check_lock:
            if check_lock is None:
                return SweepResult()
            now, policy = self._now(), self.policy
            is_full = False
            if self.count is not None:
                self.count.refused.clear()
                is_full = await self.count.full()
            unused = _cutoff(now, policy.unused)
            if is_full:
                unused = max(unused, now - MIN_UNUSED_MS)
            archived = await self._archive_all(now if is_full else _cutoff(now, policy.over))
            never_used = tables.c.changed == tables.c.created
            for phase, days in (("waiting", policy.waiting), ("playing", policy.playing)):
                removed += await self._remove_all(phase, unused, never_used)
                removed += await self._remove_all(phase, _cutoff(now, days))
            removed += await self._remove_archived(_cutoff(now, policy.archived))
            is_unanswered = subscribers.c.created < now - UNCONFIRMED_DAYS * DAY_MS
            async with self.store.writing() as connection:
                for table, is_due in (
                    (finders, is_expired(now)),
                    (challenges, challenges.c.changed < int(_cutoff(now, policy.challenges))),
                    (asked_addresses, asked_addresses.c.at < now - ASKED_ADDRESS_DAYS * DAY_MS),
                    (mailed_addresses, mailed_addresses.c.paid_until < now),
                    (subscribers, (subscribers.c.state == "asked") & is_unanswered),
                ):
                    await connection.execute(delete(table).where(is_due))
        return SweepResult(archived, removed)

    def _now(self) -> int:
        """The time; a clock that is put forward by days while this process runs is not believed."""
        wall, monotonic = self._began
        passed = int(1000 * (self.clock.monotonic() - monotonic))
        return min(self.clock.now(), wall + passed + MAX_CLOCK_GAIN_MS)

    async def _pause(self, began: float) -> None:
        await asyncio.sleep(PAUSE_FACTOR * (self.clock.monotonic() - began))

    def note_viewer(self, live: WatchedTable) -> None:
        """Note a watched table in the database immediately if it has not changed for a while."""
        if self._needs_note(live):
            self._noted[live] = self.clock.now()
            task = asyncio.create_task(self._note([live.id]))
            self._notes.add(task)
            task.add_done_callback(self._notes.discard)

    def _needs_note(self, live: WatchedTable) -> bool:
        if live.state.phase == "over" and self.policy.archived == "never":
            return False
        return max(live.state.at, self._noted.get(live, 0)) < self.clock.now() - SEEN_INTERVAL_MS

    async def _note_watched(self) -> None:
        live_tables = tuple(self.live_tables.values())
        watched = [live for live in live_tables if live.viewers and self._needs_note(live)]
        for start in range(0, len(watched), MAX_TABLES_PER_BATCH):
            batch = watched[start : start + MAX_TABLES_PER_BATCH]
            await self._note([live.id for live in batch])
            self._noted.update(dict.fromkeys(batch, self.clock.now()))

    async def _note(self, ids: Iterable[str]) -> None:
        # In the order of ids, as entries are written, so that no two transactions deadlock.
        seen = [{"of": id, "now": self.clock.now()} for id in sorted(ids)]
        with contextlib.suppress(DalapapaError):  # The next sweep notes it again.
            async with self.store.writing() as connection:
                for kind in (tables, archive) if self.policy.archived != "never" else (tables,):
                    note = update(kind).where(kind.c.id == bindparam("of"))
                    await connection.execute(note.values(seen=bindparam("now")), seen)

    async def _archive_all(self, before: float) -> int:
        left = set(self._unreadable)
        return await self._do_all(self._find_due("over", before, left), left, self.archive_tables)

    async def _do_all(self, batches: AsyncIterator[list[str]], left: set[str], act: Act) -> int:
        """Act on batches of tables; return for how many it worked. The others are left."""
        count = 0
        async for ids in batches:
            began = self.clock.monotonic()
            done = await act(ids)
            left.update(set(ids).difference(done))  # Until the next sweep.
            count += len(done)
            await self._pause(began)
        return count

    async def archive_tables(self, ids: Sequence[str]) -> list[str]:
        """Move tables into the archive unless they change meanwhile; the ids of those moved."""
        packed = await self._pack(ids)
        if not packed:
            return []
        async with self.store.writing() as connection:
            still = select(tables.c.id, tables.c.changed).where(
                tables.c.id.in_(packed), tables.c.phase == "over"
            )
            # Entries are written and rewritten under a lock of their table, so that logs that are
            # read now cannot change any more. Locked tables are skipped.
            locked = still.order_by(tables.c.id).with_for_update(skip_locked=True)
            changed = {row.id: row.changed for row in await connection.execute(locked)}
            logs = await _read_logs(connection, changed)
            rows = [
                {"id": id, "created": packed[id].created, "changed": at, "data": packed[id].data}
                for id, at in changed.items()
                if logs[id] == packed[id].log
            ]
            if not rows:
                return []
            added = self.store.insert_new(archive).returning(archive.c.id)
            done = [row.id for row in await connection.execute(added, rows)]
            await connection.execute(delete(tables).where(tables.c.id.in_(done)))
        self._unreadable.update({row["id"] for row in rows}.difference(done))
        self.archived += len(done)
        self._expire_count(len(done))
        return done

    async def _pack(self, ids: Sequence[str]) -> dict[str, _Packed]:
        """Tables as rows of the archive, without those that cannot be packed."""
        async with self.store.reading() as connection:
            found = (await connection.execute(select(tables).where(tables.c.id.in_(ids)))).all()
            logs = await _read_logs(connection, ids)
        packed = {}
        for row in found:
            log = logs[row.id]
            if [line.number for line in log] != list(range(1, len(log) + 1)):
                logger.warning("could not archive a table: entries are missing")
                self._unreadable.add(row.id)
                continue
            whole = Archived(
                row.id,
                row.created,
                row.settings,
                row.seed,
                row.set_name,
                row.set_fingerprint,
                tuple(log),
            )
            # In a thread, because the longest logs take a tenth of a second.
            data = await asyncio.to_thread(pack, whole)
            packed[row.id] = _Packed(row.created, log, data)
        return packed

    async def _remove_all(
        self, phase: str, before: float, more: ColumnElement[bool] | None = None
    ) -> int:
        left: set[str] = set()
        due = [*_not_used_since(tables, before), tables.c.phase == phase]
        batches = self._find_due(phase, before, left, more)
        return await self._do_all(batches, left, partial(self._remove, tables, due))

    async def _remove_archived(self, before: float) -> int:
        left: set[str] = set()
        due = _not_used_since(archive, before)
        batches = self._find_archived(due, left)
        return await self._do_all(batches, left, partial(self._remove, archive, due))

    async def _remove(
        self, kind: Table, due: list[ColumnElement[bool]], ids: list[str]
    ) -> list[str]:
        """Remove tables that are still due and have no viewers here; return their ids."""
        here = ((id, self.live_tables.get(id)) for id in ids)
        unwatched = [id for id, live in here if live is None or not live.viewers]
        still = select(kind.c.id).where(kind.c.id.in_(unwatched), *due).order_by(kind.c.id)
        async with self.store.writing() as connection:
            locked = await connection.execute(still.with_for_update(skip_locked=True))
            gone = list(locked.scalars())
            if gone:
                await connection.execute(delete(kind).where(kind.c.id.in_(gone)))
                await connection.execute(remove_attempt_names(gone))
        self.removed += len(gone)
        if kind is tables:
            self._expire_count(len(gone))
        return gone

    async def _find_archived(
        self, due: list[ColumnElement[bool]], left: set[str]
    ) -> AsyncIterator[list[str]]:
        """Ids of archived games that are due, in batches, without those in `left`."""
        while True:
            wanted = select(archive.c.id).where(*due, archive.c.id.not_in(left))
            some = wanted.order_by(archive.c.changed).limit(MAX_TABLES_PER_BATCH)
            async with self.store.reading() as connection:
                ids = list((await connection.execute(some)).scalars())
            if not ids:
                return
            yield ids

    async def _find_due(
        self, phase: str, before: float, left: set[str], more: ColumnElement[bool] | None = None
    ) -> AsyncIterator[list[str]]:
        """Ids of tables without a change since `before`, in batches, without those in `left`."""
        length = select(func.max(entries.c.number)).where(entries.c.table_id == tables.c.id)
        for visibility in ("public", "private"):  # This uses the index of the lobby.
            while True:
                wanted = (
                    select(tables.c.id, func.coalesce(length.scalar_subquery(), 0).label("rows"))
                    .where(tables.c.visibility == visibility, tables.c.phase == phase)
                    .where(*_not_used_since(tables, before, by_viewers=phase != "over"))
                    .where(tables.c.id.not_in(left))
                    .order_by(tables.c.changed)
                    .limit(MAX_TABLES_PER_BATCH)
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
                    if ids and rows > MAX_ROWS_PER_BATCH:
                        break
                    ids.append(row.id)
                yield ids

    def _expire_count(self, number: int) -> None:
        if number and self.count is not None:
            self.count.expire()


class _Packed(NamedTuple):
    """A row for the archive, and the log that it contains."""

    created: int
    log: list[Line]
    data: bytes


async def _read_logs(connection: AsyncConnection, ids: Iterable[str]) -> dict[str, list[Line]]:
    """The logs of tables, which may be empty."""
    logs: dict[str, list[Line]] = {id: [] for id in ids}
    theirs = select(entries).where(entries.c.table_id.in_(logs)).order_by(entries.c.number)
    for row in await connection.execute(theirs):
        logs[row.table_id].append(Line(row.number, row.at, row.nonce, row.entry))
    return logs


def remove_attempt_names(gone: Sequence[str]) -> Update:
    """The statement that removes the players' names from attempts whose tables are gone."""
    return update(attempts).where(attempts.c.table_id.in_(gone)).values(name=None)


def _not_used_since(
    kind: Table, before: float, by_viewers: bool = True
) -> list[ColumnElement[bool]]:
    """The conditions for rows that were neither changed nor watched since `before`."""
    latest = int(before)
    conditions: list[ColumnElement[bool]] = [kind.c.changed < latest]
    if by_viewers:
        conditions.append(or_(kind.c.seen.is_(None), kind.c.seen < latest))
    return conditions


def _cutoff(now: int, days: float | Literal["never"]) -> float:
    """The time before which something is due; for "never", one before all others."""
    return -1 if days == "never" else now - days * DAY_MS
