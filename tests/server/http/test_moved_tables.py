"""Tables that move from a device to a server and back, and devices that lie about their games."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from dalapapa.client import Disconnected, Refused, Server, Viewer
from dalapapa.games import REGISTRY
from dalapapa.hosting.state import MAX_ENTRIES
from dalapapa.record import load, replay
from tests.support import flooding
from tests.support.device_server import served_device
from tests.support.online_games import play_to_the_end
from tests.support.playing import answer
from tests.support.serving import LateClock, first, refusal, served

pytestmark = pytest.mark.anyio

Table = dict[str, Any]


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with served() as here, Server(here.url) as server:
        yield server


@pytest.fixture
async def device() -> AsyncIterator[Server]:
    async with served_device(LateClock()) as (url, _), Server(url) as device:
        yield device


async def move_once(viewer: Viewer) -> None:
    """Make the first legal move of any own seat."""
    await viewer.move(first([move for seat in viewer.yours for move in await viewer.legal(seat)]))


async def begin(
    host: Server, game: str = "classic", moves: int = 6, **settings: Any
) -> tuple[str, str]:
    """A game of two people at one screen, after some moves; its id and its token."""
    people = {"seats": [None] * max(2, REGISTRY[game].seats[0]), "host": "Ann", "guests": ["Bob"]}
    new = await host.create(game=game, **{"countdown": 0, **people, **settings})
    async with host.watch(new["id"], new["token"]) as viewer:
        while viewer.version < 2 + moves:
            await move_once(viewer)
    return new["id"], new["token"]


async def fetch_log(device: Server, id: str) -> Table:
    table: Table = await device.ask("GET", f"/tables/{id}/log")
    return table


async def make_table(device: Server, game: str = "classic") -> Table:
    return await fetch_log(device, (await begin(device, game))[0])


async def move(server: Server, table: Table, *invited: int) -> Any:
    return await server.ask("POST", "/moved-tables", table=table, invited=list(invited))


# -- to a server ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", REGISTRY)
async def test_a_game_of_a_device_goes_on_at_a_server(
    server: Server, device: Server, game: str
) -> None:
    id, token = await begin(device, game)
    moved = await move(server, await fetch_log(device, id))
    assert moved["id"].startswith("moved-")
    assert (moved["seats"], moved["invites"]) == ([0, 1], [])
    assert "verify" not in moved["table"]["capabilities"]
    assert "share" in moved["table"]["capabilities"]
    async with device.watch(id, token) as before, server.watch(moved["id"], moved["token"]) as now:
        assert (now.version, now.views) == (before.version, before.views)
        await move_once(now)
    assert await refusal(server.ask("POST", f"/tables/{id}/moves", token, move={})) != "failed"


async def test_a_long_game_moves_to_the_server_and_back(server: Server) -> None:
    """The longest that a request can hold; workers read and write it."""
    table = flooding.long_log_of_device()
    moved = await move(server, table)
    async with server.watch(moved["id"], moved["token"]) as viewer:
        assert viewer.version == len(table["log"]) > 1500
    back = await server.ask("POST", f"/tables/{moved['id']}/to-device", moved["token"])
    assert [one["entry"] for one in back["log"]][2:] == [one["entry"] for one in table["log"]][2:]


async def test_friends_get_the_tokens_of_their_seats(server: Server, device: Server) -> None:
    moved = await move(server, await make_table(device), 1)
    (invite,) = moved["invites"]
    assert (moved["seats"], invite["seat"]) == ([0], 1)
    async with server.watch(moved["id"], moved["token"], invite["token"]) as both:
        assert both.yours == [0, 1]
    await play_to_the_end(server, moved["id"], moved["token"], invite["token"])
    assert replay(load(await server.record(moved["id"]))).outcome
    path = f"/tables/{moved['id']}/rematch"
    again = await server.ask("POST", path, moved["token"])
    assert "verify" in again["table"]["capabilities"], "its bag is new"


async def test_a_moved_table_is_neither_listed_nor_a_challenge(
    server: Server, device: Server
) -> None:
    new = await device.create(seats=[None, "novice"], host="Ann", pace=0, visibility="public")
    table = await fetch_log(device, new["id"])
    moved = await move(server, table)
    assert await server.ask("GET", "/tables") == []
    await play_to_the_end(server, moved["id"], moved["token"])
    path = f"/tables/{moved['id']}/challenge"
    assert await refusal(server.ask("POST", path, moved["token"])) == "not_verified"


async def test_times_end_now(server: Server, device: Server) -> None:
    """The clock of a device may be wrong by years; the time of a turn is not spent meanwhile."""
    table = await make_table(device)
    for ahead in (-(10**11), 10**11):
        other = copy.deepcopy(table)
        other["created"] += ahead
        for line in other["log"]:
            line["at"] += ahead
        moved = await move(server, other)
        own = [{"id": moved["id"], "token": moved["token"]}]
        (listed,) = await server.ask("POST", "/own-tables", tables=own)
        assert abs(listed["changed"] - LateClock().now()) < 60_000


async def test_seats_of_bots_and_one_own_seat_cannot_be_given_away(
    server: Server, device: Server
) -> None:
    new = await device.create(seats=[None, "novice"], host="Ann")
    table = await fetch_log(device, new["id"])
    for invited in ([1], [0], [7]):
        assert await refusal(move(server, table, *invited)) == "bad_seats"
    waiting = await device.create(seats=[None, None], host="Ann")
    waiting_table = await fetch_log(device, waiting["id"])
    assert await refusal(move(server, waiting_table)) == "not_begun"


def change_seed(table: Table) -> None:
    table["seed"] = "another"


def change_move(table: Table) -> None:
    table["log"][-1]["entry"]["move"]["player"] ^= 1


def repeat_move(table: Table) -> None:
    table["log"].append(table["log"][2])


def turn_back_time(table: Table) -> None:
    table["log"][-1]["at"] = table["created"]


def last_for_years(table: Table) -> None:
    table["log"][-1]["at"] = 2**52


def close(table: Table) -> None:
    table["log"].append({"at": table["log"][-1]["at"], "entry": {"type": "closed"}})


def send_a_player_away(table: Table) -> None:
    entry = {"type": "removed", "seat": 1, "by": 0}
    table["log"].append({"at": table["log"][-1]["at"], "entry": entry})


def send_no_one_away(table: Table) -> None:
    entry = {"type": "removed", "seat": 5, "by": 0}
    table["log"].insert(0, {"at": table["created"], "entry": entry})


def sit_elsewhere(table: Table) -> None:
    table["log"][0]["entry"]["seat"] = 9


def end_a_timer(table: Table) -> None:
    entry = {"type": "moved", "move": {"move": "time_up", "timer": 1}, "cause": "time"}
    table["log"].append({"at": table["log"][-1]["at"], "entry": entry})


@pytest.mark.parametrize(
    "lie",
    [
        change_seed, change_move, repeat_move, turn_back_time, last_for_years, close,
        send_a_player_away, send_no_one_away, sit_elsewhere, end_a_timer,
    ],
)  # fmt: skip
async def test_a_log_that_cannot_have_happened_is_refused(
    server: Server, device: Server, lie: Callable[[Table], None]
) -> None:
    table = await make_table(device)
    lie(table)
    assert await refusal(move(server, table)) == "bad_log"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"set": {"name": "120", "fingerprint": "0" * 64}}, "other_set"),
        ({"settings": {"game": "chess", "seats": [{}, {}]}}, "unknown_game"),
        ({"settings": {"game": "classic", "seats": [{}, {"program": "deep"}]}}, "unknown_bot"),
        ({"seed": "\0"}, "malformed"),
        ({"created": -1}, "malformed"),
        ({"created": 2**60}, "malformed"),
        ({"log": [{"at": 1, "entry": {"type": "castled"}}]}, "malformed"),
        ({"id": "device-x"}, "malformed"),
    ],
)
async def test_a_table_of_another_form_is_refused(
    server: Server, device: Server, change: Table, code: str
) -> None:
    table = {**await make_table(device), **change}
    assert await refusal(move(server, table)) == code


async def test_huge_and_deep_logs_are_refused(server: Server, device: Server) -> None:
    table = await make_table(device)
    entry = table["log"][-1]
    table["log"] = [entry] * 4_000
    assert await refusal(move(server, table)) == "too_long"
    table["log"] = [entry] * 100_000
    with pytest.raises((Refused, Disconnected)):  # It does not read so much.
        await move(server, table)
    table["log"] = [entry] * (MAX_ENTRIES + 1)
    assert await refusal(device.ask("POST", "/tables/from-server", **table)) == "bad_log"
    for where in ("options", "move"):
        deep: Any = []
        for _ in range(900):
            deep = [deep]
        body = copy.deepcopy({**table, "log": [copy.deepcopy(entry)]})
        if where == "options":
            body["settings"]["options"] = {"target": deep}
        else:
            body["log"][0]["entry"]["move"]["laying"] = deep
        status, refused = await answer(server, "POST", "/moved-tables", {"table": body})
        assert status == 422, refused


async def test_moved_tables_count_for_the_limits_of_new_tables(device: Server) -> None:
    table = await make_table(device)
    async with served(tables_per_minute=1) as here, Server(here.url) as server:
        await move(server, table)
        assert await refusal(move(server, table)) == "too_fast"
    async with served(table_bytes_per_day=1500) as here, Server(here.url) as server:
        await move(server, table)
        assert await refusal(move(server, table)) == "too_fast"


async def test_a_guest_who_was_sent_away_on_the_device_is_no_obstacle(
    server: Server, device: Server
) -> None:
    new = await device.create(host="Ann", guests=["Bob"], seats=[None] * 4)
    await device.sit(new["id"], 2, "Eve")
    await device.ask("POST", f"/tables/{new['id']}/seats/2/remove", new["token"])
    others = [await device.sit(new["id"], seat, name) for seat, name in ((2, "Zoe"), (3, "Max"))]
    async with device.watch(new["id"], new["token"], *others) as viewer:
        await move_once(viewer)
        views = viewer.views
    moved = await move(server, await fetch_log(device, new["id"]), 2)
    async with server.watch(moved["id"], moved["token"]) as viewer:
        assert viewer.views.items() <= views.items()
        names = [seat["name"] for seat in viewer.table["seats"]]
        assert names == ["Ann", "Bob", "Zoe", "Max"]


# -- to a device ---------------------------------------------------------------------------------


@pytest.mark.parametrize("moves", [6, 0])
async def test_a_game_of_a_server_goes_on_at_a_device(
    server: Server, device: Server, moves: int
) -> None:
    id, token = await begin(server, moves=moves)
    async with server.watch(id, token) as viewer:
        views, version = viewer.views, viewer.version
        table = await server.ask("POST", f"/tables/{id}/to-device", token)
    assert await refusal(server.ask("GET", f"/tables/{id}")) == "moved_to_device"
    assert await server.ask("POST", f"/tables/{id}/to-device", token) == table, "it may get lost"
    assert await refusal(server.ask("POST", f"/tables/{id}/to-device", "x")) == "not_your_seat"
    new = await device.ask("POST", "/tables/from-server", token, **table)
    async with device.watch(new["id"], token) as viewer:
        assert (viewer.version, viewer.views) == (version, views)
    await play_to_the_end(device, new["id"], token)


async def test_a_game_with_a_new_token_goes_to_a_device_and_back(
    server: Server, device: Server
) -> None:
    id, old = await begin(server)
    path, token = f"/tables/{id}/seats/0/token", "a-token-that-is-new"
    await server.ask("POST", path, old, new=token)
    async with server.watch(id, token) as viewer:
        await move_once(viewer)
        views = viewer.views
    table = await server.ask("POST", f"/tables/{id}/to-device", token)
    new = await device.ask("POST", "/tables/from-server", token, **table)
    moved = await move(server, await fetch_log(device, new["id"]))
    async with server.watch(moved["id"], moved["token"]) as viewer:
        assert viewer.views == views
        await move_once(viewer)


async def test_a_finished_game_is_copied(server: Server, device: Server) -> None:
    id, token = await begin(server, "gone")
    await play_to_the_end(server, id, token)
    table = await server.ask("POST", f"/tables/{id}/to-device", token)
    assert (await server.ask("GET", f"/tables/{id}"))["table"]["phase"] == "over"
    new = await device.ask("POST", "/tables/from-server", token, **table)
    assert new["table"]["phase"] == "over"


async def test_a_table_with_other_people_stays(server: Server) -> None:
    new = await server.create(seats=[None, None], host="Ann")
    path = f"/tables/{new['id']}/to-device"
    assert await refusal(server.ask("POST", path, new["token"])) == "others_play"
    token = await server.sit(new["id"], 1, "Bob")
    for one in (new["token"], token):
        assert await refusal(server.ask("POST", path, one)) == "others_play"
    assert await refusal(server.ask("POST", path)) == "not_your_seat"
    assert (await server.ask("GET", f"/tables/{new['id']}"))["table"]["phase"] == "playing"


async def test_an_attempt_at_a_challenge_stays(server: Server) -> None:
    new = await server.create(seats=[None, "novice"], host="Ann", pace=0)
    await play_to_the_end(server, new["id"], new["token"])
    challenge = (await server.ask("POST", f"/tables/{new['id']}/challenge", new["token"]))["id"]
    token = "a-token-of-bob-for-this"
    begun = await server.ask("POST", f"/challenges/{challenge}/attempts", token, name="Bob")
    path = f"/tables/{begun['table']}/to-device"
    assert await refusal(server.ask("POST", path, token)) == "attempt_waits"
