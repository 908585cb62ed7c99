"""The course of a run on one store: people, strangers and faults; then what they leave behind.

While it goes on, each table that people have left is judged and forgotten; in the end all logs
must still be what they were then. The last part has no faults but two waves of people and
strangers: what the second one leaves on top of the first is a leak.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import httpx
import msgspec

from dalapapa.core.errors import Unavailable
from dalapapa.hosting.entries import write_entry
from dalapapa.hosting.stored import StoredEntry, StoredTable
from dalapapa.server.storage.store import Store
from dalapapa.server.workers.pool import Workers
from tests.support import postgres
from tests.support.judge import Findings, Promises, examine
from tests.support.lying_line import Chances, Line

from .chaos import Chaos
from .figures import WRONG, Figures
from .players import People, Sitting
from .servers import Server, Vitals
from .strangers import Strangers

REST = 45
"""Seconds in which everything that is over must have ended: pings find out who is gone in 40."""


class Effort(NamedTuple):
    """How much goes on."""

    seconds: float
    """For each store."""
    tables: int = 8
    strangers: int = 5
    seed: int = 1


class Course:
    """A run on one store."""

    def __init__(
        self, store: str, servers: list[Server], chaos: Chaos, folder: Path, effort: Effort
    ) -> None:
        self.servers = servers
        self.chaos = chaos
        self.folder = folder
        self.effort = effort
        self.figures = Figures(store)
        self.store = Store(servers[0].database)  # Not opened: it only reads.
        self.court = Workers(1, 120, nice=5)
        self.judged: dict[str, tuple[int, str]] = {}
        """Tables, and how long their logs were, and what was in them."""

    async def run(self) -> Figures:
        """All of it."""
        began = time.monotonic()
        wave = max(4.0, self.effort.seconds / 15)
        background = [asyncio.create_task(server.look_after()) for server in self.servers]
        background.append(asyncio.create_task(self._report()))
        background.append(asyncio.create_task(self.chaos.mind_postgres(self.store.count)))
        try:
            await self._wave(began + self.effort.seconds - 2 * wave, chaos=True)
            await self._rested()
            await self._wave(time.monotonic() + wave)
            before = await self._rested()
            await self._wave(time.monotonic() + wave)
            after = await self._rested()
            for server, one, two in zip(self.servers, before, after, strict=True):
                self.figures.stayed.compare(server.name, one, two)
            await self._look_again()
        finally:
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
            self.court.close()
            await self.store.engine.dispose()
        await self._close()
        self.figures.faults = self.chaos.done
        self.figures.minutes = (time.monotonic() - began) / 60
        return self.figures

    async def _report(self) -> None:
        """Once a minute: an hour is long."""
        for minute in itertools.count(1):
            await asyncio.sleep(60)
            wrong = len([one for what in WRONG.values() for one in what(self.figures)])
            figures = (
                f"{self.figures.acknowledged:,} moves, {self.chaos.kills:,} kills, {wrong} wrong"
            )
            print(f"{minute} min: {figures}", file=sys.stderr)

    # -- people and strangers ------------------------------------------------------------------

    async def _wave(self, until: float, chaos: bool = False) -> None:
        """People and strangers, until a time; with faults."""
        urls = [f"http://127.0.0.1:{server.port}" for server in self.servers]
        async with contextlib.AsyncExitStack() as stack:
            lies = Chances(refused=0)
            lines = [
                await stack.enter_async_context(Line(url, self.effort.seed, lies).open())
                for url in urls
            ]
            people = People(urls, lines, self.effort.seed)
            strangers = Strangers(people, self.effort.seed)
            async with asyncio.TaskGroup() as group:
                for number in range(self.effort.tables):
                    group.create_task(people.come_and_go(number, self._judge))
                for _ in range(self.effort.strangers):
                    group.create_task(strangers.come_and_go())
                if chaos:
                    await self.chaos.rage(until)
                else:
                    await asyncio.sleep(max(0.0, until - time.monotonic()))
                people.stopping = True
        self._count(people, strangers)

    def _count(self, people: People, strangers: Strangers) -> None:
        figures = self.figures
        figures.tables += people.created
        figures.refused += people.refused
        figures.reconnected += people.reconnected
        figures.tried += strangers.tried
        figures.failed += people.failed + strangers.failed
        figures.all = sorted([*figures.all, *(one.seconds for one in people.answered)])
        quiet = [
            one.seconds
            for one in people.answered
            if any(begins <= one.sent <= ends for begins, ends in self.chaos.quiet)
        ]
        figures.quiet = sorted([*figures.quiet, *quiet])

    # -- the judge -----------------------------------------------------------------------------

    async def _judge(self, table: Sitting) -> None:
        """What was promised at a table beside what is there."""
        # As it is now: strangers go on listening, while programs move on.
        promises, table.promises = deepcopy(table.promises), Promises()
        kept, log = await self._read(table.id)
        found: Findings = await self.court.ask(examine, kept, log, promises)
        self.figures.found.add(found)
        self.figures.acknowledged += len({one.version for one in promises.accepted})
        self.figures.messages += sum(len(heard.messages) for heard in promises.heard)
        if table.stood_still and kept is not None:
            self.figures.still.append(f"{kept.settings.game}, {len(log)} entries")
        self.judged[table.id] = len(log), _digest(log)

    async def _read(self, id: str) -> tuple[StoredTable | None, list[StoredEntry]]:
        while True:
            try:
                async with asyncio.timeout(20):
                    return await self.store.load(id), await self.store.log(id)
            except (Unavailable, TimeoutError):
                await asyncio.sleep(0.2)

    async def _look_again(self) -> None:
        """After all that happened since, every log still begins as it did when it was judged."""
        for id, (length, digest) in self.judged.items():
            _, log = await self._read(id)
            if _digest(log[:length]) != digest:
                self.figures.changed.append(f"table {id} has another log")

    # -- what stays ----------------------------------------------------------------------------

    async def _rested(self) -> list[Vitals]:
        """What servers have when everybody is gone."""
        end = time.monotonic() + REST
        for server in self.servers:
            open_sockets = -1
            while open_sockets and time.monotonic() < end:
                open_sockets = await _sockets(server)
                await asyncio.sleep(0.5)
            if open_sockets:
                self.figures.stayed.sockets.append(f"{server.name}: {open_sockets} sockets")
        await asyncio.sleep(1)  # Tasks are counted twice a second.
        return [server.vitals() for server in self.servers]

    async def _close(self) -> None:
        """End the servers as hosts do; nothing of them may be left."""
        for server in self.servers:
            async with server.busy:
                await server.end()
        end = time.monotonic() + 15
        while (stray := sum(server.stray() for server in self.servers)) and time.monotonic() < end:
            await asyncio.sleep(0.2)
        stayed = self.figures.stayed
        stayed.processes += [f"{stray} of them"] * bool(stray)
        stayed.temporary += [path.name for path in (self.folder / "tmp").iterdir()]
        for server in self.servers:
            self.figures.tracebacks += server.tracebacks
            self.figures.ended += server.ended
            self.figures.peak = max(self.figures.peak, server.peak)


async def _sockets(server: Server) -> int:
    """Those that a server has open; -1 if it does not say."""
    try:
        async with httpx.AsyncClient(trust_env=False, timeout=5) as http:
            text = (await http.get(f"http://127.0.0.1:{server.port}/metrics")).text
        return int(float(text.split("\ndalapapa_sockets ")[1].split()[0]))
    except (httpx.HTTPError, IndexError):
        return -1


def _digest(log: list[StoredEntry]) -> str:
    rows = [(one.number, one.at, one.nonce, write_entry(one.entry)) for one in log]
    return sha256(msgspec.json.encode(rows)).hexdigest()


@contextlib.asynccontextmanager
async def run_servers(database: str, number: int, folder: Path) -> AsyncIterator[list[Server]]:
    """Servers on a database, which are always ended."""
    servers = [Server(database, folder, f"server-{n + 1}") for n in range(number)]
    (folder / "tmp").mkdir()
    async with contextlib.AsyncExitStack() as stack:
        for server in servers:
            stack.callback(server.close)
            stack.push_async_callback(server.kill)
            await server.start()
        yield servers


async def run_on_sqlite(effort: Effort, logs: Path | None) -> Figures:
    """One process on a file."""
    with _folder(logs, "sqlite") as folder:
        async with run_servers(f"sqlite+aiosqlite:///{folder}/tables.db", 1, folder) as servers:
            chaos = Chaos(servers, None, effort.seed)
            return await Course("SQLite", servers, chaos, folder, effort).run()


async def run_on_postgres(effort: Effort, logs: Path | None) -> Figures:
    """Two processes on PostgreSQL."""
    with _folder(logs, "postgres") as folder, postgres.restarting() as cluster:
        async with run_servers(cluster.url, 2, folder) as servers:
            chaos = Chaos(servers, cluster, effort.seed)
            return await Course("PostgreSQL", servers, chaos, folder, effort).run()


@contextlib.contextmanager
def _folder(logs: Path | None, name: str) -> Iterator[Path]:
    """A folder that is gone afterwards; with `logs`, what servers wrote stays there."""
    with tempfile.TemporaryDirectory(prefix="dalapapa-soak-") as found:
        try:
            yield Path(found)
        finally:
            if logs is not None:
                logs.mkdir(parents=True, exist_ok=True)
                for log in Path(found).glob("*.log"):
                    (logs / f"{name}-{log.name}").write_text(log.read_text())
