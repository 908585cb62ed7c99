"""WebSockets byte by byte: what RFC 6455 asks of a server, and people who do not keep to it."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
import zlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec
import pytest

from dalapapa.client import Server
from dalapapa.hosting.protocol import MAX_MESSAGE_BYTES
from dalapapa.server.runtime.run import make_config
from dalapapa.server.traffic import talkers
from dalapapa.server.traffic.limits import Limits
from dalapapa.server.ws import frame_reader, session
from dalapapa.server.ws import wire as wires
from tests.support.serving import PATIENCE, PLENTY, LateClock, Served, served, wait_for_no_sockets
from tests.support.thoroughness import THOROUGH
from tests.support.waiting import run_other_tasks, wait_until

pytestmark = pytest.mark.anyio

TEXT, BINARY, CLOSE, PING, PONG, FINAL, PACKED = 1, 2, 8, 9, 10, 0x80, 0x40
ASKED = b'{"type": "ping", "id": "p"}'


def masked(head: int, payload: bytes, key: bytes = b"\x01\x80\xff\x07") -> bytes:
    """A frame as a client sends it."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
    return bytes([head]) + length + key + bytes(b ^ key[i % 4] for i, b in enumerate(payload))


class Line:
    """A connection on which anything can be written."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def hear(self) -> tuple[int, bytes]:
        """The next frame: its first byte and what it carries."""
        async with asyncio.timeout(PATIENCE):
            head, size = await self.reader.readexactly(2)
            if size == 126:
                size = int.from_bytes(await self.reader.readexactly(2))
            elif size == 127:
                size = int.from_bytes(await self.reader.readexactly(8))
            return head, await self.reader.readexactly(size)

    async def hear_pong(self) -> None:
        """The answer to `ASKED`."""
        head, payload = await self.hear()
        assert (head, msgspec.json.decode(payload)["type"]) == (FINAL | TEXT, "pong")

    async def hear_close(self) -> int | None:
        """The code of the end, after which there is nothing."""
        head, payload = await self.hear()
        assert head == FINAL | CLOSE
        self.writer.write(masked(FINAL | CLOSE, payload))
        async with asyncio.timeout(PATIENCE):
            assert await self.reader.read() == b""
        return int.from_bytes(payload[:2]) if payload else None


@pytest.fixture
async def here() -> AsyncIterator[Served]:
    async with served(messages_per_second=PLENTY, messages_at_once=PLENTY) as here:
        yield here


@contextlib.asynccontextmanager
async def line(here: Served, *headers: str) -> AsyncIterator[Line]:
    """A spectator who has heard the table."""
    async with Server(here.url) as server:
        new = await server.create(game="puzzle", seats=[None, None], host="Ann", countdown=0)
    host, port = here.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = [f"GET /api/tables/{new['id']}/socket HTTP/1.1", f"Host: {host}:{port}",
            "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", *headers]  # fmt: skip
    try:
        writer.write("\r\n".join([*head, "", ""]).encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101 ")
        assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in answer
        found = Line(reader, writer)
        writer.write(masked(FINAL | TEXT, b'{"type": "hello"}'))
        while (heard := await found.hear())[0] == FINAL | PING:
            writer.write(masked(FINAL | PONG, heard[1]))
        first, payload = heard
        if first & PACKED:
            payload = zlib.decompressobj(-15).decompress(payload + b"\0\0\xff\xff")
        assert msgspec.json.decode(payload)["type"] == "table"
        yield found
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def test_frames_in_any_pieces(here: Served) -> None:
    """Messages come in parts, with pings between them, and bytes come one by one or all at once."""
    parts = (
        masked(TEXT, ASKED[:3])
        + masked(FINAL | PING, b"are you there?")
        + masked(0, b"")
        + masked(0, ASKED[3:9])
        + masked(FINAL, ASKED[9:])
    )
    async with line(here) as one:
        for pieces in ([parts], [bytes([byte]) for byte in parts], [parts[:7], parts[7:]]):
            for piece in pieces:
                one.writer.write(piece)
                await run_other_tasks()
            assert await one.hear() == (FINAL | PONG, b"are you there?")
            await one.hear_pong()
        one.writer.write(masked(FINAL | TEXT, ASKED) * 500 + masked(FINAL | BINARY, ASKED))
        for _ in range(501):
            await one.hear_pong()
        one.writer.write(masked(FINAL | PONG, b"not asked for") + masked(FINAL | TEXT, ASKED))
        await one.hear_pong()


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"\x81\x02{}", 1002),  # Not masked.
        (masked(FINAL | 3, b""), 1002),  # There is no such kind.
        (masked(FINAL | 0x20 | TEXT, ASKED), 1002),  # Bits that were not agreed on.
        (masked(FINAL | PACKED | TEXT, ASKED), 1002),  # Compressed, without having asked.
        (masked(FINAL, ASKED), 1002),  # Goes on with nothing.
        (masked(TEXT, b"{") + masked(FINAL | TEXT, b"}"), 1002),  # A message inside another one.
        (masked(PING, b""), 1002),  # In parts.
        (masked(FINAL | PING, b"x" * 126), 1002),
        (masked(FINAL | CLOSE, b"x"), 1002),  # Half a code.
        (masked(FINAL | CLOSE, (1005).to_bytes(2)), 1002),  # A code that must not be sent.
        (masked(FINAL | CLOSE, (1000).to_bytes(2) + b"\xff"), 1007),
        (masked(FINAL | TEXT, b'"\xff"'), 1007),
        (masked(TEXT, b'"\xe2') + masked(FINAL, b'\x82"'), 1007),  # Part of a letter.
        (b"\x81\xff" + (2**63).to_bytes(8), None),  # Not all of it yet.
        (b"\x81\xff" + (2**40).to_bytes(8) + b"mask", 1009),
        (b"\x81\xfe" + (MAX_MESSAGE_BYTES + 1).to_bytes(2) + b"mask", 1009),
        (masked(TEXT, b"x" * 10_000) + masked(0, b"x" * 10_000), 1009),
        (masked(FINAL | CLOSE, b""), 0),
        (masked(FINAL | CLOSE, (4000).to_bytes(2) + "é".encode()), 4000),
    ],
)  # fmt: skip
async def test_broken_frames_close_the_connection_with_a_code(
    here: Served, sent: bytes, code: int | None
) -> None:
    async with line(here) as one, line(here) as other:
        one.writer.write(sent)
        if code is None:
            one.writer.write(b"mask")
            code = 1009
        assert (await one.hear_close() or 0) == code
        other.writer.write(masked(FINAL | TEXT, ASKED))
        await other.hear_pong()


async def test_a_message_in_very_many_parts_takes_no_time(here: Served) -> None:
    async with line(here) as one:
        parts = (
            [masked(TEXT, b"{")]
            + [masked(0, b" ")] * (MAX_MESSAGE_BYTES - 10)
            + [masked(0, b"")] * 5000
        )
        started = time.process_time()
        one.writer.write(b"".join(parts) + masked(FINAL, b"}"))
        head, payload = await one.hear()
        assert (head, msgspec.json.decode(payload)["code"]) == (FINAL | TEXT, "malformed_message")
        assert time.process_time() - started < PATIENCE / 10


async def test_compressed_both_ways(here: Served) -> None:
    """Each message by itself, so that all who see the same get the same bytes."""
    extension = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    packer = zlib.compressobj(wbits=-15)
    packed = (packer.compress(ASKED) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]
    bomb = zlib.compressobj(wbits=-15)
    huge = (bomb.compress(b" " * 5_000_000) + bomb.flush(zlib.Z_SYNC_FLUSH))[:-4]
    async with line(here, extension) as one, line(here, extension) as other:
        for _ in range(3):
            one.writer.write(masked(FINAL | PACKED | TEXT, packed))
            await one.hear_pong()
        one.writer.write(masked(FINAL | TEXT, ASKED))  # The client need not.
        await one.hear_pong()
        one.writer.write(masked(PACKED | TEXT, packed[:5]) + masked(FINAL, packed[5:]))
        await one.hear_pong()
        one.writer.write(masked(FINAL | PACKED | TEXT, b"\xff" * 20))
        assert await one.hear_close() == 1002
        other.writer.write(masked(FINAL | PACKED | TEXT, huge))
        assert await other.hear_close() == 1009


async def test_a_client_without_pongs_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    configs: list[Any] = []

    def make_config_with_pings(app: Any, proxies: Any = None, **changes: Any) -> Any:
        pings: dict[str, Any] = {"ws_ping_interval": 0.05, "ws_ping_timeout": PATIENCE}
        config = make_config(app, proxies, **pings, **changes)
        configs.append(config)
        return config

    monkeypatch.setattr("tests.support.serving.make_config", make_config_with_pings)
    async with served() as here:
        async with line(here) as one:
            for _ in range(3):
                head, payload = await one.hear()
                assert head == FINAL | PING
                one.writer.write(masked(FINAL | PONG, payload))
            configs[0].ws_ping_timeout = 0.05  # From the next ping on, which follows this pong.
            head, payload = await one.hear()
            one.writer.write(masked(FINAL | PONG, b"?"))  # To no ping of ours.
            assert await one.hear_close() == 1011
        await wait_for_no_sockets(here)


async def test_a_client_that_does_not_close_is_disconnected(
    here: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wires, "CLOSE_TIMEOUT_S", 0.1)
    async with line(here) as one:
        one.writer.write(masked(FINAL | TEXT, b"?") * 60)
        for _ in range(52):  # Each is refused, and then it is too much.
            await one.hear()
        assert (await one.hear())[0] == FINAL | CLOSE
        async with asyncio.timeout(PATIENCE):
            with contextlib.suppress(ConnectionError):
                assert await one.reader.read() == b""
        await wait_for_no_sockets(here)


# -- floods --------------------------------------------------------------------------------------

SLOW: dict[str, Any] = {
    "messages_per_second": 10,
    "frames_per_second": 100,
    "frames_an_address": 100,
}
BURST = int(100 * talkers.BURST_S)
"""Frames that may come together."""


@contextlib.asynccontextmanager
async def slow_server(**limits: Any) -> AsyncIterator[tuple[Served, LateClock]]:
    """A server with small budgets, whose clock stands."""
    clock = LateClock()
    clock.stand()
    async with served(clock=clock, **{**SLOW, **limits}) as here:
        yield here, clock


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talkers, "MIN_PAUSE_S", 0.001)
    monkeypatch.setattr(talkers, "MAX_PAUSE_S", 0.01)
    monkeypatch.setattr(session, "MAX_HOLD_S", 0.001)


FLOODS = {
    "empty pongs": masked(FINAL | PONG, b"") * 60_000,
    "long pings": masked(FINAL | PING, b"x" * 125) * 6000,
    "empty continuations": masked(TEXT, b"{") + masked(0, b"") * 6000,
    "tiny fragments": (
        masked(TEXT, b"{") + masked(0, b" ") * 500 + masked(FINAL, b"}")
    ) * 12,
    "messages": masked(FINAL | TEXT, ASKED) * 20_000,
    "malformed messages": masked(FINAL | TEXT, b'{"type": "ping"}') * 6000,
}  # fmt: skip


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.parametrize("flood", FLOODS)
async def test_a_flood_is_read_no_faster_than_its_budget(flood: str) -> None:
    async with slow_server() as (here, clock), line(here) as one:
        (socket,) = here.services.sockets.open
        talker = socket.wire.meter.talker
        one.writer.write(FLOODS[flood])
        await wait_until(lambda: talker.paused_seconds > 0, "a pause")
        await run_other_tasks(50)
        before = talker.frames
        assert before <= BURST + frame_reader.MAX_FRAMES_PER_TURN
        assert not socket.wire.transport.is_reading()
        clock.ahead += 1000
        await wait_until(lambda: talker.frames > before, "more frames")
        await run_other_tasks(50)
        assert (
            talker.frames - before <= SLOW["frames_per_second"] + frame_reader.MAX_FRAMES_PER_TURN
        )


@pytest.mark.usefixtures("short_pauses")
async def test_bytes_have_a_budget_as_well() -> None:
    """Also those that are unpacked."""
    packer = zlib.compressobj(wbits=-15)
    packed = (packer.compress(b" " * 16_000) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]
    extension = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"
    async with slow_server(bytes_per_second=20_000) as (here, _), line(here, extension) as one:
        (socket,) = here.services.sockets.open
        one.writer.write(masked(PACKED | TEXT, packed))
        for _ in range(5):
            one.writer.write(masked(FINAL, b"") + masked(PACKED | TEXT, packed))
        await wait_until(lambda: socket.wire.meter.bytes_left <= 0, "a budget that is used up")
        await wait_until(lambda: socket.wire.meter.talker.paused_seconds > 0, "a pause")


async def test_frames_of_one_read_leave_turns_to_others() -> None:
    """However large the budget is."""
    plenty = slow_server(messages_per_second=PLENTY, messages_at_once=PLENTY)
    async with plenty as (here, _), line(here) as one:
        (socket,) = here.services.sockets.open
        wire = socket.wire
        taken: list[int] = []
        take = wire.read_frames

        def count(data: bytes, max_frames: int = frame_reader.MAX_FRAMES_PER_TURN) -> None:
            before = wire.meter.talker.frames
            take(data, max_frames)
            taken.append(wire.meter.talker.frames - before)

        wire.read_frames = count  # type: ignore[method-assign]
        one.writer.write(masked(FINAL | PONG, b"") * 5000 + masked(FINAL | TEXT, ASKED))
        await one.hear_pong()
        assert max(taken) <= frame_reader.MAX_FRAMES_PER_TURN
        assert sum(taken) >= 5001, "a read without a whole frame counts as one"


async def test_all_sockets_of_an_address_leave_turns_to_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of them is within its budget, and all are written to at the same moment."""
    limits = {name: getattr(Limits(), name) for name in ("frames_per_second", "frames_an_address")}
    async with served(**limits) as here, contextlib.AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(line(here)) for _ in range(20)]
        budget = here.services.sockets.talkers.turns
        read_in_turns: list[int] = []
        spend_turn = talkers.Meter.spend_turn

        def count(meter: talkers.Meter, frames: int) -> None:
            if not budget.used:
                read_in_turns.append(0)
            assert not meter.is_turn_used_up
            read_in_turns[-1] += frames
            spend_turn(meter, frames)

        monkeypatch.setattr(talkers.Meter, "spend_turn", count)
        await run_other_tasks()
        for one in lines:
            one.writer.write(masked(FINAL | TEXT, ASKED) * 10)
        for one in lines:
            for _ in range(10):
                await one.hear_pong()
        assert sum(read_in_turns) >= 200
        assert max(read_in_turns) < budget.max_per_turn + 10


@pytest.mark.usefixtures("short_pauses")
@pytest.mark.parametrize("flood", ["empty pongs", "messages"])
async def test_a_client_that_keeps_flooding_is_disconnected(
    flood: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wires, "CLOSE_TIMEOUT_S", 0.1)
    async with slow_server() as (here, clock):
        async with line(here) as one:
            (socket,) = here.services.sockets.open
            one.writer.write(FLOODS[flood])
            await wait_until(lambda: socket.wire.flood_since is not None, "a flood")
            began = clock.monotonic()

            def a_second_passes() -> bool:
                clock.ahead += 1000
                return not socket.wire.is_open

            await wait_until(a_second_passes, "the end of a flood")
            lasted = clock.monotonic() - began
            assert frame_reader.MAX_EXCESS_S <= lasted <= 3 * frame_reader.MAX_EXCESS_S
            while (heard := await one.hear())[0] != FINAL | CLOSE:
                pass
            assert heard[1] == wires.CLOSE_TOO_FAST.to_bytes(2) + b"too_fast"
            assert not socket.wire.transport.is_reading()
        await wait_for_no_sockets(here)
        assert socket.reason == "too_fast"
        lines = [record for record in caplog.records if "address" in record.getMessage()]
        assert len(lines) == 1
        assert lines[0].facts["address"] == "127.0.0.1"  # type: ignore[attr-defined]


@pytest.mark.usefixtures("short_pauses")
async def test_a_burst_after_a_slow_line_is_answered_in_full() -> None:
    """A client that pauses between its bursts is never cut off, and loses nothing."""
    async with slow_server() as (here, clock), line(here) as one:
        (socket,) = here.services.sockets.open
        burst = masked(FINAL | TEXT, ASKED) * 700
        for _ in range(3):
            one.writer.write(burst)
            for _ in range(700):
                clock.ahead += 100  # Each comes 0.1 s after the one before, as it may.
                await one.hear()
            clock.ahead += 1000 * frame_reader.MAX_EXCESS_S
        assert socket.wire.is_open


@pytest.mark.usefixtures("short_pauses")
async def test_quiet_sockets_of_a_flooding_address_are_not_shut_out() -> None:
    async with (
        slow_server(frames_per_second=30) as (here, _),
        line(here) as quiet,
        contextlib.AsyncExitStack() as stack,
    ):
        for _ in range(5):
            one = await stack.enter_async_context(line(here))
            one.writer.write(FLOODS["empty pongs"])
        (talker,) = {one.wire.meter.talker for one in here.services.sockets.open}
        await wait_until(lambda: talker.is_used_up, "an address that is used up")
        for _ in range(5):
            quiet.writer.write(masked(FINAL | TEXT, ASKED))
            await quiet.hear_pong()


async def test_one_fast_bot_within_its_limits_is_never_paused() -> None:
    """A hundred messages a second, with the default limits, and pings."""
    clock = LateClock()
    clock.stand()
    usual: dict[str, Any] = {"frames_an_address": Limits().frames_an_address}
    async with served(clock=clock, **usual) as here, line(here) as one:
        (socket,) = here.services.sockets.open
        for _ in range(10):
            for _ in range(100):
                one.writer.write(masked(FINAL | TEXT, ASKED))
                await one.hear_pong()
            one.writer.write(masked(FINAL | PING, b"still there?"))
            assert await one.hear() == (FINAL | PONG, b"still there?")
            clock.ahead += 1000
        assert socket.wire.meter.talker.paused_seconds == 0
        assert socket.wire.meter.talker.messages == 1000


async def test_a_pong_that_waits_behind_a_flood_is_awaited() -> None:
    """The server itself reads slowly: that is no reason to take a client for gone."""
    async with slow_server() as (here, _), line(here) as one:
        (socket,) = here.services.sockets.open
        wire = socket.wire
        wire.is_slowed = True
        wire._ping_timed_out()
        assert wire.is_open
        wire._ping_timed_out()
        assert await one.hear_close() == 1011


async def test_bytes_after_a_protocol_error_are_discarded_up_to_a_bound() -> None:
    async with slow_server() as (here, _), line(here) as one:
        one.writer.write(b"\x81\x02{}")
        with contextlib.suppress(OSError):
            for _ in range(100):
                one.writer.write(bytes(50_000))
                await one.writer.drain()
        await wait_for_no_sockets(here)


# -- noise ---------------------------------------------------------------------------------------


def make_frames(rng: random.Random) -> bytes:
    """Frames of every kind, in fragments, with control frames between; some of them are wrong."""
    kinds = [TEXT, BINARY, 0, FINAL, FINAL | TEXT, FINAL | BINARY, FINAL | PING, FINAL | PONG,
             FINAL | CLOSE, PING, FINAL | 3, FINAL | PACKED | TEXT, FINAL | 0x20]  # fmt: skip
    weights = [4, 2, 6, 4, 8, 2, 6, 6, 0.3, 0.1, 0.1, 0.3, 0.1]
    payloads = [b"", b"{", b"}", ASKED, ASKED[:9], b'{"type": "hello"}', b"\xff", b"x" * 125,
                b"x" * 126, b" " * 5000, (1000).to_bytes(2)]  # fmt: skip
    frames = [
        masked(head, rng.choice(payloads), rng.randbytes(4)) * rng.choice([1, 1, 1, 50])
        for head in rng.choices(kinds, weights, k=rng.randrange(1, 30))
    ]
    data = bytearray(b"".join(frames))
    for _ in range(rng.choice([0, 0, 1, 3])):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


@pytest.mark.usefixtures("short_pauses")
async def test_any_frames_are_answered_or_end_the_connection() -> None:
    """In any pieces; a spectator beside it is served on, and nothing is logged as an error."""
    rng = random.Random("frames")
    async with served(messages_per_second=1000, messages_at_once=1000) as here, line(here) as other:
        for _ in range(300 if THOROUGH else 25):
            async with line(here) as one:
                data = make_frames(rng)
                at = 0
                with contextlib.suppress(OSError):
                    while at < len(data):
                        step = rng.choice([1, 7, 1000, 100_000])
                        one.writer.write(data[at : at + step])
                        at += step
                        await run_other_tasks()
                    one.writer.write(masked(FINAL | CLOSE, b""))
                    one.writer.write_eof()
                    async with asyncio.timeout(PATIENCE):
                        while await one.reader.read(65_536):
                            pass
            other.writer.write(masked(FINAL | TEXT, ASKED))
            await other.hear_pong()
        other.writer.write(masked(FINAL | CLOSE, b""))
        await wait_for_no_sockets(here)
