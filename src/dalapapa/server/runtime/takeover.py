"""Restarts without refused clients: inherited listening sockets, and a graceful shutdown.

A supervisor, such as systemd, passes the listening socket to one process after the other; clients
that connect in between wait in its queue. A process that ends answers accepted requests, closes its
WebSockets with 1012 (clients reconnect, and repeat messages), and releases the database.
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

FIRST_FD = 3

INTERRUPT_TIMEOUT_S = 0.4

FIRST_REQUEST_TIMEOUT_S = 1.0
"""Seconds in which a new connection can still send its request."""


def take_inherited_sockets(fd: int | None = None) -> list[socket.socket]:
    """Return the listening sockets of the parent process: `--fd`, or those of systemd."""
    if fd is not None:
        return [_adopt_socket(fd)]
    environment = os.environ
    is_for_us = environment.get("LISTEN_PID") == str(os.getpid())
    count = environment.get("LISTEN_FDS", "")
    if not is_for_us or not count.isdecimal():
        return []
    for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
        environment.pop(name, None)  # Workers must not inherit them.
    return [_adopt_socket(number) for number in range(FIRST_FD, FIRST_FD + int(count))]


def _adopt_socket(fd: int) -> socket.socket:
    refusal = BadInput(f"File {fd} is not a socket that listens on a port.", "cannot_listen")
    try:
        found = socket.socket(fileno=fd)
    except (OSError, ValueError, OverflowError):
        raise refusal from None
    listens = found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    if not listens or found.family not in (socket.AF_INET, socket.AF_INET6):
        found.detach()  # It belongs to other code.
        raise refusal
    found.setblocking(False)
    os.set_inheritable(fd, False)
    return found


def notify_systemd(state: str) -> None:
    """Send a state to systemd, if it expects one (`Type=notify`)."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if place:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.connect(f"\0{place[1:]}" if place.startswith("@") else place)
            line.send(state.encode())


def find_watchdog_interval() -> float | None:
    """Return the seconds between pings for systemd, half of `WatchdogSec`; None: no pings."""
    allowed = os.environ.get("WATCHDOG_USEC", "")
    process = os.environ.get("WATCHDOG_PID", str(os.getpid()))
    if not allowed.isdecimal() or not int(allowed) or process != str(os.getpid()):
        return None
    return int(allowed) / 2_000_000


async def ping_watchdog(interval: float) -> None:
    """Inform systemd that the event loop runs: it restarts a process that does not."""
    while True:
        notify_systemd("WATCHDOG=1")
        await asyncio.sleep(interval)


class GracefulServer(uvicorn.Server):
    """Ends without refusing clients; `/ready` announces the end for `drain` seconds before."""

    def __init__(self, config: uvicorn.Config, drain: float = 0) -> None:
        super().__init__(config)
        self.drain: float = drain
        self._pinging: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        notify_systemd("READY=1")
        interval = find_watchdog_interval()
        if interval is not None:  # It runs until the loop ends.
            self._pinging = asyncio.create_task(ping_watchdog(interval))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Become unready, stop accepting, answer pending requests, close all connections."""
        notify_systemd("STOPPING=1")
        readiness: Readiness = self.config.app.state.services.readiness  # type: ignore[union-attr]
        readiness.stopping = True
        if signal.SIGINT in self._captured_signals:  # A person waits at the keyboard.
            self.drain = patience = 0.0
            self.config.timeout_graceful_shutdown = INTERRUPT_TIMEOUT_S  # type: ignore[assignment]
        else:
            patience = FIRST_REQUEST_TIMEOUT_S
        signals, end = len(self._captured_signals), asyncio.get_running_loop().time() + self.drain
        while asyncio.get_running_loop().time() < end and len(self._captured_signals) == signals:
            await asyncio.sleep(0.05)
        for server in self.servers:
            server.close()
        end = asyncio.get_running_loop().time() + patience
        while self._has_new_connection() and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.01)
        await super().shutdown(sockets)

    def _has_new_connection(self) -> bool:
        """Whether a client was accepted and has not sent a request yet."""
        return any(
            getattr(connection, "cycle", connection) is None
            for connection in self.server_state.connections
        )
