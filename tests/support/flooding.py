"""Floods: what one stranger can do to a server, and what the players at its tables notice.

Attackers are a process of their own, so that what players measure is the server's time alone:

    python -m tests.support.flooding URL SECONDS ATTACK...

They come from other addresses of this machine than the players (127.0.0.x), talk to no other host
and stop by themselves.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
from websockets.asyncio.client import connect

from dalapapa.bots.arena import play_game
from dalapapa.client import Refused, Server, Viewer
from dalapapa.core.notation import Laying
from dalapapa.core.tiles import standard
from dalapapa.games import find_game
from dalapapa.games.moves import Lay, Undo
from dalapapa.hosting.entries import Moved, Sat
from dalapapa.hosting.moved import pack_table
from dalapapa.hosting.settings import SeatPlan, Settings, find_tiles
from dalapapa.hosting.state import TableState, advance, open_table
from dalapapa.hosting.stored import StoredEntry, StoredTable
from dalapapa.hosting.tokens import hash_token
from dalapapa.kernel.table import Table
from dalapapa.record import dump
from dalapapa.server.storage.store import Store
from tests.support import steady_play
from tests.support.paths import ROOT
from tests.support.waiting import wait_until

LONG_TABLE = "a_table_with_a_long_log"
BIG_SET_TABLE = "a_table_with_500_dominoes"
"""As older versions allowed it: all equal, 200 of them on the table, eight in each hand."""
FULL_TABLE = "a_table_of_six_players"
"""Gone in the middle of the game: the standard game with the most dominoes in hand."""
FULL_SEATS = 6
TABLES = 4
"""At which players sit."""
PAUSE = 0.03
"""Seconds between the moves at a table."""
LISTED = 50
"""Public tables."""


# -- the attackers -------------------------------------------------------------------------------


class Target(NamedTuple):
    """What is attacked, from where and until when."""

    host: str
    port: int
    table: str
    address: str
    until: float
    seen: Counter[str]

    @property
    def over(self) -> bool:
        return time.monotonic() > self.until

    @contextlib.asynccontextmanager
    async def line(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await asyncio.open_connection(
            self.host, self.port, local_addr=(self.address, 0), limit=1000
        )
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    async def pause(self, seconds: float) -> None:
        """The pace of an attack is part of it."""
        await asyncio.sleep(seconds)


Attack = Callable[[Target], Awaitable[None]]
HEAD = b"GET %b HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n"


async def endless_header(target: Target) -> None:
    """One connection sends a header without end, again and again."""
    while not target.over:
        with contextlib.suppress(OSError):
            async with target.line() as (_, writer):
                writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ")
                while not target.over and not writer.is_closing():
                    writer.write(b"x" * 65_536)
                    await writer.drain()
                    target.seen["pieces"] += 1
        await target.pause(0.01)


async def half_requests(target: Target) -> None:
    """Hundreds of requests that are never ended."""

    async def one() -> None:
        while not target.over:
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                async with target.line() as (reader, writer):
                    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-")
                    target.seen["opened"] += 1
                    await asyncio.wait_for(reader.read(), max(0, target.until - time.monotonic()))
            await target.pause(0.2)

    await asyncio.gather(*(one() for _ in range(800)))


async def slow_readers(target: Target) -> None:
    """Answers of which a byte a second is taken."""

    async def one() -> None:
        while not target.over:
            with contextlib.suppress(OSError):
                async with target.line() as (reader, writer):
                    writer.write(HEAD % b"/api/openapi.json" * 10)
                    while not target.over and await reader.read(1):
                        await target.pause(1)
            await target.pause(0.2)

    await asyncio.gather(*(one() for _ in range(100)))


async def silent_sockets(target: Target) -> None:
    """Sockets that say nothing."""

    async def one() -> None:
        url = f"ws://{target.host}:{target.port}/api/tables/{target.table}/socket"
        while not target.over:
            with contextlib.suppress(Exception):
                async with connect(url, proxy=None, local_addr=(target.address, 0)) as socket:
                    target.seen["opened"] += 1
                    await asyncio.wait_for(socket.recv(), max(0, target.until - time.monotonic()))
            await target.pause(0.2)

    await asyncio.gather(*(one() for _ in range(150)))


async def ask_on(target: Target, path: bytes, lines: int) -> None:
    """The same question from many connections, each as soon as the last one is answered."""
    await send_on(target, lambda _: HEAD % path, lines)


async def send_on(target: Target, make: Callable[[int], bytes], lines: int) -> None:
    """Requests by their numbers on many connections, each as soon as the last one is answered."""
    numbers = itertools.count()

    async def one() -> None:
        while not target.over:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                async with target.line() as (reader, writer):
                    while not target.over:
                        writer.write(make(next(numbers)))
                        head = await reader.readuntil(b"\r\n\r\n")
                        size = re.search(rb"content-length: (\d+)", head.lower())
                        body = await reader.readexactly(int(size[1]) if size else 0)
                        target.seen[name_answer(head[9:12].decode(), body)] += 1
            await target.pause(0.01)

    tasks = [asyncio.create_task(one()) for _ in range(lines)]
    await asyncio.wait(tasks, timeout=max(0, target.until - time.monotonic()) + 0.5)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def name_answer(status: str, body: bytes) -> str:
    """The status of an answer, and the code of a refusal."""
    if status < "400":
        return status
    with contextlib.suppress(ValueError, KeyError):
        refusal = json.loads(body)
        if refusal["message"].strip():
            return f"{status} {refusal['code']}"
    return f"{status} without code or sentence"


async def history(target: Target) -> None:
    """Twenty at once want the history of a long game."""
    await ask_on(target, f"/api/tables/{LONG_TABLE}/history".encode(), 20)


async def record(target: Target) -> None:
    """Twenty at once want its record."""
    await ask_on(target, f"/api/tables/{LONG_TABLE}/record".encode(), 20)


async def lobby(target: Target) -> None:
    """Twenty at once want the list of tables."""
    await ask_on(target, b"/api/tables?most=100", 20)


async def pages(target: Target) -> None:
    """Fifty at once want the first page."""
    await ask_on(target, b"/", 50)


async def health(target: Target) -> None:
    """Fifty at once want to know whether the server is there."""
    await ask_on(target, b"/health", 50)


async def nonsense(target: Target) -> None:
    """What is no HTTP, from twenty at once."""

    async def one() -> None:
        while not target.over:
            with contextlib.suppress(OSError):
                async with target.line() as (reader, writer):
                    writer.write(b"\x16\x03\x01 hello\r\n\r\n")
                    await reader.read(200)
                    target.seen["refused"] += 1
            await target.pause(0)

    await asyncio.gather(*(one() for _ in range(20)))


async def lay_and_undo(target: Target) -> None:
    """A player lays a domino and takes it back, as fast as possible."""
    async with Server(f"http://{target.host}:{target.port}") as server:
        new = await server.create(seats=[None, None], host="Eve", guests=["Eve"])
        async with server.watch(new["id"], new["token"]) as viewer:
            while viewer.version < 4:  # The first two turns end with their only laying.
                await viewer.move((await viewer.legal(viewer.views["0"]["active"]))[0])
            seat = viewer.views["0"]["active"]
            laying = (await viewer.legal(seat))[0]
            while not target.over:
                for move in (laying, {"player": seat, "move": "undo"}):
                    with contextlib.suppress(Exception):
                        await viewer.move(move)
                        target.seen["entries"] += 1


# -- frames and chunks ---------------------------------------------------------------------------

BLOCK_BYTES = 65_536
"""Bytes of a flood that are written together."""

HELLO = b'{"type":"hello"}'
PING_MESSAGE = b'{"type":"ping","id":"p"}'
UPGRADE = (
    b"GET /api/tables/%b/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
CHUNKED = b"POST /api/groups HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


def make_frame(head: int, payload: bytes = b"") -> bytes:
    """A frame of a client, masked with zeros."""
    size = len(payload)
    length = bytes((0x80 | size,)) if size < 126 else bytes((0x80 | 126,)) + size.to_bytes(2)
    return bytes((head,)) + length + bytes(4) + payload


def fill_block(piece: bytes) -> bytes:
    """Repeat a piece until it makes a block."""
    return piece * (BLOCK_BYTES // len(piece))


async def flood(target: Target, begin: bytes, block: bytes, end: bytes, lines: int) -> None:
    """Write a block as fast as the server takes it, on so many connections; begin again if cut.

    Where there is an end, it follows the first block, and the next line begins.
    """

    async def discard(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        first = True
        with contextlib.suppress(OSError):
            while data := await reader.read(BLOCK_BYTES):
                if first:
                    target.seen[data[9:12].decode("latin-1")] += 1
                    first = False
                if b"\x11\x4d" in data:  # 4429, the code of a close.
                    target.seen["closed as too fast"] += 1
        writer.transport.abort()

    async def attack() -> None:
        while not target.over:
            with contextlib.suppress(OSError):
                async with target.line() as (reader, writer):
                    discarding = asyncio.create_task(discard(reader, writer))
                    try:
                        writer.write(begin)
                        while not target.over and not writer.is_closing():
                            writer.write(block)
                            await writer.drain()
                            target.seen["blocks"] += 1
                            if end:
                                writer.write(end)
                                break
                        if end:
                            await asyncio.wait([discarding], timeout=1)
                    finally:
                        discarding.cancel()
            await target.pause(0.01)

    await asyncio.gather(*(attack() for _ in range(lines)))


async def flood_socket(target: Target, first: bytes, frame: bytes, sockets: int = 1) -> None:
    """Say hello as a spectator, send a first frame, and then one frame without end."""
    begin = UPGRADE % target.table.encode()
    hello = make_frame(0x81, HELLO)

    async def greet_and_flood() -> None:
        while not target.over:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                async with target.line() as (reader, writer):
                    writer.write(begin)
                    head = await reader.readuntil(b"\r\n\r\n")
                    target.seen[head[9:12].decode()] += 1
                    writer.write(hello + first)
                    taking = asyncio.create_task(take(reader))
                    try:
                        block = fill_block(frame)
                        while not target.over and not taking.done():
                            writer.write(block)
                            await writer.drain()
                            target.seen["blocks"] += 1
                    finally:
                        taking.cancel()
            await target.pause(0.01)

    async def take(reader: asyncio.StreamReader) -> None:
        while data := await reader.read(BLOCK_BYTES):
            if b"\x88\x0a\x11\x4d" in data:  # A close with code 4429.
                target.seen["closed as too fast"] += 1

    await asyncio.gather(*(greet_and_flood() for _ in range(sockets)))


async def empty_pongs(target: Target) -> None:
    """A spectator sends empty pongs without end."""
    await flood_socket(target, b"", make_frame(0x8A))


async def long_pings(target: Target) -> None:
    """A spectator sends pings of 125 bytes, each of which has to be answered."""
    await flood_socket(target, b"", make_frame(0x89, b"x" * 125))


async def empty_continuations(target: Target) -> None:
    """A message that goes on and on, and never grows."""
    await flood_socket(target, make_frame(0x01, b"{"), make_frame(0x00))


async def tiny_fragments(target: Target) -> None:
    """Messages in fragments of one byte."""
    parts = [make_frame(0x01, b"{"), *[make_frame(0x00, b" ")] * 500, make_frame(0x80, b"}")]
    await flood_socket(target, b"", b"".join(parts))


async def ping_messages(target: Target) -> None:
    """The message `ping`, far above `messages_per_second`."""
    await flood_socket(target, b"", make_frame(0x81, PING_MESSAGE))


async def ping_messages_of_five(target: Target) -> None:
    """The same from five sockets."""
    await flood_socket(target, b"", make_frame(0x81, PING_MESSAGE), 5)


async def ping_messages_of_all(target: Target) -> None:
    """The same from as many sockets as one address may have."""
    await flood_socket(target, b"", make_frame(0x81, PING_MESSAGE), 95)


async def one_byte_chunks(target: Target) -> None:
    """Ten bodies of 199,000 chunks of one byte each, again and again."""
    await flood(target, CHUNKED, b"1\r\n \r\n" * 199_000, b"0\r\n\r\n", 10)


async def chunk_extensions(target: Target) -> None:
    """Ten bodies whose chunks have long extensions."""
    await flood(target, CHUNKED, b"1;" + b"x" * 60_000 + b"\r\n \r\n", b"", 10)


async def tiny_segments(target: Target) -> None:
    """Ten bodies that come byte by byte, each in a segment of its own."""

    async def dribble() -> None:
        head = b"POST /api/groups HTTP/1.1\r\nHost: localhost\r\nContent-Length: 199000\r\n\r\n"
        while not target.over:
            with contextlib.suppress(OSError):
                async with target.line() as (_, writer):
                    writer.write(head)
                    while not target.over and not writer.is_closing():
                        writer.write(b" ")
                        target.seen["segments"] += 1
                        await target.pause(0)
            await target.pause(0.01)

    await asyncio.gather(*(dribble() for _ in range(10)))


# -- large answers -------------------------------------------------------------------------------


def hello_frames(tokens: list[str], *more: dict[str, object]) -> bytes:
    """What a client sends after the handshake: hello, and what it asks."""
    said: list[dict[str, object]] = [{"type": "hello", "tokens": tokens, "with": ["moves"]}]
    return b"".join(make_frame(0x81, json.dumps(one).encode()) for one in (*said, *more))


@contextlib.asynccontextmanager
async def open_socket(
    target: Target, table: str
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A WebSocket by hand: attackers have no time for a library."""
    async with target.line() as (reader, writer):
        writer.write(
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = await reader.readuntil(b"\r\n\r\n")
        target.seen[head[9:12].decode()] += 1
        yield reader, writer


async def greet_on(target: Target, table: str, tokens: list[list[str]]) -> None:
    """Sockets that say hello with these tokens, read the table, and come again."""

    async def one(own: list[str]) -> None:
        while not target.over:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                async with open_socket(target, table) as (reader, writer):
                    writer.write(hello_frames(own, {"type": "ping", "id": "end"}))
                    async with asyncio.timeout(max(0, target.until - time.monotonic())):
                        end = b""
                        while b'"pong"' not in end and (data := await reader.read(65_536)):
                            end = end[-6:] + data
                    target.seen["hellos"] += b'"pong"' in end
            await target.pause(0.02)

    await asyncio.gather(*map(one, tokens))


async def huge_hands(target: Target) -> None:
    """Nineteen players who say hello at a table with 500 equal dominoes, again and again."""
    await greet_on(target, BIG_SET_TABLE, [["token"]] * 19)


async def subsets_of_tokens(target: Target) -> None:
    """The owners of six seats say hello with all 63 subsets of their tokens."""
    seats = range(FULL_SEATS)
    subsets = [[f"token {n}" for n in seats if 1 << n & bits] for bits in range(1, 1 << FULL_SEATS)]
    await greet_on(target, FULL_TABLE, subsets)


async def legal_moves(target: Target) -> None:
    """95 sockets want the legal moves of all seats, as soon as they have the last answer."""
    question = [{"type": "legal", "id": "q", "seat": seat} for seat in range(FULL_SEATS)]
    asked = b"".join(make_frame(0x81, json.dumps(one).encode()) for one in question)

    async def one() -> None:
        while not target.over:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                async with open_socket(target, FULL_TABLE) as (reader, writer):
                    writer.write(hello_frames([f"token {n}" for n in range(FULL_SEATS)]))
                    while not target.over:
                        writer.write(asked + make_frame(0x81, b'{"type":"ping","id":"end"}'))
                        async with asyncio.timeout(max(0, target.until - time.monotonic())):
                            end = b""
                            while b'"pong"' not in end and b'"refused"' not in end:
                                if not (data := await reader.read(65_536)):
                                    raise OSError
                                end = end[-9:] + data
                        target.seen["rounds"] += 1
            await target.pause(0.02)

    await asyncio.gather(*(one() for _ in range(95)))


async def unread_sockets(target: Target) -> None:
    """95 sockets that say hello, ask, and never read."""
    question: list[dict[str, object]] = [
        {"type": "legal", "id": f"{n}", "seat": n % FULL_SEATS} for n in range(60)
    ]

    async def one(number: int) -> None:
        big = number % 5 == 0
        tokens = ["token"] if big else [f"token {n}" for n in range(FULL_SEATS)]
        while not target.over:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                async with open_socket(target, BIG_SET_TABLE if big else FULL_TABLE) as (_, writer):
                    writer.write(hello_frames(tokens, *question))
                    while not target.over and not writer.is_closing():
                        await target.pause(0.2)
            await target.pause(0.2)

    await asyncio.gather(*map(one, range(95)))


# -- new tables ----------------------------------------------------------------------------------


async def rematch_flood(target: Target) -> None:
    """Races with many dominoes of their own are given up and played again, as fast as possible."""
    tiles = standard("120").tiles
    rows = [
        {"name": f"D{number}", "recto": tiles[number].recto, "verso": tiles[0].verso}
        for number in range(120)
    ]
    give_up = {"player": 0, "move": "give_up"}

    async def one() -> None:
        async with Server(f"http://{target.host}:{target.port}") as server:
            await server.http.aclose()
            server.http = httpx.AsyncClient(
                base_url=f"{server.url}/api",
                timeout=30,
                trust_env=False,
                transport=httpx.AsyncHTTPTransport(local_address=target.address, verify=False),
            )
            new: Any = None
            while not target.over:
                try:
                    if new is None:
                        new = await server.create(
                            game="puzzle", seats=[None], host="Eve", countdown=0,
                            options={"set": rows},
                        )  # fmt: skip
                    token, place = new["token"], f"/tables/{new['id']}"
                    await server.ask("POST", f"{place}/moves", token, move=give_up, id="over")
                    again = await server.ask("POST", f"{place}/rematch", token)
                    new = {"id": again["id"], "token": token}
                    target.seen["tables"] += 1
                except Refused as error:
                    target.seen[error.code] += 1
                    await target.pause(0.05)

    tasks = [asyncio.create_task(one()) for _ in range(5)]
    await asyncio.wait(tasks, timeout=max(0, target.until - time.monotonic()) + 0.5)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


# -- tables that move ----------------------------------------------------------------------------

LONG_MOVE_BYTES = 170_000
"""Of a request with the log of a device: nearly the longest body."""


@cache
def long_log_of_device() -> dict[str, Any]:
    """A game in which a player lays a domino and takes it back, as often as a body can tell."""
    settings = Settings("classic", (SeatPlan(), SeatPlan()))
    state = open_table(settings, "seed", 1)
    log = [StoredEntry(n + 1, 1, Sat(n, "Eve", hash_token("token"))) for n in range(2)]
    for stored in log:
        state = advance(state, stored.entry, 1)
    for number in (3, 4):  # The first two turns end with their only laying.
        log.append(StoredEntry(number, 1, Moved(a_laying(state))))
        state = advance(state, log[-1].entry, 1)
    lay = a_laying(state)
    pair = (Moved(lay), Moved(Undo(lay.player)))
    stored_table = StoredTable("x", 1, settings, "seed", find_tiles(settings).identity)
    size = len(msgspec.json.encode(pack_table(stored_table, log)))
    while size < LONG_MOVE_BYTES:
        more = [StoredEntry(len(log) + 1 + n, 1, entry) for n, entry in enumerate(pair)]
        log += more
        size += len(msgspec.json.encode(pack_table(stored_table, more).log))
    found: dict[str, Any] = msgspec.to_builtins(pack_table(stored_table, log))
    return found


async def moved_tables(target: Target) -> None:
    """Twenty at once move a table with a long log from a device to the server."""
    body = post("/moved-tables", {"table": long_log_of_device(), "invited": []})
    await send_on(target, lambda _: body, 20)


async def moved_tables_that_lie(target: Target) -> None:
    """The same with a game whose last entry cannot have happened."""
    table = long_log_of_device()
    table = {**table, "log": [*table["log"][:-1], table["log"][2]]}
    body = post("/moved-tables", {"table": table, "invited": []})
    await send_on(target, lambda _: body, 20)


async def tables_to_device(target: Target) -> None:
    """Twenty at once move a long game back to the device, and repeat the request."""
    http = httpx.AsyncClient(
        base_url=f"http://{target.host}:{target.port}/api",
        timeout=30,
        trust_env=False,
        transport=httpx.AsyncHTTPTransport(local_address=target.address, verify=False),
    )
    async with http:
        answer = await http.post("/moved-tables", json={"table": long_log_of_device()})
        target.seen[str(answer.status_code)] += 1
        new = answer.json()
    head = f"POST /api/tables/{new['id']}/to-device HTTP/1.1\r\nHost: localhost\r\n"
    asked = f"{head}Authorization: Bearer {new['token']}\r\nContent-Length: 0\r\n\r\n".encode()
    await send_on(target, lambda _: asked, 20)


# -- questions that are computed -----------------------------------------------------------------

HARD_FRAME = {"width": 8, "height": 10, "pile": 2, "faces": "recto", "count": 100}
"""The solver never finds all layouts of it, and gives up when its time is over."""


@cache
def full_position() -> tuple[str, list[str]]:
    """Half of the dominoes on the table, and the others: many layings, and seconds of advice."""
    table, names = Table(), standard("120").names
    for name in names[:60]:
        table.lay(table.legal(name)[-1])
    return " ".join(map(str, table.layings)), list(names[60:])


@cache
def finished_record() -> dict[str, Any]:
    """The record of a classic game; its review takes seconds."""
    game = find_game("classic")
    recorder, _ = play_game(game, ("random", "random"), game.parse_options({}), "flood")
    found: dict[str, Any] = json.loads(dump(recorder.record()))
    return found


def post(path: str, question: object) -> bytes:
    """A request with a body of JSON."""
    body = json.dumps(question).encode()
    lines = [
        f"POST /api{path} HTTP/1.1", "Host: localhost", "Content-Type: application/json",
        f"Content-Length: {len(body)}", "", "",
    ]  # fmt: skip
    return "\r\n".join(lines).encode() + body


async def solver_questions(target: Target) -> None:
    """Fifty at once want a frame filled that takes the solver all its time."""
    await send_on(target, lambda n: post("/solve", {**HARD_FRAME, "seed": str(n)}), 50)


async def best_turns(target: Target) -> None:
    """Fifty at once want the legal layings and the best turns of a full table."""
    position, free = full_position()
    legal = post("/legal", {"position": position, "tiles": free[:10]})
    best = post("/best", {"position": position, "hand": free[:2], "top": 100})
    await send_on(target, lambda n: best if n % 2 else legal, 50)


async def advice(target: Target) -> None:
    """Fifty at once want the coach's advice at a full table."""
    position, free = full_position()
    asked = {"position": position, "hand": free[:2], "scores": [0, 0, 0, 0], "top": 8}
    await send_on(target, lambda _: post("/coach", asked), 50)


async def reviews(target: Target) -> None:
    """Fifty at once want reviews of games that differ in the name of a player."""
    record = finished_record()

    def make(number: int) -> bytes:
        first, *others = record["players"]
        name = f"{target.address} {number}"
        return post("/review", {**record, "players": [{**first, "name": name}, *others]})

    await send_on(target, make, 50)


ATTACKS: dict[str, Attack] = {
    "endless header": endless_header,
    "half requests": half_requests,
    "slow readers": slow_readers,
    "silent sockets": silent_sockets,
    "history": history,
    "record": record,
    "lobby": lobby,
    "pages": pages,
    "health": health,
    "nonsense": nonsense,
    "lay and undo": lay_and_undo,
    "empty pongs": empty_pongs,
    "long pings": long_pings,
    "empty continuations": empty_continuations,
    "tiny fragments": tiny_fragments,
    "ping messages": ping_messages,
    "ping messages of five": ping_messages_of_five,
    "ping messages of all": ping_messages_of_all,
    "one-byte chunks": one_byte_chunks,
    "chunk extensions": chunk_extensions,
    "tiny segments": tiny_segments,
    "huge hands": huge_hands,
    "subsets of tokens": subsets_of_tokens,
    "legal moves": legal_moves,
    "unread sockets": unread_sockets,
    "rematch flood": rematch_flood,
    "moved tables": moved_tables,
    "moved tables that lie": moved_tables_that_lie,
    "tables to device": tables_to_device,
    "solver questions": solver_questions,
    "best turns": best_turns,
    "advice": advice,
    "reviews": reviews,
}

FLOODS = (
    "empty pongs", "long pings", "empty continuations", "tiny fragments", "ping messages",
    "ping messages of five", "ping messages of all", "one-byte chunks", "chunk extensions",
    "tiny segments", "moved tables", "moved tables that lie", "tables to device",
    "solver questions", "best turns", "advice", "reviews",
)  # fmt: skip
"""Attacks that are measured from ten addresses as well."""


def from_ten_addresses(attack: Attack) -> Attack:
    """The same attack from ten addresses together."""

    async def attack_from_ten(target: Target) -> None:
        last = target.address.rpartition(".")[2]
        targets = [target._replace(address=f"127.0.{n}.{last}") for n in range(1, 11)]
        await asyncio.gather(*map(attack, targets))

    return attack_from_ten


CROWDS: dict[str, Attack] = {
    f"{name}, ten addresses": from_ten_addresses(ATTACKS[name]) for name in FLOODS
}


class Attackers:
    """A process in which all attacks begin at once; before, it works as hard for itself alone.

    So the calm time differs from the attack by nothing but the attack.
    """

    def __init__(self, url: str, attacks: list[str], seconds: float) -> None:
        self.seconds = seconds
        self.child = subprocess.Popen(
            [sys.executable, "-m", "tests.support.flooding", url, str(seconds), *attacks],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def begin(self, skip_calm: bool = False) -> None:
        """Go on to the next thing: working for itself, then attacking."""
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        assert self.child.stdout.readline() == b"ready\n"
        self.child.stdin.write(b"skip\n" if skip_calm else b"go\n")
        self.child.stdin.flush()

    def end(self) -> dict[str, int]:
        """What the attackers have seen."""
        try:
            out, _ = self.child.communicate(timeout=self.seconds + 30)
        finally:
            self.child.kill()
        seen: dict[str, int] = json.loads(out.splitlines()[-1])
        return seen


# -- the players ---------------------------------------------------------------------------------


class Players:
    """Tables at which two play, and how long each of their moves took."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        self.pending: dict[Viewer, float] = {}
        """When each move began that is not answered yet."""

    @contextlib.asynccontextmanager
    async def playing(self, url: str) -> AsyncIterator[None]:
        async with Server(url) as server:
            tasks = [asyncio.create_task(self._play(server)) for _ in range(TABLES)]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                ended = await asyncio.gather(*tasks, return_exceptions=True)
            assert all(isinstance(one, asyncio.CancelledError) for one in ended), ended

    async def _play(self, server: Server) -> None:
        while True:
            new = await server.create(seats=[None, None], host="Ann", guests=["Bob"])
            async with server.watch(new["id"], new["token"]) as viewer:
                while viewer.table["phase"] == "playing":
                    await asyncio.sleep(PAUSE)  # As people do: their delays are measured.
                    await self._move(viewer)

    async def _move(self, viewer: Viewer) -> None:
        for seat in viewer.yours:
            begun = self.pending[viewer] = time.perf_counter()
            moves = await viewer.legal(seat)
            if moves:
                await viewer.move(next((m for m in moves if m["move"] == "end"), moves[0]))
                self.delays.append(time.perf_counter() - begun)
                break
        self.pending.pop(viewer, None)

    async def p99(self, seconds: float) -> float:
        """Of the moves of the next seconds."""
        self.delays.clear()
        await asyncio.sleep(seconds)  # Delays of so much time are measured.
        now = time.perf_counter()
        still = [min(now - begun, seconds) for begun in self.pending.values()]
        delays = sorted(self.delays + still) or [seconds]
        return delays[len(delays) * 99 // 100]


# -- the server ----------------------------------------------------------------------------------


def a_laying(state: TableState) -> Lay:
    """One that is legal now."""
    (seat,) = state.game.next_actors(state.game_state)
    moves = state.game.legal_moves(state.game.view(state.game_state, seat))
    return next(move for move in moves if isinstance(move, Lay))


def table_with_500() -> tuple[StoredTable, list[StoredEntry]]:
    """Two play Gone with equal dominoes, which make one long row."""
    rows = [{"name": f"D{n}", "recto": "R" * 7, "verso": "R" * 7} for n in range(500)]
    settings = Settings("gone", (SeatPlan(),) * 2, {"ages": [8, 8], "set": rows})
    state = open_table(settings, "seed", 1)
    log = [StoredEntry(n + 1, 1, Sat(n, "Ann", hash_token("token"))) for n in range(2)]
    for stored in log:
        state = advance(state, stored.entry, 1)
    while len(state.game_state.table) < 200:
        seat = state.game_state.active
        # One contact, at the east end: the player draws another domino.
        x, y = max(cell for laying in state.game_state.table.layings for cell in laying.cells)
        lay = Lay(seat, Laying(state.game_state.hands[seat][0], "+", 0, x + 1, y))
        log.append(StoredEntry(len(log) + 1, 1, Moved(lay)))
        state = advance(state, log[-1].entry, 1)
    return StoredTable(BIG_SET_TABLE, 1, settings, "seed", find_tiles(settings).identity), log


def table_of_six() -> tuple[StoredTable, list[StoredEntry]]:
    """Six play Gone, each with a token of their own, and half of the dominoes lie there."""
    settings = Settings("gone", (SeatPlan(),) * FULL_SEATS, {"ages": [8] * FULL_SEATS})
    state = open_table(settings, "seed", 1)
    log = [
        StoredEntry(n + 1, 1, Sat(n, "Ann", hash_token(f"token {n}"))) for n in range(FULL_SEATS)
    ]
    for stored in log:
        state = advance(state, stored.entry, 1)
    while len(state.game_state.table) < 60:
        state_now, (seat,) = state.game_state, state.game.next_actors(state.game_state)
        moves = state.game.legal_moves(state.game.view(state_now, seat))
        one_contact = (
            move
            for move in moves
            if isinstance(move, Lay) and state_now.table.earned(move.laying).contacts == 1
        )
        log.append(StoredEntry(len(log) + 1, 1, Moved(next(one_contact, moves[0]))))
        state = advance(state, log[-1].entry, 1)
    return StoredTable(FULL_TABLE, 1, settings, "seed", find_tiles(settings).identity), log


async def filled(database: str, entries: int) -> None:
    """A table with a long log, and public ones with a set of their own for an option."""
    settings = Settings("classic", (SeatPlan(), SeatPlan()))
    state = open_table(settings, "seed", 1)
    log = [StoredEntry(n + 1, 1, Sat(n, "Ann", hash_token("token"))) for n in range(2)]
    for stored in log:
        state = advance(state, stored.entry, 1)
    for number in (3, 4):  # The first two turns end with their only laying.
        log.append(StoredEntry(number, 1, Moved(a_laying(state))))
        state = advance(state, log[-1].entry, 1)
    lay = a_laying(state)
    undo = Undo(lay.player)
    log += [
        StoredEntry(number, number, Moved(lay if number % 2 else undo))
        for number in range(5, entries + 1)
    ]
    identity = find_tiles(settings).identity
    store = Store(database)
    await store.open()
    await store.restore([(StoredTable(LONG_TABLE, 1, settings, "seed", identity), "playing", log)])
    await store.restore(
        (table, "playing", log) for table, log in (table_with_500(), table_of_six())
    )
    public = msgspec.structs.replace(settings, visibility="public")
    await store.restore(
        (StoredTable(f"public{n}", n, public, f"seed {n}", identity), "waiting", [])
        for n in range(LISTED)
    )
    await store.close()


class Process(NamedTuple):
    """A server process."""

    url: str
    pid: int

    @property
    def memory(self) -> float:
        """Megabytes that are really in memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found
        return int(found[1]) / 1024


@contextlib.contextmanager
def server(folder: Path, entries: int, log: Path | None = None) -> Iterator[Process]:
    """`dalapapa play` as people start it, but for more tables, which the players need.

    Its log is written to a file, if one is named.
    """
    log = log or folder / "log"
    database = folder / "tables.db"
    asyncio.run(filled(f"sqlite+aiosqlite:///{database}", entries))
    words = [sys.executable, steady_play.__file__, "play", "--no-browser", "--port", "0"]
    words += ["--database", f"sqlite:///{database}", "--limit", "tables_per_minute=1000"]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV_", "COVERAGE_"))}
    with (
        log.open("wb") as errors,
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, env=env) as child,
    ):
        try:
            assert child.stdout is not None
            address = re.search(rb"http://\S+[^/\s]", child.stdout.readline())
            assert address, "the server did not start"
            yield Process(address[0].decode(), child.pid)
        finally:
            child.kill()
            child.wait(timeout=30)
            written = log.read_text()
            assert written.count("\n") < 20, written[:2000]  # No client can fill a disk.


class Figures(NamedTuple):
    """What players, and the machine, noticed of an attack."""

    calm: float
    during: float
    memory_before: float
    memory: float
    seen: dict[str, int]

    def __str__(self) -> str:
        return (
            f"p99 {1000 * self.calm:.0f} ms calm, {1000 * self.during:.0f} ms during;"
            f" memory {self.memory_before:.0f} MB, {self.memory:.0f} MB; {self.seen}"
        )


async def measured(process: Process, attacks: list[str], seconds: float) -> Figures:
    """The players' p99 before and during some attacks at once, each from its own address."""
    players = Players()
    async with players.playing(process.url):
        await wait_until(lambda: len(players.delays) >= TABLES, "the first moves of all players")
        attackers = Attackers(process.url, attacks, seconds)
        try:
            await asyncio.to_thread(attackers.begin)
            calm = await players.p99(seconds)
            before = process.memory
            await asyncio.to_thread(attackers.begin)
            during = await players.p99(seconds)
            memory = process.memory
        finally:
            seen = await asyncio.to_thread(attackers.end)
    return Figures(calm, during, before, memory, seen)


async def watch_attack(
    process: Process,
    attack: str,
    seconds: float,
    log: Path,
    find: Callable[[str, Path], str | None],
) -> str | None:
    """What an operator finds while players play and an attack goes on; None: nothing in time."""
    players = Players()
    async with players.playing(process.url):
        await wait_until(lambda: len(players.delays) >= TABLES, "the first moves of all players")
        attackers = Attackers(process.url, [attack], seconds)
        found = None
        try:
            await asyncio.to_thread(attackers.begin, skip_calm=True)
            end = time.monotonic() + seconds
            while found is None and time.monotonic() < end:
                found = await asyncio.to_thread(find, process.url, log)
                await asyncio.sleep(0.5)  # Between two looks.
        finally:
            attackers.child.kill()
            attackers.child.wait()
    return found


def main() -> None:
    url, text, *attacks = sys.argv[1:]
    seconds = float(text)
    host, port = url.removeprefix("http://").split(":")
    os.nice(5)  # Attackers have machines of their own.
    print("ready", flush=True)
    if sys.stdin.readline() != "skip\n":
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            pass
        print("ready", flush=True)
        sys.stdin.readline()
    until = time.monotonic() + seconds
    targets = {
        attack: Target(host, int(port), LONG_TABLE, f"127.0.0.{number}", until, Counter())
        for number, attack in enumerate(attacks, start=2)
    }

    async def go() -> None:
        going = [(ATTACKS | CROWDS)[attack](target) for attack, target in targets.items()]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*going), seconds + 1)

    asyncio.run(go())
    seen = {f"{a}: {what}": n for a, one in targets.items() for what, n in one.seen.items()}
    print(json.dumps(seen))


if __name__ == "__main__":
    main()
