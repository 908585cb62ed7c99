"""A fleet of servers: what a move costs with 1, 2, 4 and 8 processes, on both buses.

    python -m benchmarks fleet
    FLEET=1,4 python -m benchmarks fleet

With affinity, all four viewers of a table are connected to one process; without, they are spread
over all of them. Each set-up is measured several times, in turn with the others, and the middle
value counts. What counts is the processor time of a move at the same steady pace for all set-ups:
as fast as possible, one process would commit many moves together, which several processes on the
same cores cannot. The load runs on the same cores, so moves a second say little.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import sys
from collections.abc import Iterator
from statistics import median
from typing import NamedTuple

import httpx

from dalapapa.server.storage.store import Store
from tests.support import postgres
from tests.support.nats import running_broker

from .costs import backends, cpu
from .report import Column, Effort, Row, Rows, Section, format_digits, format_time
from .server import Process, flat_out, open_loads, paced, processes

COUNTS = tuple(int(number) for number in os.environ.get("FLEET", "1,2,4,8").split(","))
ROUNDS = 3
TABLES = 64
PACE = 144
"""Moves a second of the run that measures delays."""

LOAD = 500
"""Moves a second of the run that measures processor time."""


class SetUp(NamedTuple):
    """How many processes there are, and how they and their clients find each other."""

    bus: str
    number: int
    has_affinity: bool

    @property
    def name(self) -> str:
        spread = "with affinity" if self.has_affinity else "without affinity"
        return f"{self.bus}, {spread}: {self.number} process{'es' * (self.number > 1)}"


class Broker(NamedTuple):
    """The programs that servers share."""

    database: str
    options: tuple[str, ...]
    pids: tuple[int, ...]


async def count_messages(found: list[Process]) -> float:
    """Messages of other processes that servers have received."""
    total = 0.0
    async with httpx.AsyncClient(trust_env=False) as http:
        for process in found:
            text = (await http.get(f"{process.url}/metrics")).text
            lines = re.findall(r"^dalapapa_bus_messages_total (\S+)$", text, re.M)
            total += sum(map(float, lines))
    return total


async def measure_set_up(
    found: list[Process], shared: Broker, set_up: SetUp, seconds: float
) -> Row:
    """The cost of a move and its delay, each at a steady pace, and moves as fast as possible."""
    store = Store(shared.database)
    await store.open()
    servers = [process.pid for process in found]
    try:
        urls = [process.url for process in found]
        async with open_loads(urls, TABLES, set_up.has_affinity) as loads:
            _, delays = await paced(loads, seconds, PACE)  # Caches are filled then.
            moves = sum(load.moves for load in loads)
            messages = await count_messages(found)
            spent = cpu(servers), cpu(await backends(store)), cpu(shared.pids)
            await paced(loads, 2 * seconds, LOAD)
            used = cpu(servers), cpu(await backends(store)), cpu(shared.pids)
            messages = await count_messages(found) - messages
            moves = sum(load.moves for load in loads) - moves
        async with open_loads(urls, TABLES, set_up.has_affinity) as loads:
            rate = await flat_out(loads, seconds)
    finally:
        await store.close()
    parts = [(after - before) / moves for before, after in zip(spent, used, strict=True)]
    return {
        "cpu": sum(parts),
        "server": parts[0],
        "database": parts[1],
        "broker": parts[2],
        "messages": messages / moves / len(found),
        "rate": rate,
        "p99": delays[len(delays) * 99 // 100],
    }


@contextlib.contextmanager
def open_shared(bus: str) -> Iterator[Broker]:
    """A database and, for NATS, a broker."""
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(postgres.server())
        if bus == "PostgreSQL":
            yield Broker(url, (), ())
            return
        broker = stack.enter_context(running_broker())
        yield Broker(url, (f"--bus={broker.url}",), (broker.pid,))


def measure(effort: Effort) -> Rows:
    set_ups = [
        SetUp(bus, number, has_affinity)
        for bus in ("PostgreSQL", "NATS")
        for has_affinity in (True, False)
        for number in COUNTS
        if number > 1 or has_affinity
    ]
    runs: dict[SetUp, list[Row]] = {set_up: [] for set_up in set_ups}
    for turn in range(ROUNDS):
        for set_up in set_ups if turn % 2 == 0 else reversed(set_ups):
            with (
                open_shared(set_up.bus) as shared,
                processes(shared.database, set_up.number, *shared.options) as found,
            ):
                row = asyncio.run(measure_set_up(found, shared, set_up, 3 * effort.seconds))
            runs[set_up].append(row)
            print(f"{set_up.name}: {format_time(row['cpu'])} a move", file=sys.stderr, flush=True)
    rows = {
        set_up.name: {name: median(row[name] for row in found) for name in found[0]}
        for set_up, found in runs.items()
    }
    for bus in ("PostgreSQL", "NATS"):
        single = rows.get(SetUp(bus, 1, True).name)
        for set_up in set_ups:
            if set_up.bus == bus and single is not None:
                rows[set_up.name]["against one"] = rows[set_up.name]["cpu"] / single["cpu"]
    return rows


MAIN = Column("CPU of a move", lambda row: format_time(row["cpu"]))
SECTION = Section(
    f"Fleet: {TABLES} tables of four viewers",
    (
        MAIN,
        Column(
            "against one", lambda row: f"{row['against one']:.2f}" if "against one" in row else ""
        ),
        Column("servers", lambda row: format_time(row["server"])),
        Column("database", lambda row: format_time(row["database"])),
        Column("broker", lambda row: format_time(row["broker"]) if row["broker"] else ""),
        Column("messages", lambda row: f"{row['messages']:.2f}"),
        Column("most moves a second", lambda row: format_digits(row["rate"])),
        Column(f"p99 at {PACE}", lambda row: format_time(row["p99"])),
    ),
    MAIN,
    measure,
)
