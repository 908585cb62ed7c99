"""Server processes that are killed at any moment, and players who go on at another one.

What players were promised (a move accepted as version N) and what they saw is noted
and compared with what the database holds afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import signal
import sys
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from multiprocessing import forkserver
from multiprocessing.context import ForkServerProcess
from typing import Any, TypeVar
from unittest import mock

import msgspec

from dalapapa import cli, record
from dalapapa.client import Disconnected, Refused, Server, Viewer
from dalapapa.server.storage.store import Store
from tests.support import forking
from tests.support.chance import current_name, steady_chance
from tests.support.judge import Accepted, Heard, Promises, examine
from tests.support.waiting import wait_until

LIMITS = ("tables_per_minute", "requests_per_second", "requests_at_once", "messages_per_second")

T = TypeVar("T")


class Process:
    """`dalapapa play`, which may be killed and started again; `url` is None while it is dead."""

    def __init__(self, database: str, number: int = 0, broker: str | None = None) -> None:
        """`number`: the place among those on one database, which draw different bags. `broker`:
        the address of a NATS server."""
        self.database = database
        self.broker = broker
        self.number = number
        self.starts = 0
        self.url: str | None = None
        self.output = tempfile.NamedTemporaryFile()  # noqa: SIM115
        self._process: ForkServerProcess | None = None
        self._killed = False

    async def start(self) -> None:
        """Returns as soon as it serves, or has been killed."""
        self._killed = False
        self.close()
        self.output = tempfile.NamedTemporaryFile()  # noqa: SIM115
        # Who is killed cannot write down what was covered.
        covering = [name for name in os.environ if name.startswith(("COV_", "COVERAGE_"))]
        with mock.patch.dict(os.environ):
            for name in covering:
                del os.environ[name]
            forkserver.ensure_running()
        self._process = self._made()
        self._process.start()
        await wait_until(lambda: self.dead() or self._serves(), lambda: f"a server: {self.said()}")

    def _serves(self) -> bool:
        if found := re.search(r"Dalapapa is at (http://[^ /]+)", self.said()):
            self.url = found[1]
        return found is not None

    def _made(self) -> ForkServerProcess:
        """The process, which does not run yet."""
        words = ["play", "--no-browser", "--port=0", f"--database={self.database}"]
        words += [f"--limit={name}=1000000" for name in LIMITS]
        if self.broker is not None:
            words.append(f"--bus={self.broker}")
        self.starts += 1
        name = f"{current_name()} {self.number} {self.starts}"
        return forking.CONTEXT.Process(target=_serve, args=(words, self.output.name, name))

    def dead(self) -> bool:
        """Whether it was killed; nothing else may have ended it."""
        if self._process is None or self._process.exitcode is None:
            return False
        assert self._killed, f"It ended with {self._process.exitcode}: {self.said()}"
        return True

    @property
    def group(self) -> int:
        assert self._process is not None
        assert self._process.pid is not None
        return self._process.pid

    async def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End it, if it lives, and wait until it is gone; it may not have met an error."""
        self.url = None
        self._killed = True
        if self._process is not None:
            said = self.said()  # A worker that loses its server while it starts may complain.
            if self._process.exitcode is None:
                os.kill(self.group, how)
            await asyncio.to_thread(self._process.join)
            if how is not signal.SIGKILL:
                said = self.said()
            assert "Traceback" not in said, said

    def close(self) -> None:
        """Forget what it wrote."""
        self.output.close()

    def said(self) -> str:
        """What it wrote."""
        size = os.fstat(self.output.fileno()).st_size
        return os.pread(self.output.fileno(), size, 0).decode()


def _serve(words: list[str], output: str, name: str) -> None:
    """`dalapapa play`, in a process of its own; what it draws follows from the name."""
    os.setsid()  # Its workers are of its group, and so can be found.
    file = os.open(output, os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(file, stream)
    steady_chance(lambda: name)
    sys.argv = ["dalapapa", *words]
    cli.main()


@contextlib.asynccontextmanager
async def started(
    database: str, number: int, broker: str | None = None
) -> AsyncIterator[list[Process]]:
    """Some processes on one database."""
    async with contextlib.AsyncExitStack() as stack:
        processes = []
        for place in range(number):
            process = Process(database, place, broker)
            stack.callback(process.close)
            stack.push_async_callback(process.kill)
            processes.append(process)
        await asyncio.gather(*(process.start() for process in processes))
        yield processes


class Watching(Viewer):
    """A viewer that remembers every version of the table that it received."""

    def __init__(self, url: str, id: str, tokens: tuple[str, ...]) -> None:
        super().__init__(url, id, tokens)
        self.seen: list[dict[str, Any]] = []

    def _take(self, message: dict[str, Any]) -> Any:
        if message["type"] == "table":
            self.seen.append(message)
        return super()._take(message)

    async def until(self, version: int) -> None:
        """Wait for a version, or the end of the game."""
        while self.version < version and self.table["phase"] != "over":
            await self.changed()


class Party:
    """Tables, their players and viewers, and the messages that these received."""

    def __init__(self, processes: list[Process]) -> None:
        self.processes = processes
        self.tables: dict[str, str] = {}
        """Those that a server said it has set up, and their games."""
        self.accepted: dict[str, dict[int, tuple[str, dict[str, Any]]]] = defaultdict(dict)
        """By table and version: the sender's mark, and the move."""
        self.seen: dict[str, list[dict[str, Any]]] = defaultdict(list)
        self.refused: dict[str, list[str]] = defaultdict(list)
        """By table: the codes."""
        self.moves = 0
        self.something = asyncio.Event()
        self.rng = random.Random(len(processes))

    async def address(self, process: Process | None = None) -> str:
        """Where a server is: this one while it lives, or else any."""

        def find() -> str | None:
            alive = [other for other in self.processes if not other.dead()]
            found = [other.url for other in alive if other.url is not None]
            if process is not None and process.url is not None:
                return process.url
            return self.rng.choice(found) if found else None

        return await wait_until(find, "a server that lives")

    async def ask(self, question: Callable[[Server], Awaitable[T]]) -> T:
        """An answer of any server; a dead one is not asked again."""
        while True:
            async with Server(await self.address()) as server:
                try:
                    return await question(server)
                except Disconnected:
                    await self._pause()

    async def create(self, game: str, seats: list[str | None], **settings: Any) -> tuple[str, str]:
        """A new table with people in all their seats: its id and their token."""
        people = [f"Player {n}" for n, program in enumerate(seats) if program is None]
        named = {"host": people[0], "guests": people[1:]} if people else {}
        new = await self.ask(
            lambda server: server.create(
                game=game,
                seats=seats,
                **{"spectators": "all", "pace": 0, "countdown": 0, **named, **settings},
            )
        )
        self.tables[new["id"]] = game
        return new["id"], new["token"]

    @contextlib.asynccontextmanager
    async def watching(
        self, table: str, *tokens: str, at: Process | None = None
    ) -> AsyncIterator[Watching]:
        """A viewer at a process, or at any; what is seen is noted."""
        viewer = Watching(await self.address(at), table, tokens)
        try:
            async with viewer:
                yield viewer
        finally:
            self.seen[table] += viewer.seen

    async def watch(self, table: str, at: Process | None = None) -> None:
        """Look on until the game is over, wherever there is a server."""
        while True:
            try:
                async with self.watching(table, at=at) as viewer:
                    while viewer.table["phase"] != "over":
                        await viewer.changed()
                    return
            except Disconnected:
                await self._pause()

    async def play(self, table: str, token: str, seat: int, at: Process | None = None) -> None:
        """Play a seat until the game is over, wherever there is a server.

        A move without an answer is sent again, with the same mark, until there is one.
        """
        rng = random.Random(f"{[*self.tables].index(table)} {seat}")  # Its id is random.
        sent: tuple[str, dict[str, Any]] | None = None
        while True:
            try:
                async with self.watching(table, token, at=at) as viewer:
                    while viewer.table["phase"] != "over":
                        if sent is None:
                            moves = await viewer.legal(seat)
                            if not moves:
                                await viewer.changed()
                                continue
                            sent = rng.randbytes(8).hex(), rng.choice(moves)
                        mark, move = sent
                        try:
                            version = await viewer.move(move, id=mark)
                        except Refused as refusal:
                            if refusal.code == "no_database":  # It may be durable all the same.
                                await self._pause()
                                continue
                            self.refused[table].append(refusal.code)
                        else:
                            self.accepted[table][version] = sent
                            self.moves += 1
                            self.something.set()
                        sent = None
                    return
            except Disconnected:
                await self._pause()

    async def _pause(self) -> None:
        """Before the next attempt, as clients do; callers have a deadline for all attempts."""
        await asyncio.sleep(0.01)

    async def some_moves(self, number: int = 1) -> None:
        """Wait until so many more moves have been accepted."""
        wanted = self.moves + number
        while self.moves < wanted:
            self.something.clear()
            await self.something.wait()

    async def check(self) -> int:
        """All that was promised and seen is in the database; how many moves that is."""
        store = Store(self.processes[0].database)
        await store.open()
        try:
            for table in self.tables:
                await self._check(store, table)
        finally:
            await store.close()
        return sum(map(len, self.accepted.values()))

    async def _check(self, store: Store, table: str) -> None:
        kept, log = await store.load(table), await store.log(table)
        promises = Promises(
            [Accepted(version, *sent) for version, sent in self.accepted[table].items()],
            [],
            [
                Heard(tuple(message["yours"]), [msgspec.json.encode(message)])
                for message in self.seen[table]
            ],
        )
        found = examine(kept, log, promises)
        assert not found, found
        if self.tables[table] == "classic":
            assert not self.refused[table], "where one acts after the other, no player is too late"

    async def verify_records(self) -> None:
        """Every game is over, and its record is true."""
        async with Server(await self.address()) as server:
            for table in self.tables:
                record.replay(record.load(await server.record(table)))
