"""WebSocket transports: ours, uvicorn's `websockets-sansio`, and Granian, under the same tables.

The application is the same in all of them (`transport_server.py`). The first figures are those of
`moves.py` with one process on SQLite. Then players move at a few tables while one spectator floods
his socket: the figure is the p99 of their moves (`tests/support/flooding.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import importlib.util
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import uvloop

from . import moves
from .load import family
from .report import Column, Effort, Row, Rows, Section, format_digits, format_time
from .server import LIMITS

ATTACKS = ("empty pongs", "long pings", "empty continuations", "tiny fragments", "ping messages")
ROUNDS = 3
MAX_START_S = 30


class Contender(NamedTuple):
    """A transport, and how its server is started."""

    name: str
    command: tuple[str, ...]
    """Followed by the database."""
    limit: str
    """How one limit is written."""


OURS = Contender(
    "ours", ("-m", "dalapapa", "play", "--no-browser", "--port", "0", "--database"), "--limit={}"
)
OTHERS = (
    Contender("uvicorn, websockets-sansio", ("-m", "benchmarks.transport_server", "uvicorn"), "{}"),
    Contender("Granian", ("-m", "benchmarks.transport_server", "granian"), "{}"),
)


class Running(NamedTuple):
    """A server, as `moves.py` and `tests/support/flooding.py` want it."""

    url: str
    pid: int

    @property
    def memory(self) -> float:
        """Megabytes of the process and its workers that are really in memory."""
        kilobytes = 0
        for pid in family(self.pid):
            with contextlib.suppress(FileNotFoundError):
                status = Path(f"/proc/{pid}/status").read_text()
                found = re.search(r"VmRSS:\s+(\d+) kB", status)
                kilobytes += int(found[1]) if found else 0
        return kilobytes / 1024


@contextlib.contextmanager
def run(contender: Contender, database: str, limits: dict[str, int]) -> Iterator[Running]:
    """The server of a contender, once it answers."""
    words = [contender.limit.format(f"{name}={value}") for name, value in limits.items()]
    with subprocess.Popen(
        [sys.executable, *contender.command, database, *words],
        stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1],
    ) as child:  # fmt: skip
        try:
            assert child.stdout is not None
            address = re.search(r"http://\S+[^/\s]", child.stdout.readline())
            assert address, f"{contender.name} did not start"
            await_answer(address[0])
            yield Running(address[0], child.pid)
        finally:
            for pid in reversed(family(child.pid)):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, 9)


def await_answer(url: str) -> None:
    end = time.monotonic() + MAX_START_S
    while True:
        try:
            urllib.request.urlopen(f"{url}/health", timeout=5).close()
            return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def measure_moves(contender: Contender, seconds: float) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/tables.db"
        asyncio.run(moves.set_up(database))
        with run(contender, database, LIMITS) as running:
            started = moves.Started(moves.make_games([running.url]), family(running.pid), [], None)
            return uvloop.run(moves.play(started, moves.read_version, seconds))[0]


def measure_attacks(contender: Contender, flooding: Any, seconds: float) -> Row:
    row: Row = {}
    for attack in ATTACKS:
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder, "tables.db")
            asyncio.run(flooding.filled(f"sqlite+aiosqlite:///{database}", 10))
            with run(contender, f"sqlite:///{database}", {"tables_per_minute": 1000}) as running:
                found = asyncio.run(flooding.measured(running, [attack], seconds))
                row[attack] = found.during
                row["calm"] = max(row.get("calm", 0), found.calm)
    return row


def measure(effort: Effort) -> Rows:
    """All contenders in turn, so often; the median of each figure."""
    from tests.support import flooding

    has_granian = importlib.util.find_spec("granian") is not None
    contenders = [OURS, *(one for one in OTHERS if has_granian or one.name != "Granian")]
    if not has_granian:
        print("Granian is not installed: run `pip install granian`", file=sys.stderr)
    runs: dict[str, list[Row]] = {one.name: [] for one in contenders}
    for _ in range(ROUNDS):
        for contender in contenders:
            row = measure_moves(contender, effort.seconds)
            row |= measure_attacks(contender, flooding, effort.seconds)
            runs[contender.name].append(row)
            print(f"  {contender.name}: {format_digits(row['a cpu second'])} moves a CPU second",
                  file=sys.stderr)  # fmt: skip
    return {
        name: {figure: statistics.median(row[figure] for row in rows) for figure in rows[0]}
        for name, rows in runs.items()
    }


def show_time(figure: str, row: Row) -> str:
    return format_time(row[figure])


MOVES = Column("moves a CPU second", lambda row: format_digits(row["a cpu second"]))
SECTION = Section(
    "WebSocket transports: moves at 300 tables, and the p99 of players during floods",
    (
        MOVES,
        Column("moves a second", lambda row: format_digits(row["a second"])),
        Column(f"p99 at {moves.PACE}", lambda row: format_time(row["p99"])),
        Column("calm", lambda row: format_time(row["calm"])),
        *(Column(name, partial(show_time, name)) for name in ATTACKS),
    ),
    MOVES,
    measure,
)
