"""Those who lie, flood, send half of everything and read nothing, from addresses of their own.

Each trick takes some seconds at most and a bounded number of bytes. Any outcome (a refusal,
a closed door, a dead server) is no surprise to it: what counts is what happens to the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.support.judge import Heard

from .players import People

ADDRESSES = [f"127.0.0.{number}" for number in range(66, 74)]

SECONDS = 6
"""Of one trick."""

EXPECTED = (OSError, TimeoutError, EOFError, ValueError, WebSocketException, httpx.HTTPError)
"""The possible errors of a trick: a closed or reset connection, or an answer that is not valid."""

NONSENSE: list[str | bytes] = [
    "", "{", "[]", "null", "7", '"hello"', "{}", '{"type": "shout"}', '{"type": "move"}',
    '{"type": "move", "id": "", "move": {}}', '{"type": "legal", "id": "x", "seat": 1e400}',
    '{"type": "legal", "id": "x", "seat": -1}', '{"type": "hello", "tokens": []}',
    '{"type": "move", "id": "x", "move": {"player": 0, "move": "lay", "laying": "\\u0000"}}',
    '{"type": "ping", "id": "' + "y" * 65 + '"}', "[" * 5000, "x" * 20_000, b"\xff\xfe\x00",
    b"\x00" * 1000, '{"type": "greet", "id": "x", "seat": 0, "greeting": "psst"}',
]  # fmt: skip

REQUESTS: list[tuple[str, str, Any]] = [
    ("GET", "/api/tables?most=-1", None),
    ("GET", "/api/tables?most=50", None),
    ("GET", "/api/tables/%00", None),
    ("GET", "/api/tables/..%2f..%2fetc%2fpasswd/record", None),
    ("POST", "/api/tables", {"game": "chess", "seats": []}),
    ("POST", "/api/tables", {"game": "classic", "seats": [None] * 99}),
    ("POST", "/api/tables", [[[[]]]]),
    ("POST", "/api/best", {"position": "PGBYR+0@0,0", "hand": ["CRYGB", "ZYRBG"]}),
    ("POST", "/api/best", {"position": "x" * 100_000, "hand": []}),
    ("POST", "/api/legal", {"position": "PGBYR+0@0,0", "tiles": ["CRYGB"]}),
    ("POST", "/api/solve", {"width": 10_000, "height": 10_000}),
    ("POST", "/api/solve", {"width": 4, "height": 4}),
    ("POST", "/api/replay", {"format": "dalapapa-game/1"}),
    ("DELETE", "/api/tables/TABLE/seats/0", None),
    ("POST", "/api/tables/TABLE/seats/0", {"name": "Eve"}),
    ("POST", "/api/tables/TABLE/seats/1/return", {}),
    ("POST", "/api/tables/TABLE/rematch", {}),
    ("POST", "/api/tables/TABLE/moves", {"move": {"player": 0, "move": "end"}, "id": "x"}),
    ("GET", "/api/tables/TABLE/history", None),
    ("GET", "/api/tables/TABLE/record", None),
    ("TRACE", "/health", None),
    ("GET", "/metrics", None),
]


class Strangers:
    """All of a run."""

    def __init__(self, people: People, seed: int) -> None:
        self.people = people
        self.rng = random.Random(seed)
        self.tried: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        """Answers of 500 or more but 503: the server did not know what to say."""
        self.tricks: list[Callable[[], Awaitable[None]]] = [
            self.talk_nonsense,
            self.move_for_others,
            self.play_with_itself,
            self.ask_wildly,
            self.send_half_a_frame,
            self.send_half_a_request,
            self.send_an_endless_header,
            self.read_nothing,
            self.knock_and_run,
        ]

    async def come_and_go(self) -> None:
        """One trick after the other."""
        while not self.people.stopping:
            trick = self.rng.choice(self.tricks)
            self.tried[trick.__name__] += 1
            with contextlib.suppress(*EXPECTED):
                async with asyncio.timeout(SECONDS):
                    await trick()
            await asyncio.sleep(self.rng.uniform(0, 0.3))

    # -- where ---------------------------------------------------------------------------------

    def _url(self) -> str:
        return self.rng.choice(self.people.urls)

    def _table(self) -> str:
        """A table where people play, or none that there is."""
        tables = list(self.people.tables)
        return self.rng.choice(tables) if tables and self.rng.random() < 0.9 else "x" * 16

    @contextlib.asynccontextmanager
    async def _socket(self, table: str, *tokens: str) -> AsyncIterator[ClientConnection]:
        """A socket at a table, which has said hello; closed however it ends."""
        address = f"ws{self._url().removeprefix('http')}/api/tables/{table}/socket"
        connection = await connect(
            address, compression=None, max_size=None, proxy=None, close_timeout=1,
            local_addr=(self.rng.choice(ADDRESSES), 0),
        )  # fmt: skip
        try:
            hello = {"type": "hello", "tokens": list(tokens), "with": ["company", "moves"]}
            await connection.send(msgspec.json.encode(hello).decode())
            yield connection
        finally:
            await connection.close()

    @contextlib.asynccontextmanager
    async def _stream(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A bare connection, which is torn in the end."""
        place = urlsplit(self._url())
        reader, writer = await asyncio.open_connection(
            place.hostname, place.port, local_addr=(self.rng.choice(ADDRESSES), 0)
        )
        try:
            yield reader, writer
        finally:
            bare: socket.socket = writer.get_extra_info("socket")
            with contextlib.suppress(OSError):
                bare.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    # -- liars -----------------------------------------------------------------------------------

    async def talk_nonsense(self) -> None:
        async with self._socket(self._table()) as connection:
            for _ in range(60):
                await connection.send(self.rng.choice(NONSENSE))
                await asyncio.sleep(self.rng.uniform(0, 0.05))

    async def move_for_others(self) -> None:
        """Moves of seats that belong to others; what comes back is searched for secrets."""
        id = self._table()
        table = self.people.tables.get(id)
        heard = Heard(())
        if table is not None:
            table.promises.heard.append(heard)
        async with self._socket(id, secrets.token_urlsafe(16)) as connection:
            for number in range(30):
                move = {"player": self.rng.randrange(3), "move": self.rng.choice(["end", "undo"])}
                version = self.rng.choice([None, 0, number, 10**9, -1])
                await connection.send(
                    msgspec.json.encode(
                        {"type": "move", "id": f"{number // 2}", "move": move, "version": version}
                    ).decode()
                )
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.1):
                        while True:
                            text = str(await connection.recv())
                            heard.messages.append(text.encode())

    async def play_with_itself(self) -> None:
        """A table of its own: lay and undo without end, leave, return, doubles, stale versions."""
        async with self._http() as http:
            asked = {"game": "classic", "seats": [None, None], "host": "Eve", "guests": ["Eve"]}
            new = (await http.post("/api/tables", json=asked)).json()
            if "token" not in new:
                return
            headers = {"Authorization": f"Bearer {new['token']}"}
            async with self._socket(new["id"], new["token"]) as connection:
                for number in range(40):
                    message: dict[str, Any] = {"type": "legal", "id": "l", "seat": number % 2}
                    await connection.send(msgspec.json.encode(message).decode())
                    moves = await _legal(connection)
                    move = self.rng.choice([*moves[:3], {"player": number % 2, "move": "undo"}])
                    message = {"type": "move", "id": f"{number // 3}", "move": move}
                    for _ in range(3):
                        await connection.send(msgspec.json.encode(message).decode())
                    if number % 10 == 9:
                        seat = f"/api/tables/{new['id']}/seats/{number % 2}"
                        await http.delete(seat, headers=headers)
                        await http.post(f"{seat}/return", headers=headers)

    def _http(self) -> httpx.AsyncClient:
        transport = httpx.AsyncHTTPTransport(local_address=self.rng.choice(ADDRESSES))
        return httpx.AsyncClient(
            base_url=self._url(), timeout=SECONDS, trust_env=False, transport=transport
        )

    async def ask_wildly(self) -> None:
        async with self._http() as http:
            for _ in range(15):
                method, path, body = self.rng.choice(REQUESTS)
                content = None if body is None else msgspec.json.encode(body)
                path = path.replace("TABLE", self._table())
                answer = await http.request(method, path, content=content)
                if answer.status_code >= 500 and answer.status_code != 503:
                    self.failed[f"{method} {path[:30]}"] += 1

    # -- half of everything ----------------------------------------------------------------------

    async def send_half_a_frame(self) -> None:
        """A message that is announced and never comes."""
        async with self._stream() as (reader, writer):
            writer.write(
                f"GET /api/tables/{self._table()}/socket HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
            )
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"\x81\xfe\x27\x10mask" + b"x" * self.rng.randrange(200))
            await asyncio.sleep(self.rng.uniform(0, SECONDS))

    async def send_half_a_request(self) -> None:
        async with self._stream() as (_, writer):
            whole = b'POST /api/tables HTTP/1.1\r\nHost: h\r\nContent-Length: 999\r\n\r\n{"game"'
            writer.write(whole[: self.rng.randrange(1, len(whole))])
            await asyncio.sleep(self.rng.uniform(0, SECONDS))

    async def send_an_endless_header(self) -> None:
        """Up to 2 MB, slowly."""
        async with self._stream() as (_, writer):
            writer.write(b"GET / HTTP/1.1\r\nX: ")
            for _ in range(125):
                writer.write(b"y" * 16_000)
                await writer.drain()
                await asyncio.sleep(0.04)

    # -- the slow --------------------------------------------------------------------------------

    async def read_nothing(self) -> None:
        """Ask and ask, and take no answer."""
        async with self._socket(self._table()) as connection:
            connection.transport.pause_reading()
            for number in range(200):
                await connection.send(f'{{"type": "ping", "id": "{number}"}}')
                await asyncio.sleep(0.02)
            connection.transport.abort()

    async def knock_and_run(self) -> None:
        """Ten connections that come and are torn at once."""
        for _ in range(10):
            async with self._stream() as (_, writer):
                writer.write(self.rng.choice([b"", b"\x16\x03\x01", b"GET /health HTTP/1.1\r\n"]))
                await asyncio.sleep(self.rng.uniform(0, 0.1))


async def _legal(connection: ClientConnection) -> list[dict[str, Any]]:
    while True:
        message = msgspec.json.decode(await connection.recv())
        if message["type"] == "legal":
            moves: list[dict[str, Any]] = message["moves"]
            return moves
        if message["type"] == "refused" and message.get("id") == "l":
            return []
