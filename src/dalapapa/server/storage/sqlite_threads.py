"""The threads of SQLite's connections: aiosqlite gives each connection one.

A task that is cancelled while it asks the database leaves the thread at work. The thread reports to
the event loop when it is done, and fails with a traceback if the loop is closed by then. So the
store waits for its threads when it is closed.
"""

from __future__ import annotations

import asyncio
from threading import Thread
from typing import Any
from weakref import WeakSet

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
