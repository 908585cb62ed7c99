"""The socket of a table: the protocol, many people at once, and people who mean no good."""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import socket as sockets
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

import dalapapa.client
from dalapapa.bots import Bot
from dalapapa.bots.arena import BotSeats
from dalapapa.client import Disconnected, Refused, Server
from dalapapa.core.errors import DalapapaError
from dalapapa.games import REGISTRY
from dalapapa.games.moves import TimeUp, Undo
from dalapapa.hosting import encoder, protocol
from dalapapa.hosting.entries import Moved, Resumed, Sat
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.state import advance, open_table
from dalapapa.hosting.tokens import hash_token
from dalapapa.record import load, replay
from dalapapa.server.runtime import run
from dalapapa.server.tables import driver as driver_module
from dalapapa.server.tables import sync as sync_module
from dalapapa.server.ws import session
from dalapapa.server.ws.session import MAX_MALFORMED, MAX_QUEUED_MESSAGES, ViewerSession
from tests.support.judge import leaks
from tests.support.online_games import read_deadline, start_duel
from tests.support.playing import give_up, take, until
from tests.support.serving import (
    PATIENCE,
    PLENTY,
    Served,
    first,
    refusal,
    running,
    served,
    wait_for_driver,
    wait_for_no_driver,
    wait_for_no_sockets,
)
from tests.support.sockets import AdjustableClock, RawSocket, open_raw, open_silent, socket_url
from tests.support.thoroughness import THOROUGH, daily
from tests.support.waiting import run_other_tasks, wait_until

pytestmark = pytest.mark.anyio

NOT_HELD_UP = 30
"""Seconds: less than the server's patience with those who do not read."""


@pytest.fixture
def clock() -> AdjustableClock:
    return AdjustableClock()


@pytest.fixture
async def here(clock: AdjustableClock) -> AsyncIterator[Served]:
    async with served(clock=clock, messages_per_second=PLENTY, messages_at_once=PLENTY) as here:
        yield here


@pytest.fixture
async def server(here: Served) -> AsyncIterator[Server]:
    async with Server(here.url) as server:
        yield server


# -- the protocol --------------------------------------------------------------------------------


async def test_a_move_is_accepted_and_sent_to_all_viewers(server: Server, here: Served) -> None:
    table, ann, bob = await start_duel(server)
    async with (
        open_raw(server.url, table, ann) as hers,
        open_raw(server.url, table, bob) as his,
        open_raw(server.url, table) as spectator,
    ):
        await hers.say(type="move", id="a", move=take(0, "PRYGB"), version=2)
        messages = [await hers.hear(), await his.hear(), await spectator.hear()]
        assert await hers.hear() == {"type": "accepted", "id": "a", "version": 3}
    assert not (await here.tables.find(table)).broadcast_cache, "no viewer needs it any more"
    for message, yours in zip(messages, ([0], [1], []), strict=True):
        assert (message["type"], message["version"], message["yours"]) == ("table", 3, yours)
        assert message["events"] == [{"event": "took", "player": 0, "tile": "PRYGB"}]
        (view,) = message["views"].values()
        assert view["held"] == ["PRYGB", None]


# -- people --------------------------------------------------------------------------------------


# -- bots ------------------------------------------------------------------------------------


class LastMoveBot(Bot[Any]):
    """Makes the last legal move: in the classic game, it ends a turn as soon as it can."""

    def choose(self, view: Any) -> Any:
        return view.legal[-1]


async def test_the_example_of_the_client_plays_a_whole_game(here: Served) -> None:
    lines = str(dalapapa.client.__doc__).splitlines()
    example = [line for line in lines if line.startswith("    ")]
    code = "async def play():\n" + "\n".join(example) + "\n    return seat"
    code = code.replace("http://127.0.0.1:8072", here.url).replace("host=", "pace=0, host=")
    scope: dict[str, Any] = {"Server": Server, "MyBot": LastMoveBot}
    exec(code, scope)
    async with asyncio.timeout(PATIENCE):
        seat = await scope["play"]()
    assert seat.table["phase"] == "over"
    assert seat.table["seats"][1]["program"] == "medium"


async def test_bots_play_while_a_viewer_watches(server: Server, here: Served) -> None:
    new = await server.create(seats=["random", "random"], pace=0)
    live = await here.tables.find(new["id"])
    assert (live.driver, live.state.version) == (None, 0), "no one watches"
    async with server.watch(new["id"]) as spectator:
        await until(spectator, lambda: spectator.version >= 3)
    await wait_for_no_driver(live)
    assert live.state.phase == "playing", "without a driver the bots rest"
    async with server.watch(new["id"]) as spectator:
        await until(spectator, lambda: spectator.table["phase"] == "over")
    causes = {one.entry.cause for one in await here.store.log(new["id"])
              if isinstance(one.entry, Moved)}  # fmt: skip
    assert causes == {"program"}
    replay(load(await server.record(new["id"])))


async def test_a_bot_waits_for_its_pace(server: Server, here: Served) -> None:
    new = await server.create(seats=["random", "random"], pace=150)
    async with server.watch(new["id"]) as spectator:
        await until(spectator, lambda: spectator.version >= 4)
    times = [one.at for one in await here.store.log(new["id"])]
    assert all(after - before > 140 for before, after in pairwise(times))


async def test_a_player_who_leaves_is_replaced_and_may_return(server: Server, here: Served) -> None:
    table, ann, bob = await start_duel(server, "classic", pace=0)
    async with server.watch(table, ann) as hers, server.watch(table, bob) as his:
        await server.leave(table, 0, ann)
        await until(his, lambda: his.views["1"]["active"] == 1)
        assert his.table["seats"][0] == {"name": "Ann", "program": None, "free": False,
                                         "away": True, "replaced": False, "hints": 0}  # fmt: skip
        await until(hers, lambda: hers.version == his.version)
        assert hers.yours == [0], "it is still her seat"
        while his.views["1"]["phase"] == "setup" or his.views["1"]["active"] == 1:
            if moves := await his.legal():
                with contextlib.suppress(Refused):
                    await his.move(first(moves))
            else:
                await his.changed()
        assert await refusal(hers.move({"player": 0, "move": "end"})) == "away"
        await until(his, lambda: his.views["1"]["active"] == 1)
        await server.come_back(table, 0, ann)
        await until(hers, lambda: not hers.table["seats"][0]["away"])
        version = (await here.tables.find(table)).state.version
        while his.views["1"]["active"] == 1:
            await his.move(first(await his.legal()))
        await until(hers, lambda: hers.views["0"]["active"] == 0)
        live = await here.tables.find(table)
        await wait_for_driver(live)
        assert live.state.version == hers.version, "no bot plays for her any more"
        assert hers.views["0"]["active"] == 0
        await hers.move((await hers.legal())[0])
        log = await here.store.log(table)
        causes = [one.entry.cause for one in log if isinstance(one.entry, Moved)]
        assert "program" in causes
        assert all(c == "player" for c in [one.entry.cause for one in log[version:]
                                           if isinstance(one.entry, Moved)])  # fmt: skip


async def test_killed_workers_are_replaced(server: Server, here: Served) -> None:
    new = await server.create(seats=["random", "random"], pace=0, options={"target": 240})
    async with server.watch(new["id"]) as spectator:
        await until(spectator, lambda: spectator.version >= 2)
        workers = here.tables.bots.workers.processes
        assert workers
        for worker in tuple(workers):
            worker.process.kill()
        version = spectator.version
        await until(spectator, lambda: spectator.version >= version + 5)


async def test_a_failing_bot_does_not_end_the_table(
    here: Served, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any failure in a worker, it is tried again, and people play on."""
    workers = here.tables.bots.workers
    real = workers.ask
    failures = [ZeroDivisionError("a mistake in a program"), MemoryError(), OSError("full")]

    async def ask(*words: Any) -> Any:
        if failures:
            raise failures.pop()
        return await real(*words)

    monkeypatch.setattr(workers, "ask", ask)
    for module in (driver_module, sync_module):
        monkeypatch.setattr(module, "RETRY_DELAY_S", 0.05)
    new = await server.create(seats=["random", "random"], pace=0)
    async with server.watch(new["id"]) as spectator:
        await until(spectator, lambda: spectator.version >= 3)
    assert not failures


# -- times ---------------------------------------------------------------------------------------


async def test_alex_over_sockets(server: Server, here: Served, clock: AdjustableClock) -> None:
    clock.stand()
    table, ann, bob = await start_duel(server, "alex", options={"sandglass": 30})

    def announce(player: int, points: int, round: int = 1) -> dict[str, Any]:
        return {"player": player, "move": "announce", "announced": points, "round": round}

    async with server.watch(table, ann) as hers, server.watch(table, bob) as his:
        assert hers.table["deadline"] is None
        await hers.move(announce(0, 1))
        await until(his, lambda: his.table["deadline"])
        assert 20_000 < read_deadline(his) - clock.now() <= 30_000
        assert his.table["timer"] == 1
        up = {"player": None, "move": "time_up", "timer": 1}
        assert await refusal(hers.move(up)) == "not_your_seat"
        assert await refusal(his.move(announce(1, 1))) == "not_more"
        await his.move(announce(1, 2))
        clock.forward(here, 20)
        await hers.move(announce(0, 3))
        assert hers.table["timer"] == 1
        hers.events.clear()
        clock.forward(here, 11)
        await until(hers, lambda: hers.views["0"]["phase"] == "show")
        assert [event["event"] for event in hers.events] == ["time_ran_out", "showing"]
        assert hers.table["timer"] == 2
        await until(his, lambda: his.version == hers.version)
        assert await refusal(his.move(announce(1, 9))) == "too_late"
        clock.forward(here, 31)  # She shows nothing, and neither does he.
        await until(his, lambda: his.views["1"]["shower"] == 1)
        clock.forward(here, 31)
        await until(his, lambda: his.views["1"]["phase"] == "look")
        assert his.views["1"]["mistakes"] == [1, 1]
        times: Any = his.table["deadline"], his.table["timer"]
        assert times == (None, None)
        assert await refusal(his.move(announce(1, 9, his.views["1"]["round"] - 1))) == "stale"
    log = await here.store.log(table)
    causes = [one.entry.cause for one in log if isinstance(one.entry, Moved)]
    assert causes == ["player"] * 3 + ["time"] * 3


async def test_a_sandglass_that_no_player_saw_run_out_starts_again(
    server: Server, here: Served, clock: AdjustableClock
) -> None:
    clock.stand()
    table, ann, bob = await start_duel(server, "alex", options={"sandglass": 30})
    async with server.watch(table, ann) as hers, server.watch(table, bob) as his:
        await hers.move({"player": 0, "move": "announce", "announced": 1, "round": 1})
        await until(his, lambda: his.table["timer"] == 1)
    live = await here.tables.find(table)
    await wait_until(lambda: not live.presence.own_occupancy().seats, "no player at the table")
    async with server.watch(table) as spectator:
        clock.forward(here, 100)
        async with server.watch(table, ann) as hers:
            assert hers.views["0"]["phase"] == "sandglass", "a spectator ends no timer"
            await until(hers, lambda: read_deadline(hers) > clock.now())
            assert hers.table["timer"] == 1
            assert 29_000 < read_deadline(hers) - clock.now() <= 30_000
            assert hers.views["0"]["mistakes"] == [0, 0]
            # While she is there, it runs as ever.
            clock.forward(here, 31)
            await until(hers, lambda: hers.views["0"]["phase"] == "show")
        await until(spectator, lambda: spectator.table["timer"] == 2)
    log = await here.store.log(table)
    entries = [one.entry for one in log if isinstance(one.entry, Moved | Resumed)]
    assert [type(entry) for entry in entries] == [Moved, Resumed, Moved]


async def test_a_bot_moves_for_a_player_whose_time_is_over(
    server: Server, here: Served, clock: AdjustableClock
) -> None:
    settings = {"kind": "turn", "seconds": 60}
    clock.stand()
    table, ann, bob = await start_duel(server, "classic", clock=settings)
    async with server.watch(table, ann) as hers, server.watch(table, bob):
        assert hers.table["time_runs_for"] == 0
        assert "time_left" not in hers.table, "there is no bank"
        assert hers.views["0"]["active"] == 0
        clock.forward(here, 40)
        live = await here.tables.find(table)
        await wait_for_driver(live)
        assert live.state.version == hers.version == 2
        clock.forward(here, 21)
        await until(hers, lambda: hers.views["0"]["active"] == 1)
        assert not hers.table["seats"][0]["away"]
        assert hers.table["time_runs_for"] == 1
        assert read_deadline(hers) > clock.now() + 40_000
    log = await here.store.log(table)
    assert isinstance(log[-1].entry, Moved)
    assert log[-1].entry.cause == "time"


async def test_times_survive_a_restart(tmp_path: Path, clock: AdjustableClock) -> None:
    """A time that ran out while the server was stopped is over at the first request."""
    database = f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}"
    clock.stand()
    async with served(database, clock) as here, Server(here.url) as server:
        race, ann, _ = await start_duel(server, options={"minutes": 1})
        turn, bob, _ = await start_duel(server, "classic", clock={"kind": "bank", "seconds": 100})
        async with server.watch(race, ann) as viewer:
            deadline = viewer.table["deadline"]
            await viewer.move(take(0, "PRYGB"))
            await viewer.move({"player": 0, "move": "lay", "laying": "PRYGB+0@0,0"})
        async with server.watch(turn, bob) as viewer:
            bank = viewer.table["deadline"]
    clock.ahead += 40_000
    async with served(database, clock) as here, Server(here.url) as server:
        async with server.watch(race, ann) as viewer:
            assert viewer.table["phase"] == "playing"
            assert viewer.table["deadline"] == deadline
        async with server.watch(turn, bob) as viewer:
            assert viewer.table["deadline"] == bank
            await viewer.move((await viewer.legal())[0])
            assert 40_000 < viewer.table["time_left"][0] < 60_001
    clock.ahead += 40_000
    async with served(database, clock) as here, Server(here.url) as server:
        async with server.watch(race, ann) as viewer:
            await until(viewer, lambda: viewer.table["phase"] == "over")
            assert viewer.views["0"]["outcome"]["reason"] == "time"
            assert viewer.views["0"]["outcome"]["winners"] == [0]
        replay(load(await server.record(race)))


# -- coming back ---------------------------------------------------------------------------------


async def test_players_reconnect_after_a_restart(tmp_path: Path) -> None:
    database = f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}"
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(running(database))
        server = await stack.enter_async_context(Server(url))
        table, ann, bob = await start_duel(server)
        viewer = await stack.enter_async_context(server.watch(table, ann))
        await viewer.move(take(0, "PRYGB"), id="mine")
        before = viewer.views
        closing = asyncio.create_task(viewer.changed())
        await closing  # The news of the own move.
    with pytest.raises(Disconnected):
        await viewer.move(take(0, "PRYBG"))
    with pytest.raises(Disconnected):
        await viewer.changed()
    with pytest.raises(Disconnected):
        async with Server(url) as server, server.watch(table, ann):
            pass
    async with running(database) as url, Server(url) as server:
        async with server.watch(table, ann) as hers, server.watch(table, bob) as his:
            assert (hers.version, hers.views) == (3, before)
            assert await hers.move(take(0, "PRYGB"), id="mine") == 3, "it was made already"
            await his.move(give_up(1))
        replay(load(await server.record(table)))


async def test_viewers_get_a_message_when_the_server_ends(tmp_path: Path) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with served() as here, Server(here.url) as server:
            table, ann, _ = await start_duel(server)
            viewer = await stack.enter_async_context(open_raw(here.url, table, ann))
        assert await viewer.end() == []
        assert viewer.connection.close_code == 1012


# -- at the door ---------------------------------------------------------------------------------


async def test_other_sites_are_refused(server: Server) -> None:
    table, ann, _ = await start_duel(server)
    host = server.url.removeprefix("http://")
    for origin in ("http://evil.example", f"http://{host}.evil.example", "null", "http://[",
                   f"http://{host.split(':')[0]}", "file://"):  # fmt: skip
        with pytest.raises(InvalidStatus) as caught:
            async with open_silent(server.url, table, origin=Origin(origin)):
                pass
        assert caught.value.response.status_code == 403
    for origin in (f"http://{host}", f"https://{host}"):
        async with open_raw(server.url, table, ann, origin=Origin(origin)):
            pass


async def test_hello_comes_first(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    table, ann, _ = await start_duel(server)
    for wrong, code in (
        ({"type": "ping", "id": "p"}, "no_hello"),
        ({"type": "move", "id": "m", "move": give_up(0)}, "no_hello"),
        ({"type": "hello", "tokens": "me"}, "malformed_message"),
        ({"type": "hello", "tokens": [1]}, "malformed_message"),
        ({"type": "hello", "tokens": ["x" * 65]}, "malformed_message"),
        ({"type": "hello", "tokens": ["x"] * 11}, "malformed_message"),
        ({"type": "hello", "name": "Ann"}, "malformed_message"),
        ({}, "malformed_message"),
    ):
        async with open_silent(server.url, table) as viewer:
            await viewer.say(**wrong)
            (messages,) = await viewer.end()
            assert (messages["type"], messages["code"]) == ("refused", code)
            assert viewer.connection.close_code == 4400
    async with open_raw(server.url, table, ann) as viewer:
        await viewer.say(type="hello", tokens=[])
        assert (await viewer.hear())["code"] == "malformed_message"
    monkeypatch.setattr(session, "HELLO_TIMEOUT_S", 0.1)
    async with open_silent(server.url, table) as viewer:
        (messages,) = await viewer.end()
        assert messages["code"] == "no_hello"


async def test_sockets_of_unknown_tables_are_closed(database: str) -> None:
    async with running(database) as url, Server(url) as server:
        for id in ("nowhere", "x" * 1000, "%00", "%ff", "..", "a%20b", "%F0%9F%98%80"):
            async with open_silent(url, id) as viewer:
                await viewer.say(type="hello")
                (messages,) = await viewer.end()
                assert messages["code"] == "unknown_table"
        with pytest.raises(Refused) as caught:
            async with server.watch("nowhere"):
                pass
        assert caught.value.code == "unknown_table"
        with pytest.raises(InvalidStatus):
            async with open_silent(url, "a/b"):
                pass


async def test_the_number_of_sockets_is_limited() -> None:
    async with served(sockets=5) as here, Server(url := here.url) as server:
        table, ann, _ = await start_duel(server)
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(5):
                await stack.enter_async_context(open_raw(url, table, ann))
            with pytest.raises(InvalidStatus):
                await stack.enter_async_context(open_raw(url, table, ann))
            with pytest.raises(Disconnected):
                await stack.enter_async_context(server.watch(table))
        await wait_for_no_sockets(here)
        async with open_raw(url, table, ann):
            pass
    async with running(sockets_an_address=1) as url, Server(url) as server:
        table, ann, _ = await start_duel(server)
        async with open_raw(url, table, ann):
            with pytest.raises(InvalidStatus):
                async with open_raw(url, table, ann):
                    pass


# -- people who mean no good ---------------------------------------------------------------------

NONSENSE: list[str | bytes] = [
    "",
    "x",
    "{",
    "null",
    "[]",
    "5",
    '"hello"',
    "{}",
    '{"type": "dance", "id": "1"}',
    '{"type": "ping"}',
    '{"type": "ping", "id": ""}',
    '{"type": "ping", "id": 1}',
    '{"type": "ping", "id": "%s"}' % ("x" * 65),
    '{"type": "ping", "id": "1", "more": 1}',
    '{"type": "ping", "id": "\\ud800"}',
    '{"type": "move", "id": "1"}',
    '{"type": "move", "id": "1", "move": 5}',
    '{"type": "move", "id": "1", "move": {}, "version": "1"}',
    '{"type": "legal", "id": "1"}',
    '{"type": "legal", "id": "1", "seat": 0.5}',
    '{"type": "legal", "id": "1", "seat": null}',
    "[" * 16_000,
    '{"type": "move", "id": "1", "move": {"move": ' + "[" * 16_000,
    "\0",
    "\u202e😀",
    b"",
    b"\xff\xfe\x00",
    b"\x00" * 1000,
]


async def test_malformed_messages_are_refused_and_the_socket_stays_open(server: Server) -> None:
    table, ann, _ = await start_duel(server)
    async with open_raw(server.url, table, ann) as viewer:
        for nonsense in NONSENSE:
            await viewer.connection.send(nonsense)
            message = await viewer.hear()
            assert (message["type"], message["code"]) == ("refused", "malformed_message"), nonsense
            assert len(message["message"]) < 200
        nested: Any = 1
        for _ in range(900):
            nested = {"a": nested}
        for move, version in ((take(0, "PRYGB"), 10**400), (nested, 2), ({"player": 0}, None)):
            await viewer.say(type="move", id="m", move=move, version=version)
            assert (await viewer.hear())["type"] == "refused"
        await viewer.say(type="move", id="m", move=give_up(0))
        assert (await viewer.hear("accepted"))["version"] == 3


async def test_invalid_utf_8_closes_the_socket(server: Server) -> None:
    table, ann, bob = await start_duel(server)
    async with open_raw(server.url, table, ann) as viewer, open_raw(server.url, table, bob) as his:
        await viewer.connection.send(b"\xff\xfe", text=True)
        assert await viewer.end() == []
        assert viewer.connection.close_code == 1007
        await his.say(type="move", id="m", move=give_up(1))
        await his.hear("accepted")


async def test_noise_and_malformed_handshakes_disturb_no_other_client(
    server: Server, here: Served
) -> None:
    """Noise instead of frames, and handshakes that are none: the others notice nothing."""
    rng = random.Random("frames")
    table, ann, _ = await start_duel(server)
    host, port = server.url.removeprefix("http://").split(":")
    path = f"/api/tables/{table}/socket"
    headers_of_upgrade = {
        "Host": host,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    for number in range(100):
        headers = dict(headers_of_upgrade)
        if number % 4 == 0:
            headers[rng.choice(list(headers))] = "?"
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(f"GET {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1"))
        line = await reader.readline()
        assert re.match(rb"HTTP/1\.1 (101|4\d\d) ", line), line
        kind = rng.choice([0x80, 0x81, 0x82, 0x01, 0x88, 0x89, 0x8A, 0x83, 0xC1, 0xFF])
        length = rng.randrange(20)
        noise = bytes([kind, rng.choice([0, 0x80]) | length]) + rng.randbytes(length + 4)
        writer.write(noise * rng.randrange(1, 4))
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
    async with open_raw(server.url, table, ann) as viewer:
        await viewer.say(type="move", id="m", move=give_up(0))
        await viewer.hear("accepted")
    await wait_for_no_sockets(here)


async def test_json_in_binary_messages_is_read(server: Server) -> None:
    table, ann, _ = await start_duel(server)
    async with open_raw(server.url, table, ann) as viewer:
        await viewer.connection.send(b'{"type": "ping", "id": "p"}')
        assert (await viewer.hear())["type"] == "pong"


async def test_too_many_malformed_messages_close_the_socket(server: Server) -> None:
    table, ann, _ = await start_duel(server)
    async with open_raw(server.url, table, ann) as viewer, open_raw(server.url, table) as other:
        for _ in range(MAX_MALFORMED + 50):
            with contextlib.suppress(ConnectionClosed):
                await viewer.connection.send("?")
        said = await viewer.end()
        assert [message["code"] for message in said] == ["malformed_message"] * (
            MAX_MALFORMED + 1
        ) + ["too_much"]
        assert viewer.connection.close_code == 4400
        await other.say(type="ping", id="p")
        assert (await other.hear())["type"] == "pong"


async def test_long_messages_are_not_read(server: Server) -> None:
    table, ann, bob = await start_duel(server)
    async with open_raw(server.url, table, bob) as his:
        for long in ("x" * 16_385, b"x" * 1_000_000, ["x" * 10_000] * 3):
            async with open_raw(server.url, table, ann) as viewer:
                with contextlib.suppress(ConnectionClosed):
                    await viewer.connection.send(long)
                assert await viewer.end() == []
                assert viewer.connection.close_code == 1009
        async with connect(
            socket_url(server.url, table), compression="deflate", proxy=None
        ) as packed:
            with contextlib.suppress(ConnectionClosed):
                await packed.send("x" * 5_000_000)  # A few kilobytes on their way.
            with pytest.raises(ConnectionClosed):
                await RawSocket(packed).hear()
            assert packed.close_code == 1009
        await his.say(type="move", id="m", move=give_up(1))
        await his.hear("accepted")


def test_fragments_together_have_the_limit_of_one_message() -> None:
    """Wherever it comes from: the door of the socket is not the only one who counts."""
    for long in ('"' + "x" * 16_383 + '"', b" " * 16_385):
        with pytest.raises(DalapapaError) as caught:
            protocol.read_message(long)
        assert caught.value.code == "too_long"


async def test_a_flood_is_slowed_down(clock: AdjustableClock) -> None:
    async with (
        served(clock=clock, messages_per_second=5, messages_at_once=10) as here,
        Server(here.url) as server,
    ):
        table, ann, _ = await start_duel(server)
        clock.stand()
        async with open_raw(here.url, table, ann) as viewer:
            for number in range(30):
                await viewer.say(type="ping", id=f"{number}")
            messages = [await viewer.hear() for _ in range(30)]
            assert [one["type"] for one in messages[:10]] == ["pong"] * 10
            fast = [one for one in messages if one["type"] == "refused"]
            assert len(fast) == 20, "no time has passed"
            assert {one["code"] for one in fast} == {"too_fast"}
            assert all(one["id"] for one in fast)
        clock.go_on()
        async with server.watch(table, ann) as polite:  # It waits and asks again.
            for _ in range(14):
                assert await polite.legal()


async def test_a_client_that_goes_on_after_refusals_is_answered_later(
    clock: AdjustableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client learns that it is too fast; then its messages wait, and none is lost."""
    monkeypatch.setattr(session, "MAX_HOLD_S", 0.001)
    async with (
        served(clock=clock, messages_per_second=5, messages_at_once=10) as here,
        Server(here.url) as server,
    ):
        table, ann, _ = await start_duel(server)
        clock.stand()
        async with open_raw(here.url, table, ann) as viewer:
            (socket,) = here.services.sockets.open
            talker = socket.wire.meter.talker
            most = session.MAX_TOO_FAST
            for number in range(10 + most + 15):
                await viewer.say(type="ping", id=f"{number}")
            messages = [await viewer.hear() for _ in range(10 + most)]
            assert [one["type"] for one in messages] == ["pong"] * 10 + ["refused"] * most
            await wait_until(lambda: talker.paused_seconds > 0, "a pause")
            for _ in range(3):
                clock.ahead += 1000
                later = [await viewer.hear() for _ in range(5)]
                assert [one["type"] for one in later] == ["pong"] * 5
            assert talker.refusals == most
            clock.ahead += 1000 * session.TOO_FAST_RESET_S + 1000
            for number in range(12):
                await viewer.say(type="ping", id=f"again {number}")
            messages = [await viewer.hear() for _ in range(12)]
            assert [one["type"] for one in messages] == ["pong"] * 10 + ["refused"] * 2


async def test_long_answers_are_expensive(clock: AdjustableClock) -> None:
    """Arlequin begins with 27,521 legal moves: who asks for them all the time has to wait."""
    async with (
        served(clock=clock, messages_per_second=1, messages_at_once=40) as here,
        Server(here.url) as server,
    ):
        table, ann, _ = await start_duel(server, "arlequin")
        clock.stand()
        async with open_raw(here.url, table, ann) as viewer:
            for number in range(3):
                await viewer.say(type="legal", id=f"{number}", seat=0)
            messages = [await viewer.hear() for _ in range(3)]
            assert [one["type"] for one in messages] == ["legal", "legal", "refused"]


async def narrow(url: str) -> sockets.socket:
    """A connection that takes little at a time."""
    found = sockets.socket()
    found.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    found.setblocking(False)
    host, port = url.removeprefix("http://").split(":")
    await asyncio.get_running_loop().sock_connect(found, (host, int(port)))
    return found


async def test_a_viewer_that_does_not_read_delays_no_other(server: Server, here: Served) -> None:
    table, ann, bob = await start_duel(server, "arlequin")
    async with server.watch(table, bob) as his:
        async with open_raw(
            server.url, table, ann, sock=await narrow(server.url), max_queue=1
        ) as slow:
            for number in range(200):
                await slow.say(type="legal", id=f"{number}", seat=0)
            moves = (await his.legal())[:20]
            for move in moves:
                started = time.monotonic()
                await his.move(move)
                await his.move({"player": 1, "move": "take_out", "tile": move["laying"][:5]})
                assert time.monotonic() - started < NOT_HELD_UP
            (socket,) = [one for one in here.services.sockets.open if one.seats == (0,)]
            assert len(socket.queue) <= MAX_QUEUED_MESSAGES + 1
            assert sum(len(message) for _, message in socket.queue) < 5_000_000
            slow.connection.transport.abort()
        await until(his, lambda: his.version == 2 + 2 * len(moves))
    await wait_for_no_sockets(here)


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(sockets, "TCP_USER_TIMEOUT"), reason="Linux has it")
async def test_a_viewer_that_never_reads_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "UNACKNOWLEDGED_TIMEOUT_S", 1)
    async with served() as here, Server(here.url) as server:
        table, ann, _ = await start_duel(server, "arlequin")
        async with open_raw(here.url, table, ann, sock=await narrow(here.url), max_queue=1) as slow:
            for number in range(20):
                await slow.say(type="legal", id=f"{number}", seat=0)
            await wait_for_no_sockets(here)
            slow.connection.transport.abort()


async def test_a_slow_viewer_gets_the_newest_table_and_every_answer(
    server: Server, here: Served
) -> None:
    """Inside: what waits for a viewer is bounded, and no answer is ever dropped."""
    table, ann, bob = await start_duel(server)
    live = await here.tables.find(table)
    said: list[Any] = []

    class SlowWire:
        """Takes nothing until the test lets it."""

        is_writable = False
        is_open = True
        on_writable: Callable[[], None]

        def send(self, message: bytes) -> None:
            assert self.is_writable
            said.append(msgspec.json.decode(message))

    wire = SlowWire()
    slow = ViewerSession(here.services.sockets.shared, wire, "")  # type: ignore[arg-type]
    slow.tokens = (ann,)
    here.tables.driver.watch(live, slow)
    async with server.watch(table, bob) as his:
        for number in range(200):
            move = take(1, "PRYGB") if number % 2 == 0 else {"player": 1, "move": "put_back"}
            await his.move(move)
            if number % 20 == 0:
                slow._enqueue(protocol.encode_message(protocol.Accepted(f"{number}", number)))
    assert len(slow.queue) <= MAX_QUEUED_MESSAGES + 11
    asking = asyncio.create_task(slow._drain())
    await run_other_tasks()
    assert not asking.done()
    wire.is_writable = True
    wire.on_writable()
    await asking
    here.tables.driver.unwatch(live, slow)
    accepted = [one["version"] for one in said if one["type"] == "accepted"]
    assert accepted == list(range(0, 200, 20))
    versions = [one["version"] for one in said if one["type"] == "table"]
    assert versions == sorted(versions)
    assert versions[-1] == 202
    # After a gap there are no events: they would not be complete.
    gaps = [i for i in range(1, len(versions)) if versions[i] != versions[i - 1] + 1]
    tables = [one for one in said if one["type"] == "table"]
    assert all(tables[gap]["events"] == [] for gap in gaps)


async def test_incomplete_messages_delay_no_other_client(server: Server) -> None:
    """Slow senders, and clients that vanish in the middle, delay no other client."""
    table, ann, bob = await start_duel(server)
    host, port = server.url.removeprefix("http://").split(":")
    writers = []
    for head in (b"", b"GET /api/ta", b"GET /api/tables/x/socket HTTP/1.1\r\nUpgrade: websocket"):
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(head)
        writers.append(writer)
    async with open_raw(server.url, table, ann) as cut, open_raw(server.url, table, bob) as his:
        cut.connection.transport.write(b"\x81\xfe\x10\x00half")
        await his.say(type="move", id="m", move=take(1, "PRYGB"))
        assert (await his.hear("accepted"))["version"] == 3
        cut.connection.transport.abort()
    for writer in writers:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def test_reordered_and_repeated_messages(server: Server, here: Served) -> None:
    """A game whose messages arrive shuffled, doubled and late is still one legal game."""
    rng = random.Random("shuffled")
    table, ann, bob = await start_duel(server)
    names = REGISTRY["puzzle"].tiles(REGISTRY["puzzle"].parse_options({})).names
    sent: dict[str, int] = {}
    async with open_raw(server.url, table, ann) as hers, open_raw(server.url, table, bob) as his:
        for player, viewer in enumerate((hers, his)):
            moves = []
            for name in rng.sample(names, 15):
                laying = f"{name}+{rng.randrange(4)}@{rng.randrange(4)},{rng.randrange(4)}"
                moves += [take(player, name), {"player": player, "move": "lay", "laying": laying},
                          {"player": player, "move": "put_back"}]  # fmt: skip
            texts = [
                msgspec.json.encode({"type": "move", "id": f"{player}.{n}", "move": move}).decode()
                for n, move in enumerate(moves)
            ] * 3
            for start in range(0, len(texts), 12):  # Late by up to a dozen.
                part = texts[start : start + 12]
                rng.shuffle(part)
                texts[start : start + 12] = part
            for text in texts:
                await viewer.connection.send(text)
            for _ in texts:
                message = await viewer.hear("accepted", "refused")
                if message["type"] == "accepted":
                    assert sent.setdefault(message["id"], message["version"]) == message["version"]
        await hers.say(type="move", id="end", move=give_up(0))
        sent["end"] = (await hers.hear("accepted"))["version"]
    log = await here.store.log(table)
    assert [one.number for one in log] == list(range(1, len(log) + 1))
    assert sorted(sent.values()) == list(range(3, len(log) + 1)), "each of them once"
    assert len(sent) > 30
    replay(load(await server.record(table)))


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("game", REGISTRY)
async def test_any_messages_leave_the_table_alive(server: Server, here: Served, game: str) -> None:
    """Three hostile sockets at a table with a bot; afterwards people play on."""
    rng = random.Random(game)
    seats = [None, None, "random"] if 3 in REGISTRY[game].seats else [None, None]
    new = await server.create(game=game, seats=seats, host="Ann", pace=0, countdown=0)
    table, ann = new["id"], new["token"]
    bob = await server.sit(table, 1, "Bob")
    words = ["move", "legal", "ping", "hello", "lay", "end", "pass", "undo", "take", "announce",
             "mark", "call", "give_up", "time_up", "PRYGB", "PRYGB+0@0,0", "\0", "é"]  # fmt: skip

    def anything(depth: int = 0) -> Any:
        kind = rng.randrange(9 if depth < 3 else 6)
        if kind < 3:
            return rng.choice(words)
        if kind < 5:
            return rng.choice([0, 1, 2, -1, 3, 10**18, -(2**63), 2**64, 10**30])
        if kind == 5:
            return rng.choice([None, True, False, 0.5, 1e308, ""])
        if kind == 6:
            return [anything(depth + 1) for _ in range(rng.randrange(4))]
        keys = ["type", "id", "move", "player", "seat", "version", "tile", "laying", "disc",
                "bid", "round", "announced", "timer"]  # fmt: skip
        return {rng.choice(keys): anything(depth + 1) for _ in range(rng.randrange(6))}

    async def attack(*tokens: str) -> None:
        async with open_raw(server.url, table, *tokens) as viewer:
            for number in range(30 if game == "arlequin" else 120):
                message: Any = anything()
                luck = rng.random()
                if luck < 0.5:
                    move = {"player": rng.randrange(3), "move": rng.choice(words),
                            rng.choice(["tile", "laying", "announced"]): anything()}  # fmt: skip
                    message = {"type": "move", "id": f"{number}", "move": move}
                elif luck < 0.7:
                    await viewer.say(type="legal", id=f"{number}", seat=rng.randrange(2))
                    reply = await viewer.hear("legal", "refused")
                    moves = [m for m in reply.get("moves", ()) if m["move"] != "give_up"]
                    message = {
                        "type": "move",
                        "id": f"{number}",
                        "move": rng.choice(moves or [{}]),
                    }
                try:
                    await viewer.connection.send(msgspec.json.encode(message).decode())
                except ConnectionClosed:  # Too much nonsense.
                    return

    await asyncio.gather(attack(ann), attack(bob), attack())
    async with server.watch(table, ann, bob) as viewer:
        assert (await server.ask("GET", f"/tables/{table}"))["version"] >= 2
        async with asyncio.timeout(PATIENCE):
            while viewer.table["phase"] == "playing":
                moves = await viewer.legal(0) + await viewer.legal(1)
                if not moves:
                    await viewer.changed()
                    continue
                with contextlib.suppress(Refused):
                    await viewer.move(rng.choice(moves))
                    break
    log = await here.store.log(table)
    assert [one.number for one in log] == list(range(1, len(log) + 1))


@pytest.mark.usefixtures("uncounted")
async def test_a_thousand_idle_sockets(
    server: Server, here: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "HELLO_TIMEOUT_S", 1000)
    table, ann, bob = await start_duel(server)
    idle = []
    try:
        for _ in range(20):
            idle += await asyncio.gather(
                *(connect(socket_url(server.url, table), compression=None, proxy=None,
                          ping_interval=None) for _ in range(50))
            )  # fmt: skip
        for connection in idle[:500]:  # The others have nothing to say.
            await connection.send('{"type": "hello"}')
        async with server.watch(table, ann) as hers, server.watch(table, bob) as his:
            assert len(here.services.sockets.open) == 1002
            started = time.monotonic()
            await hers.move(take(0, "PRYGB"))
            await until(his, lambda: his.version == 3)
            assert time.monotonic() - started < NOT_HELD_UP
            for connection in idle[:500]:
                assert (await RawSocket(connection).hear())["version"] == 2
                assert (await RawSocket(connection).hear())["version"] == 3
    finally:
        for connection in idle:
            connection.transport.abort()
        await asyncio.gather(*(connection.wait_closed() for connection in idle))
    await wait_for_no_sockets(here)
    assert not here.services.sockets.slots
    live = await here.tables.find(table)
    assert not live.viewers


# -- secrets -------------------------------------------------------------------------------------


GAMES_A_KIND = 300 if THOROUGH else 4


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("name", REGISTRY)
def test_no_message_of_many_games_contains_a_secret(name: str) -> None:
    """Whole games of random and greedy bots with undoing, as every kind of viewer gets them."""
    game = REGISTRY[name]
    checked = 0
    for number in range(GAMES_A_KIND // 4 if name == "arlequin" else GAMES_A_KIND):
        rng = random.Random(f"{name} {number}")
        seats = min(rng.choice(game.seats), 5)
        spectators = rng.choice(["none", "public", "all"])
        options: dict[str, Any] = {"minutes": 10} if name in ("puzzle", "arlequin") else {}
        if name == "alex":
            options = {"end": "rounds", "rounds": 3}
        settings = Settings(
            name,
            (SeatPlan(),) * seats,
            options,
            spectators=spectators,  # type: ignore[arg-type]
        )
        at = 1_700_000_000_000
        state = open_table(settings, f"{rng.getrandbits(128):032x}", at)
        for seat in range(seats):
            state = advance(state, Sat(seat, f"P{seat}", hash_token(f"token {seat}")), at)
        bots = ["random"] if name == "alex" else ["random", "greedy"]  # Greedy ones look long.
        programs = BotSeats(game, tuple(rng.choices(bots, k=seats)), state.seed)
        viewers = [(), *((seat,) for seat in range(seats)), tuple(range(seats))[:2]]
        while True:
            for seats_of_viewer in viewers:
                text = encoder.encode_table("table", state, seats_of_viewer, at, True).decode()
                assert leaks(text, state, seats_of_viewer) == []
                checked += 1
            if state.phase == "over":
                assert state.seed in text
                break
            move = programs.next_move(state.game_state)
            (asked, *_) = game.next_actors(state.game_state)
            if rng.random() < 0.2 and game.view(state.game_state, asked).can_undo:
                move = Undo(asked)
            at += 1000
            if state.timer is not None and isinstance(move, TimeUp):
                at = max(at, state.timer.deadline)
            state = advance(state, Moved(move, "time" if move.player is None else "player"), at)
    assert checked > (500 if THOROUGH else 100)


def test_the_search_for_secrets_finds_them() -> None:
    """A message for one player is full of secrets for the other."""
    settings = Settings("classic", (SeatPlan(), SeatPlan()))
    state = open_table(settings, "5eed" * 8, 0)
    for seat in range(2):
        state = advance(state, Sat(seat, f"P{seat}", hash_token(f"{seat}")), 0)
    text = encoder.encode_table("table", state, (0,), 0, True).decode()
    assert leaks(text, state, (0,)) == []
    assert leaks(text, state, (1,)) == list(state.game_state.hands[0])
    assert leaks(text + state.seed, state, (0,)) == [state.seed]
    assert leaks(text + hash_token("1"), state, (0,)) == [hash_token("1")]


def all_have_heard(what: str, texts: list[tuple[tuple[int, ...], str]]) -> bool:
    return {who for who, text in texts if what in text} >= {(), (0,), (1,), (0, 1)}


@pytest.mark.parametrize("name", daily(REGISTRY, set(REGISTRY) - {"arlequin"}))
async def test_no_message_on_a_real_socket_contains_a_secret(
    server: Server, here: Served, name: str
) -> None:
    """All that comes out of the sockets, beside the states that the log gives."""
    rng = random.Random(name)
    for spectators in ("none", "public", "all") if THOROUGH or name == "classic" else ("public",):
        options: dict[str, Any] = {"minutes": 1} if name in ("puzzle", "arlequin") else {}
        if name == "alex":
            options = {"end": "rounds", "rounds": 3, "look": 10}
        table, ann, bob = await start_duel(server, name, spectators=spectators, options=options)
        texts: list[tuple[tuple[int, ...], str]] = []

        async def listen(viewer: RawSocket, seats: tuple[int, ...], texts: Any = texts) -> None:
            with contextlib.suppress(ConnectionClosed):
                while True:
                    texts.append((seats, str(await viewer.connection.recv())))

        async with contextlib.AsyncExitStack() as stack:
            listeners = []
            for seats, tokens in (((), []), ((0,), [ann]), ((1,), [bob]), ((0, 1), [ann, bob])):
                viewer = await stack.enter_async_context(open_silent(server.url, table))
                await viewer.say(type="hello", tokens=tokens)
                listeners.append(asyncio.create_task(listen(viewer, seats)))
            async with server.watch(table, ann, bob) as both, asyncio.timeout(PATIENCE):
                for _ in range(4 if name == "arlequin" else 150):
                    if both.table["phase"] != "playing":
                        break
                    moves = await both.legal(0) + await both.legal(1)
                    wild = {"player": rng.randrange(2), "move": "undo"}
                    move = wild if rng.random() < 0.2 else rng.choice(moves or [wild])
                    if move["move"] == "give_up" and rng.random() < 0.9:
                        continue
                    with contextlib.suppress(Refused):
                        await both.move(move)
                version = both.version
            last = f'"version":{version},'
            await wait_until(partial(all_have_heard, last, texts), f"{last} at every listener")
            for listener in listeners:
                listener.cancel()
            await asyncio.gather(*listeners, return_exceptions=True)
        stored = await here.store.load(table)
        assert stored is not None
        states = [open_table(stored.settings, stored.seed, stored.created)]
        for one in await here.store.log(table):
            states.append(advance(states[-1], one.entry, one.at))
        for who, text in texts:
            message = msgspec.json.decode(text)
            assert message["type"] == "table"
            assert leaks(text, states[message["version"]], who) == []
            assert ann not in text
            assert bob not in text
        assert len(texts) > 40 or version < 12


# -- with moves ------------------------------------------------------------------------------------
