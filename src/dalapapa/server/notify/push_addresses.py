"""Network addresses of push services: only public ones, looked up once, with a time limit.

Browsers name their push service, so a client can name any host. DNS answers are not trusted either:
the server connects to the address that it has checked, and a name server that does not answer
blocks only a thread of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import threading
from collections.abc import Callable
from typing import Any

LOOKUP_TIMEOUT_S = 4

MAX_LOOKUPS = 20
"""Parallel lookups for services that have not answered lately, and as many for those that have.
Threads that hang are counted until they end, which takes the system about half a minute."""

GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")

RESERVED = (
    # IPv4 for IPv6: relays of 6to4.
    ipaddress.ip_network("192.88.99.0/24"),
    # Teredo and other protocols, 6to4, documentation. In Python, they depend on its version.
    ipaddress.ip_network("2001::/23"),
    ipaddress.ip_network("2001:db8::/32"),
    ipaddress.ip_network("2002::/16"),
    ipaddress.ip_network("3fff::/20"),
)

LookUp = Callable[[str, int], list[Any]]


class Unreachable(Exception):
    """The server does not connect to the address of this service."""


def is_public(address: str) -> bool:
    """Return whether an address is public, and not of a private network.

    IPv6 addresses that contain an IPv4 address (compatible, NAT64, 6to4, Teredo) are refused: a
    gateway may lead them inside. Mapped ones count as the IPv4 address that they stand for.
    """
    known = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped is not None:
            return is_public(str(known.ipv4_mapped))
        if known not in GLOBAL_UNICAST:
            return False
    if any(known in network for network in RESERVED):
        return False
    return known.is_global and not known.is_multicast and not known.is_reserved


def _look_up(host: str, port: int) -> list[Any]:
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)


class Resolver:
    """Looks names up in threads. `private`: private addresses are allowed, for tests."""

    def __init__(
        self,
        look_up: LookUp = _look_up,
        private: bool = False,
        timeout_s: float = LOOKUP_TIMEOUT_S,
        max_parallel: int = MAX_LOOKUPS,
    ) -> None:
        self.look_up = look_up
        self.private = private
        self.timeout_s = timeout_s
        self._slots = {known: asyncio.Semaphore(max_parallel) for known in (True, False)}

    async def find_address(self, host: str, port: int, is_known: bool = False) -> str:
        """Return the address to connect to; raise `Unreachable`, `TimeoutError` or `OSError`."""
        async with asyncio.timeout(self.timeout_s):
            found = await self._ask(host, port, self._slots[is_known])
        addresses = [str(each[4][0]) for each in found]
        if not addresses:
            raise OSError("the name has no address")
        if not self.private and not all(is_public(address) for address in addresses):
            raise Unreachable(host)
        return addresses[0]

    async def _ask(self, host: str, port: int, slots: asyncio.Semaphore) -> list[Any]:
        """Look up in a thread, which keeps its slot until it ends, even if no caller waits."""
        await slots.acquire()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Any]] = loop.create_future()

        def finish(found: list[Any] | None, error: Exception | None) -> None:
            slots.release()
            if answer.done():
                return
            if error is not None:
                answer.set_exception(error)
            else:
                answer.set_result(found or [])

        def run() -> None:
            found, error = None, None
            try:
                found = self.look_up(host, port)
            except Exception as caught:
                error = caught
            with contextlib.suppress(RuntimeError):  # The loop is closed: nothing waits.
                loop.call_soon_threadsafe(finish, found, error)

        # A daemon, so that a name server that hangs does not delay the end of the process.
        threading.Thread(target=run, name="push lookup", daemon=True).start()
        return await answer
