"""Stores, what is put into them, and the processes of PostgreSQL behind them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

from sqlalchemy import func, select, text

from dalapapa.core.tiles import standard
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.stored import StoredTable
from dalapapa.server.storage import schema
from dalapapa.server.storage.store import Store
from tests.support.serving import PATIENCE
from tests.support.waiting import wait_until

SETTINGS = Settings("classic", (SeatPlan(), SeatPlan("greedy")), {"hand": 3}, visibility="public")


@contextlib.asynccontextmanager
async def open_store(database: str) -> AsyncIterator[Store]:
    kept = Store(database)
    await kept.open()
    try:
        async with asyncio.timeout(PATIENCE):
            yield kept
    finally:
        await kept.close()


def make_table(id: str, created: int = 0, settings: Settings = SETTINGS) -> StoredTable:
    return StoredTable(id, created, settings, f"seed of {id}", standard().identity)


async def find_backends(kept: Store, query: str, then: str = "pid") -> list[int]:
    """Wait for the PostgreSQL processes that serve such a query; return their ids."""
    wanted = text(
        f"SELECT {then} FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND query LIKE :query"
    )

    async def find() -> list[int]:
        async with kept.engine.connect() as connection:
            found = await connection.execute(wanted, {"query": f"{query}%"})
            return list(found.scalars().all())

    return await wait_until(find, f"a process that serves {query}")


async def terminate_queries(kept: Store, query: str) -> None:
    """End the processes that serve such queries; their clients lose the connection.

    Wait for the end: a client does not try a connection that it used a moment ago, so it must be
    able to notice the loss before its next query.
    """
    await find_backends(kept, query, f"pg_terminate_backend(pid, {1000 * PATIENCE:.0f})")


async def find_places(store: Store) -> dict[str, list[str]]:
    """Find the database tables that contain each id."""
    found: dict[str, list[str]] = {}
    async with store.engine.connect() as connection:
        for table in (schema.tables, schema.archive):
            for row in await connection.execute(select(table.c.id)):
                found.setdefault(row.id, []).append(table.name)
        orphans = select(func.count()).where(
            schema.entries.c.table_id.not_in(select(schema.tables.c.id))
        )
        assert (await connection.execute(orphans)).scalar_one() == 0
    return found
