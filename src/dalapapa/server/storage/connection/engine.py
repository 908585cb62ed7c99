"""The engines of SQLAlchemy: how the server connects to SQLite and PostgreSQL.

aiosqlite gives each connection a thread, which a cancelled task leaves at work. It reports to the
event loop when it is done, and fails with a traceback if the loop is closed by then. So the store
waits for its threads when it is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sqlite3
import time
from threading import Thread
from typing import Any
from weakref import WeakSet

from sqlalchemy import event, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry, Pool

from ....core.errors import BadInput
from ....core.extras import require
from .permissions import create_private, make_private

ANSWER_TIMEOUT_S = 4
"""The time for an answer of PostgreSQL, connecting included. A longer request is refused, and
others immediately (`failures.py`): every request is answered within 5 s. PostgreSQL may still carry
the statement out: the caller has to look."""

MAX_WAL_ATTEMPTS = 100
"""Attempts to prepare a file that other processes are preparing, too: they take five seconds."""

CLOSE_TIMEOUT_S = 0.25
"""The time to close a connection to PostgreSQL; SQLAlchemy would wait 2 s before refusing."""

LOST = "unexpected connection_lost() call"
"""The error of asyncpg for a connection that ends before its first answer."""


JOIN_TIMEOUT_S = 5.0
"""A query that takes longer ends with the process."""


class SqliteThreads:
    """Opens the connections of one engine and keeps their threads."""

    def __init__(self) -> None:
        self._threads: WeakSet[Thread] = WeakSet()

    def connect(self, *args: Any, **options: Any) -> Any:
        """Prepare a connection, which opens when it is awaited."""
        import aiosqlite

        connection: Any = aiosqlite.connect(*args, **options)
        # SQLAlchemy does the same. Before aiosqlite 0.22, a connection was its own thread.
        thread = connection if isinstance(connection, Thread) else connection._thread
        thread.daemon = True
        self._threads.add(thread)
        return connection

    async def join(self) -> None:
        """Wait until all threads have ended; their connections must be closed or cancelled."""
        threads = [thread for thread in self._threads if thread.is_alive()]
        await asyncio.gather(
            *(asyncio.to_thread(thread.join, JOIN_TIMEOUT_S) for thread in threads)
        )


def give_up_quietly() -> None:
    """Do not log connections that end during their handshake: their requests are refused already.

    asyncpg reports their errors to no one, and asyncio would log a traceback for each of them.
    """
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    if getattr(before, "quiet", False):
        return

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, ConnectionError) and str(error) == LOST:
            return
        if before is None:
            loop.default_exception_handler(context)
        else:
            before(loop, context)

    handle.quiet = True  # type: ignore[attr-defined]
    loop.set_exception_handler(handle)


def list_postgres_errors() -> tuple[type[Exception], ...]:
    """Errors that SQLAlchemy does not translate."""
    import asyncpg

    # The last one is said of a connection that was lost in the middle of a question.
    return asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError


def make_connection_class() -> type[Any]:
    """Make the class of connections that close quickly while the database hangs."""
    import asyncpg

    class BrieflyClosing(asyncpg.Connection):  # type: ignore[misc]
        """Closes within `CLOSE_TIMEOUT_S`."""

        async def close(self, *, timeout: float | None = None) -> None:
            """Close, and abort if the database does not answer soon."""
            with contextlib.suppress(TimeoutError):
                await super().close(timeout=min(timeout or CLOSE_TIMEOUT_S, CLOSE_TIMEOUT_S))

    return BrieflyClosing


class DroppablePool(AsyncAdaptedQueuePool):
    """After `dispose`, closes also the connections that were in use meanwhile."""

    is_disposed: bool = False

    def dispose(self) -> None:
        self.is_disposed = True
        for record in [self._pool.get(block=False) for _ in range(self.checkedin())]:
            try:
                record.close()
            finally:
                # A task may wait for it: it connects again.
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


def make_engine(url: str, sqlite_threads: SqliteThreads) -> AsyncEngine:
    """The engine for a URL; refuses what is not a URL of SQLite or PostgreSQL."""
    if url.startswith("postgresql+asyncpg:"):
        require("postgres")
    try:
        if url.startswith("sqlite"):
            if "?" in url and "uri=true" not in url:
                raise BadInput(
                    "The URL of an SQLite database must be sqlite:///FILE, without options.",
                    "bad_database",
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
                pool_timeout=ANSWER_TIMEOUT_S,
                hide_parameters=True,
                connect_args={
                    "timeout": ANSWER_TIMEOUT_S,
                    "connection_class": make_connection_class(),
                },
            )
    except (SQLAlchemyError, ImportError, ValueError):
        raise _not_a_database() from None
    if engine.dialect.name not in ("sqlite", "postgresql"):
        raise _not_a_database()
    return engine


def _not_a_database() -> BadInput:
    """Without the URL, which may hold a password."""
    return BadInput(
        "The URL of a database must be sqlite:///FILE or postgresql://USER@HOST/NAME.",
        "bad_database",
    )


def prepare_sqlite(file: str) -> None:
    """Let readers not wait for writers; what is not a database fails here, in this thread."""
    if not file.startswith((":", "file:")):
        create_private(file)
    with contextlib.closing(sqlite3.connect(file, 30, uri=file.startswith("file:"))) as connection:
        for attempt in itertools.count():
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                make_private(file)
                return
            except sqlite3.OperationalError as error:
                # SQLite does not wait itself where processes that start together all change this.
                if attempt == MAX_WAL_ATTEMPTS or error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                time.sleep(0.05)


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    # Invalid text damages one table and is not a failure of the database.
    connection.driver_connection.text_factory = _text
    set_up_sqlite(connection)


def set_up_sqlite(connection: Any) -> None:
    """Set up a new connection."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA synchronous = FULL")  # A move that was answered survives a power cut.
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA secure_delete = ON")  # What is deleted is overwritten (`forgetting.py`).
    cursor.close()


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")
