"""The door: connections that ask for too much, too slowly, too long, or for another host."""

from __future__ import annotations

import asyncio
import contextlib
import random
import socket
from collections.abc import AsyncIterator
from functools import partial
from typing import Any

import httpx
import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from dalapapa.client import Server
from dalapapa.core.errors import BadInput
from dalapapa.server.runtime import connections, request_limits
from dalapapa.server.traffic.allowed_hosts import AllowedHosts
from dalapapa.server.traffic.talkers import Meter, Talker
from tests.support.serving import PATIENCE, LateClock, Served, in_thread, running, served
from tests.support.thoroughness import THOROUGH
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio

HOST = b"Host: localhost\r\n"


Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@contextlib.asynccontextmanager
async def line(url: str, sent: bytes = b"", source: str = "127.0.0.1") -> AsyncIterator[Streams]:
    """A connection without manners."""
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0))
    try:
        writer.write(sent)
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def read_response(reader: asyncio.StreamReader) -> bytes:
    """All that comes until the end."""
    with contextlib.suppress(ConnectionError):
        return await asyncio.wait_for(reader.read(), PATIENCE)
    return b"reset"


def turned_away(here: Served, code: str) -> int:
    found: int = here.app.state.gate.refused[code]
    return found


# -- headers and bodies --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [b"X-Long: " + b"x" * 200_000, b"X: y\r\n" * 200, b"GET /" + b"x" * 100_000],
    ids=["one field", "fields", "address"],
)
async def test_an_endless_header_is_refused(header: bytes) -> None:
    async with served() as here:
        begin = b"" if header.startswith(b"GET") else b"GET / HTTP/1.1\r\n" + HOST
        async with line(here.url, begin + header) as (reader, _):
            answer = await read_response(reader)
        assert answer.startswith(b"HTTP/1.1 431 "), answer[:200]
        assert b'{"code":"too_long","message":"The header is too long."}' in answer
        assert b"content-security-policy" in answer
        assert turned_away(here, "too_long") == 1


async def test_long_positions_are_accepted() -> None:
    async with running() as url, Server(url) as server:
        answer = await server.http.get("/picture.svg", params={"position": "+@" * 9_000})
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed_laying")


async def test_half_requests_end_after_seconds() -> None:
    clock = LateClock()
    body = b"POST /api/groups HTTP/1.1\r\n" + HOST + b"Content-Length: 9\r\n\r\n{"
    async with (
        served(clock=clock) as here,
        line(here.url, b"GET / HTTP/1.1\r\nX-") as (header, _),
        line(here.url, body) as (half, _),
        line(here.url) as (silent, _),
        line(here.url, b"GET /health HTTP/1.1\r\n" + HOST + b"\r\nGET") as (second, _),
    ):
        gate = here.app.state.gate
        await wait_until(lambda: len(gate.open) == 4, "four connections")
        assert (await second.readline()) == b"HTTP/1.1 200 OK\r\n"
        clock.ahead = 1000 * (request_limits.HEADER_TIMEOUT_S + 1)
        for reader in (header, silent, second):
            answer = await read_response(reader)
            assert b"HTTP/1.1 408 " in answer
            assert b'{"code":"too_slow"' in answer
        assert not half.at_eof()
        clock.ahead = 1000 * (request_limits.BODY_TIMEOUT_S + 1)
        answer = await read_response(half)
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert turned_away(here, "too_slow") == 4
        clock.ahead += 1000 * (request_limits.CLOSING_TIMEOUT_S + 1)
        await wait_until(lambda: not gate.open, "the end of all connections")


async def test_a_body_without_end_ends() -> None:
    head = b"POST /api/tables HTTP/1.1\r\n" + HOST + b"Content-Length: 1000000000\r\n\r\n"
    async with served() as here, line(here.url, head) as (reader, writer):
        assert (await reader.readline()).startswith(b"HTTP/1.1 413")
        with contextlib.suppress(OSError):
            for _ in range(200):
                writer.write(b"x" * 50_000)
                await writer.drain()
        await read_response(reader)
        assert turned_away(here, "too_long") == 1


async def test_many_requests_at_once_in_one_line() -> None:
    async with served() as here:
        many = (b"GET /health HTTP/1.1\r\n" + HOST + b"\r\n") * 500
        async with line(here.url, many) as (reader, _):
            answer = await read_response(reader)
        assert answer.count(b"HTTP/1.1 ") <= request_limits.MAX_PIPELINED_REQUESTS + 2


# -- chunks --------------------------------------------------------------------------------------

CHUNKED = (
    b"POST /api/groups HTTP/1.1\r\n"
    + HOST
    + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
)


def make_chunks(body: bytes, size: int, extension: bytes = b"") -> bytes:
    """A body in chunks of so many bytes."""
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    chunks = [b"%x%b\r\n%b\r\n" % (len(part), extension, part) for part in parts]
    return b"".join(chunks) + b"0\r\n\r\n"


@pytest.mark.parametrize(
    "chunks",
    [
        make_chunks(b" " * 199_000, 1),
        make_chunks(b" " * (request_limits.MAX_BODY_PIECES + 1), 1),
        make_chunks(b" " * 40, 1, b";" + b"x" * 1000),
        b"1;" + b"x" * 40_000,
        b"1\r\n \r\n0\r\nX-Trailer: " + b"x" * 40_000,
    ],
    ids=["very many", "one too many", "extensions", "an endless extension", "a long trailer"],
)
async def test_too_many_chunks_are_refused(chunks: bytes) -> None:
    async with served() as here, line(here.url, CHUNKED + chunks) as (reader, _):
        answer = await read_response(reader)
        assert answer.startswith(b"HTTP/1.1 400 "), answer[:200]
        assert b'"code":"too_many_chunks"' in answer
        assert b"send fewer, larger chunks" in answer
        assert turned_away(here, "too_many_chunks") == 1


@pytest.mark.parametrize("size", [100, 8192, 65_536])
async def test_bodies_in_ordinary_chunks_are_read(size: int) -> None:
    """With extensions, which no server has to understand."""
    body = b'{"position": "' + b" " * 150_000 + b'"}'
    chunks = make_chunks(body, size, b";name=value")
    async with served() as here, line(here.url, CHUNKED + chunks) as (reader, _):
        assert (await reader.readline()).startswith(b"HTTP/1.1 422 ")
        assert b'"code":"malformed"' in await reader.readuntil(b"}")


async def test_pieces_of_one_read_leave_turns_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    pay = connections.HttpConnection.pay

    def count(self: connections.HttpConnection, data: bytes, size: int, pieces: int) -> None:
        seen.append(pieces)
        pay(self, data, size, pieces)

    monkeypatch.setattr(connections.HttpConnection, "pay", count)
    sent = CHUNKED + make_chunks(b"{" + b" " * 1500 + b"}", 1)
    async with served() as here, line(here.url, sent) as (reader, _):
        assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
    assert max(seen) <= request_limits.MAX_PIECES_PER_TURN + request_limits.PIECE_BYTES // 6
    assert len(seen) >= 3


async def test_an_address_that_sends_too_many_pieces_is_read_slowly() -> None:
    """One request after the other still comes through; a flood of them is refused."""
    clock = LateClock()
    clock.stand()
    body = b"{" + b" " * 900 + b"}"
    async with served(clock=clock, frames_an_address=300) as here:
        talker = here.app.state.gate.talkers.find("127.0.0.1")
        async with line(here.url, CHUNKED + make_chunks(body, 1)) as (reader, _):
            (connection,) = here.app.state.gate.open
            await wait_until(lambda: connection.is_held, "a connection that is held")
            assert talker.paused_seconds > 0
            clock.ahead += 10_000
            assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
        talker.frames_left = -1
        async with httpx.AsyncClient(
            base_url=here.url, trust_env=False, timeout=PATIENCE, verify=False
        ) as client:
            assert (await client.get("/health")).text == "ok\n", "a small request is read"
        flood = (CHUNKED + make_chunks(body, 1)) * 100
        talker.frames_left = -1
        async with line(here.url, flood) as (reader, _):
            answer = await read_response(reader)
        assert b"HTTP/1.1 429 " in answer
        assert b'"code":"too_fast"' in answer
        clock.ahead += 1000 * (request_limits.CLOSING_TIMEOUT_S + 1)
        await wait_until(lambda: not here.app.state.gate.open, "the end of all connections")


async def test_a_connection_that_stays_too_fast_is_refused() -> None:
    clock = LateClock()
    clock.stand()
    sent = CHUNKED + make_chunks(b" " * 1500, 1)
    async with served(clock=clock, frames_an_address=300) as here:
        talker = here.app.state.gate.talkers.find("127.0.0.1")
        talker.frames_left = -1_000_000
        async with line(here.url, sent) as (reader, _):
            (connection,) = here.app.state.gate.open
            await wait_until(lambda: connection.is_held, "a connection that is held")
            clock.ahead += 1000 * (request_limits.MAX_HELD_S + 1)
            answer = await read_response(reader)
        assert answer.startswith(b"HTTP/1.1 429 ")
        assert b'"code":"too_fast"' in answer


async def test_a_flood_is_not_read_after_it_was_refused() -> None:
    async with served() as here, line(here.url, CHUNKED) as (reader, writer):
        writer.write(b"1;" + b"x" * 3_000_000)
        (connection,) = here.app.state.gate.open
        await wait_until(
            lambda: connection.is_flood and not connection.transport.is_reading(),
            "a connection that is not read any more",
        )
        assert connection.discarded_bytes < request_limits.MAX_DISCARDED_FLOOD_BYTES + 1_000_000
        assert b'"code":"too_many_chunks"' in await read_response(reader)


async def test_a_paused_connection_is_not_read_while_a_body_is_awaited() -> None:
    """The application that awaits a body makes the connection read on: what comes then waits."""
    clock = LateClock()
    clock.stand()
    head = b"POST /api/groups HTTP/1.1\r\n" + HOST + b"Content-Length: 2\r\n\r\n"
    async with served(clock=clock, frames_an_address=300) as here:
        talker = here.app.state.gate.talkers.find("127.0.0.1")
        talker.frames_left = 1
        async with line(here.url, head) as (reader, writer):
            (connection,) = here.app.state.gate.open
            await wait_until(lambda: connection.is_held, "a connection that is held")
            writer.write(b"{}")
            await wait_until(lambda: connection.rest, "a body that waits")
            assert not connection.transport.is_reading()
            clock.ahead += 1_000
            assert (await reader.readline()).startswith(b"HTTP/1.1 422 ")


def has_frames(talker: Talker, number: int) -> bool:
    return talker.frames == number


async def test_a_body_in_single_bytes_uses_the_budget() -> None:
    head = b"POST /api/groups HTTP/1.1\r\n" + HOST + b"Content-Length: 100\r\n\r\n"
    async with served() as here, line(here.url, head) as (_, writer):
        talker = here.app.state.gate.talkers.find("127.0.0.1")
        await wait_until(lambda: talker.frames == 1, "the header")
        for number in range(2, 12):
            writer.write(b" ")
            await wait_until(partial(has_frames, talker, number), "one segment more")


async def test_a_body_in_pieces_wakes_the_application_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Waking it for each piece costs more than all else; and a piece uses up half of a turn."""
    passed: list[bytes] = []
    spent: list[int] = []
    on_body, spend_turn = HttpToolsProtocol.on_body, Meter.spend_turn

    def pass_counted(self: HttpToolsProtocol, body: bytes) -> None:
        passed.append(body)
        on_body(self, body)

    def spend_counted(self: Meter, frames: int) -> None:
        spent.append(frames)
        spend_turn(self, frames)

    monkeypatch.setattr(HttpToolsProtocol, "on_body", pass_counted)
    monkeypatch.setattr(Meter, "spend_turn", spend_counted)
    body = b'{"position": ""}'
    head = b"POST /api/groups HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n"
    head += f"Content-Length: {len(body)}\r\n\r\n".encode()
    async with served() as here, line(here.url, head) as (reader, writer):
        talker = here.app.state.gate.talkers.find("127.0.0.1")
        await wait_until(partial(has_frames, talker, 1), "the header")
        spent.clear()
        for at in range(len(body)):
            writer.write(body[at : at + 1])
            await wait_until(partial(has_frames, talker, at + 2), "one segment more")
        assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
    assert passed == [body]
    assert spent == [request_limits.PARTIAL_FRAMES] * (len(body) - 1) + [1]


async def test_long_bodies_reach_the_application_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """It refuses one that is too long before its end, which may never come."""
    monkeypatch.setattr(request_limits, "MAX_BODY_PIECES", 10**9)
    piece = make_chunks(b" " * 2000, 1000)[: -len(b"0\r\n\r\n")]
    async with served() as here, line(here.url, CHUNKED + piece * 101) as (reader, _):
        assert (await reader.readline()).startswith(b"HTTP/1.1 413 ")


async def test_a_refused_flood_of_tiny_segments_is_read_a_few_times() -> None:
    async with served() as here, line(here.url, CHUNKED) as (_, writer):
        writer.write(b"1;" + b"x" * 2 * request_limits.MAX_CHUNK_OVERHEAD_BYTES)
        (connection,) = here.app.state.gate.open
        await wait_until(lambda: connection.is_flood, "a refused connection")
        reads = request_limits.MAX_DISCARDED_FLOOD_BYTES // request_limits.MIN_DISCARDED_BYTES
        for _ in range(reads + 1):
            connection.data_received(b"x")
        assert not connection.transport.is_reading()


# -- readers and crowds --------------------------------------------------------------------------


async def test_a_client_that_reads_a_byte_a_second_is_disconnected() -> None:
    """An answer that no client reads does not stay for ever."""
    clock = LateClock()
    async with served(clock=clock) as here:
        host, port = here.url.removeprefix("http://").split(":")
        raw = socket.socket()
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        raw.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(raw, (host, int(port)))
        asked = b"GET /api/openapi.json HTTP/1.1\r\n" + HOST + b"\r\n"
        await loop.sock_sendall(raw, asked * request_limits.MAX_PIPELINED_REQUESTS)
        gate = here.app.state.gate
        await wait_until(
            lambda: any(one.transport.get_write_buffer_size() for one in gate.open),
            "an answer that does not fit into the buffers of the system",
        )

        def is_let_go() -> bool:
            with contextlib.suppress(OSError):
                raw.recv(1)
            clock.ahead += 1000 * request_limits.ANSWER_TIMEOUT_S // 2
            return not gate.open

        await wait_until(is_let_go, "the end of a connection that takes a byte now and then")
        raw.close()
        assert turned_away(here, "too_slow") == 1


async def test_connections_of_one_address_are_limited_and_others_connect() -> None:
    async with (
        served(sockets_an_address=3) as here,
        contextlib.AsyncExitStack() as stack,
        httpx.AsyncClient(
            base_url=here.url, trust_env=False, timeout=PATIENCE, verify=False
        ) as other,
    ):
        lines = [await stack.enter_async_context(line(here.url, source="127.0.0.2"))
                 for _ in range(9)]  # fmt: skip
        gone = [reader for reader, _ in lines[6:]]
        assert [await read_response(reader) for reader in gone] in ([b""] * 3, [b"reset"] * 3)
        assert (await other.get("/health")).text == "ok\n"
        assert turned_away(here, "too_many_connections") == 3


async def test_a_full_server_answers_with_503() -> None:
    async with served(connections=2) as here, line(here.url), line(here.url):
        async with line(here.url) as (reader, _):
            answer = await read_response(reader)
        assert answer.startswith(b"HTTP/1.1 503 ")
        assert b'"code":"busy"' in answer


async def test_a_proxy_may_open_many_connections() -> None:
    """Its connections no longer count for it once it has said whose they are."""
    asked = b"GET /health HTTP/1.1\r\nX-Forwarded-For: 192.0.2.%d\r\n" + HOST + b"\r\n"
    async with served(sockets_an_address=2) as here, contextlib.AsyncExitStack() as stack:
        for number in range(12):
            reader, _ = await stack.enter_async_context(line(here.url, asked % number))
            assert await reader.readline() == b"HTTP/1.1 200 OK\r\n"


async def test_a_client_that_asks_too_fast_is_not_read_for_a_while() -> None:
    async with served(requests_per_second=0.01, requests_at_once=1) as here:
        one = b"GET /health HTTP/1.1\r\n" + HOST + b"\r\n"
        async with line(here.url) as (reader, writer):
            for _ in range(request_limits.MAX_SLOW_DOWNS + 2):
                writer.write(one)
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
                await reader.readexactly(length)
            (connection,) = here.app.state.gate.open
            assert connection.is_held
            await wait_until(lambda: not connection.is_held, "a connection that is read again")
            writer.write(one)
            assert (await reader.readline()).startswith(b"HTTP/1.1 429 ")


# -- hosts ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host",
    [
        "localhost", "localhost:8072", "LOCALHOST.", "127.0.0.1", "127.0.0.1:8072",
        "192.168.1.7:80",
        "[::1]", "[::1]:8072", "[fe80::1]:1", "attic", "attic:8072", "attic.local",
        "attic.local.:80",
        "attic.home.arpa", "game.localhost", "Game.Lan", "nas.internal",
    ],
)  # fmt: skip
def test_local_host_names_are_allowed(host: str) -> None:
    assert AllowedHosts().allow(host)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example", "evil.example:8072", "localhost.evil.example", "127.0.0.1.evil.example",
        "", " ", ":80", "a b", "local", "[::1", "::1", "[evil.example]", "evil.example/.local",
        "evil.example#.local", "evil.example@localhost", "localhost:80:80", "localhost:x", ".local",
        "evil\x00.local", "\xe9vil.example", "1.2.3", "1.2.3.4.5", "-.local",
    ],
)  # fmt: skip
def test_public_host_names_are_refused_by_default(host: str) -> None:
    assert not AllowedHosts().allow(host) or host == "local"
    assert AllowedHosts(["*"]).allow(host)


def test_configured_host_names_are_allowed() -> None:
    hosts = AllowedHosts(["Dalapapa.Example", "other.example."])
    for host in ("dalapapa.example", "DALAPAPA.example:443", "other.example", "localhost"):
        assert hosts.allow(host)
    assert not hosts.allow("www.dalapapa.example")
    for wrong in ("", "http://x.example", "x.example:80", "a b", "*.example", "é.example"):
        with pytest.raises(BadInput) as caught:
            AllowedHosts([wrong])
        assert caught.value.code == "bad_host"


async def test_other_host_names_are_refused_for_pages_and_sockets() -> None:
    async with served() as here:
        upgrade = (
            b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nOrigin: http://evil.example\r\n"
        )
        for more in (b"", upgrade):
            for path in (b"/", b"/api/games", b"/api/tables/x/socket"):
                asked = b"GET %b HTTP/1.1\r\nHost: evil.example\r\n%b\r\n" % (path, more)
                async with line(here.url, asked) as (reader, _):
                    answer = await read_response(reader)
                assert answer.startswith(b"HTTP/1.1 421 "), answer
                assert b'"code":"wrong_host"' in answer
                assert b"--allow-host" in answer
        for hosts in (b"", HOST * 2):
            async with line(here.url, b"GET / HTTP/1.1\r\n" + hosts + b"\r\n") as (reader, _):
                answer = await read_response(reader)
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert b'"code":"http"' in answer


# -- waiting -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "method", "path"),
    [
        ({"requests_per_second": 0.3, "requests_at_once": 2}, "GET", "/api/games"),
        ({"requests_per_second": 0.3, "requests_at_once": 2}, "GET", "/health"),
        ({"pages_per_second": 0.07, "pages_at_once": 3}, "GET", "/"),
        ({"tables_per_minute": 7}, "POST", "/api/tables"),
    ],
)
async def test_retry_after_is_true(limits: dict[str, Any], method: str, path: str) -> None:
    """A second before it is too early; after it there is one, and only one."""
    clock = LateClock()
    async with (
        served(clock=clock, **limits) as here,
        httpx.AsyncClient(
            base_url=here.url, trust_env=False, timeout=PATIENCE, verify=False
        ) as client,
    ):

        async def ask() -> httpx.Response:
            return await client.request(method, path, json={} if method == "POST" else None)

        clock.stand()
        while (answer := await ask()).status_code < 300:
            pass
        assert (answer.status_code, answer.json()["code"]) == (429, "too_fast")
        wait = int(answer.headers["retry-after"])
        assert wait >= 3
        clock.ahead += 1000 * (wait - 1)
        early = await ask()
        assert (early.status_code, early.headers["retry-after"]) == (429, "1")
        clock.ahead += 1000
        assert (await ask()).status_code < 300
        assert (await ask()).status_code == 429


async def test_a_limit_of_zero_has_no_retry_after() -> None:
    async with (
        running(requests_per_second=0, requests_at_once=1) as url,
        httpx.AsyncClient(base_url=url, trust_env=False, timeout=PATIENCE, verify=False) as client,
    ):
        await client.get("/api/games")
        assert "retry-after" not in (await client.get("/api/games")).headers


# -- noise ---------------------------------------------------------------------------------------

GOOD = (
    b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"POST /api/groups HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 2\r\n\r\n{}",
    b"POST /api/groups HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"2\r\n{}\r\n0\r\n\r\n",
    b"POST /api/groups HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"1;a=b;c=\"d\"\r\n{\r\n000001\r\n}\r\n0;last\r\nX-Trailer: y\r\n\r\n",
    b"POST /api/groups HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    + b"1\r\n \r\n" * 400 + b"A\r\n          \r\n0\r\n\r\n",
    b"POST /api/groups HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    + b"1;" + b"x" * 3000 + b"\r\n \r\nffffffffffffffff\r\n",
    b"POST /api/groups HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
    b"Content-Length: 3\r\n\r\n0\r\n\r\n",
    b"GET /api/tables/x/socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
)  # fmt: skip


def spoilt(rng: random.Random) -> bytes:
    """Requests with bytes changed, lost, doubled and added."""
    data = bytearray(b"".join(rng.choices(GOOD, k=rng.randrange(1, 4))))
    for _ in range(rng.randrange(6)):
        at = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                del data[at : at + rng.randrange(20)]
            case 2:
                data[at:at] = data[at : at + rng.randrange(200)]
            case 3:
                data[at:at] = rng.randbytes(rng.randrange(20))
        if not data:
            break
    return bytes(data)


def test_any_bytes_are_answered_or_ended() -> None:
    """No traceback, and nothing is left: `served` fails if an error is logged."""
    rng = random.Random("bytes")
    with in_thread() as url:
        host, port = url.removeprefix("http://").split(":")
        for _ in range(2000 if THOROUGH else 150):
            with (
                socket.create_connection((host, int(port)), timeout=PATIENCE) as raw,
                contextlib.suppress(OSError),
            ):
                raw.sendall(spoilt(rng))
                raw.shutdown(socket.SHUT_WR)
                while raw.recv(65_536):
                    pass
        health = httpx.get(f"{url}/health", trust_env=False, timeout=PATIENCE, verify=False)
        assert health.text == "ok\n"
