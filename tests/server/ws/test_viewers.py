"""Viewers of tables with much to list, and viewers who do not read."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from dalapapa.client import Server
from dalapapa.core.errors import DalapapaError
from dalapapa.hosting import layings, protocol
from dalapapa.hosting.layings import encode_may, finish
from dalapapa.hosting.settings import MAX_CUSTOM_DOMINOES
from dalapapa.server.storage.store import Store
from dalapapa.server.tables.live import LiveTable
from dalapapa.server.ws import output
from dalapapa.server.ws.output import OpenSessions
from dalapapa.server.ws.session import PENDING, ViewerSession
from tests.support import flooding
from tests.support.serving import PATIENCE, Served, refusal, served
from tests.support.waiting import run_other_tasks, wait_until

pytestmark = pytest.mark.anyio


async def stored(folder: Path, *made: tuple[Any, Any]) -> str:
    """A database with these tables."""
    url = f"sqlite+aiosqlite:///{folder / 'tables.db'}"
    store = Store(url)
    await store.open()
    await store.restore((table, "playing", log) for table, log in made)
    await store.close()
    return url


@contextlib.asynccontextmanager
async def greeted(url: str, table: str, *tokens: str) -> AsyncIterator[ClientConnection]:
    """A socket that has asked for moves."""
    address = f"ws{url.removeprefix('http')}/api/tables/{table}/socket"
    async with connect(address, proxy=None, compression=None) as connection:
        await connection.send(json.dumps({"type": "hello", "tokens": tokens, "with": ["moves"]}))
        yield connection


async def hear(connection: ClientConnection) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        message: dict[str, Any] = json.loads(await connection.recv())
    return message


# -- much to list --------------------------------------------------------------------------------


async def test_all_subsets_of_tokens_share_the_lists_of_the_seats(tmp_path: Path) -> None:
    url = await stored(tmp_path, flooding.table_of_six())
    async with served(url) as here, contextlib.AsyncExitStack() as stack:
        subsets = [seats for count in range(1, 7) for seats in combinations(range(6), count)]
        assert len(subsets) == 63
        viewers = {}
        for seats in subsets:
            tokens = [f"token {seat}" for seat in seats]
            viewers[seats] = await stack.enter_async_context(
                greeted(here.url, flooding.FULL_TABLE, *tokens)
            )
        live = await here.tables.find(flooding.FULL_TABLE)
        state = live.state
        lists = {}
        for seat in range(6):
            view = state.game.view(state.game_state, seat)
            lists[str(seat)] = json.loads(finish(encode_may(state.game, view, True)) or b"")
        (actor,) = state.game.actors(state.game_state)
        for seats, viewer in viewers.items():
            message = await hear(viewer)
            assert message["yours"] == list(seats)
            assert len(json.dumps(message["may"])) < 2 * layings.MAX_MAY_BYTES
            assert all(message["may"][seat] == lists[seat] for seat in message["may"])
            assert set(message["may"]) <= set(map(str, seats))
            if actor in seats:
                assert str(actor) in message["may"]
        assert here.services.sockets.shared.layings.made == 6

        mover = viewers[(actor,)]
        for viewer in viewers.values():  # All ask for the moves of the same seat.
            question = {"type": "legal", "id": "q", "seat": actor}
            await viewer.send(json.dumps(question))
        answers = [await hear(viewer) for seats, viewer in viewers.items() if actor in seats]
        assert len({json.dumps(answer) for answer in answers}) == 1
        assert here.services.sockets.shared.layings.made == 7
        move = answers[0]["moves"][0]
        await mover.send(json.dumps({"type": "move", "id": "m", "move": move}))
        for seats, viewer in viewers.items():
            message = await hear(viewer)
            while message["type"] != "table":
                message = await hear(viewer)
            assert message["version"] == state.version + 1
            assert message["events"], seats
        assert here.services.sockets.shared.layings.made <= 7 + 6


async def test_answers_come_after_the_table_that_they_follow(tmp_path: Path) -> None:
    """A table whose lists take a while keeps its place."""
    url = await stored(tmp_path, flooding.table_of_six())
    async with served(url, computing_an_address=0.5) as here:
        tokens = [f"token {seat}" for seat in range(6)]
        # Nothing is done immediately.
        here.services.sockets.shared.share.charge("127.0.0.1", 10_000)
        async with greeted(here.url, flooding.FULL_TABLE, *tokens) as viewer:
            await viewer.send(json.dumps({"type": "ping", "id": "p"}))
            message, pong = await hear(viewer), await hear(viewer)
            assert (message["type"], pong["type"]) == ("table", "pong")
            version = message["version"]
            live = await here.tables.find(flooding.FULL_TABLE)
            (actor,) = live.state.game.actors(live.state.game_state)
            assert str(actor) in message["may"]
            move = {"player": actor, "move": "lay"}
            move["laying"] = next(
                places[0]["laying"]
                for places in message["may"][str(actor)]["layings"].values()
                if places
            )
            await viewer.send(json.dumps({"type": "move", "id": "m", "move": move}))
            message, accepted = await hear(viewer), await hear(viewer)
            assert (message["type"], message["version"]) == ("table", version + 1)
            assert message["events"]
            assert (accepted["type"], accepted["version"]) == ("accepted", version + 1)


async def test_an_old_table_with_500_dominoes_opens_without_lists(tmp_path: Path) -> None:
    url = await stored(tmp_path, flooding.table_with_500())
    async with served(url) as here:
        async with greeted(here.url, flooding.BIG_SET_TABLE, "token") as viewer:
            message = await hear(viewer)
            assert message["may"] == {}
            assert message["yours"] == [0, 1]
            active = message["views"]["0"]["active"]
            tile = message["views"][str(active)]["hand"][0]
            await viewer.send(json.dumps({"type": "legal", "id": "a", "seat": active}))
            assert (await hear(viewer))["code"] == "too_many_moves"
            await viewer.send(
                json.dumps({"type": "legal", "id": "b", "seat": active, "tile": tile})
            )
            listed = (await hear(viewer))["moves"]
            assert {move["laying"].split("+")[0].split("-")[0] for move in listed} == {tile}
            await viewer.send(json.dumps({"type": "move", "id": "c", "move": listed[0]}))
            assert (await hear(viewer))["version"] == message["version"] + 1
        live = await here.tables.find(flooding.BIG_SET_TABLE)
        # It can be played, but not set up again.
        assert await refusal(_rematch(here, live), kind=DalapapaError) == "set_too_large"


async def _rematch(here: Served, live: LiveTable) -> None:
    await here.tables.creator.create(live.state.settings, "Ann")


async def test_custom_sets_of_new_tables_are_bounded() -> None:
    rows = [
        {"name": f"D{n}", "recto": "RYGBRYG", "verso": "GBRYGBR"}
        for n in range(MAX_CUSTOM_DOMINOES + 1)
    ]
    async with served() as here, Server(here.url) as server:
        new = await server.create(
            game="gone", seats=[None, None], host="Ann", options={"set": rows[:-1]}
        )
        assert new["id"]
        long_names = [{**row, "name": f"N{n:019}"} for n, row in enumerate(rows[:-1])]
        assert await server.create(seats=[None, None], host="Ann", options={"set": long_names})
        code = await refusal(
            server.create(game="gone", seats=[None, None], host="Ann", options={"set": rows})
        )
        assert code == "set_too_large"
        long = {"ages": [6, 6], "names": ["a" * 9000, "b" * 9000]}
        code = await refusal(
            server.create(game="gone", seats=[None, None], host="Ann", options=long)
        )
        assert code == "bad_settings"


# -- viewers who do not read ---------------------------------------------------------------------


class StuckWire:
    """Takes nothing until the test lets it."""

    is_writable = False
    is_open = True
    on_writable: Callable[[], None]

    def __init__(self) -> None:
        self.said: list[Any] = []
        self.code: int | None = None

    def send(self, message: bytes) -> None:
        assert self.is_open
        self.said.append(msgspec.json.decode(message))

    def close(self, code: int) -> None:
        self.code, self.is_open = code, False


def stuck_socket(here: Served, address: str = "") -> tuple[ViewerSession, StuckWire]:
    wire = StuckWire()
    socket = ViewerSession(here.services.sockets.shared, wire, address)  # type: ignore[arg-type]
    here.services.sockets.open.add(socket)
    return socket, wire


async def play_turns(server: Server, table: str, token: str, turns: int) -> None:
    async with server.watch(table, token) as viewer:
        for _ in range(turns):
            moves = await viewer.legal(viewer.views["0"]["active"])
            await viewer.move(moves[0])


async def test_queued_tables_are_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "MAX_SOCKET_BYTES", 20_000)
    async with served() as here, Server(here.url) as server:
        new = await server.create(game="gone", seats=[None, None], host="Ann", guests=["Bob"])
        live = await here.tables.find(new["id"])
        slow, wire = stuck_socket(here)
        slow.tokens, slow.wants = (new["token"],), ("moves",)
        slow._find_seats(live)
        here.tables.driver.watch(live, slow)
        slow._enqueue(protocol.encode_message(protocol.Done("first")))
        await play_turns(server, new["id"], new["token"], 12)
        assert slow.queued_bytes <= 20_000
        assert slow.queued_bytes == sum(len(message) for _, message in slow.queue)
        assert PENDING in slow.queue
        slow._enqueue(protocol.encode_message(protocol.Done("last")))
        wire.is_writable = True
        wire.on_writable()
        await wait_until(lambda: not slow.queue, "an empty queue")
        here.tables.driver.unwatch(live, slow)
        kinds = [one.get("id", one.get("version")) for one in wire.said]
        assert kinds == ["first", live.state.version, "last"]
        newest = wire.said[1]
        assert newest["events"] == []  # Versions were skipped.
        assert newest["may"]
        assert wire.code is None


async def test_an_answer_that_does_not_fit_closes_the_socket() -> None:
    async with served() as here:
        slow, wire = stuck_socket(here)
        slow._enqueue(b'"%s"' % (b"x" * (output.MAX_SOCKET_BYTES - 100)))
        asking = asyncio.create_task(slow._drain())
        await run_other_tasks()
        assert slow.reason == "left"
        slow._enqueue(b'"%s"' % (b"x" * 200))
        assert slow.reason == "too_slow"
        assert wire.code == output.CLOSE_TOO_SLOW
        assert wire.said == []
        assert slow.queued_bytes == 0
        await asking


async def test_sockets_of_one_address_share_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = b'"%s"' % (b"x" * 400_000)
    monkeypatch.setattr(output, "MAX_ADDRESS_BYTES", 3_000_000)
    async with served() as here:
        stuck = [stuck_socket(here, "one") for _ in range(10)]
        for socket, _ in stuck:
            socket._enqueue(answer)
        closed = [wire.code for _, wire in stuck]
        assert closed[:3] == [None] * 3
        assert closed[-1] == output.CLOSE_TOO_SLOW
        assert sum(socket.queued_bytes for socket, _ in stuck) <= output.MAX_ADDRESS_BYTES
        # Who reads gets short messages all the same, and other addresses get all.
        reading, wire = stuck_socket(here, "one")
        wire.is_writable = True
        reading._enqueue(protocol.encode_message(protocol.Done("short")))
        assert (len(wire.said), wire.code) == (1, None)
        reading._enqueue(answer)
        assert (len(wire.said), wire.code) == (1, output.CLOSE_TOO_SLOW)
        other, wire = stuck_socket(here, "other")
        wire.is_writable = True
        other._enqueue(answer)
        assert (len(wire.said), wire.code) == (1, None)
        for socket in tuple(here.services.sockets.open):
            here.services.sockets.open.discard(socket)


async def test_a_real_client_that_does_not_read_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "MAX_ADDRESS_BYTES", 600_000)
    url = await stored(tmp_path, flooding.table_of_six())
    async with served(url) as here, contextlib.AsyncExitStack() as stack:
        ended: list[str] = []
        lines = []
        host, port = here.url.removeprefix("http://").split(":")
        tokens = [f"token {seat}" for seat in range(6)]
        questions: list[dict[str, object]] = [
            {"type": "legal", "id": f"{n}", "seat": n % 6} for n in range(200)
        ]
        target = flooding.Target(host, int(port), "", "127.0.0.1", 0, Counter())
        for _ in range(8):
            line = await stack.enter_async_context(
                flooding.open_socket(target, flooding.FULL_TABLE)
            )
            line[1].write(flooding.hello_frames(tokens, *questions))
            lines.append(line)
        open_sockets = here.services.sockets.open

        def some_closed() -> bool:
            ended[:] = [one.reason for one in open_sockets if one.reason == "too_slow"]
            return len(open_sockets) < 8 or bool(ended)

        await wait_until(some_closed, "a socket that was closed")
        assert open_sockets.count_unread("127.0.0.1") < 20 * output.MAX_ADDRESS_BYTES


def test_open_sockets_are_counted_by_address() -> None:
    class Reader:
        def __init__(self, address: str, unread: int) -> None:
            self.address = address
            self.unread = unread

    found: OpenSessions[Reader] = OpenSessions()
    one, other, third = Reader("a", 5), Reader("a", 7), Reader("b", 1)
    for reader in (one, other, third, one):
        found.add(reader)
    assert len(found) == 3
    assert found.count_unread("a") == 12
    assert found.at("b") == {third}
    found.discard(other)
    found.discard(other)
    found.discard(third)
    assert found == {one}
    assert found.at("b") == frozenset()
    assert found.count_unread("a") == 5
