"""How many tables one address may set up, whichever way, and what is left for others."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from dalapapa.client import Refused, Server
from dalapapa.core.errors import DalapapaError, TooMany
from dalapapa.core.tiles import standard
from dalapapa.server.storage.table_count import TableCount
from dalapapa.server.tables import new_tables as new_tables_module
from dalapapa.server.tables.new_tables import (
    DAY_S,
    HALF_LIFE_S,
    MIN_SHARE,
    ROW_BYTES,
    NewTableLimits,
)
from dalapapa.server.traffic.limits import Limits, address_of
from tests.support.challenges import begin_attempt, make_challenge
from tests.support.online_games import give_up
from tests.support.serving import LateClock, refusal, served, server_from

pytestmark = pytest.mark.anyio

EVE = "127.0.0.66"


async def over(server: Server, **more: Any) -> tuple[str, str]:
    """A race that is over, and the token of its only player."""
    wanted = {"game": "puzzle", "seats": [None], "host": "Eve", "countdown": 0, **more}
    new = await server.create(**wanted)
    await give_up(server, new["id"], 0, new["token"])
    return new["id"], new["token"]


async def rematch(server: Server, table: str, token: str) -> str:
    """A rematch that is over as well."""
    id: str = (await server.ask("POST", f"/tables/{table}/rematch", token))["id"]
    await give_up(server, id, 0, token)
    return id


async def repeat(make: Callable[[], Awaitable[Any]], most: int = 30) -> tuple[int, str]:
    """Set up tables until that is refused: how many, and the code of the refusal."""
    for made in range(most):
        try:
            await make()
        except Refused as error:
            return made, error.code
    return most, ""


# -- the rate --------------------------------------------------------------------------------------


async def test_rematches_count_as_new_tables() -> None:
    clock = LateClock()
    clock.stand()
    async with served(clock=clock, tables_per_minute=4) as here, server_from(here.url, EVE) as eve:
        table, token = await over(eve)
        made = [table]

        async def another() -> None:
            made.append(await rematch(eve, made[-1], token))

        assert await repeat(another) == (3, "too_fast")
        assert (await eve.ask("GET", f"/tables/{made[-1]}"))["table"]["rematch"] is None
        for _ in range(9):  # The table of a rematch that exists is no new table.
            again = await eve.ask("POST", f"/tables/{table}/rematch", token)
            assert again["id"] == made[1]
        async with server_from(here.url, "127.0.0.67") as other:
            assert await rematch(other, made[-1], token), "another address may set it up"
        clock.ahead = 15_000
        assert (await eve.create(seats=[None, None]))["id"]


async def test_a_refused_rematch_can_be_requested_later() -> None:
    clock = LateClock()
    clock.stand()
    async with served(clock=clock, tables_per_minute=1) as here, Server(here.url) as server:
        table, token = await over(server)
        assert await refusal(rematch(server, table, token)) == "too_fast"
        clock.ahead = 60_000
        assert await rematch(server, table, token)


async def test_all_ways_to_create_a_table_share_one_limit() -> None:
    """A table, a table alone, a rematch, an attempt at a challenge."""
    clock = LateClock()
    async with served(clock=clock, tables_per_minute=6) as here, Server(here.url) as server:
        id, _, _ = await make_challenge(server)
        table, token = await over(server)
        clock.stand()
        assert here.tables.creator.limits is not None
        bucket = here.tables.creator.limits.rate.get("127.0.0.1")
        levels = [bucket.level]

        async def fewer() -> bool:
            levels.append(bucket.level)
            return levels[-1] == pytest.approx(levels[-2] - 1)

        bucket.wait()
        levels.append(bucket.level)
        await server.create(seats=[None, None], host="Ann")
        assert await fewer()
        await server.create(game="puzzle", seats=[None], host="Ann")
        assert await fewer()
        await rematch(server, table, token)
        assert await fewer()
        await begin_attempt(server, id, "bob-bob-bob-bob-bob")
        assert await fewer()
        bucket.pay(bucket.level)
        for way in (
            server.create(seats=[None, None], host="Ann"),
            server.create(game="puzzle", seats=[None], host="Ann"),
            begin_attempt(server, id, "eve-eve-eve-eve-eve"),
        ):
            assert await refusal(way) == "too_fast"
        assert (await begin_attempt(server, id, "bob-bob-bob-bob-bob"))["table"], "it exists"


# -- bytes -----------------------------------------------------------------------------------------


def custom_set() -> list[dict[str, str]]:
    """Some 6 kB of dominoes of one's own."""
    return [
        {"name": f"{tile.name}A", "recto": tile.recto, "verso": tile.verso}
        for tile in standard("120").tiles
    ]


async def test_long_settings_use_up_the_daily_bytes() -> None:
    clock = LateClock()
    clock.stand()
    options = {"set": custom_set()}
    size = len(json.dumps(options, separators=(",", ":"))) + ROW_BYTES
    async with (
        served(clock=clock, table_bytes_per_day=10 * size) as here,
        server_from(here.url, EVE) as eve,
        Server(here.url) as other,
    ):
        table, token = await over(eve, options=options)

        async def another() -> None:
            nonlocal table
            table = await rematch(eve, table, token)

        made, code = await repeat(another)
        assert code == "too_fast"
        assert 7 <= made < 10, "rematches are as long as the first table"
        assert await refusal(eve.create(seats=[None, None])) == "too_fast"
        assert (await other.create(seats=[None, None], options=options))["id"]
        clock.ahead = 1000 * DAY_S
        assert (await eve.create(seats=[None, None], options=options))["id"]


# -- the share -------------------------------------------------------------------------------------


class Counted(TableCount):
    """A count of tables that a test sets."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.there = 0

    async def room(self) -> int:
        return self.most - self.there


SMALL_BYTES = 200
"""Of a table's settings."""


async def fill(tables: NewTableLimits, count: Counted, address: str, most: int = 10**6) -> int:
    """Set up tables until the address is refused; how many."""
    for made in range(most):
        try:
            await tables.check(address, SMALL_BYTES)
        except TooMany as error:
            assert error.code == "too_many_tables"
            return made
        count.there += 1
    return most


def unlimited(share: float = 0.3) -> Limits:
    return Limits(tables_per_minute=1e9, table_bytes_per_day=1_000_000_000, share_an_address=share)


async def test_many_addresses_cannot_fill_a_server() -> None:
    clock = LateClock()
    clock.stand()
    count = Counted(10_000)
    tables = NewTableLimits(count, unlimited(), clock)
    first = await fill(tables, count, "10.0.0.1")
    assert first == pytest.approx(0.3 / 1.3 * 10_000, abs=2)
    for n in range(2, 11):
        assert await fill(tables, count, f"10.0.0.{n}") > MIN_SHARE
    assert count.there < 0.98 * count.most
    assert await fill(tables, count, "10.0.1.1", 50) == 50, "a visitor finds room"


async def test_a_share_is_free_again_in_time() -> None:
    clock = LateClock()
    clock.stand()
    count = Counted(10_000)
    tables = NewTableLimits(count, unlimited(), clock)
    first = await fill(tables, count, "10.0.0.1")
    with pytest.raises(TooMany) as refused:
        await tables.check("10.0.0.1", SMALL_BYTES)
    clock.ahead = math.ceil(1000 * refused.value.after)
    await tables.check("10.0.0.1", SMALL_BYTES)
    clock.ahead = 1000 * HALF_LIFE_S
    more = await fill(tables, count, "10.0.0.1")
    assert first / 4 < more < first / 2


async def test_a_small_server_has_a_floor_instead_of_a_share() -> None:
    clock = LateClock()
    clock.stand()
    count = Counted(MIN_SHARE + 20)
    tables = NewTableLimits(count, unlimited(), clock)
    assert await fill(tables, count, "10.0.0.1") == MIN_SHARE


async def test_a_site_of_ipv6_has_one_share() -> None:
    clock = LateClock()
    clock.stand()
    count = Counted(10_000)
    tables = NewTableLimits(count, unlimited(), clock)
    made = 0
    for n in range(10_000):
        try:
            await tables.check(address_of({"client": (f"2001:db8:7:{n:x}::1", 1)}), SMALL_BYTES)
        except DalapapaError:
            break
        made += 1
        count.there += 1
    assert made == pytest.approx(0.3 / 1.3 * 10_000, abs=2)


async def test_one_address_cannot_fill_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(new_tables_module, "MIN_SHARE", 3)
    async with (
        served(tables=20, share_an_address=0.3) as here,
        server_from(here.url, EVE) as eve,
        Server(here.url) as server,
    ):
        assert await repeat(lambda: eve.create(seats=[None, None])) == (4, "too_many_tables")
        answer = await eve.http.post("/tables", json={})
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0
        assert (await server.create(seats=[None, None]))["id"]
        async with here.store.reading() as connection:
            dump = str((await connection.exec_driver_sql("SELECT * FROM tables")).all())
        assert EVE not in dump, "an address is counted in memory and nowhere else"
