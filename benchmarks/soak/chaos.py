"""Faults: what is killed, stopped, filled up or put wrong, several of them at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import resource
import signal
import subprocess
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from pathlib import Path
from typing import Any

from dalapapa.core.errors import Unavailable
from tests.support.postgres import Cluster

from .servers import Server, children, command

EVERY = 0.9
"""Seconds between faults in a storm, on average."""

STORM, QUIET = 20.0, 8.0
"""Seconds of faults, and of none: then only strangers disturb."""

SETTLED = 2.0
"""Seconds after a fault in which players find their way back."""

LITTLE = 64 * 1024
"""Bytes that a file may still have while the disk is full."""

AWAY = 15
"""Seconds without an answer of PostgreSQL: it does not come back by itself."""

HOUR = 3_600_000

Fault = Callable[[], Awaitable[None]]


class Chaos:
    """The faults of a run on one store."""

    def __init__(self, servers: list[Server], cluster: Cluster | None, seed: int) -> None:
        self.servers = servers
        self.cluster = cluster
        self.rng = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.quiet: list[tuple[float, float]] = []
        """Times in which nothing was wrong but the strangers."""
        faults: list[tuple[int, Fault]] = [
            (6, self.kill_server),
            (1, self.kill_starting_server),
            (1, self.restart_server),
            (5, self.kill_worker),
            (1, self.stop_worker),
            (1, self.stop_server),
            (2, self.put_the_clock),
        ]
        if cluster is None:
            faults.append((2, self.fill_the_disk_of_servers))
        else:
            faults += [
                (3, self.kill_backend),
                (1, self.kill_postgres),
                (1, self.stop_postgres),
                (1, self.fill_the_disk_of_postgres),
            ]
        self.weights = [weight for weight, _ in faults]
        self.faults = [fault for _, fault in faults]

    @property
    def kills(self) -> int:
        return sum(number for name, number in self.done.items() if name.startswith("kill"))

    async def rage(self, until: float) -> None:
        """Storms with quiet times between them, until a time; nothing stays broken after it."""
        while time.monotonic() < until:
            end = min(until, time.monotonic() + STORM)
            async with asyncio.TaskGroup() as group:
                while time.monotonic() < end:
                    (fault,) = self.rng.choices(self.faults, self.weights)
                    group.create_task(self._strike(fault))
                    await asyncio.sleep(self.rng.expovariate(1 / EVERY))
            began = time.monotonic() + SETTLED
            await asyncio.sleep(max(0.0, min(QUIET, until - time.monotonic())))
            if time.monotonic() > began:
                self.quiet.append((began, time.monotonic()))

    async def _strike(self, fault: Fault) -> None:
        with contextlib.suppress(ProcessLookupError, FileNotFoundError, ValueError):
            await fault()  # Whom it was meant for may be gone.

    def _count(self, what: str) -> None:
        self.done[what] += 1

    def _server(self) -> Server:
        """Any; with several, the last one is killed seldom, so that it has the time to grow."""
        *often, last = self.servers
        return self.rng.choice(often) if often and self.rng.random() < 0.9 else last

    # -- servers and their workers -------------------------------------------------------------

    async def kill_server(self) -> None:
        server = self._server()
        if not server.busy.locked():
            self._count("kills: server")
            await server.again()

    async def restart_server(self) -> None:
        """As a host does: all clients are asked to come back."""
        server = self._server()
        if not server.busy.locked():
            self._count("restarted: server")
            await server.again(signal.SIGTERM)

    async def kill_starting_server(self) -> None:
        server = self._server()
        async with server.busy:
            await server.kill()
            starting = asyncio.create_task(server.start())
            await asyncio.sleep(self.rng.uniform(0, 1.0))
            self._count("kills: server")
            await server.kill()
            await starting
            if server.url is None or server.dead():  # It may have said where it is, and be gone.
                server.url = None
                await server.start()

    async def kill_worker(self) -> None:
        workers = [pid for server in self.servers for pid in server.workers()]
        if workers:
            os.kill(self.rng.choice(workers), signal.SIGKILL)
            self._count("kills: worker")

    async def stop_worker(self) -> None:
        workers = [pid for server in self.servers for pid in server.workers()]
        if workers:
            self._count("stopped: worker")
            async with stop_for_a_while([self.rng.choice(workers)]):
                await asyncio.sleep(self.rng.uniform(0.1, 3))

    async def stop_server(self) -> None:
        self._count("stopped: server")
        async with stop_for_a_while([self._server().group]):
            await asyncio.sleep(self.rng.uniform(0.1, 2))

    async def put_the_clock(self) -> None:
        """By up to an hour, forward or back; often right again."""
        ahead = self.rng.choice([0, 0, -HOUR, HOUR, self.rng.randrange(-10_000, 10_000)])
        self._count("clock put")
        for server in self.servers:  # Clocks of several machines differ a little.
            server.page.ahead = ahead + self.rng.randrange(-50, 50)

    # -- the disk ------------------------------------------------------------------------------

    async def fill_the_disk_of_servers(self) -> None:
        server = self._server()
        self._count("disk full")
        size = os.path.getsize(server.output.name)  # It can still say that the disk is full.
        async with limit_file_size([server.group], size + LITTLE):
            await asyncio.sleep(self.rng.uniform(0.5, 3))

    async def fill_the_disk_of_postgres(self) -> None:
        assert self.cluster
        self._count("disk full")
        async with limit_file_size([self.cluster.pid, *children(self.cluster.pid)], LITTLE):
            await asyncio.sleep(self.rng.uniform(0.5, 3))

    # -- PostgreSQL ----------------------------------------------------------------------------

    async def kill_backend(self) -> None:
        """All others end, too, and PostgreSQL recovers.

        Not the process that recovers: without it, PostgreSQL may wait for ever.
        """
        assert self.cluster
        names = {pid: command(pid) for pid in children(self.cluster.pid)}
        backends = [pid for pid, name in names.items() if name and b": startup" not in name]
        if backends:
            os.kill(self.rng.choice(backends), signal.SIGKILL)
            self._count("kills: PostgreSQL, one process")

    async def mind_postgres(self, ask: Callable[[], Awaitable[object]]) -> None:
        """Kill it if it does not come back, as its host would: that is not what is judged here."""
        since = time.monotonic()
        while self.cluster is not None:
            await asyncio.sleep(1)
            with contextlib.suppress(Unavailable, TimeoutError):
                async with asyncio.timeout(AWAY):
                    await ask()
                since = time.monotonic()
            if time.monotonic() > since + AWAY:
                self._count("kills: PostgreSQL, which did not come back")
                with contextlib.suppress(OSError, ValueError):
                    os.kill(self.cluster.pid, signal.SIGKILL)
                since = time.monotonic()

    async def kill_postgres(self) -> None:
        """It is away for a while."""
        assert self.cluster
        with self.cluster.kept_away():
            os.kill(self.cluster.pid, signal.SIGKILL)
            self._count("kills: PostgreSQL")
            await asyncio.sleep(self.rng.uniform(0, 3))

    async def stop_postgres(self) -> None:
        assert self.cluster
        self._count("stopped: PostgreSQL")
        async with stop_for_a_while([self.cluster.pid, *children(self.cluster.pid)]):
            await asyncio.sleep(self.rng.uniform(0.1, 4))


@contextlib.asynccontextmanager
async def stop_for_a_while(pids: Iterable[int]) -> AsyncIterator[None]:
    """Processes that stand still as long as the context."""
    still = []
    try:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
                still.append(pid)
        yield
    finally:
        for pid in still:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


@contextlib.asynccontextmanager
async def limit_file_size(pids: Iterable[int], size: int) -> AsyncIterator[None]:
    """Processes that can write no file beyond a size: as on a full disk, what is there stays."""
    few = list(pids)
    try:
        for pid in few:
            _limit(pid, size)
        yield
    finally:
        for pid in few:
            _limit(pid, resource.RLIM_INFINITY)
            for child in children(pid):  # They have it from their parent.
                _limit(child, resource.RLIM_INFINITY)


def _limit(pid: int, size: int) -> None:
    """By a command, because only who owns a process may change what it may do."""
    with contextlib.suppress(FileNotFoundError):  # It is gone.
        owner = os.stat(f"/proc/{pid}")
        user: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
        words = ["prlimit", f"--pid={pid}", f"--fsize={'unlimited' if size < 0 else size}:"]
        done = subprocess.run(words, cwd="/", capture_output=True, text=True, check=False, **user)
        if done.returncode and Path(f"/proc/{pid}/exe").exists():
            raise RuntimeError(f"Cannot fill the disk: {done.stderr}")
