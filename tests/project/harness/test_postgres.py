"""The PostgreSQL of the tests is a real one: databases apart, notices heard, commits durable."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from tests.support import postgres
from tests.support.postgres import fresh_database
from tests.support.serving import PATIENCE
from tests.support.waiting import wait_until


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Any]:
    """A connection of asyncpg itself, which has no types; without a pool, its end is its close."""
    engine = create_async_engine(url, poolclass=NullPool)
    async with engine.connect() as connection:
        yield (await connection.get_raw_connection()).driver_connection


def test_databases_are_independent(postgres_url: str) -> None:
    async def play() -> None:
        one, other = fresh_database(postgres_url), fresh_database(postgres_url)
        async with connected(one) as here, connected(other) as there:
            await here.execute("CREATE TABLE apart (number int)")
            assert await here.fetchval("SELECT to_regclass('apart')::text") == "apart"
            assert await there.fetchval("SELECT to_regclass('apart')::text") is None

    asyncio.run(play())


def test_one_connection_hears_what_another_notifies(postgres_url: str) -> None:
    async def play() -> str:
        heard: asyncio.Queue[str] = asyncio.Queue()

        def hear(*notice: Any) -> None:
            heard.put_nowait(notice[-1])

        async with connected(postgres_url) as listener, connected(postgres_url) as speaker:
            await listener.add_listener("table_moved", hear)
            await speaker.execute("NOTIFY table_moved, '7'")
            async with asyncio.timeout(PATIENCE):
                news = await heard.get()
            await listener.remove_listener("table_moved", hear)
            return news

    assert asyncio.run(play()) == "7"


@pytest.mark.parametrize("setting", ["fsync", "synchronous_commit", "full_page_writes"])
def test_commits_are_durable(postgres_url: str, setting: str) -> None:
    async def show() -> str | None:
        async with connected(postgres_url) as connection:
            value: str | None = await connection.fetchval(f"SHOW {setting}")
            return value

    assert asyncio.run(show()) == "on"


def test_a_killed_server_comes_back() -> None:
    async def answers(url: str) -> bool:
        try:
            async with connected(url) as connection:
                await connection.fetchval("SELECT 1")
        except (OSError, SQLAlchemyError, asyncpg.PostgresError):
            return False
        return True

    async def silent(url: str) -> bool:
        return not await answers(url)

    async def play() -> None:
        with postgres.restarting() as cluster:
            for _ in range(2):
                before = cluster.pid
                with cluster.kept_away():
                    os.kill(before, signal.SIGKILL)
                    await wait_until(partial(silent, cluster.url), "the end of PostgreSQL")
                await wait_until(partial(answers, cluster.url), "the next PostgreSQL")
                assert cluster.pid != before
            last = cluster.pid
        assert not Path(f"/proc/{last}").exists()
        assert not cluster.folder.exists()

    asyncio.run(play())
