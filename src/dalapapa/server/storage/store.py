"""The store: tables and their logs in SQLite or PostgreSQL, by the same few methods.

The primary key of an entry, its table and number, is the compare-and-set: of two processes that
append number N to a table, one succeeds. Entries that arrive together are committed together,
each of them answered only when it is durable.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import asdict
from sqlalchemy import (
    LargeBinary,
    Text,
    bindparam,
    cast,
    delete,
    func,
    insert,
    literal,
    null,
    select,
    union_all,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from ...core.errors import DamagedTable, Unavailable
from ...hosting.settings import Settings
from ...hosting.stored import StoredEntry, StoredTable
from ..monitoring import metrics
from .archive import Line, unpack
from .connection.database import Database
from .connection.failures import is_row_error
from .quarantine import Quarantine, make_orphan_error
from .rows import (
    ReadResult,
    TableRows,
    entry_columns,
    entry_row,
    read_stored_entry,
    read_table,
    table_row,
    unpack_rows,
)
from .schema import archive, entries, tables
from .writer import (
    READ,
    ROWS_PER_STATEMENT,
    Appender,
    HeldConnection,
    PostgresAppender,
    Row,
    SqliteAppender,
)

COMMIT_SECONDS = metrics.COMMIT_SECONDS.get_series()
COMMIT_ENTRIES = metrics.COMMIT_ENTRIES.get_series()

MAX_ENTRIES_PER_COMMIT = 200
"""PostgreSQL notifies others of all entries of a commit in one payload of 8 kB."""

MAX_ENTRIES_PER_READ = 200
"""Entries of a log that are read together: moves of other tables wait meanwhile."""

MAX_GLIMPSE_BYTES = 50_000
"""Size of an archived table that is read for a page's preview."""

MAX_TABLES_PER_READ = 20
"""Tables that are in memory together while all are read."""

_NO_DATA = cast(null(), LargeBinary)
_NO_TEXT = cast(null(), Text)

# One statement each, so that a table on its way into the archive or out of it is never missed.
_LOAD = union_all(
    select(tables.c.id, tables.c.created, tables.c.settings, tables.c.seed, tables.c.set_name,
           tables.c.set_fingerprint, _NO_DATA.label("data"))
    .where(tables.c.id == bindparam("of")),
    select(archive.c.id, archive.c.created, _NO_TEXT, _NO_TEXT, _NO_TEXT, _NO_TEXT, archive.c.data)
    .where(archive.c.id == bindparam("of")),
)  # fmt: skip
_GLIMPSE = union_all(
    select(tables.c.settings, tables.c.phase, _NO_DATA.label("data"))
    .where(tables.c.id == bindparam("of")),
    select(_NO_TEXT, literal("over"), archive.c.data).where(archive.c.id == bindparam("of")),
)  # fmt: skip
_THERE = literal(0).label("number")
"""Numbers begin with 1: a row with this one says that the table exists."""
_NEWS = union_all(
    select(_THERE, tables.c.created.label("at"), _NO_TEXT.label("nonce"), _NO_TEXT.label("entry"),
           _NO_DATA.label("data"))
    .where(tables.c.id == bindparam("of")),
    select(_THERE, archive.c.created, _NO_TEXT, _NO_TEXT, archive.c.data)
    .where(archive.c.id == bindparam("of")),
    select(entries.c.number, entries.c.at, entries.c.nonce, entries.c.entry, _NO_DATA)
    .where(entries.c.table_id == bindparam("of"), entries.c.number > bindparam("after")),
).order_by("number").limit(bindparam("most"))  # fmt: skip
_IN_ARCHIVE = select(archive.c.id).where(archive.c.id == bindparam("of"))


class _Waiting(NamedTuple):
    row: Row
    done: asyncio.Future[bool]


class Store(Database):
    """The tables and logs of a database."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.quarantine: Quarantine = Quarantine()
        self.appender: Appender
        """Writes entries through a connection of its own."""
        self._queue: deque[_Waiting] = deque()
        self._some = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self.announce: Callable[[Iterable[Row]], None] | None = None
        """Called with the entries of each commit, instead of PostgreSQL's notification. Set it
        before `open`."""

    async def open(self) -> None:
        """Connect, and begin to write."""
        await super().open()
        file = self.engine.url.database or ""
        if self.postgres:
            self.appender = PostgresAppender(self.engine, notifies=self.announce is None)
        else:
            self.appender = SqliteAppender(file)
        self._reader = HeldConnection(self.engine)
        self._some.clear()
        self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Finish what is being written, and disconnect."""
        await self.outage.close()
        await self.write_trouble.close()
        writer, self._writer = self._writer, None
        if writer is not None:
            self._some.set()
            await writer
            await self.appender.close()
            await self._reader.close()
        await super().close()

    @property
    def writer_process(self) -> int | None:
        """The process of PostgreSQL that appends for this store: its notifications are our own."""
        return getattr(self.appender, "process", None)

    async def create(self, table: StoredTable, phase: str, log: list[StoredEntry]) -> bool:
        """Store a new table with its first entries; False if there is one of this id already."""
        rows = [entry_row(table.id, one, phase) for one in log]
        return await self.create_from_rows(table_row(table, phase, find_change(table, log)), rows)

    async def create_from_rows(self, table: dict[str, Any], log: Sequence[Row]) -> bool:
        """Store a new table by its rows; False if there is one of this id already.

        In SQLite the thread that stores moves does it: another connection would lock them out for
        as long as it takes, and SQLite makes waiting connections wait longer and longer.
        """
        if isinstance(self.appender, PostgresAppender):
            async with self.transaction() as connection:
                return await self._insert_table(connection, table, log)
        if self._writer is None:
            raise make_closed_error()
        self.outage.check()
        try:
            is_new = await self.appender.create(table, log)
        except Exception as error:
            raise self._refuse(error) from error
        self.outage.note_answer()
        return is_new

    async def restore(self, many: Iterable[tuple[StoredTable, str, list[StoredEntry]]]) -> int:
        """Store whole tables, all or none, except those that exist; how many were new."""
        fresh = 0
        async with self.transaction(patient=True) as connection:
            for table, phase, log in many:
                rows = [entry_row(table.id, one, phase) for one in log]
                row = table_row(table, phase, find_change(table, log))
                fresh += await self._insert_table(connection, row, rows)
        return fresh

    async def _insert_table(
        self, connection: AsyncConnection, table: dict[str, Any], log: Sequence[Row]
    ) -> bool:
        if (await connection.execute(self.insert_new(tables), table)).rowcount != 1:
            return False
        # Only now: it might have been on its way into the archive.
        if (await connection.execute(_IN_ARCHIVE, {"of": table["id"]})).first():
            await connection.execute(delete(tables).where(tables.c.id == table["id"]))
            return False
        for begin in range(0, len(log), ROWS_PER_STATEMENT):
            rows = [entry_columns(row) for row in log[begin : begin + ROWS_PER_STATEMENT]]
            await connection.execute(insert(entries), rows)
        return True

    async def load(self, id: str) -> StoredTable | None:
        """A table, without its log."""
        async with self.transaction() as connection:
            row = (await connection.execute(_LOAD, {"of": id})).first()
            if row is None:
                left = select(entries.c.number).where(entries.c.table_id == id).limit(1)
                if (await connection.execute(left)).first() is not None:
                    raise make_orphan_error(id)
        if row is None:
            return None
        return read_table(row if row.data is None else unpack_rows(id, row.data))

    async def glimpse(self, id: str) -> tuple[str, str] | None:
        """The game of a table and its phase, without replaying its log."""
        async with self.transaction() as connection:
            row = (await connection.execute(_GLIMPSE, {"of": id})).first()
        if row is None or (row.data is not None and len(row.data) > MAX_GLIMPSE_BYTES):
            return None
        settings = row.settings if row.data is None else unpack_rows(id, row.data).settings
        return msgspec.json.decode(settings, type=Settings).game, row.phase

    async def log(self, id: str, after: int = 0) -> list[StoredEntry]:
        """The entries of a table from number `after` + 1 on; none if there is no such table."""
        return await self.news(id, after) or []

    async def news(self, id: str, after: int) -> list[StoredEntry] | None:
        """The entries from number `after` + 1 on; None if there is no such table (any more)."""
        found: list[StoredEntry] = []
        async for lines in self._batches(id, after):
            if lines is None:
                return None
            found += [read_stored_entry(id, line) for line in lines]
        return found

    async def lines(self, id: str, most: int | None = None) -> list[Line]:
        """The log of a table as its rows have it; workers decode it."""
        found: list[Line] = []
        async for lines in self._batches(id, 0):
            found += lines or ()
        return found[:most]

    async def _batches(self, id: str, after: int) -> AsyncIterator[Sequence[Line] | None]:
        """The rows of a log in batches; None if there is no such table."""
        while True:
            wanted = {"of": id, "after": after, "most": MAX_ENTRIES_PER_READ + 1}
            async with self.transaction() as connection:
                rows = (await connection.execute(_NEWS, wanted)).all()
            if not rows or rows[0].number != 0:
                yield None
                return
            there, *rows = rows
            if there.data is not None:
                yield unpack_rows(id, there.data).log[after:]
                return
            yield [Line(row.number, row.at, row.nonce, row.entry) for row in rows]
            if len(rows) < MAX_ENTRIES_PER_READ:
                return
            after = rows[-1].number
            await asyncio.sleep(0)

    async def revive(self, id: str) -> bool:
        """Take a table out of the archive, so that its log can grow; False if there is none."""
        async with self.writing() as connection:
            taken = delete(archive).where(archive.c.id == id).returning(archive)
            row = (await connection.execute(taken)).first()
            if row is None:  # Perhaps another process was quicker.
                there = select(tables.c.id).where(tables.c.id == id)
                return (await connection.execute(there)).first() is not None
            packed = unpack(id, row.data)
            table = table_row(read_table(packed), "over", row.changed)
            kept = {"seen": row.seen, "settings": packed.settings}
            await connection.execute(insert(tables), {**table, **kept})
            if packed.log:
                lines = [{"table_id": id, **asdict(line)} for line in packed.log]
                await connection.execute(insert(entries), lines)
        return True

    async def logs(self, wanted: dict[str, int]) -> dict[str, list[StoredEntry]]:
        """The entries of tables after some versions, in one query (PostgreSQL only)."""
        found: dict[str, list[StoredEntry]] = {id: [] for id in wanted}
        self.outage.check()
        try:
            async with self.answer_timeout():
                rows = await self._reader.fetch(READ, list(wanted), list(wanted.values()))
        except self._errors as error:
            raise self._refuse(error) from error
        for table, *row in rows:
            with contextlib.suppress(DamagedTable):  # `news` reports it.
                found[table].append(read_stored_entry(table, Line(*row)))
        return found

    async def append(self, table: str, stored: StoredEntry, phase: str) -> bool:
        """Make an entry durable; False if another one has its number already.

        If the database fails meanwhile, the entry may be durable: the caller has to look.
        """
        if self._writer is None:
            raise make_closed_error()
        self.outage.check()
        done: asyncio.Future[bool] = self._writer.get_loop().create_future()
        if not self._queue:
            self._some.set()
        self._queue.append(_Waiting(entry_row(table, stored, phase), done))
        if not self.postgres:
            return await done
        try:
            async with self.answer_timeout():
                return await done
        except TimeoutError as error:  # Others are before it, and the database does not answer.
            raise self._refuse(error) from None

    async def lobby(self, most: int) -> list[tuple[str, int]]:
        """Public tables that wait for players or play, the latest first: ids and last changes."""
        wanted = (
            select(tables.c.id, tables.c.changed)
            .where(tables.c.visibility == "public", tables.c.phase > "over")  # By the index.
            .where(tables.c.set_name.is_not(None))  # The others cannot be opened any more.
            .order_by(tables.c.phase.desc(), tables.c.changed.desc())
            .limit(most)
        )
        async with self.transaction() as connection:
            rows = (await connection.execute(wanted)).all()
        # SQLite stores anything in any column, and a row without an id cannot be opened.
        return [(row.id, row.changed) for row in rows if isinstance(row.id, str)]

    async def count(self) -> int:
        """How many tables there are, without the archive. This is slow: see `TableCount`."""
        async with self.transaction() as connection:
            found = await connection.execute(select(func.count()).select_from(tables))
            return int(found.scalar_one())

    async def find_existing(self, ids: list[str]) -> set[str]:
        """Which of these tables exist."""
        found: set[str] = set()
        async with self.transaction() as connection:
            for start in range(0, len(ids), 500):
                for kept in (tables, archive):
                    some = select(kept.c.id).where(kept.c.id.in_(ids[start : start + 500]))
                    found.update((await connection.execute(some)).scalars())
        return found

    async def read_all(self) -> AsyncGenerator[ReadResult, None]:
        """All tables with their logs, ordered by id, as they are at one moment; or their damage."""
        async with contextlib.aclosing(self.rows()) as found:
            async for row in found:
                try:
                    yield row.read()
                except DamagedTable as error:
                    yield error

    async def rows(self, at_one_moment: bool = True) -> AsyncGenerator[TableRows, None]:
        """All rows, table by table, few at a time; at the end logs that belong to no table.

        Each table is as it was at one moment; without `at_one_moment`, the transactions are short.
        """
        last: Any = ""
        async with self.engine.connect() as connection:
            if self.postgres:
                await connection.execution_options(isolation_level="REPEATABLE READ")
            while True:
                if not (self.postgres or connection.in_transaction()):
                    await connection.exec_driver_sql("BEGIN")
                some = (await connection.execute(_next_ids(last))).scalars().all()
                if not some:
                    break
                last = _bind_id(some[-1])
                bound = [_bind_id(id) for id in some]
                logs: dict[str, list[Any]] = {id: [] for id in some}
                found: dict[str, TableRows] = {}
                for row in await connection.execute(select(tables).where(tables.c.id.in_(bound))):
                    found[row.id] = TableRows(row.id, row, logs[row.id])
                theirs = select(entries).where(entries.c.table_id.in_(bound))
                for row in await connection.execute(theirs.order_by(entries.c.number)):
                    logs[row.table_id].append(row)
                for row in await connection.execute(select(archive).where(archive.c.id.in_(bound))):
                    found[row.id] = TableRows(row.id, None, [], row.data)
                if not at_one_moment:
                    await connection.rollback()
                for id in some:
                    yield found.pop(id)
            known = select(tables.c.id).where(tables.c.id == entries.c.table_id).exists()
            lost = select(entries.c.table_id).where(~known).distinct()
            for row in (await connection.execute(lost.order_by(entries.c.table_id))).all():
                yield TableRows(row.table_id, None, [])

    # -- writing -----------------------------------------------------------------------------

    async def _write(self) -> None:
        """Write batches until the store is closed and all entries are written."""
        while self._queue or self._writer is not None:
            await self._some.wait()
            self._some.clear()
            while self._queue:
                count = min(MAX_ENTRIES_PER_COMMIT, len(self._queue))
                batch = [self._queue.popleft() for _ in range(count)]
                wanted = [waiting for waiting in batch if not waiting.done.cancelled()]
                if wanted:
                    await self._commit(wanted)

    async def _commit(self, batch: list[_Waiting]) -> None:
        """Commit entries together; one that cannot be kept does not take others with it."""
        began = time.perf_counter()
        # In one order everywhere, so that no two processes block each other.
        batch.sort(key=lambda waiting: waiting.row[:2])
        try:
            self.outage.check()
            async with self.answer_timeout():
                kept = await self.appender.add([waiting.row for waiting in batch])
        except Exception as error:
            if len(batch) > 1 and is_row_error(error):
                for waiting in batch:
                    await self._commit([waiting])
                return
            for waiting in batch:
                if not waiting.done.done():
                    waiting.done.set_exception(self._refuse(error))
        else:
            self.outage.note_answer()
            COMMIT_SECONDS.observe(time.perf_counter() - began)
            COMMIT_ENTRIES.observe(len(batch))
            if self.announce is not None:
                pairs = zip(batch, kept, strict=True)
                self.announce(waiting.row for waiting, fresh in pairs if fresh)
            for waiting, fresh in zip(batch, kept, strict=True):
                if not waiting.done.done():
                    waiting.done.set_result(fresh)


def find_change(table: StoredTable, log: Sequence[StoredEntry]) -> int:
    """Return when a table changed last."""
    return log[-1].at if log else table.created


def make_closed_error() -> Unavailable:
    """Return the refusal of a store that is not open."""
    return Unavailable("The database is closed.", "no_database")


def _next_ids(last: Any) -> Any:
    """The next few tables, wherever they are kept."""
    # A few of each: for the union of all of them, PostgreSQL would sort a million archived games.
    ids = (tables.c.id, archive.c.id)
    few = [
        select(id).where(id > last).order_by(id).limit(MAX_TABLES_PER_READ).subquery() for id in ids
    ]
    return union_all(*(select(some.c.id) for some in few)).order_by("id").limit(MAX_TABLES_PER_READ)


def _bind_id(id: str) -> Any:
    """The id of a row in a question, even one that is no text any more."""
    if not isinstance(id, str) or id.isascii():
        return id
    return cast(literal(id.encode(errors="surrogateescape"), LargeBinary), Text)
