"""Challenges of devices: the link contains the game, and devices compare what they have."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import AsyncIterator
from typing import Any

import pytest

from dalapapa.client import Server
from dalapapa.edition.device.challenges import MAX_CHALLENGE_BYTES
from dalapapa.hosting.replays import ComparedGame
from tests.support.challenges import begin_attempt, make_challenge, play_against_bot
from tests.support.device_server import Device, served_device
from tests.support.online_games import make_custom_set, play_to_the_end
from tests.support.serving import conforms, refusal

pytestmark = pytest.mark.anyio

BOB = "bob-bob-bob-bob-bob"


@pytest.fixture
async def ann() -> AsyncIterator[tuple[Server, Device]]:
    async with served_device() as (url, device), Server(url) as server:
        yield server, device


@pytest.fixture
async def bob() -> AsyncIterator[tuple[Server, Device]]:
    async with served_device() as (url, device), Server(url) as server:
        yield server, device


def unpack(id: str) -> Any:
    text = id.removeprefix("device-")
    return json.loads(zlib.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4))))


def pack(challenge: Any) -> str:
    data = zlib.compress(json.dumps(challenge).encode(), 9)
    return f"device-{urlsafe_b64encode(data).decode().rstrip('=')}"


async def test_another_device_plays_the_same_game(
    ann: tuple[Server, Device], bob: tuple[Server, Device]
) -> None:
    id, original, _ = await make_challenge(ann[0])
    assert len(id) < 500, "it is a link"
    shown = await bob[0].ask("GET", f"/challenges/{id}")
    table = ann[1].store[original]["table"]
    assert (shown["game"], shown["seats"], shown["seat"]) == ("classic", ["novice", None], 1)
    assert (shown["options"], shown["seed"]) == (table["settings"]["options"], table["seed"])
    assert (shown["original"], shown["result"]["name"]) == (original, "Ann")
    begun = await begin_attempt(bob[0], id, BOB)
    assert begun["seat"] == 1
    await play_to_the_end(bob[0], begun["table"], BOB)
    stored = bob[1].store[begun["table"]]
    assert stored["table"]["seed"] == table["seed"]
    settings = {"spectators": "none", **table["settings"]}
    assert stored["table"]["settings"] == {**settings, "spectators": "none"}
    summaries = stored["summary"], ann[1].store[original]["summary"]
    assert {one["commitment"] for one in summaries} == {shown["commitment"]}

    path = f"/tables/{begun['table']}"
    played = await bob[0].ask("GET", f"{path}/seats/1/comparison", BOB)
    conforms(played, ComparedGame)
    assert played["name"] == "Bob"
    assert played["own"]
    assert played["turns"][-1]["total"] + played["rest"] == played["score"]
    own = (await bob[0].ask("POST", f"{path}/challenge", BOB))["id"]
    back = await ann[0].ask("GET", f"/challenges/{own}")
    assert back["commitment"] == shown["commitment"]
    result = {"name": "Bob", "score": played["score"], "won": played["won"]}
    assert back["result"] == result


async def test_an_attempt_begins_once_for_each_token(
    ann: tuple[Server, Device], bob: tuple[Server, Device]
) -> None:
    id, _, _ = await make_challenge(ann[0])
    first = await begin_attempt(bob[0], id, BOB)
    bob[1].restart()
    assert await begin_attempt(bob[0], id, BOB) == first
    other = await begin_attempt(bob[0], id, "zoe-zoe-zoe-zoe-zoe", "Zoe")
    assert other["table"] != first["table"]
    assert len(bob[1].store) == 2
    assert await refusal(begin_attempt(bob[0], id, None)) == "bad_token"


async def test_only_finished_games_of_one_player_become_challenges(
    ann: tuple[Server, Device],
) -> None:
    server, _ = ann
    running = await server.create(seats=[None, "novice"], host="Ann")
    asked = server.ask("POST", f"/tables/{running['id']}/challenge", running["token"])
    assert await refusal(asked) == "not_over"
    table, _ = await play_against_bot(server)
    assert await refusal(server.ask("POST", f"/tables/{table}/challenge")) == "not_your_seat"
    asked = server.ask("GET", f"/tables/{running['id']}/seats/0/comparison", running["token"])
    assert await refusal(asked) == "not_over"


async def test_a_challenge_has_its_own_dominoes_and_options(
    ann: tuple[Server, Device], bob: tuple[Server, Device]
) -> None:
    options = {"set": make_custom_set(120), "target": 60}
    id, _, _ = await make_challenge(ann[0], options=options)
    assert len(id) < MAX_CHALLENGE_BYTES
    begun = await begin_attempt(bob[0], id, BOB)
    assert bob[1].store[begun["table"]]["table"]["settings"]["options"]["target"] == 60


async def test_damaged_links_are_refused(
    ann: tuple[Server, Device], bob: tuple[Server, Device]
) -> None:
    id, _, _ = await make_challenge(ann[0])
    whole = unpack(id)
    deep = zlib.compress(b"[" * 100_000)
    bomb = zlib.compress(b" " * 10_000_000)
    for bad in (
        id[:-9],
        id[:20],
        f"device-{'A' * 4000}",
        *(f"device-{urlsafe_b64encode(data).decode().rstrip('=')}" for data in (deep, bomb)),
        pack({**whole, "more": 1}),
        pack({**whole, "seed": ""}),
        pack({**whole, "settings": {**whole["settings"], "game": "chess"}}),
        pack({**whole, "settings": {**whole["settings"], "seats": [{}, {}]}}),
        pack({**whole, "settings": {**whole["settings"], "seats": [{"program": "x"}, {}]}}),
        pack({**whole, "settings": {**whole["settings"], "options": {"target": "x"}}}),
        pack([]),
    ):
        assert await refusal(bob[0].ask("GET", f"/challenges/{bad}")) == "unknown_challenge", bad[
            :99
        ]
        assert await refusal(begin_attempt(bob[0], bad, BOB)) == "unknown_challenge", bad[:99]
    other = {**whole, "set": {**whole["set"], "fingerprint": "0" * 64}}
    assert await refusal(bob[0].ask("GET", f"/challenges/{pack(other)}")) == "other_set"
    assert not bob[1].store
