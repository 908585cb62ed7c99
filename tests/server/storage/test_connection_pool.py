"""The pool of connections to the database, where it is emptied while it is used."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from dalapapa.server.storage.store import Store
from tests.support.waiting import run_other_tasks

pytestmark = pytest.mark.anyio

MAX_CONNECTIONS = 15  # SQLAlchemy's default: 5, and 10 more when all of them are in use.


async def ask(store: Store) -> int:
    async with store.engine.connect() as connection:
        answer: int = (await connection.execute(text("SELECT 1"))).scalar_one()
        return answer


@pytest.mark.parametrize("order", ["dispose, return", "return, dispose"])
async def test_waiting_requests_get_a_connection_after_the_pool_is_disposed(
    tmp_path: Path, order: str
) -> None:
    store = Store(f"sqlite+aiosqlite:///{tmp_path}/tables.db")
    await store.open()
    async with contextlib.AsyncExitStack() as stack:
        used = [await store.engine.connect() for _ in range(MAX_CONNECTIONS)]
        for connection in used[1:]:
            stack.push_async_callback(connection.close)
        waiting = [asyncio.create_task(ask(store)) for _ in range(3)]
        await run_other_tasks(10)  # All of them wait for a connection.
        assert not any(task.done() for task in waiting)
        for step in order.split(", "):
            if step == "dispose":
                await store.engine.dispose()
            else:
                await used[0].close()
        async with asyncio.timeout(10):
            assert await asyncio.gather(*waiting) == [1, 1, 1]
            assert await ask(store) == 1
    await store.close()


SLOW_S = 0.3  # The thread works for longer than its task, which is cancelled.


@pytest.mark.parametrize("cancelled", ["connecting", "executing"])
async def test_no_thread_outlives_the_store_whose_questions_were_cancelled(
    cancelled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would report to an event loop that is closed, and print a traceback."""
    before = set(threading.enumerate())
    store = Store(f"sqlite+aiosqlite:///{tmp_path}/tables.db")
    await store.open()
    busy = threading.Event()
    connect = sqlite3.connect

    def be_slow() -> None:
        busy.set()
        time.sleep(SLOW_S)

    def connect_slowly(*args: Any, **options: Any) -> Any:
        be_slow()
        return connect(*args, **options)

    async def execute_slowly() -> int:
        async with store.engine.connect() as connection:
            raw: Any = (await connection.get_raw_connection()).driver_connection
            await raw.create_function("be_slow", 0, be_slow)
            await connection.execute(text("SELECT be_slow()"))
        return 0

    if cancelled == "connecting":
        monkeypatch.setattr(sqlite3, "connect", connect_slowly)
        await store.engine.dispose()  # So that the next question opens a connection.
        asking = asyncio.create_task(ask(store))
    else:
        asking = asyncio.create_task(execute_slowly())
    assert await asyncio.to_thread(busy.wait, 10)
    asking.cancel()
    await asyncio.wait([asking])
    await store.close()
    left = set(threading.enumerate()) - before
    assert [thread.name for thread in left if "asyncio" not in thread.name] == []
