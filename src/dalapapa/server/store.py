"""The store: tables and their logs in SQLite or PostgreSQL, by the same few verbs.

The primary key of an entry, its table and number, is the compare-and-set: of two processes that
append number N to a table, one succeeds. Entries that arrive together are committed together,
each of them answered only when it is durable.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    event,
    func,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from ..errors import BadInput
from .log import Entry, Settings

MOST_AT_ONCE = 256
"""Entries of one commit."""

CHANNEL = "dalapapa"
"""Where PostgreSQL tells other processes which table has grown."""

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


class StoredTable(msgspec.Struct, frozen=True):
    """A table as it is kept."""

    id: str
    created: int
    settings: Settings
    seed: str


class StoredEntry(msgspec.Struct, frozen=True):
    """An entry of a log: its number (from 1), when, and the sender's own mark for it."""

    number: int
    at: int
    entry: Entry
    nonce: str | None = None


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
        self._queue: asyncio.Queue[_Waiting] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect, and bring the schema up to date."""
        from .migrations import upgrade

        try:
            await upgrade(self.engine)
        except (OSError, SQLAlchemyError) as error:
            raise BadInput(
                f"The database cannot be opened: {_line(error)}", "no_database"
            ) from None
        self._writer = asyncio.create_task(self._write())

    async def close(self) -> None:
        """Finish what is being written, and disconnect."""
        if self._writer is not None:
            await self._queue.join()
            self._writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._writer
        await self.engine.dispose()

    async def create(self, table: StoredTable, phase: str, log: list[StoredEntry]) -> None:
        """Keep a new table with its first entries."""
        row = {
            "id": table.id,
            "created": table.created,
            "changed": table.created,
            "phase": phase,
            "visibility": table.settings.visibility,
            "seed": table.seed,
            "settings": msgspec.json.encode(table.settings).decode(),
        }
        async with self.engine.begin() as connection:
            await connection.execute(insert(tables), row)
            if log:
                await connection.execute(insert(entries), [_row(table.id, one) for one in log])

    async def load(self, id: str) -> StoredTable | None:
        """A table, without its log."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(select(tables).where(tables.c.id == id))).first()
        return None if row is None else _table(row)

    async def log(self, id: str, after: int = 0) -> list[StoredEntry]:
        """The entries of a table from number `after` + 1 on."""
        wanted = (
            select(entries)
            .where(entries.c.table_id == id, entries.c.number > after)
            .order_by(entries.c.number)
        )
        async with self.engine.connect() as connection:
            rows = (await connection.execute(wanted)).all()
        return [_entry(row) for row in rows]

    async def append(self, table: str, stored: StoredEntry, phase: str) -> bool:
        """Make an entry durable; False if another one has its number already."""
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        await self._queue.put(_Waiting(table, stored, phase, done))
        return await done

    async def lobby(self, most: int) -> list[StoredTable]:
        """Public tables that wait for players or play, the latest first."""
        wanted = (
            select(tables)
            .where(tables.c.visibility == "public", tables.c.phase != "over")
            .order_by(tables.c.phase.desc(), tables.c.changed.desc())
            .limit(most)
        )
        async with self.engine.connect() as connection:
            return [_table(row) for row in (await connection.execute(wanted)).all()]

    async def count(self) -> int:
        """How many tables there are."""
        async with self.engine.connect() as connection:
            found = await connection.execute(select(func.count()).select_from(tables))
            return int(found.scalar_one())

    async def every(self) -> AsyncIterator[StoredTable]:
        """All tables, the oldest first."""
        async with self.engine.connect() as connection:
            found = await connection.stream(select(tables).order_by(tables.c.created, tables.c.id))
            async for row in found:
                yield _table(row)

    # -- writing -----------------------------------------------------------------------------

    async def _write(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while len(batch) < MOST_AT_ONCE and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            try:
                await self._commit(batch)
            except Exception as error:
                for waiting in batch:
                    if not waiting.done.done():
                        waiting.done.set_exception(error)
            finally:
                for _ in batch:
                    self._queue.task_done()

    async def _commit(self, batch: list[_Waiting]) -> None:
        async with self.engine.begin() as connection:
            kept = [await self._insert(connection, waiting) for waiting in batch]
        for waiting, fresh in zip(batch, kept, strict=True):
            if not waiting.done.done():
                waiting.done.set_result(fresh)

    async def _insert(self, connection: AsyncConnection, waiting: _Waiting) -> bool:
        dialect = postgresql if self.postgres else sqlite
        values = _row(waiting.table, waiting.stored)
        added = dialect.insert(entries).values(values).on_conflict_do_nothing()
        result = await connection.execute(added)
        if result.rowcount != 1:
            return False
        changed = {"changed": waiting.stored.at, "phase": waiting.phase}
        await connection.execute(update(tables).where(tables.c.id == waiting.table).values(changed))
        if self.postgres:
            news = f"{waiting.table} {waiting.stored.number}"
            await connection.execute(
                text("SELECT pg_notify(:channel, :news)"), {"channel": CHANNEL, "news": news}
            )
        return True

    # -- news of other processes -------------------------------------------------------------

    async def listen(self, heard: Callable[[str, int], None], lost: Callable[[], None]) -> None:
        """Tell of every entry that any process makes durable (PostgreSQL only).

        Returns when the connection is lost, after calling `lost`: news may have been missed.
        """
        import asyncpg

        address = self.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        connection = await asyncpg.connect(address)
        ended = asyncio.Event()
        connection.add_termination_listener(lambda _: ended.set())

        def told(_connection: Any, _process: int, _channel: str, news: str) -> None:
            table, _, number = news.partition(" ")
            heard(table, int(number))

        await connection.add_listener(CHANNEL, told)
        try:
            await ended.wait()
        finally:
            lost()
            connection.terminate()


def _engine(url: str) -> AsyncEngine:
    try:
        if url.startswith("sqlite"):
            engine = create_async_engine(url, connect_args={"timeout": 30})
            event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        else:
            engine = create_async_engine(url, pool_size=10, max_overflow=10, pool_pre_ping=True)
    except (SQLAlchemyError, ImportError, ValueError) as error:
        raise BadInput(f"This is not a database: {_line(error)}", "bad_database") from None
    if engine.dialect.name not in ("sqlite", "postgresql"):
        raise BadInput("The database is SQLite or PostgreSQL.", "bad_database")
    return engine


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")  # A move that was answered survives a power cut.
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _line(error: BaseException) -> str:
    inner = error.orig if isinstance(error, DBAPIError) and error.orig else error
    return (str(inner).splitlines() or [type(inner).__name__])[0][:200]


def _row(table: str, stored: StoredEntry) -> dict[str, Any]:
    return {
        "table_id": table,
        "number": stored.number,
        "at": stored.at,
        "nonce": stored.nonce,
        "entry": msgspec.json.encode(stored.entry).decode(),
    }


def _table(row: Any) -> StoredTable:
    settings = msgspec.json.decode(row.settings, type=Settings)
    return StoredTable(row.id, row.created, settings, row.seed)


def _entry(row: Any) -> StoredEntry:
    entry: Entry = msgspec.json.decode(row.entry, type=Entry)
    return StoredEntry(row.number, row.at, entry, row.nonce)
