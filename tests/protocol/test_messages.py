"""The messages of a table, as all hosts send them: what is answered, refused and kept secret."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest

from dalapapa.client import Refused, Server
from dalapapa.games import REGISTRY
from dalapapa.games.moves import move_from_json, move_to_json
from dalapapa.hosting.tokens import hash_token
from dalapapa.record import load, replay
from tests.support.online_games import start_duel
from tests.support.playing import give_up, play_on, take, until
from tests.support.serving import refusal
from tests.support.sockets import AdjustableClock, open_raw, open_silent

pytestmark = pytest.mark.anyio


async def test_a_refusal_reaches_its_sender_alone_and_changes_nothing(server: Server) -> None:
    table, ann, bob = await start_duel(server)
    async with open_raw(server.url, table, ann) as hers, open_raw(server.url, table, bob) as his:
        for number, (move, code) in enumerate(
            [
                (take(1, "PRYGB"), "not_your_seat"),
                (take(9, "PRYGB"), "not_your_seat"),
                ({"move": "give_up"}, "not_your_seat"),
                ({"player": True, "move": "give_up"}, "not_your_seat"),
                (take(0, "XXXXX"), "unknown_domino"),
                ({"player": 0, "move": "put_back"}, "empty_hand"),
                ({"player": 0, "move": "castle"}, "malformed_move"),
                ({"player": 0, "move": "time_up", "timer": 1}, "malformed_move"),
                ({"player": None, "move": "time_up", "timer": 1}, "not_your_seat"),
                ({"player": 0, "move": "lay", "laying": "nonsense"}, "malformed_laying"),
            ]
        ):
            await hers.say(type="move", id=f"{number}", move=move)
            message = await hers.hear()
            assert (message["type"], message["id"], message["code"]) == (
                "refused",
                f"{number}",
                code,
            )
            assert "\n" not in message["message"]
        for version in (1, 3, -1, 10**15):
            await hers.say(type="move", id="x", move=take(0, "PRYGB"), version=version)
            assert (await hers.hear())["code"] == "stale"
        await his.say(type="ping", id="p")
        assert (await his.hear())["type"] == "pong", "and nothing before it"
    assert (await server.ask("GET", f"/tables/{table}"))["version"] == 2


async def test_the_same_id_is_carried_out_once(server: Server) -> None:
    table, ann, bob = await start_duel(server)
    async with open_raw(server.url, table, ann) as hers, open_raw(server.url, table, bob) as his:
        for _ in range(5):  # All on their way at the same time.
            await hers.say(type="move", id="1", move=take(0, "PRYGB"), version=2)
        for _ in range(5):
            assert await hers.hear("accepted") == {"type": "accepted", "id": "1", "version": 3}
        await his.say(type="move", id="1", move=take(1, "PRYBG"))
        assert (await his.hear("accepted"))["version"] == 4, "everybody counts on their own"
        await hers.say(type="move", id="2", move=take(0, "PRYGB"))
        assert (await hers.hear("refused"))["code"] == "hand_full"
        await hers.say(type="move", id="2", move={"player": 0, "move": "put_back"})
        assert (await hers.hear("accepted"))["version"] == 5, "a refused id is free"


async def test_legal_moves(server: Server) -> None:
    new = await server.create(game="classic", seats=[None, None], host="Ann")
    async with server.watch(new["id"], new["token"]) as hers:
        assert await hers.legal() == [], "the game has not begun"
        bob = await server.sit(new["id"], 1, "Bob")
        await until(hers, lambda: hers.table["phase"] == "playing")
        moves = await hers.legal()
        view = hers.views["0"]
        assert {move["move"] for move in moves} == {"lay"}
        assert {move["laying"][:5] for move in moves} == set(view["hand"])
        assert [move_to_json(move_from_json(move)) for move in moves] == moves
        for seat in (1, 2, -1, 10**12):
            assert await refusal(hers.legal(seat)) == "not_your_seat"
        async with server.watch(new["id"], bob) as his:
            assert await his.legal() == [], "it is not his turn"
        async with server.watch(new["id"]) as spectator:
            assert await refusal(spectator.legal(0)) == "not_your_seat"


async def test_ping_answers_with_the_time(server: Server, clock: AdjustableClock) -> None:
    table, ann, _ = await start_duel(server)
    async with open_raw(server.url, table, ann) as viewer:
        before = clock.now()
        await viewer.say(type="ping", id="p")
        message = await viewer.hear()
        after = clock.now()
    assert (message["type"], message["id"]) == ("pong", "p")
    assert before - 2 <= message["now"] <= after + 2, "a table has its own steady time"


@pytest.mark.parametrize("spectators", ["none", "public", "all"])
async def test_spectators_see_only_what_settings_allow(server: Server, spectators: str) -> None:
    table, ann, bob = await start_duel(server, "classic", spectators=spectators)
    async with (
        server.watch(table, ann, bob) as both,
        server.watch(table, "wrong") as stranger,
        open_raw(server.url, table) as spectator,
    ):
        assert stranger.yours == []
        assert set(stranger.views) == {
            "none": set(), "public": {"spectator"}, "all": {"spectator", "0", "1"},
        }[spectators]  # fmt: skip
        if spectators == "all":
            assert stranger.views["1"]["hand"] == both.views["1"]["hand"]
        drawn: list[Any] = []
        while len(drawn) < 4:  # The hands after the setup.
            seat = both.views["0"]["active"]
            await both.move((await both.legal(seat))[0])
            events = (await spectator.hear("table"))["events"]
            drawn += [event for event in events if event["event"] == "drew"]
            if spectators == "none":
                assert events == []
                break
        else:
            assert all((event["tiles"] is not None) == (spectators == "all") for event in drawn)
        await server.leave(table, 0, ann)
        assert (await spectator.hear("table"))["table"]["seats"][0]["away"]


async def test_after_the_end_all_viewers_see_everything(server: Server) -> None:
    table, ann, _ = await start_duel(server, spectators="none")
    async with server.watch(table) as spectator, server.watch(table, ann) as hers:
        assert "seed" not in spectator.table
        assert spectator.views == {}
        await hers.move(give_up(0))
        await until(spectator, lambda: spectator.table["phase"] == "over")
        assert set(spectator.views) == {"spectator", "0", "1"}
        record = load(await server.record(table))
        assert spectator.table["seed"] == hers.table["seed"] == record.seed
        assert await refusal(hers.move(give_up(0))) == "game_over"
        assert await hers.legal() == []


async def test_guests_at_one_screen_play_a_whole_game(server: Server) -> None:
    new = await server.create(
        game="classic", seats=[None, None, None], host="Ann", guests=["Bob", "Cid"]
    )
    async with server.watch(new["id"], new["token"]) as screen:
        assert screen.yours == [0, 1, 2]
        assert set(screen.views) == {"0", "1", "2"}
        await play_on(screen)
        assert screen.table["phase"] == "over"
    replayed = replay(load(await server.record(new["id"])))
    assert [player.name for player in replayed.record.players] == ["Ann", "Bob", "Cid"]


async def test_seats_are_taken_and_left_while_others_watch(server: Server) -> None:
    new = await server.create(game="classic", seats=[None, None], host="Ann")
    async with (
        server.watch(new["id"], new["token"]) as hers,
        server.watch(new["id"]) as spectator,
    ):
        assert hers.table["seats"][1]["free"]
        await server.sit(new["id"], 1, "Bob")
        await server.leave(new["id"], 0, new["token"])
        for viewer in (hers, spectator):
            await until(viewer, lambda viewer=viewer: viewer.version == 3)  # type: ignore[misc]
            assert viewer.table["seats"][1]["name"] == "Bob"
            assert viewer.table["seats"][0]["away"]
        assert (hers.yours, spectator.yours) == ([0], [])


async def test_a_player_who_leaves_before_the_game_loses_the_seat(server: Server) -> None:
    new = await server.create(game="classic", seats=[None, None], host="Ann")
    async with server.watch(new["id"], new["token"]) as hers:
        assert hers.yours == [0]
        await server.leave(new["id"], 0, new["token"])
        await until(hers, lambda: hers.version == 2)
        assert hers.yours == []
        eve = await server.sit(new["id"], 0, "Eve")
        await server.sit(new["id"], 1, "Bob")
        await until(hers, lambda: hers.table["phase"] == "playing")
        assert set(hers.views) == {"spectator"}
        assert await refusal(hers.legal(0)) == "not_your_seat"
        async with server.watch(new["id"], eve) as theirs:
            assert theirs.yours == [0]


async def test_of_two_simultaneous_moves_one_is_refused(server: Server) -> None:
    """Both send a move for version N: one is made, the other is refused and has lost nothing."""
    table, ann, bob = await start_duel(server)
    names = REGISTRY["puzzle"].tiles(REGISTRY["puzzle"].parse_options({})).names
    async with server.watch(table, ann) as hers, server.watch(table, bob) as his:
        for name in names[:10]:
            version = max(hers.version, his.version)
            both = [v.move(take(n, name), version) for n, v in enumerate((hers, his))]
            made = await asyncio.gather(*both, return_exceptions=True)
            assert version + 1 in made
            (late,) = [one for one in made if isinstance(one, Refused)]
            assert late.code == "stale"
            loser, viewer = (0, hers) if made[0] is late else (1, his)
            assert await refusal(viewer.move(take(loser, name))) == "taken"
            for seat, other in enumerate((hers, his)):
                with contextlib.suppress(Refused):
                    await other.move({"player": seat, "move": "put_back"})
            await until(hers, lambda: hers.version == version + 2)  # noqa: B023
            await until(his, lambda: his.version == version + 2)  # noqa: B023


async def test_simultaneous_moves_get_one_order(server: Server) -> None:
    """Ten people grab the same dominoes: every domino has one owner, and all see the same."""
    new = await server.create(game="puzzle", seats=[None] * 10, host="P0", countdown=0)
    tokens = [new["token"]] + [await server.sit(new["id"], n, f"P{n}") for n in range(1, 10)]
    async with contextlib.AsyncExitStack() as stack:
        viewers = [
            await stack.enter_async_context(server.watch(new["id"], token)) for token in tokens
        ]
        names = viewers[0].views["0"]["middle"][:6]
        grabs = [v.move(take(n, name)) for n, v in enumerate(viewers) for name in names]
        made = await asyncio.gather(*grabs, return_exceptions=True)
        versions = sorted(version for version in made if isinstance(version, int))
        assert versions == list(range(11, 11 + len(names)))
        assert {e.code for e in made if isinstance(e, Refused)} <= {"taken", "hand_full"}
        for seat, viewer in enumerate(viewers):
            await until(viewer, lambda viewer=viewer: viewer.version == versions[-1])  # type: ignore[misc]
            assert viewer.views[str(seat)]["held"] == viewers[0].views["0"]["held"]
        assert sorted(name for name in viewers[0].views["0"]["held"] if name) == sorted(names)


async def test_a_wrong_token_gets_no_seat(server: Server) -> None:
    table, ann, bob = await start_duel(server)
    other, eve, _ = await start_duel(server)
    guesses = (eve, ann[:-1], ann + "x", ann.swapcase(), ann[::-1], hash_token(ann), "", "0", table)
    for guess in guesses:
        async with open_raw(server.url, table, guess) as viewer:
            await viewer.say(type="move", id="m", move=give_up(0))
            assert (await viewer.hear())["code"] == "not_your_seat"
            await viewer.say(type="legal", id="l", seat=0)
            assert (await viewer.hear())["code"] == "not_your_seat"
    async with open_raw(server.url, table, bob) as viewer:
        await viewer.say(type="move", id="m", move=give_up(0))
        assert (await viewer.hear())["code"] == "not_your_seat"
    assert (await server.ask("GET", f"/tables/{table}"))["version"] == 2
    assert other != table


async def test_hello_is_answered_with_the_whole_table(
    server: Server, clock: AdjustableClock
) -> None:
    table, ann, bob = await start_duel(server, "classic")
    async with open_silent(server.url, table) as viewer:
        await viewer.say(type="hello", tokens=[ann])
        message = await viewer.hear()
    fields = ["type", "version", "now", "at", "table", "yours", "views", "acting", "invited"]
    assert list(message) == [*fields, "events"]
    assert (message["type"], message["version"], message["yours"], message["events"]) == (
        "table",
        2,
        [0],
        [],
    )
    assert message["at"] <= message["now"] <= clock.now() + 2, "a table has its own steady time"
    assert message["table"] == (await server.ask("GET", f"/tables/{table}"))["table"]
    assert list(message["views"]) == ["0"]
    assert message["views"]["0"]["viewer"] == 0
    assert len(message["views"]["0"]["hand"]) == 1
    async with open_silent(server.url, table) as viewer:
        await viewer.say(type="hello")
        message = await viewer.hear()
        assert (message["yours"], list(message["views"])) == ([], ["spectator"])
        assert message["views"]["spectator"]["hand"] == []
    async with open_silent(server.url, table) as viewer:
        await viewer.say(type="hello", tokens=[bob, "wrong", ann])
        assert (await viewer.hear())["yours"] == [0, 1]


@pytest.mark.parametrize("game", ["classic", "auction", "conquest", "gone", "72"])
async def test_table_messages_list_the_legal_moves(server: Server, game: str) -> None:
    """Pushed lists equal the answers to requests, in a whole game."""
    new = await server.create(game=game, seats=[None, "random"], host="Ann", pace=0)
    async with open_silent(server.url, new["id"]) as raw:
        await raw.say(type="hello", tokens=[new["token"]], **{"with": ["moves", "the moon"]})
        message = await raw.hear("table")
        for _ in range(80):
            if message["table"]["phase"] == "over":
                break
            may = message["may"]["0"]
            await raw.say(type="legal", id="l", seat=0)
            answer = await raw.hear("legal", "table")
            if answer["type"] == "table":
                message = answer
                continue
            if answer["version"] != message["version"]:
                continue
            lays = [one for one in answer["moves"] if one["move"] == "lay"]
            assert may["moves"] == [one for one in answer["moves"] if one["move"] != "lay"]
            assert may["lays"] is bool(lays)
            offered = [one for layings in may["layings"].values() for one in layings]
            if lays:
                assert {one["laying"] for one in offered} == {one["laying"] for one in lays}
            assert all("points" in one for one in offered)
            if answer["moves"]:
                await raw.say(type="move", id=f"{message['version']}", move=answer["moves"][0])
            message = await raw.hear("table")
        else:
            assert message["version"] > 20


async def test_layings_are_listed_outside_of_turns(server: Server) -> None:
    new = await server.create(game="classic", seats=[None, None], host="Ann", aids="places")
    token = await server.sit(new["id"], 1, "Bob")
    async with open_silent(server.url, new["id"]) as raw:
        await raw.say(type="hello", tokens=[token], **{"with": ["moves"]})
        message = await raw.hear("table")
        view, may = message["views"]["1"], message["may"]["1"]
        assert view["active"] == 0
        assert not may["lays"]
        assert set(may["layings"]) == set(view["hand"])
        assert all(list(one) == ["laying"] for one in may["layings"][view["hand"][0]])


async def test_legal_moves_are_pushed_to_seats_that_ask_for_them(server: Server) -> None:
    new = await server.create(game="classic", seats=[None, "random"], host="Ann", pace=0)
    race = await server.create(game="arlequin", seats=[None], host="Ann")
    for table, hello, wanted in (
        (new, {"tokens": [new["token"]]}, None),
        (new, {"with": ["moves"]}, None),
        (race, {"tokens": [race["token"]], "with": ["moves"]}, {}),
    ):
        async with open_silent(server.url, table["id"]) as raw:
            await raw.say(type="hello", **hello)
            assert (await raw.hear("table")).get("may") == wanted
            await raw.say(type="ping", id="p")
            assert (await raw.hear("pong"))["version"] == 1
