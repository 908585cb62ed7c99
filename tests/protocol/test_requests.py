"""Requests about tables, as all hosts answer them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dalapapa.bots import BOTS
from dalapapa.client import Refused, Server
from dalapapa.games import REGISTRY
from dalapapa.games.bag import hash_seed
from dalapapa.record import load, replay
from tests.support.online_games import give_up, play_to_the_end, start_duel
from tests.support.playing import answer
from tests.support.serving import refusal

pytestmark = pytest.mark.anyio


async def test_a_table_without_a_host(server: Server) -> None:
    new: Any = await server.create(seats=[None, None])
    assert (new["token"], new["seats"], new["table"]["phase"]) == (None, [], "waiting")
    assert (await server.create(seats=list(BOTS)[-4:]))["table"]["phase"] == "playing"


@pytest.mark.parametrize("name", REGISTRY)
async def test_every_game_is_set_up(server: Server, name: str) -> None:
    seats = max(2, REGISTRY[name].seats[0])
    new = await server.create(game=name, seats=[None] * seats, host="Ann", guests=["Bob"])
    assert new["table"]["phase"] == "playing"
    answer = await server.ask("GET", f"/tables/{new['id']}")
    assert answer["version"] == 2
    assert answer["views"]["spectator"]["game"] == name


@pytest.mark.parametrize(
    ("settings", "status", "code"),
    [
        ({"game": "chess"}, 422, "unknown_game"),
        ({"seats": [None]}, 422, "bad_players"),
        ({"seats": []}, 422, "malformed"),
        ({"seats": [None] * 11}, 422, "malformed"),
        ({"seats": [None, "deep thought"]}, 422, "unknown_bot"),
        ({"options": {"target": 1}}, 422, "bad_target"),
        ({"options": {"target": "60"}}, 422, "bad_target"),
        ({"options": {"colour": 1}}, 422, "unknown_option"),
        ({"options": {"set": "/etc/passwd"}}, 422, "unknown_set"),
        ({"options": [1]}, 422, "malformed"),
        ({"game": "gone", "options": {"names": ["x" * 100_000, "y"]}}, 422, "bad_settings"),
        ({"host": "Ann", "guests": ["Bob"]}, 422, "bad_seats"),
        ({"guests": ["Bob"]}, 422, "bad_seats"),
        ({"host": ""}, 422, "bad_name"),
        ({"host": "\n\0"}, 422, "bad_name"),
        ({"host": "x" * 10_000}, 422, "malformed"),
        ({"guests": ["x"] * 10}, 422, "malformed"),
        ({"visibility": "secret"}, 422, "malformed"),
        ({"spectators": "some"}, 422, "malformed"),
        ({"clock": {"kind": "sun"}}, 422, "bad_settings"),
        ({"clock": {"seconds": 1}}, 422, "bad_settings"),
        ({"pace": -1}, 422, "malformed"),
        ({"seed": "mine"}, 422, "malformed"),
    ],
)
async def test_tables_with_impossible_settings_are_refused(
    server: Server, settings: dict[str, Any], status: int, code: str
) -> None:
    got, refused = await answer(server, "POST", "/tables", settings)
    assert (got, refused["code"]) == (status, code)
    assert len(refused["message"]) < 250
    assert set(refused) == {"code", "message"}


async def test_a_race_against_a_bot_has_no_hints(server: Server) -> None:
    new = await server.create(game="arlequin", seats=[None, "easy"], host="Ann", countdown=0)
    path = f"/tables/{new['id']}/seats/0/hint"
    assert await refusal(server.ask("POST", path, new["token"])) == "no_hints"


async def test_sitting_leaving_and_coming_back(server: Server) -> None:
    new = await server.create(game="puzzle", seats=[None, None], countdown=0)
    table = new["id"]
    ann = await server.sit(table, 0, "Ann")
    assert (await server.leave(table, 0, ann))["version"] == 2
    assert await refusal(server.leave(table, 0, ann)) == "not_your_seat"
    ann = await server.sit(table, 0, "Ann")
    bob = await server.sit(table, 1, "Bob")
    assert ann != bob
    for wrong in (bob, "", "x", ann + "x", ann[:-1], new["token"] or "-"):
        assert await refusal(server.leave(table, 0, wrong)) == "not_your_seat"
    await server.leave(table, 0, ann)
    answer = (await server.ask("GET", f"/tables/{table}"))["table"]
    assert answer["phase"] == "playing"
    assert (answer["seats"][0]["name"], answer["seats"][0]["away"]) == ("Ann", True)
    assert await refusal(server.leave(table, 0, ann)) == "seat_free"
    assert await refusal(give_up(server, table, 0, ann)) == "away"
    assert await refusal(server.come_back(table, 0, bob)) == "not_your_seat"
    await server.come_back(table, 0, ann)
    assert await refusal(server.come_back(table, 0, ann)) == "not_away"
    await give_up(server, table, 0, ann)


async def test_one_seat_is_given_to_one_of_many_requests(server: Server) -> None:
    """Of many who click at the same time, one sits down."""
    table = (await server.create(seats=[None, None]))["id"]
    sitting = [server.sit(table, 0, f"Player {n}") for n in range(20)]
    found = await asyncio.gather(*sitting, return_exceptions=True)
    tokens = [token for token in found if isinstance(token, str)]
    assert len(tokens) == 1
    assert {e.code for e in found if isinstance(e, Refused)} == {"seat_taken"}


async def test_moves(server: Server) -> None:
    table, ann, bob = await start_duel(server)
    assert await refusal(give_up(server, table, 0, bob)) == "not_your_seat"
    assert await refusal(give_up(server, table, 7, bob)) == "not_your_seat"
    assert await refusal(give_up(server, table, 0, ann, version=1)) == "stale"
    path = f"/tables/{table}/moves"
    take = {"player": 0, "move": "take", "tile": "PRYGB"}
    for move, code in (
        ({}, "not_your_seat"),
        ({"player": 0}, "malformed_move"),
        ({"player": "0", "move": "give_up"}, "not_your_seat"),
        ({"player": True, "move": "give_up"}, "not_your_seat"),
        ({"player": 0, "move": "castle"}, "malformed_move"),
        ({"player": 0, "move": "end"}, "malformed_move"),
        ({"player": 0, "move": "time_up", "timer": 1}, "malformed_move"),
        ({"player": None, "move": "time_up", "timer": 1}, "not_your_seat"),
        ({**take, "tile": "XXXXX"}, "unknown_domino"),
        ({**take, "more": 1}, "malformed_move"),
        ({**take, "tile": 10**400}, "malformed_move"),
        ({"player": 0, "move": "lay", "laying": "PRYGB+0@0,0"}, "not_in_hand"),
        ({"player": 0, "move": "lay", "laying": 5}, "malformed_move"),
        ({"player": 0, "move": "lay", "laying": "x" * 100_000}, "malformed_laying"),
    ):
        assert await refusal(server.ask("POST", path, ann, move=move)) == code, move
    assert (await answer(server, "POST", path, {"move": 5}, ann))[0] == 422
    deep: Any = 0
    for _ in range(900):
        deep = [deep]
    asked = server.ask("POST", path, ann, move={"player": deep, "move": "give_up"}, id="1")
    assert await refusal(asked) in ("not_your_seat", "malformed"), "a device limits the depth"
    half = b'{"move": {"player": 0, "move": "\\ud800"}}'
    headers = {"Authorization": f"Bearer {ann}", "Content-Type": "application/json"}
    response = await server.http.post(path, content=half, headers=headers)
    assert (response.status_code, response.json()["code"]) == (422, "malformed")
    assert (await server.ask("POST", path, ann, move=take, version=2))["version"] == 3
    assert (await server.ask("POST", path, bob, move={**take, "player": 1, "tile": "PRYBG"})) == {
        "version": 4
    }


async def test_the_same_move_twice_is_made_once(server: Server) -> None:
    table, ann, bob = await start_duel(server)
    move = {"player": 0, "move": "take", "tile": "PRYGB"}
    path = f"/tables/{table}/moves"
    for _ in range(3):
        assert await server.ask("POST", path, ann, move=move, id="1", version=2) == {"version": 3}
    other = {"player": 1, "move": "take", "tile": "PRYBG"}
    assert await server.ask("POST", path, bob, move=other, id="1") == {"version": 4}, "his own 1"
    assert (await server.ask("GET", f"/tables/{table}"))["version"] == 4
    asked = server.ask("POST", path, bob, move=move, id="1")
    assert await refusal(asked) == "not_your_seat", "hers is not his"
    for id in ("", "x" * 65, 7):
        assert (await answer(server, "POST", path, {"move": move, "id": id}, ann))[0] == 422


async def test_spectators_get_the_view_of_a_spectator(server: Server) -> None:
    for spectators, views in (("none", set()), ("public", {"spectator"}),
                              ("all", {"spectator", "0", "1"})):  # fmt: skip
        new = await server.create(
            seats=[None, None], host="Ann", guests=["Bob"], spectators=spectators
        )
        answer = await server.ask("GET", f"/tables/{new['id']}")
        assert set(answer["views"]) == views
        assert answer["table"] == new["table"]
    assert await refusal(server.ask("GET", "/tables/nowhere")) == "unknown_table"


async def test_records(server: Server) -> None:
    new = await server.create(seats=[None, None], host="Ann")
    table = new["id"]
    assert await refusal(server.record(table)) == "not_begun"
    assert await refusal(server.record("nowhere")) == "unknown_table"
    bob = await server.sit(table, 1, "Bob")
    running_record = load(await server.record(table))
    assert (running_record.seed, running_record.draws, running_record.moves) == (None, None, [])
    assert running_record.commitment == new["table"]["commitment"]
    await play_to_the_end(server, table, new["token"], bob)
    data = await server.record(table)
    replayed = replay(load(data))
    assert [player.name for player in replayed.record.players] == ["Ann", "Bob"]
    over = (await server.ask("GET", f"/tables/{table}"))["table"]
    assert over["seed"] == replayed.record.seed
    assert hash_seed(over["seed"]) == over["commitment"]
    assert replayed.outcome.reason == "target"


@pytest.mark.parametrize("name", REGISTRY)
async def test_records_of_every_game_verify(server: Server, name: str) -> None:
    """Between bots that do not wait; races are ended by giving up."""
    seats = max(2, REGISTRY[name].seats[0])
    race = name in ("puzzle", "arlequin")
    people = [None] * seats if race else ["random"] * seats
    options = {"end": "rounds", "rounds": 2} if name == "alex" else {}
    new = await server.create(
        game=name, seats=people, pace=0, countdown=0, options=options, host="Ann" if race else None,
        guests=["Bob"] * (seats - 1) if race else [],
    )  # fmt: skip
    if race:
        await give_up(server, new["id"], 0, new["token"])
    else:
        await play_to_the_end(server, new["id"])
    replayed = replay(load(await server.record(new["id"])))
    assert replayed.record.game == name
    assert len(replayed.record.players) == seats


async def test_a_rematch_is_the_same_table_for_all(server: Server) -> None:
    table, ann, bob = await start_duel(server, options={"minutes": 5}, spectators="all")
    path = f"/tables/{table}/rematch"
    assert await refusal(server.ask("POST", path, ann)) == "not_over"
    await give_up(server, table, 0, ann)
    assert await refusal(server.ask("POST", path, "wrong")) == "not_your_seat"
    assert await refusal(server.ask("POST", path)) == "not_your_seat"
    asked = [server.ask("POST", path, token) for token in (ann, bob, ann, bob)]
    again = await asyncio.gather(*asked)
    assert len({rematch["id"] for rematch in again}) == 1
    new = again[0]
    assert new["id"] != table
    assert new["table"]["options"] == {"minutes": 5}
    assert (
        new["table"]["commitment"]
        != (await server.ask("GET", f"/tables/{table}"))["table"]["commitment"]
    )
    assert (await server.ask("GET", f"/tables/{table}"))["table"]["rematch"] == new["id"]
    # Both sit there already, and their tokens go with them.
    assert new["table"]["phase"] == "playing"
    assert await refusal(give_up(server, new["id"], 1, ann)) == "not_your_seat"
    await give_up(server, new["id"], 1, bob)


async def test_a_player_who_left_has_no_seat_at_the_rematch(server: Server) -> None:
    table, ann, bob = await start_duel(server)
    await server.leave(table, 1, bob)
    await give_up(server, table, 0, ann)
    again = await server.ask("POST", f"/tables/{table}/rematch", ann)
    assert [seat["free"] for seat in again["table"]["seats"]] == [False, True]
    assert again["table"]["phase"] == "waiting"
