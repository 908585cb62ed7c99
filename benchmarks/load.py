"""Whole games, made beforehand and played over sockets: the load for any server of tables of two.

A table's next move is sent when both of its players have seen the one before. Nothing is thought
about in between, so that the other core has room for both ends of three hundred tables.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from .wire import Wire, frame

SEATS = 2
PING, PONG = b"2", frame(b"3")
"""Of Socket.IO."""

TICKS = os.sysconf("SC_CLK_TCK")


class Place(NamedTuple):
    """Where a seat's socket is, and what it says first; for some, once it hears something."""

    host: str
    port: int
    path: str
    hello: bytes
    cue: bytes = b""
    after: bytes = b""


class Game(NamedTuple):
    """The places of a table, and its moves: whose, and the whole frame."""

    places: tuple[Place, ...]
    moves: list[tuple[int, bytes]]


VersionReader = Callable[[bytes], int]
"""The number of the move after which a message shows the state; -1 for other messages."""


class Played(NamedTuple):
    """What came of it."""

    moves: int
    seconds: float
    delays: list[float]
    """From sending a move until both have seen it, in order of size."""

    @property
    def rate(self) -> float:
        return self.moves / self.seconds

    def delay(self, share: float) -> float:
        return self.delays[int(share * (len(self.delays) - 1))]


class Load:
    """One table with its sockets."""

    def __init__(self, game: Game, read_version: VersionReader) -> None:
        self.game = game
        self.read_version = read_version
        self.wires: list[Wire] = []
        self.seen = [-1] * SEATS
        self.made = 0
        """Moves that both have seen."""
        self.sent = 0.0
        self.ready: Callable[[Load], None] = lambda _: None
        """What happens when the next move can be made."""

    async def open(self) -> None:
        for seat, place in enumerate(self.game.places):

            def heard(data: bytes, seat: int = seat, place: Place = place) -> None:
                number = self.read_version(data)
                if number < 0 and data == PING:
                    self.wires[seat].send(PONG)
                elif number < 0 and place.cue and data.startswith(place.cue):
                    self.wires[seat].send(place.after)
                if number >= 0:
                    self.seen[seat] = number
                    if number > self.made and min(self.seen) == number:
                        self.made = number
                        self.ready(self)

            wire = await Wire.open(place.host, place.port, place.path, heard)
            self.wires.append(wire)
            wire.send(place.hello)

    async def all_there(self) -> None:
        """Until both have seen the table before its first move."""
        while min(self.seen) < 0:
            await asyncio.sleep(0.005)

    @property
    def over(self) -> bool:
        return self.made >= len(self.game.moves)

    def move(self) -> None:
        seat, framed = self.game.moves[self.made]
        self.sent = time.perf_counter()
        self.wires[seat].send(framed)

    def close(self) -> None:
        for wire in self.wires:
            wire.close()


async def flat_out(loads: list[Load], seconds: float) -> Played:
    """Every table moves as fast as it can."""
    delays: list[float] = []
    playing = len(loads)
    done = asyncio.get_running_loop().create_future()
    started = time.perf_counter()
    until = started + seconds

    def ready(load: Load) -> None:
        nonlocal playing
        now = time.perf_counter()
        delays.append(now - load.sent)
        if now < until and not load.over:
            load.move()
        else:
            playing -= 1
            if not playing:
                done.set_result(None)

    for load in loads:
        load.ready = ready
    for load in loads:
        load.move()
    async with asyncio.timeout(seconds + 60):
        await done
    return Played(len(delays), time.perf_counter() - started, sorted(delays))


async def paced(loads: list[Load], seconds: float, pace: float) -> Played:
    """The tables together make so many moves a second, one table after the other."""
    delays: list[float] = []
    free = deque(loads)

    def ready(load: Load) -> None:
        delays.append(time.perf_counter() - load.sent)
        if not load.over:
            free.append(load)

    for load in loads:
        load.ready = ready
    started = time.perf_counter()
    made = 0
    while (now := time.perf_counter()) < started + seconds:
        due = started + made / pace
        if due > now:
            await asyncio.sleep(due - now)
        if free:
            free.popleft().move()
            made += 1
    async with asyncio.timeout(60):
        while len(delays) < made:
            await asyncio.sleep(0.005)
    return Played(made, time.perf_counter() - started, sorted(delays))


def cpu(pids: list[int]) -> float:
    """Seconds of processor time that processes have had, with all of their threads."""
    spent = 0
    for pid in pids:
        with contextlib.suppress(FileNotFoundError):  # It has ended.
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            spent += int(fields[11]) + int(fields[12])
    return spent / TICKS


def family(pid: int) -> list[int]:
    """A process, its children and theirs."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(FileNotFoundError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found
