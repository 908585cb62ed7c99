"""The pool of connections to the database, where it is emptied while it is used."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest
from sqlalchemy import text

from dalapapa.server.storage.store import Store

pytestmark = pytest.mark.anyio

MAX_CONNECTIONS = 15  # SQLAlchemy's default: 5, and 10 more when all of them are in use.


async def ask(store: Store) -> int:
    async with store.engine.connect() as connection:
        answer: int = (await connection.execute(text("SELECT 1"))).scalar_one()
        return answer


@pytest.mark.parametrize("order", ["dispose, return", "return, dispose"])
async def test_those_who_wait_get_a_connection_although_the_pool_is_disposed(
    tmp_path: Path, order: str
) -> None:
    store = Store(f"sqlite+aiosqlite:///{tmp_path}/tables.db")
    await store.open()
    async with contextlib.AsyncExitStack() as stack:
        used = [await store.engine.connect() for _ in range(MAX_CONNECTIONS)]
        for connection in used[1:]:
            stack.push_async_callback(connection.close)
        waiting = [asyncio.create_task(ask(store)) for _ in range(3)]
        await asyncio.sleep(0.05)
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
