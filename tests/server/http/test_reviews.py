"""The coach over HTTP: what it answers and refuses, once for everybody who asks."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Any

import msgspec
import pytest

from dalapapa.bots.arena import play_game
from dalapapa.client import Server
from dalapapa.coach import Situation, advise
from dalapapa.coach.encode import CoachAdvice, CoachReview, encode_advice
from dalapapa.core.errors import DalapapaError
from dalapapa.core.tiles import standard
from dalapapa.games import find_game
from dalapapa.kernel.table import Table
from dalapapa.record import dump
from dalapapa.server.traffic.limits import Limits
from dalapapa.server.workers import replays
from dalapapa.server.workers.pool import CORES
from dalapapa.server.workers.reviews import Reviews
from dalapapa.texts import LANGUAGES
from tests.support import serving
from tests.support.jobs import run_jobs_here
from tests.support.serving import conforms, in_thread
from tests.support.waiting import run_other_tasks, wait_until

pytestmark = pytest.mark.anyio

POSITION = "PRYGB+0@0,0 BYRGB+0@0,-1"
refusal = partial(serving.refusal, kind=DalapapaError)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with in_thread() as url:
        yield url


@pytest.fixture
async def server(url: str) -> AsyncIterator[Server]:
    async with Server(url) as server:
        yield server


def a_record() -> bytes:
    """Of a short game: a race needs no games played out."""
    game = find_game("puzzle")
    options = game.parse_options({"minutes": 5})
    return dump(play_game(game, ("medium", "random"), options, "review")[0].record())


async def test_advice_over_http(server: Server) -> None:
    question: dict[str, Any] = {"position": POSITION, "hand": ["CRYGB", "ZYRBG"]}
    answer = await server.ask(
        "POST", "/coach", **question, scores=[31, 28], target=80, top=2, language="de"
    )
    conforms(answer, CoachAdvice)
    table = Table.parse(POSITION, standard())
    advice = advise(table, question["hand"], Situation((31, 28), 80), 2)
    assert answer == json.loads(msgspec.json.encode(encode_advice(advice, "de")))
    level = await server.ask("POST", "/coach", **question)
    assert level["situation"]["scores"] == [0, 0]
    assert level["turns"][0]["why"] != answer["turns"][0]["why"]


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ({}, "malformed"),
        ({"hand": []}, "malformed"),
        ({"hand": ["CRYGB"] * 3}, "malformed"),
        ({"hand": ["CRYGB"] * 2}, "bad_hand"),
        ({"hand": ["PRYGB"]}, "already_laid"),
        ({"hand": ["XXXXX"]}, "unknown_domino"),
        ({"hand": ["CRYGB"], "position": "x"}, "malformed_laying"),
        ({"hand": ["CRYGB"], "scores": [1]}, "malformed"),
        ({"hand": ["CRYGB"], "scores": [1, 10**9]}, "malformed"),
        ({"hand": ["CRYGB"], "target": 7}, "malformed"),
        ({"hand": ["CRYGB"], "began": 2}, "bad_first"),
        ({"hand": ["CRYGB"], "top": 9}, "malformed"),
        ({"hand": ["CRYGB"], "language": "la"}, "malformed"),
        ({"hand": ["CRYGB"], "seconds": 9}, "malformed"),
    ],
)
async def test_wrong_requests_for_advice_are_refused(
    server: Server, question: Any, code: str
) -> None:
    question = {"position": POSITION, **question}
    assert await refusal(server.ask("POST", "/coach", **question)) == code


async def test_the_review_of_a_record(server: Server) -> None:
    data = a_record()
    response = await server.http.post("/review?language=nl", content=data)
    assert response.status_code == 200
    conforms(response.json(), CoachReview)
    assert response.json() == json.loads(replays.review_record(data)["nl"])
    for wrong, code in (
        (b"", "malformed_record"),
        (data[:-9], "malformed_record"),
        (data.replace(b'"seed": "', b'"seed": "x'), "wrong_seed"),
    ):
        response = await server.http.post("/review", content=wrong)
        assert (response.status_code, response.json()["code"]) == (422, code)
    response = await server.http.post("/review?language=la", content=data)
    assert response.json()["code"] == "malformed"


async def test_the_review_of_a_table(server: Server) -> None:
    new = await server.create(
        game="puzzle", seats=[None, None], host="Ann", guests=["Bob"], countdown=0
    )
    path = f"/tables/{new['id']}/review"
    assert await refusal(server.ask("GET", path)) == "not_over"
    async with server.watch(new["id"], new["token"]) as ann:
        await ann.move({"player": 0, "move": "give_up"})
    answer = await server.ask("GET", path)
    conforms(answer, CoachReview)
    assert [player["name"] for player in answer["players"]] == ["Ann", "Bob"]
    assert (answer["winners"], answer["measure"], answer["turns"]) == ([1], "full", [])
    record = await server.record(new["id"])
    assert json.loads(replays.review_record(record)["en"]) == answer
    assert await refusal(server.ask("GET", "/tables/nowhere/review")) == "unknown_table"
    waiting = await server.create(seats=[None, None], host="Ann")
    assert await refusal(server.ask("GET", f"/tables/{waiting['id']}/review")) == "not_begun"


@pytest.mark.thorough
async def test_a_review_is_computed_once_and_cached(tmp_path: Any) -> None:
    reviews = Reviews(Limits(reviews_at_once=2))
    try:
        names = [reviews.get("one", 0, _made_here, str(tmp_path / "one")) for _ in range(5)]
        found = await asyncio.gather(*names)
        assert len({answer["en"] for answer in found}) == 1
        assert (await reviews.get("one", 0, _made_here, "unused"))["en"] == found[0]["en"]
        assert (tmp_path / "one").read_text() == "x", "it was worked out once"
        assert (
            await refusal(reviews.get("two", 0, replays.review_record, b"")) == "malformed_record"
        )
        again = await reviews.get("two", 0, _made_here, str(tmp_path / "two"))
        assert again["en"], "a refusal is not kept"
    finally:
        await reviews.close()


@pytest.fixture
def made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    run_jobs_here(monkeypatch)


async def _quick() -> Any:
    return {"en": b"x"}


async def _endless() -> Any:
    await asyncio.Event().wait()


@pytest.mark.usefixtures("made_here")
async def test_abandoned_reviews_take_no_slot() -> None:
    reviews = Reviews(Limits(reviews_at_once=CORES + 1, share_an_address=1))
    job: Any = _endless
    names = [*range(CORES + 1), CORES]
    asked = [asyncio.create_task(reviews.get(f"slow {n}", 0, job)) for n in names]
    await run_other_tasks(10)
    assert await refusal(reviews.get("more", 0, job)) == "busy"
    for one, left, why in (
        (asked[-1], CORES + 1, "another client waits for it"),
        (asked[-2], CORES, "no client waits, and it was not begun"),
        (asked[0], CORES, "what was begun is made, and kept"),
    ):
        one.cancel()
        await run_other_tasks(10)
        assert reviews.under_way == left, why
    await reviews.close()
    await asyncio.gather(*asked, return_exceptions=True)
    await wait_until(lambda: reviews.under_way == 0, "the end of all reviews")


@pytest.mark.usefixtures("made_here")
async def test_one_household_asking_for_one_review_uses_one_slot() -> None:
    reviews = Reviews(Limits(reviews_at_once=4, share_an_address=0.25))
    job: Any = _endless
    names = [("one", "home"), ("one", "home"), ("two", "next door")]
    asked = [asyncio.create_task(reviews.get(n, 0, job, address=where)) for n, where in names]
    await run_other_tasks(10)
    assert reviews.under_way == 2
    assert await refusal(reviews.get("more", 0, job, address="home")) == "too_many"
    await reviews.close()
    await asyncio.gather(*asked, return_exceptions=True)


@pytest.mark.usefixtures("made_here")
@pytest.mark.parametrize(("most", "size", "kept"), [(3, 10**6, 3), (100, 2, 2)])
async def test_the_cache_of_reviews_is_bounded(
    monkeypatch: pytest.MonkeyPatch, most: int, size: int, kept: int
) -> None:
    monkeypatch.setattr("dalapapa.server.workers.reviews.MAX_REVIEWS", most)
    monkeypatch.setattr("dalapapa.server.workers.reviews.MAX_REVIEW_BYTES", size)
    reviews = Reviews(Limits())
    job: Any = _quick
    for number in range(5):
        assert await reviews.get(str(number), 0, job) == {"en": b"x"}
    cached = [number for number in range(5) if reviews.cache.find(str(number), 0)]
    assert cached == list(range(5 - kept, 5))
    await reviews.close()


def _made_here(path: str) -> dict[str, bytes]:
    with open(path, "a") as file:
        file.write("x")
    return {"en": str(os.getpid()).encode()}


def test_reviews_exist_in_every_language() -> None:
    expected = replays.review_record(a_record())
    parsed = {language: json.loads(data) for language, data in expected.items()}
    assert list(parsed) == [one["language"] for one in parsed.values()] == list(LANGUAGES)
    assert len({json.dumps(one["curve"]) for one in parsed.values()}) == 1
