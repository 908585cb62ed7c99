"""However many games are over, nothing slows down."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from sqlalchemy import event

from dalapapa.server.storage.retention import Retention
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.storage.store import Store
from dalapapa.server.storage.table_count import TableCount
from dalapapa.server.tables.tables import Tables
from tests.support import growing, postgres
from tests.support.stores import open_store
from tests.support.two_processes import InstantBots

pytestmark = pytest.mark.anyio

MILLION = 1_000_000
SLOWER = 4
"""Times as long as with an empty database, which a busy machine makes of the same time."""
MOMENT = 0.01
"""Seconds that are always allowed."""


@pytest.mark.thorough
async def test_no_query_scans_all_games(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every query has an index: when a server opens, lists, sets up, moves and archives.

    But the count of the tables that are not archived, which is made once a minute.
    """
    asked: dict[str, Any] = {}

    def hear(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        asked.setdefault(statement, values)

    async def counted(_: TableCount) -> bool:
        return False

    monkeypatch.setattr(TableCount, "full", counted)
    async with open_store(sqlite_database) as store:
        await growing.fill(store, 2_000, 200)
        event.listen(store.engine.sync_engine, "before_cursor_execute", hear)
        tables = Tables(store, InstantBots())
        live, _ = await tables.creator.create(growing.SETTINGS, "Ann", ("Bob",))
        tables.registry.cache.clear()
        assert len(await store.lobby(50)) == 50
        for id in ("game-3", live.id, "game-1001-7"):
            await tables.find(id)
        await tables.commands.rematch(await tables.find("game-5"))
        await store.restore([growing.game(100)])
        swept = await Retention(store, RetentionPolicy(9, 9, 9, 9, 9)).sweep()
        assert swept.archived >= 1
        assert swept.removed > 2_000
        event.remove(store.engine.sync_engine, "before_cursor_execute", hear)
        plans = []
        async with store.engine.connect() as connection:
            for statement, values in asked.items():
                if statement.startswith(("SELECT", "INSERT", "UPDATE", "DELETE")):
                    several = isinstance(values, list)
                    plan = await connection.exec_driver_sql(
                        f"EXPLAIN QUERY PLAN {statement}", values[0] if several else values
                    )
                    plans += [(row[-1], statement) for row in plan]
    assert len(plans) > 20
    looked = [plan for plan in plans if re.match("SCAN (tables|entries|archive)", plan[0])]
    assert not looked


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_million_games_slow_nothing_down(
    kind: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The list, opening a table, setting one up, moves, start-up, archive: as without them."""
    full = request.getfixturevalue(f"{kind}_database")
    if kind == "sqlite":
        empty = f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('empty') / 'tables.db'}"
    else:
        empty = postgres.fresh_database(full)

    async def fill() -> None:
        for url, archived, live in ((empty, 0, 100), (full, MILLION, 20_000)):
            store = Store(url)
            await store.open()
            await growing.fill(store, archived, live)
            await store.close()

    asyncio.run(fill())
    few, many = [], []
    for _ in range(3):
        few.append(asyncio.run(growing.measured(empty)))
        many.append(asyncio.run(growing.measured(full)))
    for name in growing.Times._fields:
        least, now = (min(getattr(one, name) for one in found) for found in (few, many))
        assert now < SLOWER * least + MOMENT, name
