"""Answers over HTTP, byte for byte as an earlier version gave them (`fixtures/http_answers.json`).

`WRITE_HTTP_ANSWERS=1` writes the file: do so only for an intended change of answers.
Chance and the clock are fixed, so that tables, records and reviews are the same each time.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import httpx
import pytest

from dalapapa.bots.arena import play_game
from dalapapa.client import Server
from dalapapa.games import REGISTRY, find_game
from dalapapa.record import dump
from tests.support import chance
from tests.support.chance import repeatable_chance
from tests.support.paths import FIXTURES
from tests.support.serving import LateClock, Served, served

pytestmark = pytest.mark.anyio

FILE = FIXTURES / "http_answers.json"

MAX_TEXT = 600
"""Characters of an answer that is compared as a text; of a longer one, only its digest is."""

POSITION = "PRYGB+0@0,0 BYRGB+0@0,-1"
SHORT_OPTIONS: dict[str, dict[str, Any]] = {"puzzle": {"minutes": 5}, "arlequin": {"minutes": 5}}
REVIEWED_GAMES = ("puzzle", "gone")
"""Reviews of the others take too long for a test of every day."""

QUESTIONS: dict[str, tuple[str, str, dict[str, Any] | None]] = {
    "legal": ("POST", "/legal", {"position": POSITION, "tiles": ["CRYGB", "ZYRBG"]}),
    "legal closing": (
        "POST", "/legal", {"position": "PRYGB+0@0,0 CRYGB+0@0,1", "tiles": ["PRYBG", "BYRGB"]},
    ),
    "legal refused": ("POST", "/legal", {"position": "x", "tiles": ["CRYGB"]}),
    "legal malformed": ("POST", "/legal", {"tiles": []}),
    "groups": ("POST", "/groups", {"position": POSITION}),
    "no groups": ("POST", "/groups", {}),
    "best": ("POST", "/best", {"position": POSITION, "hand": ["CRYGB", "ZYRBG"], "top": 3}),
    "best of 72": ("POST", "/best", {"hand": ["CRYGB"], "set": "72"}),
    "solve": ("POST", "/solve", {"width": 4, "height": 4, "pile": 1}),
    "unsolvable": (
        "POST", "/solve",
        {"width": 2, "height": 2, "tiles": ["CRYGB", "ZYRBG"], "faces": "recto", "count": 9},
    ),
    "coach": (
        "POST", "/coach",
        {
            "position": POSITION, "hand": ["CRYGB", "ZYRBG"], "scores": [31, 28], "target": 80,
            "top": 2, "language": "de",
        },
    ),
    "coach of one domino": ("POST", "/coach", {"hand": ["CRYGB"], "top": 1}),
    "problem": ("GET", "/problem?date=2020-03-10", None),
    "problem with solution": ("GET", "/problem?date=2020-03-10&solution=true", None),
    "frame": ("GET", "/problem?kind=frame&seed=a&grade=1&solution=true", None),
    "found": ("GET", "/problem/found?date=2020-03-10", None),
    "picture": ("GET", "/picture.svg?position=PRYGB%2B0@0,0&symbols=true", None),
    "notices": ("GET", "/notices", None),
    "unknown table": ("GET", "/tables/unknown", None),
    "unknown path": ("GET", "/nothing", None),
    "unknown rules": ("GET", "/rules/chess", None),
}  # fmt: skip


class StandingClock(LateClock):
    """Shows the same time in each run."""

    def __init__(self) -> None:
        super().__init__(datetime(2020, 3, 10, 9, tzinfo=UTC))
        self._began = 0.0

    def _seconds(self) -> float:
        return 1000.0


class Recorder:
    """Asks, and writes down the answers."""

    def __init__(self, http: httpx.AsyncClient, server: Server) -> None:
        self.http = http
        self.watch = server.watch
        self.answers: dict[str, Any] = {}

    async def ask(
        self, name: str, method: str, path: str, body: Any = None, token: str = ""
    ) -> Any:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        how: dict[str, Any] = {"content": body} if isinstance(body, bytes) else {"json": body}
        answer = await self.http.request(method, path, headers=headers, **how)
        text = answer.text
        if len(text) > MAX_TEXT:
            text = f"{len(answer.content)} bytes, {sha256(answer.content).hexdigest()}"
        self.answers[name] = [answer.status_code, answer.headers["content-type"], text]
        return answer.json() if answer.headers["content-type"] == "application/json" else None


@pytest.fixture
async def here(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    monkeypatch.setattr(chance, "SEED", "0")
    with repeatable_chance("http answers"):
        async with served(clock=StandingClock()) as here:
            yield here


async def ask_about_positions(recorder: Recorder) -> None:
    for name, (method, path, body) in QUESTIONS.items():
        await recorder.ask(name, method, path, body)
    shown = await recorder.ask("again", "GET", "/problem?date=2020-03-10&solution=true")
    attempt = {"date": "2020-03-10", "layings": shown["solution"]}
    await recorder.ask("solved", "POST", "/problem/check", attempt)
    other = {**attempt, "layings": shown["solution"][::-1]}
    await recorder.ask("other order", "POST", "/problem/check", other)
    frame = await recorder.ask("again", "GET", QUESTIONS["frame"][1])
    attempt = {"kind": "frame", "seed": "a", "grade": 1, "layings": frame["solution"]}
    await recorder.ask("full frame", "POST", "/problem/check", attempt)
    await recorder.ask("found it", "POST", "/problem/found", {
        "date": "2020-03-10", "layings": shown["solution"], "mark": "x" * 16,
    })  # fmt: skip


async def ask_about_records(recorder: Recorder) -> None:
    for name in REGISTRY:
        game = find_game(name)
        options = game.parse_options(SHORT_OPTIONS.get(name, {}))
        data = dump(play_game(game, ("random",) * 3, options, "answers")[0].record())
        await recorder.ask(f"replay of {name}", "POST", "/replay", data)
        if name in REVIEWED_GAMES:
            await recorder.ask(f"review of {name}", "POST", "/review?language=fr", data)


async def ask_at_tables(recorder: Recorder) -> None:
    ask = recorder.ask
    new = await ask("create", "POST", "/tables", {
        "seats": [None, None], "host": "Ann", "visibility": "public", "clock": {"kind": "turn"},
    })  # fmt: skip
    table, ann = f"/tables/{new['id']}", new["token"]
    await ask("waiting lobby", "GET", "/tables")
    await ask("not begun", "GET", f"{table}/record", token=ann)
    bob = (await ask("sit", "POST", f"{table}/seats/1", {"name": "Bob"}))["token"]
    async with recorder.watch(new["id"], ann, bob) as viewer:
        for number in range(4):
            legal = [await viewer.legal(seat) for seat in viewer.yours]
            seat = 0 if legal[0] else 1
            version = viewer.version
            body, token = {"move": legal[seat][0]}, (ann, bob)[seat]
            await ask(f"move {number}", "POST", f"{table}/moves", body, token)
            while viewer.version == version:
                await viewer.changed()
    own = {"tables": [{"id": new["id"], "token": bob}, {"id": "unknown"}]}
    requests: tuple[tuple[str, str, str, Any, str], ...] = (
        ("table", "GET", table, None, ""),
        ("lobby", "GET", "/tables?most=1", None, ""),
        ("own tables", "POST", "/own-tables", own, ""),
        ("record so far", "GET", f"{table}/record", None, ann),
        ("history", "GET", f"{table}/history", None, ann),
        ("history of a spectator", "GET", f"{table}/history", None, ""),
        ("picture of a table", "GET", f"{table}/picture.svg", None, ""),
        ("not over", "GET", f"{table}/replay", None, ""),
        ("notices of a seat", "GET", f"{table}/notices", None, ann),
        ("new token", "POST", f"{table}/seats/1/token", {"new": "bob-bob-bob-bob-bob"}, bob),
        ("leave", "DELETE", f"{table}/seats/0", None, ann),
        ("return", "POST", f"{table}/seats/0/return", None, ann),
    )
    for name, method, path, body, token in requests:
        await ask(name, method, path, body, token)


async def ask_at_races(recorder: Recorder) -> None:
    ask = recorder.ask
    new = await ask("create a race", "POST", "/tables", {
        "game": "puzzle", "seats": [None, None], "host": "Ann", "guests": ["Bob"], "countdown": 0,
        "hints": "yes", "spectators": "all",
    })  # fmt: skip
    table, token = f"/tables/{new['id']}", new["token"]
    hint = {"question": "place", "width": 6}
    await ask("hint", "POST", f"{table}/seats/0/hint", hint, token)
    await ask("race", "GET", table)
    await ask("take", "POST", f"{table}/moves",
              {"move": {"player": 0, "move": "take", "tile": "PRYGB"}}, token)  # fmt: skip
    await ask("give up", "POST", f"{table}/moves",
              {"move": {"player": 0, "move": "give_up"}}, token)  # fmt: skip
    for what in ("record", "history", "replay", "review?language=it"):
        await ask(f"{what} of a race", "GET", f"{table}/{what}", None, token)
    await ask("own race", "POST", "/own-tables", {"tables": [{"id": new["id"], "token": token}]})
    await ask("rematch", "POST", f"{table}/rematch", None, token)


async def ask_about_challenges(recorder: Recorder) -> None:
    ask = recorder.ask
    new = await ask("create against a bot", "POST", "/tables", {
        "game": "gone", "seats": [None, "random"], "host": "Ann", "pace": 0,
    })  # fmt: skip
    table, ann = f"/tables/{new['id']}", new["token"]
    async with recorder.watch(new["id"], ann) as viewer:
        while viewer.table["phase"] == "playing":
            if moves := await viewer.legal(0):
                await viewer.move(moves[0])
            else:
                await viewer.changed()
    await ask("replay at a table", "GET", f"{table}/replay")
    made = await ask("challenge", "POST", f"{table}/challenge", None, ann)
    path = f"/challenges/{made['id']}"
    await ask("attempt", "POST", f"{path}/attempts", {"name": "Bob"}, "bob-bob-bob-bob-bob")
    await ask("challenge for others", "GET", path, None, "bob-bob-bob-bob-bob")
    await ask("comparison refused", "GET", f"{path}/comparison", None, "bob-bob-bob-bob-bob")
    await ask("comparison", "GET", f"{path}/comparison", None, ann)


async def test_answers_are_the_same_bytes_as_in_the_fixture(here: Served) -> None:
    http = httpx.AsyncClient(base_url=f"{here.url}/api", timeout=300, trust_env=False, verify=False)
    async with http, Server(here.url) as server:
        recorder = Recorder(http, server)
        await ask_about_positions(recorder)
        await ask_about_records(recorder)
        await ask_at_tables(recorder)
        await ask_at_races(recorder)
        await ask_about_challenges(recorder)
    if os.environ.get("WRITE_HTTP_ANSWERS"):
        text = json.dumps(recorder.answers, indent=1, ensure_ascii=False) + "\n"
        FILE.write_text(text, encoding="utf-8")
    assert recorder.answers == json.loads(FILE.read_text(encoding="utf-8"))
