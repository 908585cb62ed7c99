"""Challenges: the same bag, seat and opponents for all; who may know what, and when."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, text, update

from dalapapa import record
from dalapapa.client import Server
from dalapapa.games.bag import hash_seed
from dalapapa.server.ops.admin import Admin
from dalapapa.server.ops.export import export_tables, import_tables
from dalapapa.server.storage.retention import DAY_MS, Retention
from dalapapa.server.storage.retention_policy import RetentionPolicy
from dalapapa.server.storage.schema import attempts, challenges
from dalapapa.server.storage.store import Store
from dalapapa.server.tables import challenges as challenges_module
from tests.support.challenges import (
    PUZZLING,
    begin_attempt,
    compare_attempts,
    make_challenge,
    play_against_bot,
    play_challenge,
    read_challenge,
)
from tests.support.online_games import play_to_the_end
from tests.support.serving import (
    LateClock,
    Served,
    a_second_later,
    first,
    refusal,
    served,
    server_from,
)
from tests.support.thoroughness import SQLITE_EVERY_DAY, daily

pytestmark = pytest.mark.anyio

BOB, EVE, ZOE = "bob-bob-bob-bob-bob", "eve-eve-eve-eve-eve", "zoe-zoe-zoe-zoe-zoe"


@pytest.fixture
async def here() -> AsyncIterator[Served]:
    async with served() as here:
        yield here


@pytest.fixture
async def server(here: Served) -> AsyncIterator[Server]:
    async with Server(here.url) as server:
        yield server


# -- the same for all ------------------------------------------------------------------------------


async def test_equal_play_gives_equal_replies_from_the_same_bag(server: Server) -> None:
    id, original, ann = await make_challenge(server)
    table = await play_challenge(server, id, BOB)
    assert table != original
    records = [await server.ask("GET", f"/tables/{one}/record") for one in (original, table)]
    assert records[0]["seed"] == records[1]["seed"]
    assert records[0]["moves"] == records[1]["moves"]
    for answer in records:
        record.replay(record.load(json.dumps(answer).encode()))
    for token in (ann, BOB):
        answer = await compare_attempts(server, id, token)
        assert hash_seed(answer["seed"]) == (await read_challenge(server, id))["commitment"]
        one, two = answer["attempts"]
        assert {one["table"], two["table"]} == {original, table}
        assert [one["original"], two["original"]] == [
            one["table"] == original,
            one["table"] == table,
        ]
        assert one["played"]["turns"] == two["played"]["turns"]
        assert {one["played"]["name"], two["played"]["name"]} == {"Ann", "Bob"}
        assert one["played"]["own"]
        last = one["played"]["turns"][-1]
        assert last["total"] == one["played"]["score"] == one["played"]["scores"][1]
        for turn in one["played"]["turns"]:
            earned = sum(
                part["earned"]["contacts"] - part["charge"]
                + sum(group["size"] for group in part["earned"]["groups"])
                for part in turn["parts"]
            )  # fmt: skip
            assert len(turn["parts"]) == len(turn["layings"])
            assert earned <= turn["points"]


async def test_undone_moves_change_no_reply(server: Server) -> None:
    id, original, _ = await make_challenge(server)
    table = (await begin_attempt(server, id, BOB))["table"]
    async with server.watch(table, BOB) as viewer:
        while viewer.table["phase"] == "playing":
            if not (moves := await viewer.legal(1)):
                await viewer.changed()
                continue
            await viewer.move(first(moves))
            if viewer.views["1"]["can_undo"]:
                await viewer.move({"player": 1, "move": "undo"})
                await viewer.move(first(moves))
    answer = await compare_attempts(server, id, BOB)
    one, two = answer["attempts"]
    assert one["played"]["turns"] == two["played"]["turns"]
    assert {one["table"], two["table"]} == {original, table}


@pytest.mark.parametrize("game", daily(["gone", "auction", "conquest", "72", "alex"], ["gone"]))
async def test_other_games_with_turns(server: Server, game: str) -> None:
    more = {"options": {}, "game": game, "seats": [None, "easy", "medium"]}
    id, _, ann = await make_challenge(server, **more)
    answer = await read_challenge(server, id)
    assert answer["seats"] == [None, "easy", "medium"]
    assert answer["seat"] == 0
    await play_challenge(server, id, BOB, "Barbara Aaaaaaaaaaa")  # Her letters do not begin.
    assert len((await compare_attempts(server, id, ann))["attempts"]) == 2


@pytest.mark.parametrize("game", ["auction", "alex", "conquest"])
async def test_the_turns_add_up_to_the_score(server: Server, game: str) -> None:
    id, _, ann = await make_challenge(server, game=game)
    (one,) = (await compare_attempts(server, id, ann))["attempts"]
    played, total = one["played"], 0
    for turn in played["turns"]:
        total += turn["points"] + turn["others"]
        assert turn["total"] == total
    assert total + played["rest"] == played["score"]


async def test_an_attempt_has_the_settings_of_the_game(server: Server) -> None:
    agreed = {"aids": "none", "hands": "open", "clock": {"kind": "bank", "seconds": 900}}
    id, _, _ = await make_challenge(server, spectators="all", **agreed)
    begun = await begin_attempt(server, id, BOB)
    answer = (await server.ask("GET", f"/tables/{begun['table']}"))["table"]
    assert (answer["aids"], answer["hands"], answer["clock"]["seconds"]) == ("none", "open", 900)
    assert (answer["visibility"], answer["spectators"]) == ("private", "none")
    assert answer["options"]["target"] == 60
    assert begun["seat"] == 1


# -- who may know what -----------------------------------------------------------------------------


async def test_the_bag_stays_hidden_until_the_own_game_is_over(server: Server) -> None:
    id, original, ann = await make_challenge(server)
    seed = (await compare_attempts(server, id, ann))["seed"]
    assert await refusal(compare_attempts(server, id)) == "not_played"
    assert await refusal(compare_attempts(server, id, "a-stranger-of-some-kind")) == "not_played"
    begun = await begin_attempt(server, id, BOB)
    assert await refusal(compare_attempts(server, id, BOB)) == "not_finished"
    for token in (None, BOB, EVE):
        answer = json.dumps(await read_challenge(server, id, token))
        assert seed not in answer
        assert original not in answer
        assert hash_seed(seed) in answer
    seen = json.dumps(await server.ask("GET", f"/tables/{begun['table']}"))
    assert seed not in seen
    assert '"views":{}' in seen.replace(" ", "")
    assert await refusal(server.ask("GET", f"/tables/{begun['table']}/record")) == "no_spectators"
    assert await refusal(server.ask("GET", f"/tables/{begun['table']}/replay", BOB)) == "not_over"
    others = await read_challenge(server, id, EVE)
    assert others["table"] is None
    assert begun["table"] not in json.dumps(others)
    await play_to_the_end(server, begun["table"], BOB)
    assert (await compare_attempts(server, id, BOB))["seed"] == seed


async def test_other_players_see_no_secret_of_a_challenge(server: Server) -> None:
    id, _, ann = await make_challenge(server)
    table = (await begin_attempt(server, id, BOB, "  Bob\n Baker "))["table"]
    stranger = (await read_challenge(server, id))["attempts"]
    assert [(one["name"], one["phase"]) for one in stranger] == [
        ("Ann", "over"), ("Bob Baker", "playing"),
    ]  # fmt: skip
    assert [one["original"] for one in stranger] == [True, False]
    assert not any(one["yours"] for one in stranger)
    mine = await read_challenge(server, id, BOB)
    assert [one["yours"] for one in mine["attempts"]] == [False, True]
    assert mine["table"] == table
    answer = await compare_attempts(server, id, ann)
    assert (answer["playing"], answer["removed"], len(answer["attempts"])) == (1, 0, 1)


async def test_one_browser_has_one_attempt(server: Server) -> None:
    id, original, ann = await make_challenge(server)
    tables = await asyncio.gather(*[begin_attempt(server, id, BOB, f"Bob {n}") for n in range(5)])
    assert len({one["table"] for one in tables}) == 1
    await play_to_the_end(server, tables[0]["table"], BOB)
    assert (await begin_attempt(server, id, BOB))["table"] == tables[0]["table"]
    assert (await begin_attempt(server, id, ann))["table"] == original
    assert len((await read_challenge(server, id))["attempts"]) == 2


async def test_two_processes_give_one_attempt(postgres_database: str) -> None:
    async with (
        served(postgres_database) as one,
        served(postgres_database) as two,
        Server(one.url) as here,
        Server(two.url) as there,
    ):
        table, ann = await play_against_bot(here)
        made = await asyncio.gather(
            *[at.ask("POST", f"/tables/{table}/challenge", ann) for at in (here, there, here)]
        )
        (id,) = {found["id"] for found in made}
        begun = await asyncio.gather(*[begin_attempt(at, id, BOB) for at in (here, there) * 3])
        assert len({found["table"] for found in begun}) == 1
        await play_to_the_end(there, begun[0]["table"], BOB)
        answers = [
            await compare_attempts(at, id, token) for at in (here, there) for token in (ann, BOB)
        ]
        assert all(found == answers[0] for found in answers)
        assert len(answers[0]["attempts"]) == 2


async def test_attempts_played_by_a_bot_come_last(here: Served, server: Server) -> None:
    """As early versions allowed; today only a clock moves for a player."""
    id, _, ann = await make_challenge(server)
    table = (await begin_attempt(server, id, BOB))["table"]
    await here.tables.commands.leave(await here.tables.find(table), 1, BOB)
    async with server.watch(table, BOB) as viewer:
        while viewer.table["phase"] == "playing":
            await viewer.changed()
    answer = (await compare_attempts(server, id, ann))["attempts"]
    assert [one["played"]["own"] for one in answer] == [True, False]
    assert [{turn["stand_in"] for turn in one["played"]["turns"]} for one in answer] == [
        {False}, {True},
    ]  # fmt: skip


# -- what cannot be --------------------------------------------------------------------------------


async def test_unsuitable_games_make_no_challenge(server: Server) -> None:
    async def code(token: str | None, **more: Any) -> str:
        new = await server.create(**{**PUZZLING, "seats": [None, "easy"], **more})
        if new["table"]["phase"] == "playing" and "easy" in more.get("seats", ["easy"]):
            await play_to_the_end(server, new["id"], *filter(None, [new["token"]]))
        token = new["token"] if token == "own" else token
        return await refusal(server.ask("POST", f"/tables/{new['id']}/challenge", token))

    assert await code("a-stranger-of-some-kind") == "not_your_seat"
    assert await code(None) == "not_your_seat"
    assert await code("own", seats=[None, None]) == "not_over"
    assert await code("own", visibility="public") == "was_public"
    assert await code("own", seats=[None, None, "easy"], guests=["Guest"]) == "not_alone"
    race = await server.create(game="arlequin", seats=[None, "easy"], host="Ann", countdown=0)
    give_up = {"player": 0, "move": "give_up"}
    await server.ask("POST", f"/tables/{race['id']}/moves", race["token"], move=give_up)
    asked = server.ask("POST", f"/tables/{race['id']}/challenge", race["token"])
    assert await refusal(asked) in ("no_challenge", "not_over")


async def test_impossible_attempts_are_refused(server: Server) -> None:
    id, _, _ = await make_challenge(server)
    assert await refusal(begin_attempt(server, "nothing-like-that", BOB)) == "unknown_challenge"
    assert await refusal(read_challenge(server, "nothing-like-that")) == "unknown_challenge"
    assert await refusal(compare_attempts(server, "nothing-like-that", BOB)) == "unknown_challenge"
    for token in (None, "short", "x" * 65, "with a space in the middle", "ünïcode-letters-too"):
        header = {} if token is None else {b"Authorization": f"Bearer {token}".encode()}
        answer = await server.http.post(
            f"/challenges/{id}/attempts", json={"name": "Bob"}, headers=header
        )
        assert answer.json()["code"] == "bad_token"
    for name in ("", "  \n "):
        assert await refusal(begin_attempt(server, id, BOB, name)) == "bad_name"
    assert (await begin_attempt(server, id, BOB))["seat"] == 1


# -- leaving ---------------------------------------------------------------------------------------


async def test_leaving_an_attempt_does_not_reveal_the_bag(server: Server) -> None:
    """A bot would play it to its end within a second, and its record has the seed."""
    id, _, ann = await make_challenge(server)
    seed = (await compare_attempts(server, id, ann))["seed"]
    table = (await begin_attempt(server, id, BOB))["table"]
    place = f"/tables/{table}"
    async with server.watch(table, BOB) as viewer:
        while not (moves := await viewer.legal(1)):
            await viewer.changed()
        await viewer.move(first(moves))
        assert await refusal(server.ask("DELETE", f"{place}/seats/1", BOB)) == "attempt_waits"
        assert not viewer.table["seats"][1]["away"]
    parts = ("", "/record", "/history", "/replay", "/review", "/picture.svg")
    paths = [f"{place}{part}" for part in parts] + [f"/challenges/{id}"]
    asked = [(path, token) for token in (None, BOB, EVE, ann) for path in paths]
    asked += [(f"/challenges/{id}/comparison", token) for token in (None, BOB, EVE)]
    for path, token in asked:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = await server.http.get(path, headers=headers)
        assert seed not in answer.text, (path, token)
    assert (await server.ask("GET", place))["table"]["phase"] == "playing"
    await play_to_the_end(server, table, BOB)  # It waited for its player.
    assert (await compare_attempts(server, id, BOB))["seed"] == seed
    await server.ask("DELETE", f"{place}/seats/1", BOB)  # Now it is a game like any other.


async def test_other_games_against_bots_can_be_left(server: Server) -> None:
    new = await server.create(**PUZZLING, seats=["novice", None])
    assert await server.ask("DELETE", f"/tables/{new['id']}/seats/1", new["token"])
    assert (await server.ask("GET", f"/tables/{new['id']}"))["table"]["seats"][1]["away"]


# -- many attempts ---------------------------------------------------------------------------------


async def a_move(server: Server, table: str, token: str) -> None:
    async with server.watch(table, token) as viewer:
        while not (moves := await viewer.legal(1)):
            await viewer.changed()
        await viewer.move(first(moves))


async def test_strangers_cannot_use_up_the_attempts_for_friends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Attempts without a move of their player, idle ones and finished ones take no place."""
    monkeypatch.setattr(challenges_module, "MAX_ATTEMPTS", 3)
    clock = LateClock()
    async with served(clock=clock) as here, Server(here.url) as server:
        here.services.challenges.share = 100
        id, original, ann = await make_challenge(server)
        for number in range(6):
            await begin_attempt(server, id, f"stranger-without-move-{number}")
        for number in range(4):
            await play_challenge(server, id, f"stranger-who-finishes-{number}")
        playing = [f"stranger-who-plays-{number}" for number in range(3)]
        for token in playing:
            await a_move(server, (await begin_attempt(server, id, token))["table"], token)
        assert await refusal(begin_attempt(server, id, BOB)) == "challenge_full"
        assert (await begin_attempt(server, id, playing[0]))["table"], "a player gets in again"
        assert (await begin_attempt(server, id, ann))["table"] == original, (
            "and so does the creator"
        )
        clock.ahead = DAY_MS + 1000
        await play_challenge(server, id, BOB)
        answer = await compare_attempts(server, id, BOB)
        names = [one["played"]["name"] for one in answer["attempts"]]
        assert len(names) == 3
        assert "Ann" in names, "the original is always compared"
        assert len((await read_challenge(server, id, playing[0]))["attempts"]) == 4, (
            "one's own is added"
        )


async def test_one_address_has_a_limited_share_of_a_challenge(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(challenges_module, "MAX_ATTEMPTS", 10)
    clock = LateClock()
    async with (
        served(clock=clock, share_an_address=0.3) as here,
        Server(here.url) as server,
        server_from(here.url, "127.0.0.66") as eve,
    ):
        id, _, _ = await make_challenge(server)
        tokens = [f"a-token-of-a-stranger-{number}" for number in range(4)]
        for token in tokens[:3]:
            await begin_attempt(eve, id, token)
        assert await refusal(begin_attempt(eve, id, tokens[3])) == "too_many_tables"
        assert (await begin_attempt(eve, id, tokens[0]))["table"], (
            "a known attempt is not a new one"
        )
        await begin_attempt(server, id, BOB)
        other, _, _ = await make_challenge(eve)
        assert (await begin_attempt(eve, other, tokens[3]))["table"], "another challenge"
        clock.ahead = 4 * DAY_MS
        await begin_attempt(eve, id, tokens[3])


async def test_removed_attempts_make_room_in_the_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(challenges_module, "MAX_ATTEMPT_ROWS", 4)
    clock = LateClock()
    async with served(clock=clock) as here, Server(here.url) as server:
        id, _, _ = await make_challenge(server)
        for number in range(4):
            await begin_attempt(server, id, f"a-token-of-a-stranger-{number}")
        clock.ahead = 8 * DAY_MS
        assert (await Retention(here.store, clock=clock).sweep()).removed == 4
        assert len((await read_challenge(server, id))["attempts"]) == 5
        await begin_attempt(server, id, BOB)
        phases = [one["phase"] for one in (await read_challenge(server, id))["attempts"]]
        assert phases == ["over", "playing"]


async def test_attempts_count_as_new_tables() -> None:
    clock = LateClock()
    clock.stand()
    async with served(clock=clock, tables_per_minute=2) as here, Server(here.url) as server:
        id, _, _ = await make_challenge(server)
        await begin_attempt(server, id, BOB)
        assert await refusal(begin_attempt(server, id, EVE)) == "too_fast"


# -- in the long run -------------------------------------------------------------------------------


@SQLITE_EVERY_DAY
async def test_a_challenge_survives_archive_and_restart(database: str) -> None:
    async with served(database) as here, Server(here.url) as server:
        id, _, ann = await make_challenge(server)
        await play_challenge(server, id, BOB)
        before = await compare_attempts(server, id, ann)
        assert (
            await Retention(here.store, RetentionPolicy(over=0), a_second_later()).sweep()
        ).archived == 2
    async with served(database) as here, Server(here.url) as server:
        assert await compare_attempts(server, id, ann) == before
        await play_challenge(server, id, EVE, "Eve")
        assert len((await compare_attempts(server, id, BOB))["attempts"]) == 3


@SQLITE_EVERY_DAY
async def test_removed_games_stay_in_the_comparison_without_a_name(database: str) -> None:
    clock = LateClock()
    async with served(database, clock) as here, Server(here.url) as server:
        id, _, ann = await make_challenge(server)
        await begin_attempt(server, id, BOB)
        sweeps = Retention(here.store, clock=clock)
        clock.ahead = 8 * DAY_MS
        assert (await sweeps.sweep()).removed == 1
        answer = await read_challenge(server, id, BOB)
        assert [(one["name"], one["phase"]) for one in answer["attempts"]] == [
            ("Ann", "over"), (None, "removed"),
        ]  # fmt: skip
        assert (await compare_attempts(server, id, ann))["removed"] == 1
        assert await refusal(begin_attempt(server, id, BOB)) == "attempt_gone"
        assert await refusal(compare_attempts(server, id, BOB)) == "not_finished"
        clock.ahead = 400 * DAY_MS
        await sweeps.sweep()
        assert await refusal(read_challenge(server, id)) == "unknown_challenge"
        async with here.store.reading() as connection:
            assert not (await connection.execute(select(attempts))).all()


@SQLITE_EVERY_DAY
async def test_deleted_and_closed_games_leave_a_challenge(database: str) -> None:
    async with served(database) as here, Server(here.url) as server:
        id, original, ann = await make_challenge(server)
        closed = await play_challenge(server, id, BOB)
        await play_challenge(server, id, EVE, "Eve")
        async with Admin.open(database) as admin:
            await admin.delete([original])
            await admin.close(closed)
        answer = await compare_attempts(server, id, EVE)
        assert [one["played"]["name"] for one in answer["attempts"]] == ["Eve"]
        assert answer["removed"] == 2
        assert await refusal(compare_attempts(server, id, ann)) == "not_finished"
        await play_challenge(server, id, ZOE, "Zoe")
        names = [one["name"] for one in (await read_challenge(server, id))["attempts"]]
        assert names == [None, "Bob", "Eve", "Zoe"]


@SQLITE_EVERY_DAY
async def test_forgotten_players_leave_all_challenges(database: str) -> None:
    async with served(database) as here, Server(here.url) as server:
        id, _, ann = await make_challenge(server)
        await play_challenge(server, id, BOB, "Bob the Unforgettable")
        async with Admin.open(database) as admin:
            report = await admin.forget([BOB])
        assert report.names == 1
        shown = json.dumps(
            [await read_challenge(server, id, BOB), await compare_attempts(server, id, ann)]
        )
        assert "Unforgettable" not in shown
        async with Admin.open(database) as admin:
            await admin.forget([ann])
        assert (await read_challenge(server, id))["attempts"] == []
        await play_challenge(server, id, EVE, "Eve")
        assert len((await compare_attempts(server, id, EVE))["attempts"]) == 1
        async with here.store.reading() as connection:
            for name in ("attempts", "challenges", "entries"):
                rows = (await connection.execute(text(f"SELECT * FROM {name}"))).all()
                assert "Ann" not in str(rows)
                assert "Unforgettable" not in str(rows)


@SQLITE_EVERY_DAY
async def test_challenges_and_counts_move_to_another_database(
    database: str, tmp_path: Path
) -> None:
    file, other = str(tmp_path / "all.jsonl"), f"sqlite+aiosqlite:///{tmp_path / 'other.db'}"
    async with served(database) as here, Server(here.url) as server:
        id, _, ann = await make_challenge(server)
        await play_challenge(server, id, BOB)
        before = await compare_attempts(server, id, ann)
        async with here.store.writing() as connection:
            await connection.execute(text("INSERT INTO finds VALUES ('2026-11-16', 'turn', 7)"))
    assert (await export_tables(database, file)).tables == 2
    for _ in range(2):
        await import_tables(other, file)
    async with served(other) as here, Server(here.url) as server:
        assert await compare_attempts(server, id, BOB) == before
        counted = await server.ask("GET", "/problem/found?date=2026-11-16")
        assert counted == {"count": 7}
        await play_challenge(server, id, EVE, "Eve")
        assert len((await compare_attempts(server, id, ann))["attempts"]) == 3


async def test_a_damaged_challenge_is_one_refusal(here: Served, server: Server) -> None:
    id, _, ann = await make_challenge(server)
    async with here.store.writing() as connection:
        await connection.execute(update(challenges).values(settings='{"game": 5}'))
    assert await refusal(read_challenge(server, id, ann)) == "damaged_table"


def test_a_new_database_has_the_tables_for_challenges(tmp_path: Path) -> None:
    async def names() -> set[str]:
        store = Store(f"sqlite+aiosqlite:///{tmp_path / 'new.db'}")
        await store.open()
        async with store.reading() as connection:
            rows = await connection.execute(text("SELECT name FROM sqlite_master"))
            found = set(rows.scalars())
        await store.close()
        return found

    assert {"challenges", "attempts", "finds", "finders"} <= asyncio.run(names())
