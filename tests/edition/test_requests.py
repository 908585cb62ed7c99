"""Requests that the engine answers in the place of a server: answers and refusals are the same."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from dalapapa.edition import requests
from dalapapa.edition.engine import answer
from tests.support.engine import ask, write_question
from tests.support.engine_games import make_game
from tests.support.paths import ROOT
from tests.support.serving import in_thread

POSITION = "PRYGB+0@0,0 BYRGB+0@0,-1"
DAY = {"date": "2026-11-19"}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with in_thread() as url:
        yield url


@pytest.fixture(scope="module")
def record() -> Any:
    return json.loads(ask("simulate", **make_game("classic", "novice")))


def ask_server(url: str, path: str, query: dict[str, str], body: Any) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = Request(
        f"{url}/api{path}?{urlencode(query)}", data, {"content-type": "application/json"}
    )
    try:
        with urlopen(request) as response:
            return json.load(response)
    except HTTPError as error:
        return {"refused": json.load(error)["code"], "status": error.code}


def ask_engine(path: str, query: dict[str, str], body: Any) -> Any:
    arguments = {"path": path, "query": query, **({} if body is None else {"body": body})}
    reply = json.loads(answer(write_question("request", arguments), lambda _: None))
    if "error" in reply:
        return {"refused": reply["error"]["code"], "status": reply["error"]["status"]}
    return reply["answer"]


QUESTIONS: list[tuple[str, dict[str, str], Any]] = [
    ("/legal", {}, {"position": POSITION, "tiles": ["ZGBRY"]}),
    ("/legal", {}, {"position": POSITION, "tiles": ["QQQQQ"]}),
    ("/legal", {}, {"tiles": []}),
    ("/groups", {}, {"position": POSITION}),
    ("/best", {}, {"position": POSITION, "hand": ["ZGBRY", "PGBYR"], "top": 3}),
    ("/solve", {}, {"width": 4, "height": 2, "tiles": ["ZGBRY", "PGBYR", "PRYGB", "BYRGB"]}),
    ("/coach", {}, {"position": POSITION, "hand": ["ZGBRY", "PGBYR"], "language": "fr"}),
    ("/coach", {}, {"hand": ["ZGBRY"], "began": 3}),
    ("/problem", DAY, None),
    ("/problem", {**DAY, "kind": "frame", "grade": "1", "solution": "true"}, None),
    ("/problem", {"date": "2026-13-19"}, None),
    ("/problem/check", {}, {**DAY, "layings": ["PRYGB+0@0,0"]}),
]


@pytest.mark.parametrize(("path", "query", "body"), QUESTIONS)
def test_answers_are_those_of_the_server(
    server: str, path: str, query: dict[str, str], body: Any
) -> None:
    assert ask_engine(path, query, body) == ask_server(server, path, query, body)


def test_solutions_of_problems_are_judged_as_by_the_server(server: str) -> None:
    for kind in ("turn", "frame"):
        shown = {**DAY, "kind": kind, "solution": "true"}
        layings = ask_engine("/problem", shown, None)["solution"]
        attempt = {**DAY, "kind": kind, "layings": layings}
        verdict = ask_engine("/problem/check", {}, attempt)
        assert verdict["solved"]
        assert verdict == ask_server(server, "/problem/check", {}, attempt)


def test_records_are_opened_as_by_the_server(server: str, record: Any) -> None:
    shown = ask_engine("/replay", {}, record)
    assert shown["turns"]
    assert shown == ask_server(server, "/replay", {}, record)
    changed = {**record, "moves": record["moves"][:-1]}
    refused = ask_engine("/replay", {}, changed)
    assert refused["status"] >= 400
    assert refused == ask_server(server, "/replay", {}, changed)


def test_records_are_reviewed_in_the_language_of_the_reader(record: Any) -> None:
    shares: list[float] = []
    question = write_question(
        "request", {"path": "/review", "query": {"language": "de"}, "body": record}
    )
    reply = json.loads(answer(question, shares.append))
    assert reply["answer"]["language"] == "de"
    assert len(shares) > 2


def test_other_requests_need_a_server() -> None:
    for path in ("/tables", "/problem/found", "/legal/"):
        assert ask_engine(path, {}, None) == {"refused": "malformed", "status": 422}


def test_the_client_asks_the_engine_what_it_answers() -> None:
    text = (ROOT / "web" / "src" / "net" / "engine-paths.ts").read_text()
    (listed,) = re.findall(r"ENGINE_PATHS.*?= \[(.*?)\]", text, re.DOTALL)
    assert sorted(re.findall(r'"(.+?)"', listed)) == sorted(requests.ROUTES)
