"""The store: tables and their logs in SQLite or PostgreSQL, by the same few verbs.

The primary key of an entry, its table and number, is the compare-and-set: of two processes that
append number N to a table, one succeeds. Entries that arrive together are committed together,
each of them answered only when it is durable.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import re
import sqlite3
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    bindparam,
    cast,
    event,
    func,
    insert,
    literal,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ..errors import BadInput, DamagedTable, NotFound, Unavailable
from ..tiles import SetIdentity
from .aside import PutAside, check_number, reading, without_row
from .handshakes import give_up_quietly
from .log import Entry, Settings, Written, read_entry, write_entry
from .private import create_private, make_private

logger = logging.getLogger("dalapapa")

MAX_AT_ONCE = 256
"""Entries of one commit."""

MAX_READ = 20
"""Tables that are in memory at once while all are read."""

ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""Of a table."""

CHANNEL = "dalapapa"
"""Where PostgreSQL tells other processes which table has grown."""

COMPANY_CHANNEL = "dalapapa_company"
"""Where processes tell each other who is there (`company.py`)."""

TRIES = 100
"""To make a file ready that other processes are making ready, too: five seconds."""

HEARTBEAT = 5
"""Seconds of silence after which a listener asks whether PostgreSQL is still there."""

ANSWER = 5
"""Seconds that PostgreSQL has for an answer, connecting included; who waits longer is refused. What
it was asked for may still be done: whoever wrote has to look."""

metadata = MetaData()
tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("phase", String(8), nullable=False),
    Column("visibility", String(8), nullable=False),
    Column("seed", String(64), nullable=False),
    Column("settings", Text, nullable=False),
    # Empty in tables from before the dominoes were named: those cannot be played any more.
    Column("set_name", String(8)),
    Column("set_fingerprint", String(64)),
    Index("lobby", "visibility", "phase", "changed"),
)
entries = Table(
    "entries",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("nonce", String(64)),
    Column("entry", Text, nullable=False),
)

CHANGE = (
    update(tables)
    .where(tables.c.id == bindparam("of"))
    .values(changed=bindparam("at"), phase=bindparam("now"))
)
TELL = select(func.pg_notify(CHANNEL, bindparam("news")))
TELL_COMPANY = select(func.pg_notify(COMPANY_CHANNEL, bindparam("news")))


class StoredTable(msgspec.Struct, frozen=True):
    """A table as it is kept."""

    id: str
    created: int
    settings: Settings
    seed: str
    set: SetIdentity | None = None
    """The dominoes it is played with; None: it was set up by an early version, which had others."""


class StoredEntry(msgspec.Struct, frozen=True):
    """An entry of a log: its number (from 1), when, and the sender's own mark for it."""

    number: int
    at: int
    entry: Entry
    nonce: str | None = None


class Rows(msgspec.Struct):
    """What the database has of one table, whatever that is."""

    id: str
    table: Any
    """Its row; None if there is only a log."""
    log: list[Any]

    def read(self) -> tuple[StoredTable, list[StoredEntry]]:
        """The table and its whole log; raises `DamagedTable`."""
        if self.table is None:
            raise without_row(self.id)
        table = _table(self.table)
        for number, row in enumerate(self.log, start=1):
            check_number(self.id, row.number, number)
        return table, [_entry(row) for row in self.log]


Found = tuple[StoredTable, list[StoredEntry]] | DamagedTable
"""A table with its log, or what is wrong with its rows."""


class _Waiting(msgspec.Struct):
    table: str
    stored: StoredEntry
    phase: str
    done: asyncio.Future[bool]


class Store:
    """All that is kept. `url` is SQLAlchemy's: `sqlite+aiosqlite:///file` or `postgresql+asyncpg://`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine: AsyncEngine = _engine(url)
        self.postgres = self.engine.dialect.name == "postgresql"
        self._errors: tuple[type[Exception], ...] = (OSError, SQLAlchemyError)
        if self.postgres:
            import asyncpg

            self._errors += (asyncpg.PostgresError, asyncpg.InterfaceError)
        add = (postgresql if self.postgres else sqlite).insert(entries).on_conflict_do_nothing()
        self._add = add.returning(entries.c.table_id, entries.c.number)
        self.aside = PutAside()
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect, and bring the schema up to date."""
        from .migrations import upgrade

        if self.postgres:
            give_up_quietly()
        try:
            if not self.postgres:
                _prepare(self.engine.url.database or "")
            await upgrade(self.engine)
        except Exception as error:  # Drivers have their own for addresses that make no sense.
            await self.engine.dispose()
            raise Unavailable(
                f"The database cannot be opened: {_line(error)}", "no_database"
            ) from None
        self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Finish what is being written, and disconnect."""
        writer, self._writer = self._writer, None
        if writer is not None:
            await self._queue.join()
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer
        with contextlib.suppress(TimeoutError):
            async with self._patience():
                await self.engine.dispose()

    def _patience(self) -> asyncio.Timeout:
        """SQLite has its own, and cannot be left alone with half an answer."""
        return asyncio.timeout(ANSWER if self.postgres else None)

    @contextlib.asynccontextmanager
    async def _transaction(self, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        """All or nothing; a database that does not answer is a refusal like any other."""
        try:
            async with (
                contextlib.nullcontext() if patient else self._patience(),
                self.engine.begin() as connection,
            ):
                yield connection
        except self._errors as error:
            raise _refusal(error) from error

    async def create(self, table: StoredTable, phase: str, log: list[StoredEntry]) -> bool:
        """Keep a new table with its first entries; False if there is one of its id already."""
        return await self.restore([(table, phase, log)], patient=False) == 1

    async def restore(
        self, many: Iterable[tuple[StoredTable, str, list[StoredEntry]]], patient: bool = True
    ) -> int:
        """Keep whole tables, all or none, except those that are known; how many were new."""
        dialect = postgresql if self.postgres else sqlite
        fresh = 0
        async with self._transaction(patient) as connection:
            for table, phase, log in many:
                row = _table_row(table, phase, log)
                added = dialect.insert(tables).values(row).on_conflict_do_nothing()
                if (await connection.execute(added)).rowcount != 1:
                    continue
                fresh += 1
                if log:
                    await connection.execute(insert(entries), [_row(table.id, one) for one in log])
        return fresh

    async def load(self, id: str) -> StoredTable | None:
        """A table, without its log."""
        async with self._transaction() as connection:
            row = (await connection.execute(select(tables).where(tables.c.id == id))).first()
            if row is None:
                left = select(entries.c.number).where(entries.c.table_id == id).limit(1)
                if (await connection.execute(left)).first() is not None:
                    raise without_row(id)
        return None if row is None else _table(row)

    async def log(self, id: str, after: int = 0) -> list[StoredEntry]:
        """The entries of a table from number `after` + 1 on."""
        wanted = (
            select(entries)
            .where(entries.c.table_id == id, entries.c.number > after)
            .order_by(entries.c.number)
        )
        async with self._transaction() as connection:
            rows = (await connection.execute(wanted)).all()
        return [_entry(row) for row in rows]

    async def append(self, table: str, stored: StoredEntry, phase: str) -> bool:
        """Make an entry durable; False if another one has its number already.

        Where the database went away meanwhile, nobody knows whether it is durable: look.
        """
        if self._writer is None:
            raise Unavailable("The database is closed.", "no_database")
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        await self._queue.put(_Waiting(table, stored, phase, done))
        try:
            async with self._patience():
                return await done
        except TimeoutError as error:  # Others are before it, and the database does not answer.
            raise _refusal(error) from None

    async def lobby(self, most: int) -> list[StoredTable]:
        """Public tables that wait for players or play, the latest first."""
        wanted = (
            select(tables)
            .where(tables.c.visibility == "public", tables.c.phase != "over")
            .where(tables.c.set_name.is_not(None))  # Nobody can open the others any more.
            .order_by(tables.c.phase.desc(), tables.c.changed.desc())
            .limit(most)
        )
        async with self._transaction() as connection:
            rows = (await connection.execute(wanted)).all()
        found = []
        for row in rows:
            try:
                found.append(_table(row))
            except DamagedTable as error:  # The others are listed.
                self.aside.put(error)
        return found

    async def count(self) -> int:
        """How many tables there are."""
        async with self._transaction() as connection:
            found = await connection.execute(select(func.count()).select_from(tables))
            return int(found.scalar_one())

    async def everything(self) -> AsyncGenerator[Found, None]:
        """All tables with their logs, by their ids, as they are at one moment; or their damage."""
        async with contextlib.aclosing(self.rows()) as found:
            async for row in found:
                try:
                    yield row.read()
                except DamagedTable as error:
                    yield error

    async def rows(self, at_one_moment: bool = True) -> AsyncGenerator[Rows, None]:
        """All rows, table by table, few at a time; at the end logs that belong to no table.

        Each table is as it was at one moment; if not all have to be, nobody is hindered for long.
        """
        last: Any = ""
        async with self.engine.connect() as connection:
            if self.postgres:
                await connection.execution_options(isolation_level="REPEATABLE READ")
            while True:
                if not (self.postgres or connection.in_transaction()):
                    await connection.exec_driver_sql("BEGIN")
                next_ones = select(tables).where(tables.c.id > last).order_by(tables.c.id)
                rows = (await connection.execute(next_ones.limit(MAX_READ))).all()
                if not rows:
                    break
                last = _bound(rows[-1].id)
                logs: dict[str, list[Any]] = {row.id: [] for row in rows}
                theirs = select(entries).where(entries.c.table_id.in_([_bound(id) for id in logs]))
                for row in await connection.execute(theirs.order_by(entries.c.number)):
                    logs[row.table_id].append(row)
                if not at_one_moment:
                    await connection.rollback()
                for row in rows:
                    yield Rows(row.id, row, logs.pop(row.id))
            known = select(tables.c.id).where(tables.c.id == entries.c.table_id).exists()
            lost = select(entries.c.table_id).where(~known).distinct()
            for row in (await connection.execute(lost.order_by(entries.c.table_id))).all():
                yield Rows(row.table_id, None, [])

    # -- writing -----------------------------------------------------------------------------

    async def _write(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while len(batch) < MAX_AT_ONCE and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            wanted = [waiting for waiting in batch if not waiting.done.cancelled()]
            try:
                if wanted:
                    await self._commit(wanted)
            finally:
                for _ in batch:
                    self._queue.task_done()

    async def _commit(self, batch: list[_Waiting]) -> None:
        """Commit entries together; one that cannot be kept does not take others with it."""
        batch.sort(key=_key)  # In one order everywhere, so that no two processes block each other.
        try:
            async with self._patience(), self.engine.begin() as connection:
                kept = await self._insert(connection, batch)
        except Exception as error:
            if len(batch) > 1 and isinstance(error, DBAPIError) and not _gone(error):
                for waiting in batch:
                    await self._commit([waiting])
                return
            for waiting in batch:
                if not waiting.done.done():
                    waiting.done.set_exception(_refusal(error))
        else:
            for waiting, fresh in zip(batch, kept, strict=True):
                if not waiting.done.done():
                    waiting.done.set_result(fresh)

    async def _insert(self, connection: AsyncConnection, batch: list[_Waiting]) -> list[bool]:
        """Which numbers were free."""
        rows = [_row(waiting.table, waiting.stored) for waiting in batch]
        made = {tuple(row) for row in await connection.execute(self._add, rows)}
        kept = []
        for waiting in batch:  # Of several with one number, the first is the one that was kept.
            kept.append(_key(waiting) in made)
            made.discard(_key(waiting))
        grown = [waiting for waiting, fresh in zip(batch, kept, strict=True) if fresh]
        if grown:
            changes = [{"of": one.table, "at": one.stored.at, "now": one.phase} for one in grown]
            await connection.execute(CHANGE, changes)
        if grown and self.postgres:
            news = [{"news": f"{one.table} {one.stored.number}"} for one in grown]
            await connection.execute(TELL, news)
        return kept

    # -- news of other processes -------------------------------------------------------------

    async def notify(self, news: list[str]) -> None:
        """Tell all processes something that is not kept (PostgreSQL only)."""
        async with self._transaction() as connection:
            await connection.execute(TELL_COMPANY, [{"news": one} for one in news])

    async def listen(
        self,
        heard: Callable[[str, int], None],
        begun: Callable[[], None],
        company: Callable[[str], None] | None = None,
    ) -> None:
        """Tell of every entry that any process makes durable (PostgreSQL only), and of `notify`.

        Calls `begun` as soon as it listens: whatever came before may have been missed. Returns, or
        raises, when the connection is lost.
        """
        ended = asyncio.Event()

        def told(_connection: Any, _process: int, _channel: str, news: str) -> None:
            table, _, number = news.partition(" ")
            heard(table, int(number))

        def told_company(_connection: Any, _process: int, _channel: str, news: str) -> None:
            if company is not None:
                company(news)

        async with self._patience() as patience, self.engine.connect() as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            driver.add_termination_listener(lambda _: ended.set())
            try:
                await driver.add_listener(CHANNEL, told)
                await driver.add_listener(COMPANY_CHANNEL, told_company)
                patience.reschedule(None)
                begun()
                while not ended.is_set():
                    try:
                        async with asyncio.timeout(HEARTBEAT):
                            await ended.wait()
                    except TimeoutError:
                        await driver.execute("SELECT 1", timeout=HEARTBEAT)
            finally:
                await connection.invalidate()


def _engine(url: str) -> AsyncEngine:
    try:
        if url.startswith("sqlite"):
            engine = create_async_engine(url, connect_args={"timeout": 30})
            event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        else:
            engine = create_async_engine(
                url,
                pool_size=10,
                max_overflow=10,
                pool_pre_ping=True,
                pool_timeout=ANSWER,
                connect_args={"timeout": ANSWER},
            )
    except (SQLAlchemyError, ImportError, ValueError) as error:
        raise BadInput(f"This is not a database: {_line(error)}", "bad_database") from None
    if engine.dialect.name not in ("sqlite", "postgresql"):
        raise BadInput("The database is SQLite or PostgreSQL.", "bad_database")
    return engine


def _prepare(file: str) -> None:
    """Readers do not wait for writers. What is no database fails here, in no thread of a driver."""
    if not file.startswith((":", "file:")):
        create_private(file)
    with contextlib.closing(sqlite3.connect(file, 30, uri=file.startswith("file:"))) as connection:
        for attempt in itertools.count():
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                make_private(file)
                return
            except sqlite3.OperationalError as error:
                # SQLite does not wait by itself where processes that start at once all change it.
                if attempt == TRIES or error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                time.sleep(0.05)


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    # A text that is none is one damaged table, and no failure of the database.
    connection.driver_connection.text_factory = _text
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous = FULL")  # A move that was answered survives a power cut.
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")


def _bound(id: str) -> Any:
    """The id of a row in a question, even one that is no text any more."""
    if not isinstance(id, str) or id.isascii():
        return id
    return cast(literal(id.encode(errors="surrogateescape"), LargeBinary), Text)


def _gone(error: DBAPIError) -> bool:
    """Whether it is the database that fails, and not what it was asked for."""
    return error.connection_invalidated or isinstance(error, OperationalError)


def _refusal(error: Exception) -> NotFound | Unavailable:
    """What whoever asked is told; the keeper of the server finds more in the log."""
    if isinstance(error, IntegrityError):
        return NotFound("There is no such table.", "unknown_table")
    # What it was asked for stays out of the log: ids open tables.
    secret = isinstance(error, DBAPIError) and not _gone(error)
    logger.warning("the database: %s", type(error).__name__ if secret else _line(error))
    return Unavailable("The database does not answer: try again.", "no_database")


def _line(error: BaseException) -> str:
    inner = error.orig if isinstance(error, DBAPIError) and error.orig else error
    return (str(inner).splitlines() or [type(inner).__name__])[0][:200]


def _table_row(table: StoredTable, phase: str, log: list[StoredEntry]) -> dict[str, Any]:
    return {
        "id": table.id,
        "created": table.created,
        "changed": log[-1].at if log else table.created,
        "phase": phase,
        "visibility": table.settings.visibility,
        "seed": table.seed,
        "settings": msgspec.json.encode(table.settings).decode(),
        "set_name": table.set.name if table.set else None,
        "set_fingerprint": table.set.fingerprint if table.set else None,
    }


def _key(waiting: _Waiting) -> tuple[str, int]:
    return waiting.table, waiting.stored.number


def _row(table: str, stored: StoredEntry) -> dict[str, Any]:
    return {
        "table_id": table,
        "number": stored.number,
        "at": stored.at,
        "nonce": stored.nonce,
        "entry": msgspec.json.encode(write_entry(stored.entry)).decode(),
    }


def _table(row: Any) -> StoredTable:
    with reading(row.id):
        settings = msgspec.json.decode(row.settings, type=Settings)
        tiles = SetIdentity(row.set_name, row.set_fingerprint) if row.set_name else None
        table = StoredTable(row.id, row.created, settings, row.seed, tiles)
        # SQLite keeps anything in any column.
        return msgspec.convert(msgspec.to_builtins(table), StoredTable)


def _entry(row: Any) -> StoredEntry:
    with reading(row.table_id, row.number):
        entry: Written = msgspec.json.decode(row.entry, type=Written)
        if type(row.at) is not int or not isinstance(row.nonce, str | None):
            raise ValueError("a time or a mark is none")
        if row.nonce is not None:
            row.nonce.encode()
        return StoredEntry(row.number, row.at, read_entry(entry), row.nonce)
