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
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from secrets import token_hex
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import asdict
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
    delete,
    event,
    func,
    insert,
    literal,
    make_url,
    null,
    select,
    union_all,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry, Pool

from ...core.errors import BadInput, DamagedTable, NotFound, Unavailable
from ...core.extras import require
from ...core.tiles import SetIdentity
from ...hosting.log import Entry, Settings, Written, read_entry, write_entry
from ..monitoring import metrics
from .archive import Archived, Line, unpack
from .handshakes import give_up_quietly, make_connection_class
from .outage import Outage, refusal
from .permissions import create_private, make_private
from .quarantine import PutAside, check_number, reading, without_row
from .sqlite_threads import SqliteThreads
from .write_trouble import WriteTrouble, find_reason
from .write_trouble import refusal as write_refusal
from .writer import (
    CHANNEL,
    READ,
    Appender,
    HeldConnection,
    PostgresAppender,
    Row,
    SqliteAppender,
    of_no_table,
    of_the_row,
    set_up_sqlite,
)

logger = logging.getLogger("dalapapa")

COMMIT_SECONDS = metrics.COMMIT_SECONDS.get_series()
COMMIT_ENTRIES = metrics.COMMIT_ENTRIES.get_series()

MAX_AT_ONCE = 200
"""Entries of one commit: PostgreSQL tells others of all of them in one piece of news, of 8 kB."""

MAX_LOG_READ = 200
"""Entries of a log that are read at once: others wait for their moves meanwhile."""

MAX_GLIMPSE = 50_000
"""Bytes of an archived table that is looked at while somebody waits for a page."""

MAX_READ = 20
"""Tables that are in memory at once while all are read."""

ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""Of a table."""

DELETED = 0
"""The number of an entry that says that its table is gone."""

FORGOTTEN = -1
"""The number of an entry that says that names were forgotten: servers clear their caches."""

COMPANY_CHANNEL = "dalapapa_company"
"""Where processes tell each other who is there (`company.py`)."""

TRIES = 100
"""To make a file ready that other processes are making ready, too: five seconds."""

HEARTBEAT = 5
"""Seconds of silence after which a listener asks whether PostgreSQL is still there."""

ANSWER = 4
"""Seconds that PostgreSQL has for an answer, connecting included; a request that waits longer is
refused, and others immediately (`outage.py`): every request is answered within 5 s. What PostgreSQL
was asked for may still be done: the caller has to look."""

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
    # When somebody last watched, where that is long after the last change (`retention.py`).
    Column("seen", BigInteger),
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
archive = Table(
    "archive",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("seen", BigInteger),
    Column("data", LargeBinary, nullable=False),
    Index("archive_age", "changed"),
)
"""Games that are over, a row for each, with all that was in `tables` and `entries` of it."""
challenges = Table(
    "challenges",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("settings", Text, nullable=False),
    Index("challenge_age", "changed"),
)
"""Games that others may play with the same bag (`challenges.py`)."""
attempts = Table(
    "attempts",
    metadata,
    Column(
        "challenge", String(32), ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("owner", String(64), primary_key=True),
    Column("table_id", String(32), nullable=False),
    Column("at", BigInteger, nullable=False),
    # Empty when the table has gone.
    Column("name", String(30)),
    Index("attempt_table", "table_id", unique=True),
)
"""Who has taken a challenge up, at which table; the first one is the game that it was made of."""
finds = Table(
    "finds",
    metadata,
    Column("date", String(10), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("count", Integer, nullable=False),
)
"""How many have found the problem of a day."""
finders = Table(
    "finders",
    metadata,
    Column("date", String(10), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("mark", String(64), primary_key=True),
)
"""Who was counted, by a hash that means nothing elsewhere, while the day lasts (`finds.py`)."""

subscribers = Table(
    "subscribers",
    metadata,
    # A new one whenever address or browser change: keys in mails are made of it (`mail_links.py`).
    Column("id", String(32), primary_key=True),
    # A hash of what it is about: nobody is told twice.
    Column("mark", String(64), nullable=False),
    Column("table_id", String(32), ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
    Column("owner", String(64), nullable=False),
    Column("kind", String(4), nullable=False),
    Column("address", Text, nullable=False),
    # Of push the browser's keys, of mail nothing.
    Column("secret", Text, nullable=False),
    Column("language", String(2), nullable=False),
    Column("state", String(8), nullable=False),
    # The hash of what a browser keeps for its mail address: confirmed once, it is for all tables.
    Column("proof", String(64)),
    Column("created", BigInteger, nullable=False),
    # The change of the table that was looked at last.
    Column("looked", BigInteger, nullable=False),
    # What was told last, what is to be told, and when.
    Column("told", String(32), nullable=False),
    Column("news", String(32)),
    Column("due", BigInteger),
    # When a time of the table runs out.
    Column("wake", BigInteger),
    Column("tries", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Index("subscriber_mark", "mark", unique=True),
    Index("subscriber_table", "table_id"),
    Index("subscriber_due", "due"),
    Index("subscriber_wake", "wake"),
)
"""Who wants to be told that it is their turn, and where (`notices.py`)."""
asked_addresses = Table(
    "asked_addresses",
    metadata,
    Column("mark", String(64), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("times", Integer, nullable=False),
    # The id of the subscription for which the address was asked last.
    Column("asker", String(32)),
)
"""Mail addresses that were asked for their consent lately, by a hash (`mail_limits.py`)."""
mailed_addresses = Table(
    "mailed_addresses",
    metadata,
    Column("mark", String(64), primary_key=True),
    # Each notice adds an interval; the further ahead this is, the less may be sent now.
    Column("paid_until", BigInteger, nullable=False),
)
"""Mail addresses that got notices lately, by a hash (`mail_limits.py`)."""
secrets = Table(
    "secrets",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Keys that the server has made for itself."""

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
"""Numbers begin with 1: a row with this one tells that the table is there."""
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
    data: bytes | None = None
    """In the archive, both of them."""

    def read(self) -> tuple[StoredTable, list[StoredEntry]]:
        """The table and its whole log; raises `DamagedTable`."""
        table, log = self.table, self.log
        if self.data is not None:
            table = packed = _unpacked(self.id, self.data)
            log = list(packed.log)
        if table is None:
            raise without_row(self.id)
        read = _table(table)
        for number, row in enumerate(log, start=1):
            check_number(self.id, row.number, number)
        return read, [_entry(self.id, row) for row in log]


Found = tuple[StoredTable, list[StoredEntry]] | DamagedTable
"""A table with its log, or what is wrong with its rows."""


class _Waiting(NamedTuple):
    row: Row
    done: asyncio.Future[bool]


class Store:
    """All that is kept. `url` is SQLAlchemy's: `sqlite+aiosqlite:///file` or `postgresql+asyncpg://`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._sqlite_threads = SqliteThreads()
        self.engine: AsyncEngine = _engine(url, self._sqlite_threads)
        self.postgres = self.engine.dialect.name == "postgresql"
        self._errors: tuple[type[Exception], ...] = (OSError, SQLAlchemyError)
        if self.postgres:
            import asyncpg

            # The last one is said of a connection that was lost in the middle of a question.
            self._errors += (
                asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError,
            )  # fmt: skip
        self.outage = Outage(self._reconnect)
        self.write_trouble = WriteTrouble(self._probe_writing)
        self.aside = PutAside()
        self._appender: Appender
        self._queue: deque[_Waiting] = deque()
        self._some = asyncio.Event()
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
                f"The database cannot be opened: {_reason(error)}", "no_database"
            ) from None
        file = self.engine.url.database or ""
        self._appender = PostgresAppender(self.engine) if self.postgres else SqliteAppender(file)
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
            await self._appender.close()
            await self._reader.close()
        with contextlib.suppress(TimeoutError):
            async with self._patience():
                await self.engine.dispose()
        await self._sqlite_threads.join()

    def _patience(self) -> asyncio.Timeout:
        """SQLite has its own, and cannot be left alone with half an answer."""
        return asyncio.timeout(ANSWER if self.postgres else None)

    @contextlib.asynccontextmanager
    async def transaction(self, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        """All or nothing; a database that does not answer is a refusal like any other."""
        self.outage.check()
        try:
            async with (
                contextlib.nullcontext() if patient else self._patience(),
                self.engine.begin() as connection,
            ):
                yield connection
        except self._errors as error:
            raise self._refuse(error) from error
        self.outage.note_answer()

    def _refuse(self, error: Exception) -> NotFound | Unavailable:
        """The refusal for an error of the database; after a timeout, others do not wait."""
        if isinstance(error, TimeoutError | PoolTimeout):
            self.outage.note_timeout()
        if reason := find_reason(error):
            self.write_trouble.note(reason, _line(error))
            return write_refusal()
        return _refusal(error)

    async def try_to_write(self, id: str) -> None:
        """Write a table of a size that needs new pages, and leave no trace of it."""
        row = {
            "id": id, "created": 0, "changed": 0, "phase": "over", "visibility": "private",
            "seed": "", "settings": "x" * 10_000,
        }  # fmt: skip
        async with self.transaction() as connection:
            await connection.execute(insert(tables).values(row))
            await connection.execute(delete(tables).where(tables.c.id == id))

    async def _probe_writing(self) -> None:
        """Refuse while nothing can be written.

        A connection that was opened while the database was read-only stays read-only. So the
        connections from before the probe are dropped, and those from before its success, too.
        """
        await self.engine.dispose()
        await self.try_to_write(f"written? {token_hex(8)}")
        await self.engine.dispose()

    async def _reconnect(self) -> None:
        """Ask a new connection whether the database answers; the old ones may have been cut."""
        await self.engine.dispose()
        try:
            async with self._patience(), self.engine.connect() as connection:
                await connection.execute(select(1))
        except self._errors as error:
            raise _refusal(error) from error

    @contextlib.asynccontextmanager
    async def autocommit(self) -> AsyncIterator[AsyncConnection]:
        """A connection whose statements stand alone."""
        try:
            async with self.engine.connect() as connection:
                yield await connection.execution_options(isolation_level="AUTOCOMMIT")
        except self._errors as error:
            raise self._refuse(error) from error

    def reading(self) -> contextlib.AbstractAsyncContextManager[AsyncConnection]:
        """A connection for questions of `retention.py`."""
        return self.transaction()

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that looks before it writes: meanwhile, nobody else writes in SQLite."""
        async with self.transaction() as connection:
            if not self.postgres:
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection

    async def create(self, table: StoredTable, phase: str, log: list[StoredEntry]) -> bool:
        """Keep a new table with its first entries; False if there is one of its id already."""
        return await self.restore([(table, phase, log)], patient=False) == 1

    async def restore(
        self, many: Iterable[tuple[StoredTable, str, list[StoredEntry]]], patient: bool = True
    ) -> int:
        """Keep whole tables, all or none, except those that are known; how many were new."""
        dialect = postgresql if self.postgres else sqlite
        fresh = 0
        async with self.transaction(patient) as connection:
            for table, phase, log in many:
                row = _table_row(table, phase, log)
                added = dialect.insert(tables).values(row).on_conflict_do_nothing()
                if (await connection.execute(added)).rowcount != 1:
                    continue
                # Only now: it might have been on its way into the archive.
                if (await connection.execute(_IN_ARCHIVE, {"of": table.id})).first():
                    await connection.execute(delete(tables).where(tables.c.id == table.id))
                    continue
                fresh += 1
                if log:
                    rows = [columns(entry_row(table.id, one, phase)) for one in log]
                    await connection.execute(insert(entries), rows)
        return fresh

    async def load(self, id: str) -> StoredTable | None:
        """A table, without its log."""
        async with self.transaction() as connection:
            row = (await connection.execute(_LOAD, {"of": id})).first()
            if row is None:
                left = select(entries.c.number).where(entries.c.table_id == id).limit(1)
                if (await connection.execute(left)).first() is not None:
                    raise without_row(id)
        if row is None:
            return None
        return _table(row if row.data is None else _unpacked(id, row.data))

    async def glimpse(self, id: str) -> tuple[str, str] | None:
        """The game of a table and its phase, without playing through what happened there."""
        async with self.transaction() as connection:
            row = (await connection.execute(_GLIMPSE, {"of": id})).first()
        if row is None or (row.data is not None and len(row.data) > MAX_GLIMPSE):
            return None
        settings = row.settings if row.data is None else _unpacked(id, row.data).settings
        return msgspec.json.decode(settings, type=Settings).game, row.phase

    async def log(self, id: str, after: int = 0) -> list[StoredEntry]:
        """The entries of a table from number `after` + 1 on; none if there is no such table."""
        return await self.news(id, after) or []

    async def news(self, id: str, after: int) -> list[StoredEntry] | None:
        """The same; None if there is no such table (any more)."""
        found: list[StoredEntry] = []
        async for lines in self._batches(id, after):
            if lines is None:
                return None
            found += [_entry(id, line) for line in lines]
        return found

    async def lines(self, id: str, most: int | None = None) -> list[Line]:
        """The log of a table as its rows have it, for whoever reads it elsewhere."""
        found: list[Line] = []
        async for lines in self._batches(id, 0):
            found += lines or ()
        return found[:most]

    async def _batches(self, id: str, after: int) -> AsyncIterator[Sequence[Line] | None]:
        """The rows of a log, not too many at once; None where there is no such table."""
        while True:
            wanted = {"of": id, "after": after, "most": MAX_LOG_READ + 1}
            async with self.transaction() as connection:
                rows = (await connection.execute(_NEWS, wanted)).all()
            if not rows or rows[0].number != 0:
                yield None
                return
            there, *rows = rows
            if there.data is not None:
                yield _unpacked(id, there.data).log[after:]
                return
            yield [Line(row.number, row.at, row.nonce, row.entry) for row in rows]
            if len(rows) < MAX_LOG_READ:
                return
            after = rows[-1].number
            await asyncio.sleep(0)

    async def revive(self, id: str) -> bool:
        """Take a table out of the archive, so that its log can grow; False if there is none."""
        async with self.writing() as connection:
            taken = delete(archive).where(archive.c.id == id).returning(archive)
            row = (await connection.execute(taken)).first()
            if row is None:  # Perhaps somebody else was quicker.
                there = select(tables.c.id).where(tables.c.id == id)
                return (await connection.execute(there)).first() is not None
            packed = unpack(id, row.data)
            table = _table_row(_table(packed), "over", [])
            kept = {"changed": row.changed, "seen": row.seen, "settings": packed.settings}
            await connection.execute(insert(tables), {**table, **kept})
            if packed.log:
                lines = [{"table_id": id, **asdict(line)} for line in packed.log]
                await connection.execute(insert(entries), lines)
        return True

    async def logs(self, wanted: dict[str, int]) -> dict[str, list[StoredEntry]]:
        """What tables have after some versions, all at once (PostgreSQL only).

        Without what cannot be read: `news` tells what is wrong with it.
        """
        found: dict[str, list[StoredEntry]] = {id: [] for id in wanted}
        self.outage.check()
        try:
            async with self._patience():
                rows = await self._reader.fetch(READ, list(wanted), list(wanted.values()))
        except self._errors as error:
            raise self._refuse(error) from error
        for table, *row in rows:
            with contextlib.suppress(DamagedTable):
                found[table].append(_entry(table, Line(*row)))
        return found

    async def append(self, table: str, stored: StoredEntry, phase: str) -> bool:
        """Make an entry durable; False if another one has its number already.

        Where the database went away meanwhile, nobody knows whether it is durable: look.
        """
        if self._writer is None:
            raise Unavailable("The database is closed.", "no_database")
        self.outage.check()
        done: asyncio.Future[bool] = self._writer.get_loop().create_future()
        if not self._queue:
            self._some.set()
        self._queue.append(_Waiting(entry_row(table, stored, phase), done))
        if not self.postgres:
            return await done
        try:
            async with self._patience():
                return await done
        except TimeoutError as error:  # Others are before it, and the database does not answer.
            raise self._refuse(error) from None

    async def lobby(self, most: int) -> list[tuple[str, int]]:
        """Public tables that wait for players or play, the latest first: ids and last changes."""
        wanted = (
            select(tables.c.id, tables.c.changed)
            .where(tables.c.visibility == "public", tables.c.phase > "over")  # By the index.
            .where(tables.c.set_name.is_not(None))  # Nobody can open the others any more.
            .order_by(tables.c.phase.desc(), tables.c.changed.desc())
            .limit(most)
        )
        async with self.transaction() as connection:
            rows = (await connection.execute(wanted)).all()
        # SQLite keeps anything in any column, and what has no id cannot be opened.
        return [(row.id, row.changed) for row in rows if isinstance(row.id, str)]

    async def count(self) -> int:
        """How many tables there are, without the archive. It takes a while: see `TableCount`."""
        async with self.transaction() as connection:
            found = await connection.execute(select(func.count()).select_from(tables))
            return int(found.scalar_one())

    async def ping(self) -> None:
        """Refuse if the database does not answer."""
        async with self.transaction() as connection:
            await connection.execute(select(1))

    async def known(self, ids: list[str]) -> set[str]:
        """Which of some tables are there."""
        found: set[str] = set()
        async with self.transaction() as connection:
            for start in range(0, len(ids), 500):
                for kept in (tables, archive):
                    some = select(kept.c.id).where(kept.c.id.in_(ids[start : start + 500]))
                    found.update((await connection.execute(some)).scalars())
        return found

    async def notices(self) -> int:
        """How often another program has changed tables beneath this one (SQLite only)."""
        try:
            async with self.engine.connect() as connection:
                found = await connection.exec_driver_sql("PRAGMA user_version")
                return int(found.scalar_one())
        except self._errors as error:
            raise _refusal(error) from error

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
                some = (await connection.execute(_next_ids(last))).scalars().all()
                if not some:
                    break
                last = _bound(some[-1])
                bound = [_bound(id) for id in some]
                logs: dict[str, list[Any]] = {id: [] for id in some}
                found: dict[str, Rows] = {}
                for row in await connection.execute(select(tables).where(tables.c.id.in_(bound))):
                    found[row.id] = Rows(row.id, row, logs[row.id])
                theirs = select(entries).where(entries.c.table_id.in_(bound))
                for row in await connection.execute(theirs.order_by(entries.c.number)):
                    logs[row.table_id].append(row)
                for row in await connection.execute(select(archive).where(archive.c.id.in_(bound))):
                    found[row.id] = Rows(row.id, None, [], row.data)
                if not at_one_moment:
                    await connection.rollback()
                for id in some:
                    yield found.pop(id)
            known = select(tables.c.id).where(tables.c.id == entries.c.table_id).exists()
            lost = select(entries.c.table_id).where(~known).distinct()
            for row in (await connection.execute(lost.order_by(entries.c.table_id))).all():
                yield Rows(row.table_id, None, [])

    # -- writing -----------------------------------------------------------------------------

    async def _write(self) -> None:
        """Until the store is closed and all is written."""
        while self._queue or self._writer is not None:
            await self._some.wait()
            self._some.clear()
            while self._queue:
                count = min(MAX_AT_ONCE, len(self._queue))
                batch = [self._queue.popleft() for _ in range(count)]
                wanted = [waiting for waiting in batch if not waiting.done.cancelled()]
                if wanted:
                    await self._commit(wanted)

    async def _commit(self, batch: list[_Waiting]) -> None:
        """Commit entries together; one that cannot be kept does not take others with it."""
        began = time.perf_counter()
        batch.sort(key=_key)  # In one order everywhere, so that no two processes block each other.
        try:
            self.outage.check()
            async with self._patience():
                kept = await self._appender.add([waiting.row for waiting in batch])
        except Exception as error:
            if len(batch) > 1 and of_the_row(error):
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
            for waiting, fresh in zip(batch, kept, strict=True):
                if not waiting.done.done():
                    waiting.done.set_result(fresh)

    # -- news of other processes -------------------------------------------------------------

    async def notify(self, news: list[str]) -> None:
        """Tell all processes something that is not kept (PostgreSQL only)."""
        async with self.transaction() as connection:
            await connection.execute(TELL_COMPANY, [{"news": one} for one in news])

    async def listen(
        self,
        heard: Callable[[str, int], None],
        begun: Callable[[], None],
        company: Callable[[str], None] | None = None,
    ) -> None:
        """Tell of all entries that other processes make durable (PostgreSQL only), and of `notify`.

        Calls `begun` as soon as it listens: whatever came before may have been missed. Returns, or
        raises, when the connection is lost.
        """
        ended = asyncio.Event()

        def told(_connection: Any, process: int, _channel: str, news: str) -> None:
            if process != getattr(self._appender, "process", None):  # Our own are no news.
                for one in news.split(","):
                    table, _, number = one.rpartition(" ")
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


class DroppablePool(AsyncAdaptedQueuePool):
    """After `dispose`, closes also the connections that were in use meanwhile.

    Those who already wait for a connection of this pool still get one, a new one.
    """

    is_disposed = False

    def dispose(self) -> None:
        self.is_disposed = True
        for record in [self._pool.get(block=False) for _ in range(self.checkedin())]:
            try:
                record.close()
            finally:
                # Somebody may wait for it: it connects again for them.
                super()._do_return_conn(record)

    def _do_return_conn(self, record: ConnectionPoolEntry) -> None:
        try:
            if self.is_disposed:
                record.invalidate()
        finally:
            super()._do_return_conn(record)


def _pool_class(url: str) -> type[Pool]:
    """SQLAlchemy's own choice: databases in memory have one connection."""
    known = make_url(url)
    dialect: Any = known.get_dialect()
    chosen: type[Pool] = dialect.get_pool_class(known)
    return DroppablePool if chosen is AsyncAdaptedQueuePool else chosen


def _engine(url: str, sqlite_threads: SqliteThreads) -> AsyncEngine:
    if url.startswith("postgresql+asyncpg:"):
        require("postgres")
    try:
        if url.startswith("sqlite"):
            if "?" in url and "uri=true" not in url:
                raise BadInput(
                    "This is not a database: a URL of SQLite has no options.", "bad_database"
                )
            engine = create_async_engine(
                url,
                connect_args={"timeout": 30, "async_creator_fn": sqlite_threads.connect},
                hide_parameters=True,
                poolclass=_pool_class(url),
            )
            event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        else:
            engine = create_async_engine(
                url,
                poolclass=DroppablePool,
                pool_size=10,
                max_overflow=10,
                pool_pre_ping=True,
                pool_timeout=ANSWER,
                hide_parameters=True,
                connect_args={"timeout": ANSWER, "connection_class": make_connection_class()},
            )
    except (SQLAlchemyError, ImportError, ValueError):
        raise _not_a_database() from None
    if engine.dialect.name not in ("sqlite", "postgresql"):
        raise _not_a_database()
    return engine


def _not_a_database() -> BadInput:
    """Without the URL, which may hold a password."""
    return BadInput(
        "This is not a database: its URL is sqlite:///FILE or postgresql://USER@HOST/NAME.",
        "bad_database",
    )


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
    set_up_sqlite(connection)


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")


def _next_ids(last: Any) -> Any:
    """The next few tables, wherever they are kept."""
    # A few of each: for the union of all of them, PostgreSQL would sort a million archived games.
    ids = (tables.c.id, archive.c.id)
    few = [select(id).where(id > last).order_by(id).limit(MAX_READ).subquery() for id in ids]
    return union_all(*(select(some.c.id) for some in few)).order_by("id").limit(MAX_READ)


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
    if isinstance(error, IntegrityError) or of_no_table(error):
        return NotFound("There is no such table.", "unknown_table")
    # What it was asked for stays out of the log: ids open tables.
    secret = of_the_row(error) or (isinstance(error, DBAPIError) and not _gone(error))
    logger.warning("the database: %s", type(error).__name__ if secret else _line(error))
    return refusal()


def _reason(error: BaseException) -> str:
    """Why a database cannot be opened."""
    if isinstance(error, ConnectionRefusedError):
        return "nobody answers at this address."
    if isinstance(error, TypeError):
        return "its URL has an option that is unknown."
    if isinstance(error, OverflowError):
        return "its URL has a port that there is not."
    return _line(error)


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
    return waiting.row[:2]


def entry_row(table: str, stored: StoredEntry, phase: str) -> Row:
    """An entry as it is kept."""
    entry = msgspec.json.encode(write_entry(stored.entry)).decode()
    return Row(table, stored.number, stored.at, stored.nonce, entry, phase)


def columns(row: Row) -> dict[str, Any]:
    """The columns of `entries`, by name."""
    return dict(zip(("table_id", "number", "at", "nonce", "entry"), row, strict=False))


def _unpacked(id: str, data: bytes) -> Archived:
    with reading(id):
        return unpack(id, data)


def _table(row: Any) -> StoredTable:
    with reading(row.id):
        settings = msgspec.json.decode(row.settings, type=Settings)
        tiles = SetIdentity(row.set_name, row.set_fingerprint) if row.set_name else None
        table = StoredTable(row.id, row.created, settings, row.seed, tiles)
        # SQLite keeps anything in any column.
        return msgspec.convert(msgspec.to_builtins(table), StoredTable)


_written = msgspec.json.Decoder(Written)


def _entry(table: str, row: Any) -> StoredEntry:
    with reading(table, row.number):
        entry: Written = _written.decode(row.entry)
        if type(row.at) is not int or not isinstance(row.nonce, str | None):
            raise ValueError("a time or a mark is none")
        if row.nonce is not None:
            row.nonce.encode()
        return StoredEntry(row.number, row.at, read_entry(entry), row.nonce)
