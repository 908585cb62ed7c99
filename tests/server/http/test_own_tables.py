"""One's own tables by one request: whose turn it is, what is gone, and that it stays cheap."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from dalapapa.client import Server
from dalapapa.hosting.encoder import OwnTableSummary
from dalapapa.server.listings.own_tables import MAX_OWN_TABLES
from dalapapa.server.ops.admin import Admin
from dalapapa.server.storage.retention import Retention
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.traffic.limits import TokenBuckets
from tests.support.serving import PATIENCE, Served, a_second_later, conforms, refusal, served
from tests.support.thoroughness import SQLITE_EVERY_DAY

pytestmark = pytest.mark.anyio


@pytest.fixture
async def here() -> AsyncIterator[Served]:
    async with served() as here:
        yield here


async def listed(server: Server, *tables: Any) -> list[dict[str, Any]]:
    wanted = [{"id": one["id"], "token": one["token"]} for one in tables]
    answer: list[dict[str, Any]] = await server.ask("POST", "/own-tables", tables=wanted)
    return answer


@SQLITE_EVERY_DAY
async def test_many_tables_are_one_request(database: str) -> None:
    async with served(database) as here, Server(here.url) as server:
        own = [await server.create(seats=[None, None], host="Ann") for _ in range(200)]
        waiting = await listed(server, *own)
        assert [one["id"] for one in waiting] == [one["id"] for one in own]
        assert all(one["phase"] == "waiting" and one["yours"] == [0] for one in waiting)
        token = await server.sit(own[0]["id"], 1, "Bob")
        playing = (await listed(server, *own))[0]
        conforms([playing], list[OwnTableSummary])
        assert playing["asked"] == [0]
        assert [seat["name"] for seat in playing["seats"]] == ["Ann", "Bob"]
        theirs = await listed(server, {"id": own[0]["id"], "token": token})
        assert theirs[0]["yours"] == [1]

        # Tables that have not changed are not replayed, even if none is in memory.
        here.tables.registry.cache.clear()
        here.tables.registry.cache.expanded.clear()
        here.services.own_tables.loads = TokenBuckets(0, 0)
        assert (await listed(server, *own))[0] == playing
        assert [one["state"] for one in await listed(server, *own)] == ["here"] * 200


async def test_removed_and_finished_tables_have_their_states(here: Served) -> None:
    async with Server(here.url) as server:
        bots = await server.create(seats=["random", None], host="Ann", pace=0)
        closed = await server.create(seats=[None, None], host="Ann")
        secret = await server.create(
            seats=[None, "greedy"], host="Ann", spectators="none", pace=10_000
        )
        strange = {"id": "unknown-table", "token": "x"}
        async with Admin.open(here.store.url) as admin:
            await admin.close(closed["id"])
        stranger = {**secret, "token": "wrong"}
        answer = await listed(server, bots, strange, closed, secret, stranger)
        assert [one["state"] for one in answer] == ["here", "removed", "removed", "here", "here"]
        assert answer[1] == {"id": "unknown-table", "state": "removed"}
        assert (answer[3]["yours"], answer[3]["asked"]) == ([0], [0])
        assert (answer[4]["yours"], answer[4]["asked"]) == ([], [])


async def test_too_many_tables_are_refused_and_expensive_ones_deferred(here: Served) -> None:
    async with Server(here.url) as server:
        one = await server.create(seats=[None, None], host="Ann")
        assert await refusal(listed(server, *[one] * (MAX_OWN_TABLES + 1))) == "malformed"
        assert await listed(server) == []
        here.services.own_tables.loads = TokenBuckets(0, 0)
        here.tables.registry.cache.clear()
        here.services.own_tables.cache.clear()
        assert [found["state"] for found in await listed(server, one)] == ["later"]


async def test_archived_games_are_listed_as_before(here: Served) -> None:
    async with Server(here.url) as server:
        own = await server.create(seats=["random", None], host="Ann", pace=0)
        await server.leave(own["id"], 1, own["token"])  # A bot plays on.
        async with asyncio.timeout(PATIENCE), server.watch(own["id"]) as viewer:
            while viewer.table.get("phase") != "over":
                await viewer.changed()
        before = await listed(server, own)
        assert before[0]["phase"] == "over"
        assert before[0]["winners"]
        await Retention(here.store, RetentionPolicy(over=0), a_second_later()).sweep()
        assert await here.store.find_existing([own["id"]])
        here.services.own_tables.cache.clear()
        here.tables.registry.cache.clear()
        assert await listed(server, own) == before
