"""A database of an earlier version opens, is brought up to date, and its games go on.

The databases were made by `scripts/write_old_database.py`, each by the version that it is named
after.
"""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from dalapapa import record
from dalapapa.client import Server, Viewer
from dalapapa.games import REGISTRY
from dalapapa.server.ops.export import export_tables, import_tables
from dalapapa.server.storage.store import Store
from tests.support.old_databases import VERSIONS, fill_old_database, read_old_tables
from tests.support.serving import PATIENCE, LateClock, Served, served
from tests.support.thoroughness import THOROUGH

pytestmark = pytest.mark.anyio

MOVES = 3 if THOROUGH else 1
"""Of each game that goes on."""


async def last_change(database: str) -> datetime:
    store = Store(database)
    async with store.engine.connect() as connection:
        found = (await connection.execute(text("SELECT max(at) FROM entries"))).scalar_one()
    await store.engine.dispose()
    return datetime.fromtimestamp(found / 1000, UTC)


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_database_of_an_earlier_version_plays_on(
    database: str, version: str, tmp_path: Path
) -> None:
    tables = read_old_tables(version)
    assert {(one["game"], one["phase"]) for one in tables} >= {
        (game, phase) for game in REGISTRY for phase in ("playing", "over")
    }
    await fill_old_database(database, version)
    # No turn is over: otherwise the server plays for players while they do.
    clock = LateClock(await last_change(database))
    clock.stand()
    async with served(database, clock) as here, Server(here.url) as server:
        for table in tables:
            view = await server.ask("GET", f"/tables/{table['id']}")
            assert (view["table"]["phase"], view["table"]["game"]) == (
                table["phase"],
                table["game"],
            )
            if table["phase"] == "over":
                await _is_replayed(server, table)
            else:
                await _goes_on(here, server, table)
        listed = {one["id"] for one in await server.ask("GET", "/tables")}
        assert len(listed) >= 4
    done = await export_tables(database, str(tmp_path / "out"))
    assert done.tables >= len(tables)
    came = await import_tables(
        f"sqlite+aiosqlite:///{tmp_path / 'again.db'}", str(tmp_path / "out")
    )
    assert came.new == done.tables


async def _is_replayed(server: Server, table: dict[str, Any]) -> None:
    """A game that is over has the same record, to the byte, and its replay ends as it did."""
    path = f"/tables/{table['id']}"
    answer = await server.record(table["id"], table["token"])
    assert sha256(answer).hexdigest() == table["record"], table["game"]
    record.replay(record.load(answer))
    if THOROUGH:
        replay = await server.ask("GET", f"{path}/replay", table["token"])
        assert replay["outcome"] == json.loads(answer)["result"]
        assert await server.ask("GET", f"{path}/history", table["token"])


async def _goes_on(here: Served, server: Server, table: dict[str, Any]) -> None:
    """A running game takes the next moves of its players, and a free seat a new player."""
    tokens = [table["token"]]
    if table["phase"] == "waiting":
        tokens.append(await server.sit(table["id"], 1, "Cy"))
    async with server.watch(table["id"], *tokens) as seat:
        assert seat.version >= table["version"]
        before = seat.version
        async with asyncio.timeout(PATIENCE):
            for _ in range(MOVES):
                await _moves(seat)
        assert seat.version >= before + MOVES, table
    log = await here.store.log(table["id"])
    assert [one.number for one in log] == list(range(1, len(log) + 1))


async def _moves(seat: Viewer) -> None:
    while True:
        for own in seat.yours:
            moves = [one for one in await seat.legal(own) if one["move"] != "give_up"]
            if moves:
                version = await seat.move(moves[0])
                while seat.version < version:
                    await seat.changed()
                return
        await seat.changed()
