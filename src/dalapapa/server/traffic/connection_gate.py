"""Admission of HTTP connections: how many there may be, in all and for each address.

All open connections are checked together once a second, so that a connection costs nothing while it
waits. A WebSocket has its own limits (`ws/session.py`): it leaves the gate when it is upgraded.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Protocol

from ...core.errors import Unavailable
from ..clock import SYSTEM_CLOCK, SystemClock
from .allowed_hosts import AllowedHosts
from .limits import ConcurrencyLimit, Limits, TokenBuckets
from .proxies import TrustedProxies
from .talkers import Meter, Talkers, make_free_meter

CHECK_INTERVAL_S = 1.0


class GatedConnection(Protocol):
    """A connection as the gate uses it."""

    loop: asyncio.AbstractEventLoop
    meter: Meter
    address: str
    """The address whose limits it counts for; empty for a proxy."""

    def check(self, now: float) -> None:
        """End the connection if it takes too long."""


class ConnectionGate:
    """The connections of a server, and counts of refused ones."""

    def __init__(
        self, limits: Limits, clock: SystemClock = SYSTEM_CLOCK, hosts: AllowedHosts | None = None
    ) -> None:
        each = limits.sockets_an_address
        self.clock = clock
        self.hosts: AllowedHosts = hosts or AllowedHosts()
        self.proxies: TrustedProxies = TrustedProxies()
        """Peers that are only proxies: their connections count for no address."""
        self.max_connections: int = limits.connections
        self.slots: ConcurrencyLimit = ConcurrencyLimit(max_each=2 * each)
        self.arrivals: TokenBuckets = TokenBuckets(each, 4 * each, clock)
        self.talkers: Talkers = Talkers(limits, clock)
        self.open: set[GatedConnection] = set()
        self.refused: Counter[str] = Counter()
        self._next_check: asyncio.TimerHandle | None = None

    def admit(self, connection: GatedConnection) -> None:
        """Admit a connection, or refuse it."""
        if len(self.open) >= self.max_connections:
            raise Unavailable("The server has too many connections: try again in a moment.")
        if connection.address:
            self.arrivals.check(connection.address, "Too many connections: wait a moment.")
            self.slots.take(connection.address)
            connection.meter = self.talkers.meter_requests(self.talkers.open(connection.address))
        self.open.add(connection)
        if self._next_check is None:
            self._plan_check(connection.loop)

    def release(self, connection: GatedConnection) -> None:
        """Forget a connection that has ended, or has become a WebSocket."""
        if connection in self.open:
            self.open.remove(connection)
            if connection.address:
                self.slots.leave(connection.address)
                self.talkers.close(connection.meter.talker)

    def exempt_proxy(self, connection: GatedConnection) -> None:
        """Stop counting a proxy's connection: it stands for many people, whose requests count."""
        self.arrivals.get(connection.address).pay(-1)
        self.slots.leave(connection.address)
        self.talkers.close(connection.meter.talker)
        connection.meter = make_free_meter()
        connection.address = ""

    def _plan_check(self, loop: asyncio.AbstractEventLoop) -> None:
        self._next_check = loop.call_later(CHECK_INTERVAL_S, self._check, loop)

    def _check(self, loop: asyncio.AbstractEventLoop) -> None:
        self._next_check = None
        now = self.clock.monotonic()
        for connection in tuple(self.open):
            connection.check(now)
        if self.open:
            self._plan_check(loop)
