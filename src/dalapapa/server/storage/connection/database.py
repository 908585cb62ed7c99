"""The database: its connection, its transactions, and what happens when it fails."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from secrets import token_hex
from typing import Any

from sqlalchemy import Table, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from ....core.errors import NotFound, Unavailable
from ...monitoring.logging_setup import logger
from ..schema import tables
from . import engine as engines
from . import failures
from .engine import SqliteThreads, make_engine, prepare_sqlite


class Database:
    """A database. `url` is SQLAlchemy's: `sqlite+aiosqlite:///file` or `postgresql+asyncpg://`."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._sqlite_threads = SqliteThreads()
        self.engine: AsyncEngine = make_engine(url, self._sqlite_threads)
        self.postgres: bool = self.engine.dialect.name == "postgresql"
        self._dialect: Any = postgresql if self.postgres else sqlite
        self._errors: tuple[type[Exception], ...] = (OSError, SQLAlchemyError)
        if self.postgres:
            self._errors += engines.list_postgres_errors()
        self.outage: failures.Outage = failures.Outage(self._reconnect)
        self.write_trouble: failures.WriteTrouble = failures.WriteTrouble(self._probe_writing)

    async def open(self) -> None:
        """Connect, and bring the schema up to date."""
        from ..migrations import upgrade

        if self.postgres:
            engines.give_up_quietly()
        try:
            if not self.postgres:
                prepare_sqlite(self.engine.url.database or "")
            await upgrade(self.engine)
        except Exception as error:  # Drivers have their own for addresses that make no sense.
            await self.engine.dispose()
            raise Unavailable(
                f"Cannot open the database: {failures.explain_failure(error)}", "no_database"
            ) from None

    async def close(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with self.answer_timeout():
                await self.engine.dispose()
        await self._sqlite_threads.join()

    def insert_new(self, table: Table) -> Any:
        """An insert that leaves out rows whose keys exist."""
        return self._dialect.insert(table).on_conflict_do_nothing()

    def upsert(
        self, table: Table, row: dict[str, Any], key: list[str], changes: dict[str, Any]
    ) -> Any:
        """An insert that makes changes to the row instead if its key exists."""
        added = self._dialect.insert(table).values(row)
        return added.on_conflict_do_update(index_elements=key, set_=changes)

    def answer_timeout(self) -> asyncio.Timeout:
        """The time limit of a request; SQLite has its own, and cannot be interrupted."""
        return asyncio.timeout(engines.ANSWER_TIMEOUT_S if self.postgres else None)

    @contextlib.asynccontextmanager
    async def transaction(self, patient: bool = False) -> AsyncIterator[AsyncConnection]:
        """A transaction; it refuses if the database does not answer."""
        self.outage.check()
        try:
            async with (
                contextlib.nullcontext() if patient else self.answer_timeout(),
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
        if reason := failures.find_reason(error):
            self.write_trouble.note(reason, failures.first_line(error))
            return failures.make_write_error()
        return _make_error(error)

    async def try_to_write(self, id: str) -> None:
        """Write a table of a size that needs new pages, and delete it again."""
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
            async with self.answer_timeout(), self.engine.connect() as connection:
                await connection.execute(select(1))
        except self._errors as error:
            raise _make_error(error) from error

    @contextlib.asynccontextmanager
    async def autocommit(self) -> AsyncIterator[AsyncConnection]:
        """A connection without transactions."""
        try:
            async with self.engine.connect() as connection:
                yield await connection.execution_options(isolation_level="AUTOCOMMIT")
        except self._errors as error:
            raise self._refuse(error) from error

    @contextlib.asynccontextmanager
    async def advisory_lock(self, id: int) -> AsyncIterator[Callable[[], Awaitable[object]] | None]:
        """Be the only process with a lock: yields a check that it is held, or None if it is taken.

        PostgreSQL frees the lock of a process that dies. A file of SQLite has one server.
        """
        if not self.postgres:
            yield partial(asyncio.sleep, 0)
            return
        async with self.autocommit() as connection:
            taken = select(func.pg_try_advisory_lock(id))
            if not (await connection.execute(taken)).scalar_one():
                yield None
                return
            try:
                yield partial(connection.execute, select(1))
            finally:
                await _free_lock(connection, id)

    def reading(self) -> contextlib.AbstractAsyncContextManager[AsyncConnection]:
        return self.transaction()

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that reads before it writes: it locks SQLite for other writers."""
        async with self.transaction() as connection:
            if not self.postgres:
                await connection.exec_driver_sql("BEGIN IMMEDIATE")
            yield connection


async def _free_lock(connection: AsyncConnection, id: int) -> None:
    """Free an advisory lock, if necessary by closing its connection: the pool would hold it."""
    try:
        await connection.execute(select(func.pg_advisory_unlock(id)))
    except Exception as error:
        logger.warning("closed a connection to free its lock: %s", type(error).__name__)
        await connection.invalidate()


def _make_error(error: Exception) -> NotFound | Unavailable:
    """The refusal for an error; the log has more for the operator."""
    if isinstance(error, IntegrityError) or failures.is_missing_table(error):
        return NotFound("There is no such table.", "unknown_table")
    is_about_statement = failures.is_row_error(error) or (
        isinstance(error, DBAPIError)
        and not (error.connection_invalidated or isinstance(error, OperationalError))
    )
    # The statement stays out of the log: ids open tables.
    reason = type(error).__name__ if is_about_statement else failures.first_line(error)
    logger.warning("a request to the database failed: %s", reason)
    return failures.make_outage_error()
