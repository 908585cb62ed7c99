"""Tables over real sockets: four seats each, all played by programs on the other side.

Server processes run as `dalapapa play` does; this process is the load: one socket for each seat,
which reads everything, and a player that lays the first legal domino and ends the turn. A delay is
the time from sending a move to its arrival at each of the four viewers.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import re
import subprocess
import sys
import tempfile
import time
import zlib
from collections import deque
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from dalapapa.client import Server
from dalapapa.core.tiles import standard
from dalapapa.kernel.table import Table

from .report import Column, Effort, Row, Rows, Section, format_digits, format_time

SEATS = 4
TABLES = (10, 100, 1000)
PACED = 300
"""Moves a second of the paced run."""

LIMITS = {
    "sockets": 20_000,
    "sockets_an_address": 20_000,
    "tables_per_minute": 10_000_000,
    "table_bytes_per_day": 1_000_000_000,
    "share_an_address": 1,
    "requests_per_second": 10_000_000,
    "requests_at_once": 10_000_000,
    "pages_per_second": 10_000_000,
    "pages_at_once": 10_000_000,
    "messages_per_second": 10_000,
    "messages_at_once": 10_000,
}


class Process(NamedTuple):
    """A server process."""

    url: str
    pid: int

    def memory(self) -> int:
        """Bytes that are really in memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return 1024 * int(found[1]) if found else 0


@contextlib.contextmanager
def processes(database: str, count: int, *options: str) -> Iterator[list[Process]]:
    """So many server processes on a database."""
    words = [sys.executable, "-m", "dalapapa", "play", "--no-browser", "--port", "0", "--database"]
    words += [database, *(f"--limit={name}={value}" for name, value in LIMITS.items()), *options]
    started = []
    try:
        for _ in range(count):
            child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
            started.append(child)
        found = []
        for child in started:
            assert child.stdout
            address = re.search(r"http://\S+", child.stdout.readline())
            assert address, "the server did not start"
            found.append(Process(address[0].rstrip("/"), child.pid))
        yield found
    finally:
        for child in started:
            child.kill()
            child.wait()


class Load:
    """One table with its four sockets."""

    def __init__(self, urls: list[str], id: str, tokens: list[str]) -> None:
        self.urls = urls
        self.id = id
        self.tokens = tokens
        self.sockets: list[ClientConnection] = []
        self.readers: list[asyncio.Task[None]] = []
        self.sent: dict[int, float] = {}
        self.delays: list[float] = []
        self.moves = 0
        self.received = 0
        """Bytes of all messages to viewers."""
        self.views: list[Any] = [None] * SEATS
        self.phase = "playing"
        self.version = -1
        self.news = asyncio.Event()

    async def open(self) -> None:
        for seat, token in enumerate(self.tokens):
            url = self.urls[seat % len(self.urls)]
            address = f"ws{url.removeprefix('http')}/api/tables/{self.id}/socket"
            socket = await connect(
                address, compression=None, max_size=None, proxy=None, open_timeout=None
            )
            await socket.send(msgspec.json.encode({"type": "hello", "tokens": [token]}).decode())
            self.sockets.append(socket)
            self.readers.append(asyncio.create_task(self.read(seat, socket)))

    async def close(self) -> None:
        for reader in self.readers:
            reader.cancel()
        await asyncio.gather(*self.readers, return_exceptions=True)
        await asyncio.gather(*(socket.close() for socket in self.sockets))

    async def read(self, seat: int, socket: ClientConnection) -> None:
        async for data in socket:
            arrived = time.perf_counter()
            self.received += len(data)
            message = msgspec.json.decode(data)
            if message["type"] == "table":
                self.views[seat] = message["views"].get(str(seat))
                version = message["version"]
                if version in self.sent:
                    self.delays.append(arrived - self.sent[version])
                if version > self.version:
                    self.version, self.phase = version, message["table"]["phase"]
                self.news.set()
            elif message["type"] == "refused":
                raise AssertionError(message)

    async def move(self) -> None:
        """Make one move and wait until all four have seen it."""
        while any(view is None for view in self.views):
            await self.next_news()
        seat = self.views[0]["active"]
        view = self.views[seat]
        version = self.version
        move = {"player": seat, **choose_move(view)}
        self.sent[version + 1] = time.perf_counter()
        wanted = len(self.delays) + SEATS
        message = {"type": "move", "id": str(version), "version": version, "move": move}
        await self.sockets[seat].send(msgspec.json.encode(message).decode())
        while len(self.delays) < wanted:
            await self.next_news()
        self.moves += 1

    async def next_news(self) -> None:
        self.news.clear()
        await self.news.wait()


def choose_move(view: Any) -> dict[str, Any]:
    """The first legal laying of a random domino, or the end of the turn."""
    if view["turn"]:
        return {"move": "end"}
    table = Table.parse(view["table"], standard())
    hand = list(view["hand"])
    random.shuffle(hand)
    for name in hand:
        layings = table.legal(name)
        if layings:
            return {"move": "lay", "laying": str(layings[0])}
    return {"move": "pass"}


@contextlib.asynccontextmanager
async def open_loads(
    urls: list[str], tables: int, has_affinity: bool = False
) -> AsyncIterator[list[Load]]:
    """So many tables, each with four open sockets: at all servers in turn or, with affinity, at
    the one that the id of the table selects, as a balancer does."""
    loads = []
    async with Server(urls[0]) as server:
        for _ in range(tables):
            new = await server.create(
                game="classic", options={"target": 240}, seats=[None] * SEATS, host="0", pace=0
            )
            tokens = [new["token"]]
            tokens += [await server.sit(new["id"], seat, str(seat)) for seat in range(1, SEATS)]
            own = [urls[zlib.crc32(new["id"].encode()) % len(urls)]] if has_affinity else urls
            loads.append(Load(own, new["id"], tokens))
    try:
        for load in loads:
            await load.open()
        yield loads
    finally:
        await asyncio.gather(*(load.close() for load in loads))


async def flat_out(loads: list[Load], seconds: float) -> float:
    """Moves a second when every table moves as fast as it can."""
    until = time.perf_counter() + seconds

    async def play(load: Load) -> int:
        moves = 0
        while time.perf_counter() < until and load.phase == "playing":
            await load.move()
            moves += 1
        return moves

    started = time.perf_counter()
    moves = sum(await asyncio.gather(*map(play, loads)))
    return moves / (time.perf_counter() - started)


async def paced(loads: list[Load], seconds: float, pace: int = PACED) -> tuple[float, list[float]]:
    """Moves a second and all delays when the tables together aim at a steady pace."""
    for load in loads:
        load.delays.clear()
    tasks: list[asyncio.Task[None]] = []
    free = deque(loads)

    async def move(load: Load) -> None:
        await load.move()
        if load.phase == "playing":
            free.append(load)

    started = time.perf_counter()
    for number in itertools.count():
        due = started + number / pace
        if due > started + seconds:
            break
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        if free:
            tasks.append(asyncio.create_task(move(free.popleft())))
    await asyncio.gather(*tasks)
    spent = time.perf_counter() - started
    delays = sorted(delay for load in loads for delay in load.delays)
    return len(delays) / SEATS / spent, delays


async def memory_of_a_table(process: Process) -> float:
    """Bytes of a table in memory without viewers."""
    async with Server(process.url) as server:
        before = process.memory()
        count = 1000
        for _ in range(count):
            await server.create(game="classic", seats=["greedy"] * SEATS)
        return (process.memory() - before) / count


async def measure_one(found: list[Process], tables: int, seconds: float) -> Row:
    urls = [process.url for process in found]
    async with open_loads(urls, tables) as loads:
        rate, delays = await paced(loads, seconds)
        most = await flat_out(loads, seconds)
    return {
        "moves a second": most,
        "paced": rate,
        "p50": delays[len(delays) // 2],
        "p99": delays[len(delays) * 99 // 100],
    }


def measure(effort: Effort) -> Rows:
    rows: Rows = {}
    seconds = 3 * effort.seconds
    with (
        tempfile.TemporaryDirectory() as folder,
        processes(f"sqlite:///{folder}/tables.db", 1) as found,
    ):
        kept = asyncio.run(memory_of_a_table(found[0]))
        for tables in TABLES:
            rows[f"SQLite, one process: {tables} tables"] = {
                **asyncio.run(measure_one(found, tables, seconds)),
                "memory": kept,
            }
    from tests.support import postgres

    with postgres.server() as url:
        for tables in TABLES:
            with processes(url, 2) as found:
                rows[f"PostgreSQL, two processes: {tables} tables"] = asyncio.run(
                    measure_one(found, tables, seconds)
                )
    return rows


MOST = Column("moves a second", lambda row: format_digits(row["moves a second"]))
SECTION = Section(
    f"Server: tables of {SEATS}, durable moves",
    (
        MOST,
        Column(f"paced at {PACED}", lambda row: format_digits(row["paced"])),
        Column("p50", lambda row: format_time(row["p50"])),
        Column("p99", lambda row: format_time(row["p99"])),
        Column("a table", lambda row: f"{row['memory'] / 1000:.1f} kB" if "memory" in row else ""),
    ),
    MOST,
    measure,
)
