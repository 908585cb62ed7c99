"""Restarts that nobody notices: a listening socket that outlives the process, and a quiet end.

Whoever holds the listening socket (systemd, or any supervisor) hands it to one process after the
other. Who connects in between waits in its queue and is not refused. The process that ends answers
what it has accepted, closes its sockets as 1012 (clients come back by themselves, and send again
what was not answered, under the same id), and lets go of the database before it is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket

import uvicorn

from ...core.errors import BadInput
from ..storage.readiness import Readiness

FIRST = 3
"""The number of the first file that systemd hands over."""

HURRY = 0.4
"""Seconds for what is under way when Ctrl+C is pressed."""

MOMENT = 1.0
"""Seconds in which whoever was accepted just now may still ask."""


def handed_over(fd: int | None = None) -> list[socket.socket]:
    """The listening sockets that whoever started this process has opened: `--fd`, or systemd's."""
    if fd is not None:
        return [_listening(fd)]
    environment = os.environ
    meant = environment.get("LISTEN_PID") == str(os.getpid())
    count = environment.get("LISTEN_FDS", "")
    if not meant or not count.isdecimal():
        return []
    for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
        environment.pop(name, None)  # They are not for our workers.
    return [_listening(number) for number in range(FIRST, FIRST + int(count))]


def _listening(fd: int) -> socket.socket:
    refusal = BadInput(f"File {fd} is not a socket that listens on a port.", "cannot_listen")
    try:
        found = socket.socket(fileno=fd)
    except (OSError, ValueError, OverflowError):
        raise refusal from None
    listens = found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    if not listens or found.family not in (socket.AF_INET, socket.AF_INET6):
        found.detach()  # It is somebody else's.
        raise refusal
    found.setblocking(False)
    os.set_inheritable(fd, False)
    return found


def notify(news: str) -> None:
    """Tell systemd, if it wants to know (`Type=notify`)."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if place:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.connect(f"\0{place[1:]}" if place.startswith("@") else place)
            line.send(news.encode())


def watchdog_interval() -> float | None:
    """Seconds between pings for systemd (`WatchdogSec`): half of what it allows; None: no pings."""
    allowed = os.environ.get("WATCHDOG_USEC", "")
    process = os.environ.get("WATCHDOG_PID", str(os.getpid()))
    if not allowed.isdecimal() or not int(allowed) or process != str(os.getpid()):
        return None
    return int(allowed) / 2_000_000


async def ping_watchdog(interval: float) -> None:
    """Tell systemd that the event loop runs: it restarts a process that does not say so."""
    while True:
        notify("WATCHDOG=1")
        await asyncio.sleep(interval)


class GracefulServer(uvicorn.Server):
    """Ends without refusing anybody; for `drain` seconds before, `/ready` says that it will."""

    def __init__(self, config: uvicorn.Config, drain: float = 0) -> None:
        super().__init__(config)
        self.drain = drain
        self._pinging: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin, and say so."""
        await super().startup(sockets)
        notify("READY=1")
        interval = watchdog_interval()
        if interval is not None:  # Until the loop ends.
            self._pinging = asyncio.create_task(ping_watchdog(interval))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Be not ready, accept nobody more, answer what is there, say goodbye."""
        notify("STOPPING=1")
        readiness: Readiness = self.config.app.state.services.readiness  # type: ignore[union-attr]
        readiness.stopping = True
        if signal.SIGINT in self._captured_signals:  # Somebody waits at the keyboard.
            self.drain = patience = 0.0
            self.config.timeout_graceful_shutdown = HURRY  # type: ignore[assignment]
        else:
            patience = MOMENT
        signals, end = len(self._captured_signals), asyncio.get_running_loop().time() + self.drain
        while asyncio.get_running_loop().time() < end and len(self._captured_signals) == signals:
            await asyncio.sleep(0.05)
        for server in self.servers:
            server.close()
        end = asyncio.get_running_loop().time() + patience
        while self._silent() and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)
        await super().shutdown(sockets)

    def _silent(self) -> bool:
        """Whether somebody was accepted and has not asked anything yet."""
        return any(
            getattr(connection, "cycle", connection) is None
            for connection in self.server_state.connections
        )
