"""Server processes under soak: killed and started again, with a clock that can be put."""

from __future__ import annotations

import asyncio
import contextlib
import mmap
import multiprocessing
import os
import random
import re
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import NamedTuple

from dalapapa.core.errors import DalapapaError
from dalapapa.server.clock import SystemClock
from dalapapa.server.runtime import run
from dalapapa.server.traffic.limits import limits_from
from tests.support import forking
from tests.support.crash import Process
from tests.support.judge import tracebacks

LIMITS = {
    "tables_per_minute": 1000,
    "table_bytes_per_day": 1_000_000_000,
    "share_an_address": 1,
}
"""All honest players come from one address. Everything else is as hosts have it."""


STOPPING = 30
"""Seconds that a server may take to end when it is asked to."""


class Page:
    """Memory that the soak and a server share: how wrong the clock is, how many tasks there are."""

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            file.truncate(16)
            self._memory = mmap.mmap(file.fileno(), 16)

    def _get(self, place: int) -> int:
        found: int = struct.unpack_from("q", self._memory, place)[0]
        return found

    @property
    def ahead(self) -> int:
        """Milliseconds by which the clock is ahead."""
        return self._get(0)

    @ahead.setter
    def ahead(self, value: int) -> None:
        struct.pack_into("q", self._memory, 0, value)

    @property
    def tasks(self) -> int:
        """Tasks in the server's event loop."""
        return self._get(8)

    @tasks.setter
    def tasks(self, value: int) -> None:
        struct.pack_into("q", self._memory, 8, value)


class WrongClock(SystemClock):
    """A clock that someone sets forward and back. A monotonic clock never goes back."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.loop: asyncio.AbstractEventLoop | None = None
        """The places where a caller asked for the time: its tasks are counted."""

    def now(self) -> int:
        if self.loop is None:
            self.loop = asyncio.get_running_loop()
        return super().now() + self.page.ahead


class Vitals(NamedTuple):
    """What a process has."""

    memory: int
    """Bytes that are really in memory."""
    files: int
    tasks: int
    children: int


class Server(Process):
    """A server that is started again however it ended, at the same address."""

    def __init__(self, database: str, folder: Path, name: str) -> None:
        super().__init__(database)
        self.name = name
        self.folder = folder
        self.port = free_port()
        self.page_file = folder / f"{name}.page"
        self.page_file.touch()
        self.page = Page(str(self.page_file))
        self.busy = asyncio.Lock()
        """Held while it is being killed and started."""
        self.buried: dict[int, float] = {}
        """Groups of processes that are over, and when they ended: no process of one may be left."""
        self.tracebacks: list[str] = []
        self.failed_starts = 0
        """It could not start, because the database was away: that is said in a sentence."""
        self.ended: list[str] = []
        """It ended by itself without being killed, or did not end when it was asked to."""
        self.peak = 0

    def _made(self) -> ForkServerProcess:
        words = self.database, self.port, self.output.name, str(self.page_file), str(self.folder)
        return forking.CONTEXT.Process(target=_serve, args=words)

    def dead(self) -> bool:
        return self._process is None or self._process.exitcode is not None

    async def start(self) -> None:
        """Returns when it serves; it is tried until it can."""
        while True:
            await super().start()
            if self.url is not None or self._killed:
                return
            self._hear()
            self._bury()
            self.failed_starts += 1
            await asyncio.sleep(0.2)

    async def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End it, if it lives, and note what it had to say before."""
        self.url = None
        self._killed = True
        if self._process is None:
            return
        self._look()
        # A worker that loses its server while it starts may complain: that is heard no more.
        if how is signal.SIGKILL:
            self._hear()
        if self._process.exitcode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.group, how)
                os.kill(self.group, signal.SIGCONT)  # It may stand still.
        await asyncio.to_thread(self._process.join, STOPPING)
        if self._process.exitcode is None:
            if how is not signal.SIGKILL:  # That one is the system's to carry out.
                self.ended.append(f"not within {STOPPING} seconds after {how.name}")
            os.kill(self.group, signal.SIGKILL)
            await asyncio.to_thread(self._process.join)
        self._bury()
        if how is not signal.SIGKILL:
            self._hear()

    async def end(self) -> None:
        """End it as a host does."""
        await self.kill(signal.SIGTERM)

    async def again(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End it and start it again."""
        async with self.busy:
            await self.kill(how)
            await self.start()

    async def look_after(self) -> None:
        """Start it again if it ends by itself, which it never should; measure it now and then."""
        while True:
            if not self.busy.locked() and self.url is not None and self.dead():
                async with self.busy:
                    assert self._process
                    self.ended.append(f"{self._process.exitcode}: {self.said()[-500:]}")
                    await self.kill()
                    await self.start()
            self._look()
            await asyncio.sleep(0.5)

    def _hear(self) -> None:
        said = self.said()
        self.tracebacks += tracebacks(said)
        with open(self.folder / f"{self.name}.log", "a") as file:
            file.write(said)

    def _look(self) -> None:
        with contextlib.suppress(OSError):
            self.peak = max(self.peak, self.vitals().memory)

    def workers(self) -> list[int]:
        """Processes in which it thinks."""
        with contextlib.suppress(OSError, AssertionError):
            return [pid for pid in children(self.group) if b"spawn_main" in command(pid)]
        return []

    def vitals(self) -> Vitals:
        """What it has now."""
        status = Path(f"/proc/{self.group}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return Vitals(
            1024 * int(found[1]) if found else 0,
            len(os.listdir(f"/proc/{self.group}/fd")),
            self.page.tasks,
            len(children(self.group)),
        )

    def _bury(self) -> None:
        self.buried[self.group] = time.clock_gettime(time.CLOCK_BOOTTIME)

    def stray(self) -> int:
        """How many processes are left of those that are over."""
        return sum(began < self.buried.get(group, 0) for group, began in _processes())


def free_port() -> int:
    """A port below those that the system gives to clients, so that it stays free."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as tried, contextlib.suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port


def children(pid: int) -> list[int]:
    """The processes that a process has started, and that are alive."""
    found = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                text = Path(f"/proc/{pid}/task/{task}/children").read_text()
                found += [int(child) for child in text.split()]
    return found


def command(pid: int) -> bytes:
    """How a process was started, or what it calls itself; nothing if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _processes() -> Iterator[tuple[int, float]]:
    """The group of each process, and when it began: numbers of groups are used again."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            words = path.read_text().rpartition(")")[2].split()
            yield int(words[2]), int(words[19]) / os.sysconf("SC_CLK_TCK")


# -- inside the process --------------------------------------------------------------------------


def _serve(database: str, port: int, output: str, page_file: str, folder: str) -> None:
    """What `dalapapa play` does, with a clock of ours."""
    os.setsid()  # Its workers are of its group, and so can be found.
    file = os.open(output, os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(file, stream)
    os.environ["TMPDIR"] = tempfile.tempdir = f"{folder}/tmp"
    clock = WrongClock(Page(page_file))
    threading.Thread(target=_end_with_the_soak, daemon=True).start()
    threading.Thread(target=_count_tasks, args=(clock,), daemon=True).start()
    try:
        how = run.ServerOptions(
            port=port, open_browser=False, database=database, limits=limits_from(LIMITS)
        )
        run.serve(how, clock)
    except DalapapaError as error:
        sys.exit(str(error))


def _end_with_the_soak() -> None:
    """Nothing stays, even if the soak fails."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os.killpg(0, signal.SIGKILL)


def _count_tasks(clock: WrongClock) -> None:
    while True:
        time.sleep(0.5)
        if clock.loop is not None:
            clock.page.tasks = len(asyncio.all_tasks(clock.loop))
