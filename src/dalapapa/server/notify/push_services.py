"""Push services that browsers name: only public addresses, and few that have not answered lately.

A client can name any host, so DNS answers are not trusted either: the server connects to the
address that it has checked, and a name server that does not answer blocks only a thread of its own.

Anyone can subscribe endpoints that never answer, under any number of names. Services that have not
answered lately therefore share a few slots, and all names of a domain share even fewer.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any
from urllib.parse import urlsplit

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
            raise OSError("the name has no public address")
        if not self.private and not all(is_public(address) for address in addresses):
            raise Unreachable(host)
        return addresses[0]

    async def _ask(self, host: str, port: int, slots: asyncio.Semaphore) -> list[Any]:
        """Look up in a thread, which keeps its slot until it ends, even if no caller waits."""
        await slots.acquire()
        loop = asyncio.get_running_loop()
        answer: Future[list[Any]] = Future()
        answer.set_running_or_notify_cancel()  # A caller that leaves does not cancel it.

        def run() -> None:
            try:
                answer.set_result(self.look_up(host, port))
            except Exception as error:
                answer.set_exception(error)
            with contextlib.suppress(RuntimeError):  # The loop is closed: nothing waits.
                loop.call_soon_threadsafe(slots.release)

        # A daemon, so that a name server that hangs does not delay the end of the process.
        threading.Thread(target=run, name="push lookup", daemon=True).start()
        return await asyncio.wrap_future(answer)


# -- limits on parallel messages -----------------------------------------------------------------

MAX_MESSAGES, MAX_MESSAGES_PER_HOST = 40, 8
"""Parallel messages, in total and to one push service."""

MAX_UNPROVEN, MAX_UNPROVEN_PER_DOMAIN = 10, 2
"""Parallel messages to services that have not answered lately, in total and to one domain."""

MAX_PROVEN_HOSTS = 1000
"""Hosts that are remembered because they have answered."""

BROWSER_SERVICES = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)
"""The push services of browsers. They count as proven from the beginning."""


class PushServices:
    """Counts messages by host. Each successful `take` needs a `leave`."""

    def __init__(self) -> None:
        self._hosts: Counter[str] = Counter()
        self._domains: Counter[str] = Counter()
        """Unproven messages by domain."""
        self._unproven: Counter[str] = Counter()
        """The same by endpoint, because a host may answer meanwhile."""
        self._proven: OrderedDict[str, None] = OrderedDict()

    def is_known(self, host: str) -> bool:
        """Return whether a host is a browser's service, or accepted our last message."""
        of_browsers = any(
            host == name or (name.startswith(".") and host.endswith(name))
            for name in BROWSER_SERVICES
        )
        return of_browsers or host in self._proven

    def take(self, endpoint: str) -> bool:
        """Take a slot for a message; return whether there was one."""
        host = _host_of(endpoint)
        if self._hosts.total() >= MAX_MESSAGES or self._hosts[host] >= MAX_MESSAGES_PER_HOST:
            return False
        if not self.is_known(host):
            domain, count = _domain_of(host), self._domains.total()
            if count >= MAX_UNPROVEN or self._domains[domain] >= MAX_UNPROVEN_PER_DOMAIN:
                return False
            self._domains[domain] += 1
            self._unproven[endpoint] += 1
        self._hosts[host] += 1
        return True

    def leave(self, endpoint: str) -> None:
        host = _host_of(endpoint)
        _subtract(self._hosts, host)
        if self._unproven[endpoint]:
            _subtract(self._unproven, endpoint)
            _subtract(self._domains, _domain_of(host))

    def note_outcome(self, endpoint: str, outcome: str) -> None:
        """Remember whether a service accepted a message, or has to prove itself again."""
        host = _host_of(endpoint)
        if outcome == "sent":
            self._proven[host] = None
            self._proven.move_to_end(host)
            if len(self._proven) > MAX_PROVEN_HOSTS:
                self._proven.popitem(last=False)
        elif outcome == "later":
            self._proven.pop(host, None)


def _host_of(endpoint: str) -> str:
    return urlsplit(endpoint).hostname or ""


def _domain_of(host: str) -> str:
    """Return the last two labels: the owner of a domain has all names below it."""
    return ".".join(host.rstrip(".").split(".")[-2:])


def _subtract(counter: Counter[str], name: str) -> None:
    counter[name] -= 1
    if counter[name] <= 0:
        del counter[name]
