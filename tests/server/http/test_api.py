"""Every route over HTTP: what it gives, what it refuses, and what it keeps secret."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import string
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import httpx
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dalapapa.bots import LEVELS
from dalapapa.client import Disconnected, Server
from dalapapa.games import REGISTRY
from dalapapa.record import load, replay
from dalapapa.server.app import ROUTES
from dalapapa.server.http.openapi import build_openapi
from dalapapa.server.traffic import limits as limits_module
from dalapapa.server.traffic.limits import MAX_BODY_BYTES, TokenBucket, TokenBuckets
from tests.support.online_games import give_up, start_duel
from tests.support.playing import answer
from tests.support.serving import PATIENCE, LateClock, in_thread, refusal, running, served
from tests.support.thoroughness import THOROUGH

pytestmark = pytest.mark.anyio

POSITION = "PRYGB+0@0,0 BYRGB+0@0,-1"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with in_thread(solver_seconds=0.3) as url:
        yield url


@pytest.fixture
async def server(url: str) -> AsyncIterator[Server]:
    async with Server(url) as server:
        yield server


# -- setting up ----------------------------------------------------------------------------------


async def test_a_table_is_set_up(server: Server) -> None:
    before = LateClock().now() - 2  # A table has its own steady time.
    new = await server.create(
        game="classic", options={"target": 100}, seats=[None, "greedy", None], host=" Ann ",
        guests=["Zoë"], visibility="public", spectators="all", clock={"kind": "turn"}, pace=5,
    )  # fmt: skip
    assert new["seats"] == [0, 2]
    assert len(new["token"]) >= 22, "128 bits"
    table = new["table"]
    assert table["id"] == new["id"]
    assert table["phase"] == "playing"
    assert [seat["name"] for seat in table["seats"]] == ["Ann", "greedy 2", "Zoë"]
    assert table["seats"][1] == {"name": "greedy 2", "program": "greedy", "free": False,
                                 "away": False, "replaced": False, "hints": 0}  # fmt: skip
    assert table["options"] == {"target": 100}
    assert table["clock"] == {"kind": "turn", "seconds": 60, "increment": 0}
    assert table["deadline"] is not None
    assert before <= table["deadline"] - 60_000 <= LateClock().now() + 2
    assert "seed" not in table
    assert len(table["commitment"]) == 64


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b"\xff\xfe",
        b'{"\\ud800": 1}',
        b'{"host": "\\ud800"}',
        b'{"seats": ["\\ud800", null]}',
        b'{"options": {"\\ud800": 1}}',
        b'{"options": {"target": NaN}}',
        b'{"options": {"target": 1e999}}',
        b'{"options": {"target": ' + b"9" * 5000 + b"}}",
        b'{"options": {"target": ' + b"[" * 900 + b"]" * 900 + b"}}",
        b'{"options": ' + b'{"a":' * 90_000 + b"1" + b"}" * 10_000,
        b'{"game": "gone", "options": {"names": ["\\ud800", "b"]}}',
        b'{"clock": {"kind": "\\ud800"}}',
    ],
)
async def test_bodies_that_are_almost_json_are_refused(server: Server, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    got = await server.http.post("/tables", content=body, headers=headers)
    assert 400 <= got.status_code < 500
    assert set(got.json()) == {"code", "message"}


async def test_names_are_kept_as_text(server: Server) -> None:
    html = "<script>alert(1)</script>"
    new = await server.create(seats=[None, None], host=html)
    response = await server.http.get(f"/tables/{new['id']}")
    assert response.json()["table"]["seats"][0]["name"] == html
    assert response.headers["content-type"] == "application/json"
    assert response.headers["x-content-type-options"] == "nosniff"
    await server.sit(new["id"], 1, "B\u202eo\x00b\n\x1b[31m")
    response = await server.http.get(f"/tables/{new['id']}")
    assert response.json()["table"]["seats"][1]["name"] == "B o b [31m"
    assert await refusal(server.sit(new["id"], 1, "x" * 10_000)) == "malformed"


# -- races ---------------------------------------------------------------------------------------


async def test_a_race_counts_down_and_bots_wait_too() -> None:
    clock = LateClock()
    async with served(clock=clock) as here, Server(here.url) as server:
        new = await server.create(game="puzzle", seats=[None, "expert"], host="Ann", pace=0)
        table = new["table"]
        assert (table["countdown"], table["hints"]) == (3, "alone")
        async with server.watch(new["id"], new["token"]) as viewer:
            begins = viewer.table["begins"]
            assert begins is not None
            assert 0 < begins - clock.now() <= 3000
            path = f"/tables/{new['id']}/moves"
            move = {"player": 0, "move": "give_up"}
            early = await answer(server, "POST", path, {"move": move}, new["token"])
            assert (early[0], early[1]["code"]) == (409, "too_early")
            assert 0 < early[1]["values"]["wait"] <= 3000
            assert viewer.version == 1
            await viewer.changed()  # The bot is first: no other player moves.
            assert clock.now() >= begins


async def test_a_hint_is_sent_to_all_players() -> None:
    # However busy the machine is, the solver has the time that it needs.
    async with served(solver_seconds=PATIENCE) as here, Server(here.url) as server:
        await check_hints_for_all(server)


async def check_hints_for_all(server: Server) -> None:
    new = await server.create(
        game="arlequin", seats=[None, None], host="Ann", guests=["Bob"], hints="yes", countdown=0
    )
    path = f"/tables/{new['id']}/seats/1/hint"
    assert await refusal(server.ask("POST", path, "stranger")) == "not_your_seat"

    async def hint(**asked: Any) -> Any:
        return await server.ask("POST", path, new["token"], **asked)

    async with server.watch(new["id"]) as viewer:
        reply = await hint(width=10, id="one")
        assert (reply["version"], reply["possible"], reply["width"]) == (3, True, 10)
        laying = reply["laying"]
        assert await hint(width=10, id="one") == reply
        while viewer.version < 3:
            await viewer.changed()
        assert list(viewer.events) == [{"event": "got_hint", "player": 1, "question": "place"}]
        assert [seat["hints"] for seat in viewer.table["seats"]] == [0, 1]
    asked = await hint(question="possible")
    assert (asked["possible"], asked["laying"]) == (True, None)
    history = await server.ask("GET", f"/tables/{new['id']}/history")
    assert [event["event"] for one in history for event in one["events"]] == ["got_hint"] * 2
    move = {"player": 1, "move": "lay", "laying": laying}
    await server.ask("POST", f"/tables/{new['id']}/moves", new["token"], move=move)
    await give_up(server, new["id"], 0, new["token"])
    replayed = await server.ask("GET", f"/tables/{new['id']}/replay")
    assert replayed["hints"] == [0, 2]
    assert 0 <= replayed["steps"][0]["at"] - replayed["begins"] < 60_000


# -- seats ---------------------------------------------------------------------------------------


async def test_taken_seats_are_refused(server: Server) -> None:
    table, ann, _ = await start_duel(server)
    path = f"/tables/{table}/seats"
    name = {"name": "Eve"}
    assert (await answer(server, "POST", f"{path}/0", name))[0] == 409
    assert await refusal(server.sit(table, 0, "Eve")) == "seat_taken"
    assert await answer(server, "POST", f"{path}/2", name) == (
        404, {"code": "unknown_seat", "message": "There is no such seat at this table."},
    )  # fmt: skip
    for seat in ("10", "-1", "x", "0x0", "1.5"):
        assert (await answer(server, "POST", f"{path}/{seat}", name))[0] == 422
    assert await refusal(server.sit("nowhere", 0, "Eve")) == "unknown_table"
    assert await refusal(server.sit("no/where", 0, "Eve")) == "http"
    assert await refusal(server.sit("n" * 33, 0, "Eve")) == "malformed"
    assert await refusal(server.sit("%00", 0, "Eve")) == "malformed"
    assert (await answer(server, "DELETE", f"{path}/1", token=ann))[0] == 403


async def test_leaving_twice_removes_no_other_player() -> None:
    """Between two requests to leave, another player may have taken the seat."""
    async with served() as here, Server(here.url) as server:
        new = await server.create(seats=[None, None], host="Ann")
        tables = here.tables
        live = await tables.find(new["id"])
        left = await asyncio.gather(
            tables.commands.leave(live, 0, new["token"]),
            tables.commands.sit(live, 0, "Bob"),
            tables.commands.leave(live, 0, new["token"]),
            return_exceptions=True,
        )
        assert isinstance(left[1], str)
        assert getattr(left[2], "code", None) == "not_your_seat"
        assert live.state.seats[0].name == "Bob"


# -- tokens and moves ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [None, "", "Bearer", "Basic QQ==", "Bearer wrong", "bearer \xff", "Bearer " + "x" * 150, "x"],
)
async def test_requests_with_wrong_tokens_are_refused(server: Server, header: str | None) -> None:
    table, _, _ = await start_duel(server)
    headers = {} if header is None else {b"Authorization": header.encode("latin-1")}
    body = {"move": {"player": 0, "move": "give_up"}}
    for method, path in (("POST", "moves"), ("DELETE", "seats/0"), ("POST", "seats/0/return")):
        response = await server.http.request(
            method, f"/tables/{table}/{path}", headers=headers, json=body if path == "moves" else {}
        )
        assert (response.status_code, response.json()["code"]) == (403, "not_your_seat")
    assert (await server.ask("GET", f"/tables/{table}"))["version"] == 2


# -- looking -------------------------------------------------------------------------------------


async def test_games(server: Server) -> None:
    listed = await server.ask("GET", "/games")
    assert [game["name"] for game in listed] == list(REGISTRY)
    assert listed[0]["players"] == [2, 4]
    assert listed[0]["options"][0]["name"] == "target"
    assert listed[0]["programs"] == list(LEVELS)
    assert "description" not in listed[0], "the client has its own words for ours"


async def test_the_lobby_lists_public_tables_that_wait_or_play() -> None:
    async with running() as url, Server(url) as server:
        private = await server.create(seats=[None, None], host="Ann")
        playing, ann, _ = await start_duel(server, visibility="public")
        waiting = await server.create(seats=[None, None], host="Cid", visibility="public")
        over, dan, _ = await start_duel(server, visibility="public")
        await give_up(server, over, 0, dan)
        lobby = await server.ask("GET", "/tables")
        assert [table["id"] for table in lobby] == [waiting["id"], playing]
        text = json.dumps(lobby)
        for secret in (private["id"], waiting["token"], ann):
            assert secret not in text
        assert lobby[0]["phase"] == "waiting"
        assert lobby[0]["seats"][0]["name"] == "Cid"
        assert len(await server.ask("GET", "/tables?most=1")) == 1
        for most in ("0", "101", "x"):
            assert await refusal(server.ask("GET", f"/tables?most={most}")) == "malformed"


async def test_players_may_watch_a_table_without_spectators(server: Server) -> None:
    table, ann, _ = await start_duel(server, game="classic", spectators="none")
    path = f"/tables/{table}/picture.svg"
    assert await refusal(server.record(table)) == "no_spectators"
    assert await refusal(server.record(table, "wrong")) == "no_spectators"
    assert await refusal(server.ask("GET", path)) == "no_spectators"
    assert load(await server.record(table, ann)).moves == []
    picture = await server.http.get(path, headers={"Authorization": f"Bearer {ann}"})
    assert picture.status_code == 200


async def test_pictures(server: Server) -> None:
    table, _, _ = await start_duel(server, game="alex")
    picture = await server.http.get(f"/tables/{table}/picture.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    ElementTree.fromstring(picture.text)
    picture = await server.http.get(f"/tables/{table}/picture.png")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    drawn = await server.http.get("/picture.svg", params={"position": POSITION})
    assert drawn.status_code == 200
    assert drawn.text.count("<g") > (await server.http.get("/picture.svg")).text.count("<g")
    small = await server.http.get("/picture.png", params={"position": "CRYGB+0@0,0", "set": "72"})
    assert small.content.startswith(b"\x89PNG")


async def test_impossible_pictures_are_refused(server: Server) -> None:
    table, _, _ = await start_duel(server)
    assert await refusal(server.ask("GET", f"/tables/{table}/picture.svg")) == "nothing_to_draw"
    assert await refusal(server.ask("GET", f"/tables/{table}/picture.gif")) == "malformed"
    assert await refusal(server.ask("GET", "/tables/nowhere/picture.svg")) == "unknown_table"
    for position, code in (
        ("x", "malformed_laying"),
        ("%ff%00", "malformed_laying"),
        ("XXXXX%2B0@0,0", "unknown_domino"),
        ("PRYGB%2B0@5,5", "not_at_origin"),
        ("PRYGB%2B0@0,0 PRYGB%2B0@9,9", "already_laid"),
        ("x" * 20_001, "malformed"),
    ):
        path = f"/picture.svg?position={position}"
        assert await refusal(server.ask("GET", path)) == code, position


# -- again ---------------------------------------------------------------------------------------


async def test_quick_rematches_leave_nothing_behind() -> None:
    async with served() as here, Server(here.url) as server:
        table, ann, bob = await start_duel(server, visibility="public")
        await give_up(server, table, 0, ann)
        path = f"/tables/{table}/rematch"
        asked = [server.ask("POST", path, token) for token in (ann, bob) * 4]
        assert len({rematch["id"] for rematch in await asyncio.gather(*asked)}) == 1
        assert await here.store.count() == 2


async def test_a_table_is_resumed_after_a_restart(tmp_path: Path) -> None:
    database = f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}"
    move = {"player": 0, "move": "take", "tile": "PRYGB"}
    async with running(database) as url, Server(url) as server:
        table, ann, bob = await start_duel(server, options={"minutes": 5}, visibility="public")
        path = f"/tables/{table}/moves"
        assert (await server.ask("POST", path, ann, move=move, id="once"))["version"] == 3
        before = await server.ask("GET", f"/tables/{table}")
        await server.leave(table, 1, bob)
    with pytest.raises(Disconnected):
        async with Server(url) as gone:
            await gone.ask("GET", "/games")
    async with running(database) as url, Server(url) as server:
        after = await server.ask("GET", f"/tables/{table}")
        assert after["version"] == 4
        assert after["views"] == before["views"]
        assert after["table"]["deadline"] == before["table"]["deadline"]
        assert after["table"]["seats"][1]["away"]
        assert [one["id"] for one in await server.ask("GET", "/tables")] == [table]
        assert (await server.ask("POST", path, ann, move=move, id="once"))["version"] == 3
        await server.come_back(table, 1, bob)
        await give_up(server, table, 1, bob)
        replay(load(await server.record(table)))
    async with running(database) as url, Server(url) as server:
        assert (await server.ask("GET", f"/tables/{table}"))["table"]["phase"] == "over"
        assert await server.ask("GET", "/tables") == []
        await server.ask("POST", f"/tables/{table}/rematch", ann)


async def test_time_runs_out_without_viewers() -> None:
    clock = LateClock()
    async with served(clock=clock) as here, Server(here.url) as server:
        table, ann, bob = await start_duel(server, game="alex", options={"sandglass": 30})
        path = f"/tables/{table}/moves"
        one = {"player": 0, "move": "announce", "announced": 1, "round": 1}
        await server.ask("POST", path, ann, move=one, id="1")
        clock.ahead = 31_000
        assert (await server.ask("POST", path, ann, move=one, id="1"))["version"] == 3
        assert (await server.ask("GET", f"/tables/{table}"))["version"] == 3
        two = {"player": 1, "move": "announce", "announced": 2, "round": 1}
        assert await refusal(server.ask("POST", path, bob, move=two)) == "too_late"
        answer = await server.ask("GET", f"/tables/{table}")
        assert (answer["version"], answer["views"]["spectator"]["phase"]) == (4, "show")


# -- limits --------------------------------------------------------------------------------------


async def test_long_bodies_are_not_read(server: Server) -> None:
    long = b"x" * (MAX_BODY_BYTES + 1)
    response = await server.http.post("/tables", content=long)
    assert (response.status_code, response.json()["code"]) == (413, "too_long")

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(30):
            yield b'{"game": "' + b"x" * 10_000

    # On its own connection: the one before ends because the rest of its body is not read.
    async with Server(server.url) as other:
        response = await other.http.post("/tables", content=pieces())
    assert response.status_code == 413
    host, port = server.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = f"POST /api/tables HTTP/1.1\r\nHost: {host}\r\nContent-Length: {10**12}\r\n\r\n"
    writer.write(head.encode())
    assert (await reader.readline()).startswith(b"HTTP/1.1 413")
    writer.close()
    await writer.wait_closed()


async def test_too_many_tables_too_fast() -> None:
    clock = LateClock()
    clock.stand()
    async with served(clock=clock, tables_per_minute=3) as here, Server(here.url) as server:
        for _ in range(3):
            await server.create()
        assert await answer(server, "POST", "/tables", {}) == (
            429, {"code": "too_fast", "message": "Too many new tables: wait a moment."},
        )  # fmt: skip


async def test_too_many_requests() -> None:
    clock = LateClock()
    clock.stand()
    async with (
        served(clock=clock, requests_per_second=1, requests_at_once=5) as here,
        Server(here.url) as server,
    ):
        found = [await server.http.get("/games") for _ in range(8)]
        assert [status.status_code for status in found[:5]] == [200] * 5
        assert found[-1].status_code == 429
        assert found[-1].json()["code"] == "too_fast"
        assert "content-security-policy" in found[-1].headers


def test_a_bucket_fills_at_its_rate() -> None:
    clock = LateClock()
    clock.stand()
    bucket = TokenBucket(2, 3, clock)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    clock.ahead += 400
    assert not bucket.take()
    clock.ahead += 100
    assert [bucket.take(), bucket.take()] == [True, False]
    clock.ahead += 1_000_000
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    bucket.pay(3)
    clock.ahead += 1900
    assert not bucket.take()
    clock.ahead += 100
    assert bucket.take()


def test_silent_addresses_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "MAX_ADDRESSES", 2)
    buckets = TokenBuckets(0, 1)
    assert [buckets.take("a"), buckets.take("b"), buckets.take("a")] == [True, True, False]
    assert buckets.take("c"), "which makes b, who was silent longest, a stranger again"
    assert [buckets.take("a"), buckets.take("b")] == [False, True]


async def test_a_full_server_refuses_new_tables() -> None:
    async with running(tables=1) as url, Server(url) as server:
        table, ann, _ = await start_duel(server)
        await give_up(server, table, 0, ann)
        assert await answer(server, "POST", "/tables", {}) == (
            503, {"code": "full", "message": "This server is full: it cannot open new tables now."},
        )  # fmt: skip
        assert await refusal(server.ask("POST", f"/tables/{table}/rematch", ann)) == "full"
        assert (await server.ask("GET", f"/tables/{table}"))["table"]["rematch"] is None


async def test_tables_without_viewers_make_room() -> None:
    async with served() as here, Server(here.url) as server:
        here.tables.registry.cache.max_tables = 3
        tables = [await start_duel(server) for _ in range(6)]
        assert len(here.tables.registry.cache) == 3
        async with contextlib.AsyncExitStack() as stack:
            watched = [
                await stack.enter_async_context(server.watch(id, ann)) for id, ann, _ in tables
            ]
            assert len(here.tables.registry.cache) == 6, "those who are watched stay"
            for viewer, (id, _, bob) in zip(watched, tables, strict=True):
                await give_up(server, id, 1, bob)
                while viewer.table["phase"] != "over":
                    await viewer.changed()


# -- anything else -------------------------------------------------------------------------------


DOCUMENT = build_openapi(ROUTES)
WAYS = [(method, path) for path, found in DOCUMENT["paths"].items() for method in found]


EXAMPLES = {"print": 4, "problem": 4, "coach": 4, "solve": 6, "review": 6}
"""Every day, of what takes long; all others have more."""


def modes() -> Iterator[tuple[str, str, str]]:
    """Every route with what fits its documentation and, if it takes anything, what does not."""
    for method, path in WAYS:
        yield method, path, "positive"
        if {"parameters", "requestBody"} & set(DOCUMENT["paths"][path][method]):
            yield method, path, "negative"


@pytest.mark.parametrize(("method", "path", "mode"), [*modes()])
def test_any_request_is_answered_as_the_documentation_says(
    url: str, method: str, path: str, mode: str
) -> None:
    """Half of it about tables that exist."""
    import schemathesis  # Takes a second, which no other test need wait for.

    documented = schemathesis.openapi.from_url(f"{url}/api/openapi.json")
    refusals = documented.config.checks.negative_data_rejection
    refusals.expected_statuses = [*refusals.expected_statuses, "413"]  # Too long is refused, too.
    accepted = documented.config.checks.positive_data_acceptance
    accepted.expected_statuses = [*accepted.expected_statuses, "422"]  # But see below.
    with httpx.Client(
        base_url=f"{url}/api", trust_env=False, timeout=PATIENCE, verify=False
    ) as client:
        tables = [
            client.post("/tables", json={"host": "Ann", "seats": [None] * n}).json() for n in (2, 3)
        ]

    @settings(
        max_examples=100
        if THOROUGH
        else EXAMPLES.get(path.split("/")[2 if path.startswith("/api") else 1], 7)
    )
    @given(
        documented[path][method].as_strategy(schemathesis.GenerationMode(mode)),
        st.sampled_from([*tables, None, None]),
    )
    def ask(case: Any, table: dict[str, Any] | None) -> None:
        assume(len(str(case.query)) < 10_000)  # A longer address is no HTTP.
        if table is not None and mode == "positive":
            if "id" in case.path_parameters:
                case.path_parameters["id"] = table["id"]
            case.headers["Authorization"] = f"Bearer {table['token']}"
        answer = case.call_and_validate(timeout=PATIENCE)  # All checks that schemathesis has.
        if mode == "positive" and answer.status_code == 422:
            assert answer.json()["code"] != "malformed", "it has the documented form"

    ask()


async def test_noise_on_every_route(server: Server) -> None:
    """For all letters, the answer is a refusal and never a failure."""
    rng = random.Random("noise")
    letters = string.printable + "é\u202e\x00😀%{}[]\"'\\"
    table, ann, _ = await start_duel(server)
    headers = {"Authorization": f"Bearer {ann}", "Content-Type": "application/json"}
    for method, path in WAYS * (15 if THOROUGH else 5):
        place = path.replace("{id}", rng.choice([table, "x"]))
        place = place.replace("{seat}", rng.choice("0123"))
        noise = "".join(rng.choices(letters, k=rng.randrange(60)))
        body = json.dumps({noise[:5]: noise, "move": noise, "name": noise}).encode()
        if rng.random() < 0.5:
            body = noise.encode()
        content = b"" if method == "get" else body
        response = await server.http.request(
            method, server.url + place, content=content, headers=headers
        )
        assert response.status_code < 500
