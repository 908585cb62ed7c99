"""Appends entries: one transaction for all that wait, by the database's own driver.

The rest of the store uses SQLAlchemy. Appending happens for every move, so each batch has as few
statements as possible: three and a commit in SQLite, in one trip to its thread; one in PostgreSQL,
which is a transaction by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from .connection.engine import list_postgres_errors, set_up_sqlite
from .connection.failures import is_row_error

CHANNEL = "dalapapa"
"""The channel on which PostgreSQL notifies other processes of new entries."""

MAX_IDLE_S = 0.5
"""Time after which a connection is probed before it is used for moves."""

PROBE_TIMEOUT_S = 1.0
"""The time limit of that probe, because a connection that was cut never answers."""


class Row(NamedTuple):
    """An entry as it is stored, and the phase of its table after it."""

    table: str
    number: int
    at: int
    nonce: str | None
    entry: str
    phase: str


# -- SQLite --------------------------------------------------------------------------------------

ROWS_PER_STATEMENT = 200
"""Rows of a new log that are inserted together. Between two statements, the thread may have to wait
for the event loop, and it holds the lock of the database meanwhile."""

INSERT_LOG = "INSERT INTO entries (table_id, number, at, nonce, entry) VALUES {}"
INSERT = f"{INSERT_LOG} ON CONFLICT DO NOTHING"
UPDATE = (
    "WITH new (id, at, phase) AS (VALUES {}) UPDATE tables SET changed = new.at, phase = new.phase"
    " FROM new WHERE tables.id = new.id"
)


@lru_cache(maxsize=1024)
def _format_rows(statement: str, columns: int, rows: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return statement.format(", ".join([row] * rows))


class SqliteAppender:
    """Appends to SQLite, by a connection and a thread of its own."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._thread = ThreadPoolExecutor(1, "appender")
        self._creating = asyncio.Lock()
        self._connection: sqlite3.Connection | None = None

    async def add(self, rows: list[Row]) -> list[bool]:
        """Store entries, in order, whose numbers are free, in one transaction; which were."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._add, rows)

    async def create(self, table: dict[str, Any], log: Sequence[Row]) -> bool:
        """Store a table with its first entries; False if there is one of this id already.

        Only one waits for the thread: moves are stored between two new tables.
        """
        async with self._creating:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, self._create, table, log)

    async def close(self) -> None:
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def connect(self) -> sqlite3.Connection:
        """The connection, which is opened if there is none."""
        if self._connection is None:
            self._connection = sqlite3.connect(
                self.file, 30, isolation_level=None, cached_statements=256,
                uri=self.file.startswith("file:"),
            )  # fmt: skip
            set_up_sqlite(self._connection)
        return self._connection

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        connection = self.connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            self._disconnect()  # Its state is unknown: the next one is fresh.
            raise

    def _add(self, rows: list[Row]) -> list[bool]:
        with self._transaction() as connection:
            kept = self._insert(connection, rows)
            last = {row.table: row for row, fresh in zip(rows, kept, strict=True) if fresh}
            if last:
                values = [one for row in last.values() for one in (row.table, row.at, row.phase)]
                connection.execute(_format_rows(UPDATE, 3, len(last)), values)
        return kept

    def _create(self, table: dict[str, Any], log: Sequence[Row]) -> bool:
        with self._transaction() as connection:
            statement = _format_rows(
                f"INSERT INTO tables ({', '.join(table)}) VALUES {{}} ON CONFLICT DO NOTHING",
                len(table), 1,
            )  # fmt: skip
            if connection.execute(statement, list(table.values())).rowcount != 1:
                return False
            # Only now: it might have been on its way into the archive.
            id = (table["id"],)
            if connection.execute("SELECT 1 FROM archive WHERE id = ?", id).fetchone():
                connection.execute("DELETE FROM tables WHERE id = ?", id)
                return False
            for begin in range(0, len(log), ROWS_PER_STATEMENT):
                rows = log[begin : begin + ROWS_PER_STATEMENT]
                values = [one for row in rows for one in row[:5]]
                connection.execute(_format_rows(INSERT_LOG, 5, len(rows)), values)
        return True

    def _insert(self, connection: sqlite3.Connection, rows: list[Row]) -> list[bool]:
        values = [one for row in rows for one in row[:5]]
        added = connection.execute(_format_rows(INSERT, 5, len(rows)), values).rowcount
        if added == len(rows):
            return [True] * len(rows)
        # Rare: another process was first. Inserting them one by one shows which ones.
        connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        one = _format_rows(INSERT, 5, 1)
        return [connection.execute(one, row[:5]).rowcount == 1 for row in rows]


# -- PostgreSQL ----------------------------------------------------------------------------------

# All locks are taken in the order of tables and numbers, here and in all processes.
_STORE = """
WITH given AS (
  SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::text[], $5::text[], $6::text[])
    AS given (table_id, number, at, nonce, entry, phase)
), fresh AS (
  INSERT INTO entries (table_id, number, at, nonce, entry)
  SELECT table_id, number, at, nonce, entry FROM given
  ON CONFLICT DO NOTHING RETURNING table_id, number
), latest AS (
  SELECT DISTINCT ON (table_id) table_id, at, phase FROM given JOIN fresh USING (table_id, number)
  ORDER BY table_id, number DESC
), locked AS (
  SELECT id FROM tables WHERE id IN (SELECT table_id FROM latest) ORDER BY id FOR NO KEY UPDATE
), changed AS (
  UPDATE tables SET changed = latest.at, phase = latest.phase
  FROM locked JOIN latest ON latest.table_id = locked.id WHERE tables.id = locked.id
)"""

APPEND = f"{_STORE} SELECT table_id || ' ' || number FROM fresh"

# The same, with a notification for all processes that listen (`bus/postgres_bus.py`).
APPEND_AND_NOTIFY = f"""{_STORE}, news AS (
  SELECT pg_notify('{CHANNEL}', string_agg(table_id || ' ' || number, ','))
  FROM fresh HAVING count(*) > 0
)
SELECT table_id || ' ' || number FROM fresh WHERE (SELECT count(*) FROM news) > 0
"""


READ = """
SELECT table_id, number, at, nonce, entry FROM entries
JOIN unnest($1::text[], $2::integer[]) AS wanted (id, after)
ON table_id = wanted.id AND number > wanted.after ORDER BY table_id, number
"""


class HeldConnection:
    """A connection of the engine, used for one query at a time by PostgreSQL's own driver."""

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self.process: Any = 0
        """The process of PostgreSQL for this connection: the sender of its notifications."""
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        self._used = 0.0
        self._lock = asyncio.Lock()

    async def fetch(self, query: str, *values: object) -> list[Any]:
        """The rows of a query. A connection that failed is not used again."""
        async with self._lock:
            try:
                driver = await self._connect()
                rows: list[Any] = await driver.fetch(query, *values)
            except BaseException as error:
                if not (isinstance(error, Exception) and is_row_error(error)):
                    await self.close()
                raise
            self._used = time.monotonic()
            return rows

    async def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            self._driver.terminate()
            with contextlib.suppress(Exception):
                await connection.invalidate()
                await connection.close()

    async def _connect(self) -> Any:
        """The open connection of the driver; one that was idle is probed first."""
        if self._connection is not None and not self._driver.is_closed():
            if time.monotonic() < self._used + MAX_IDLE_S:
                return self._driver
            with contextlib.suppress(OSError, *list_postgres_errors()):
                await self._driver.execute("SELECT 1", timeout=PROBE_TIMEOUT_S)
                return self._driver
        await self.close()
        connection = await self.engine.connect()
        self._driver = (await connection.get_raw_connection()).driver_connection
        self._connection = connection
        self.process = self._driver.get_server_pid()
        return self._driver


class PostgresAppender(HeldConnection):
    """Appends to PostgreSQL, as `SqliteAppender` does to SQLite."""

    def __init__(self, engine: AsyncEngine, notifies: bool = True) -> None:
        """`notifies`: whether PostgreSQL notifies other processes of the entries."""
        super().__init__(engine)
        self._query = APPEND_AND_NOTIFY if notifies else APPEND

    async def add(self, rows: list[Row]) -> list[bool]:
        columns = [list(column) for column in zip(*rows, strict=True)]
        fresh = {name for (name,) in await self.fetch(self._query, *columns)}
        kept = []
        for row in rows:  # Of several with one number, the first was stored.
            name = f"{row.table} {row.number}"
            kept.append(name in fresh)
            fresh.discard(name)
        return kept


Appender = SqliteAppender | PostgresAppender
