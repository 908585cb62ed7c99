"""Restarts under load: one listening socket, several processes in turn, no refused connection."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from dalapapa.core.errors import BadInput
from dalapapa.server.runtime.takeover import find_watchdog_interval, take_inherited_sockets
from tests.support.crash import Party
from tests.support.serving import PATIENCE, uncounted
from tests.support.supervisor import ServerAddress, Supervisor, run_supervisor
from tests.support.waiting import wait_until, wait_until_sync

pytestmark = pytest.mark.anyio


class Knocking:
    """Asks over new connections all the time, and counts refusals and missing answers."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.answered = 0
        self.failed: list[str] = []

    async def go_on(self) -> None:
        limits = httpx.Limits(max_keepalive_connections=0)
        async with httpx.AsyncClient(
            trust_env=False, timeout=PATIENCE, limits=limits, verify=False
        ) as http:
            while True:
                try:
                    answer = await http.get(f"{self.url}/health")
                except httpx.TransportError as error:
                    self.failed.append(repr(error))
                else:
                    assert answer.text == "ok\n"
                    self.answered += 1


@contextlib.asynccontextmanager
async def load(supervisor: Supervisor, tables: int) -> AsyncIterator[tuple[Party, Knocking]]:
    """Tables of two that are played without a pause, and a client that opens new connections."""
    place = ServerAddress(supervisor.url, supervisor.database)
    party, knocking = Party([place]), Knocking(supervisor.url)  # type: ignore[list-item]
    async with asyncio.timeout(PATIENCE):
        made = [await party.create("classic", [None, None]) for _ in range(tables)]
        seats = [(id, token, seat) for id, token in made for seat in (0, 1)]
        tasks = [asyncio.create_task(party.play(*seat)) for seat in seats]
        tasks.append(asyncio.create_task(knocking.go_on()))
        try:
            yield party, knocking
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert {type(one) for one in ended} <= {asyncio.CancelledError, type(None)}, ended


async def test_a_restart_under_load_refuses_nothing(sqlite_database: str) -> None:
    """SQLite: the old process lets go of the database first; who comes in between waits."""
    with run_supervisor(sqlite_database) as supervisor:
        await restarted(supervisor, overlap=False)


@pytest.mark.thorough
async def test_processes_overlap_under_load_and_refuse_nothing(postgres_database: str) -> None:
    """PostgreSQL: the new process serves, on the same socket, before the old one ends."""
    with run_supervisor(postgres_database) as supervisor:
        await restarted(supervisor, overlap=True)


async def restarted(supervisor: Supervisor, overlap: bool) -> None:
    old = supervisor.start()
    await supervisor.serving(old)
    async with load(supervisor, 6) as (party, knocking):
        await party.some_moves(30)
        if overlap:
            new = supervisor.start()
            await supervisor.serving(new)
            await party.some_moves(30)
            await supervisor.stop(old)
        else:
            await supervisor.stop(old)
            new = supervisor.start()
        await party.some_moves(60)
        assert knocking.answered > 20
        assert knocking.failed == []
    assert not any(party.refused.values()), "no move was refused"
    assert await party.check() >= 90, "and none was lost or made twice"
    assert old.returncode is not None


async def test_draining_sends_1012_to_sockets_and_ready_says_no(sqlite_database: str) -> None:
    """With `--drain`, it serves for a while after the signal to stop; then sockets get 1012."""
    with run_supervisor(sqlite_database) as supervisor:
        process = supervisor.start("--drain=60")
        await supervisor.serving(process)
        party = Party([ServerAddress(supervisor.url, sqlite_database)])  # type: ignore[list-item]
        id, token = await party.create("classic", [None, None])
        address = f"{supervisor.url.replace('http', 'ws')}/api/tables/{id}/socket"
        async with (
            connect(address, proxy=None) as seat,
            httpx.AsyncClient(
                trust_env=False, base_url=supervisor.url, timeout=PATIENCE, verify=False
            ) as http,
        ):
            assert (await http.get("/ready")).text == "ready\n"
            process.send_signal(signal.SIGTERM)

            async def answer_but_yes() -> httpx.Response | None:
                answer = await http.get("/ready")
                return None if answer.status_code == 200 else answer

            answer = await wait_until(answer_but_yes, "a server that is no longer ready")
            assert answer.json()["code"] == "stopping"
            await seat.send(f'{{"type": "hello", "tokens": ["{token}"]}}')
            assert '"type":"table"' in str(await seat.recv())
            process.send_signal(signal.SIGTERM)  # Enough.
            with contextlib.suppress(ConnectionClosed):
                async for _ in seat:
                    pass
            assert seat.close_code == 1012
        await asyncio.to_thread(process.wait, PATIENCE)


# -- the watchdog --------------------------------------------------------------------------------

FREEZE = """
import signal, sys, time
signal.signal(signal.SIGUSR1, lambda *_: time.sleep(3600))  # The handler runs in the event loop.
from dalapapa.__main__ import main
main()
"""


class NotifySocket:
    """Where systemd listens for what a service says."""

    def __init__(self, folder: str) -> None:
        self.path = f"{folder}/notify"
        self.line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.line.bind(self.path)

    def hear(self, seconds: float = PATIENCE) -> str | None:
        """The next message; None if no message comes in time."""
        self.line.settimeout(seconds)
        try:
            return self.line.recv(1000).decode()
        except TimeoutError:
            return None


@pytest.fixture
def notify_socket() -> Iterator[NotifySocket]:
    with tempfile.TemporaryDirectory(prefix="dalapapa-") as folder:
        found = NotifySocket(folder)
        with found.line:
            yield found


def watched(notify_socket: NotifySocket, seconds: float = 0.1) -> dict[str, str]:
    """The environment of a unit with `WatchdogSec`."""
    usec = str(int(1_000_000 * seconds))
    return {"NOTIFY_SOCKET": notify_socket.path, "WATCHDOG_USEC": usec}


@pytest.mark.thorough
async def test_systemd_gets_pings_until_the_end(
    sqlite_database: str, notify_socket: NotifySocket
) -> None:
    with run_supervisor(sqlite_database) as supervisor:
        process = supervisor.start("--drain=60", environment=watched(notify_socket))
        heard = [await asyncio.to_thread(notify_socket.hear) for _ in range(4)]
        assert heard == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]
        process.send_signal(signal.SIGTERM)

        async def hears(news: str) -> bool:
            return await asyncio.to_thread(notify_socket.hear) == news

        await wait_until(lambda: hears("STOPPING=1"), "a server that says that it stops")
        assert await hears("WATCHDOG=1"), "while it drains, it is alive"
        process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(process.wait, PATIENCE)


def test_a_frozen_event_loop_sends_no_pings_and_leaves_a_stack(
    sqlite_database: str, notify_socket: NotifySocket
) -> None:
    """Other threads run on: a ping from one of them would hide the frozen loop."""
    words = ["play", "--no-browser", "--port=0", f"--database={sqlite_database}"]
    with subprocess.Popen(
        [sys.executable, "-c", FREEZE, *words],
        env={**uncounted(), **watched(notify_socket)},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            assert [notify_socket.hear() for _ in range(2)] == ["READY=1", "WATCHDOG=1"]
            process.send_signal(signal.SIGUSR1)
            wait_until_sync(lambda: notify_socket.hear(1) is None, "a second without a ping")
            process.send_signal(signal.SIGABRT)  # As systemd does.
            _, said = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == -signal.SIGABRT
    assert b"Fatal Python error: Aborted" in said
    assert b"<lambda>" in said, "the log says where it was frozen"


@pytest.mark.parametrize(
    ("usec", "process", "interval"),
    [("30000000", None, 15), ("30000000", "own", 15), ("30000000", "1", None), ("0", None, None),
     ("", None, None), ("soon", None, None)],
)  # fmt: skip
def test_pings_come_twice_as_often_as_systemd_asks(
    usec: str, process: str | None, interval: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", usec)
    monkeypatch.delenv("WATCHDOG_PID", raising=False)
    if process:
        monkeypatch.setenv("WATCHDOG_PID", str(os.getpid()) if process == "own" else process)
    assert find_watchdog_interval() == interval


def test_a_socket_that_is_handed_over_must_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert take_inherited_sockets() == []
    monkeypatch.setenv("LISTEN_PID", "1")
    monkeypatch.setenv("LISTEN_FDS", "1")
    assert take_inherited_sockets() == [], "it is for another process"
    with socket.socket() as deaf, socket.create_server(("127.0.0.1", 0)) as listener:
        for wrong in (deaf.fileno(), 9999):
            with pytest.raises(BadInput) as caught:
                take_inherited_sockets(wrong)
            assert caught.value.code == "cannot_listen"
        [found] = take_inherited_sockets(os.dup(listener.fileno()))
        assert found.getsockname() == listener.getsockname()
        found.close()
