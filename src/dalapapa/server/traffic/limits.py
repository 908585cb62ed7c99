"""How much one connection or one address may ask for: generous to people, firm with floods."""

from __future__ import annotations

import ipaddress
import math
from collections import Counter, OrderedDict
from collections.abc import Callable, MutableMapping
from functools import lru_cache, partial
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from ...core.errors import BadInput, TooMany, Unavailable
from ...core.notation import shortened
from ..clock import SYSTEM_CLOCK, SystemClock

MOST = 1_000_000_000
"""Of any limit: more than any machine can do."""

MAX_ADDRESSES = 10_000
"""Addresses that are remembered; the longest silent ones are forgotten."""

MAX_BODY_BYTES = 200_000
"""Bytes of the body of a request."""

NETWORK_FACTOR = 4
"""All addresses of an IPv6 /48 together may have so many times what one address may have."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a server allows."""

    messages_per_second: float = 100
    """From one socket, in the long run."""
    messages_at_once: int = 300
    frames_per_second: float = 300
    """Frames of any kind from one socket, in the long run."""
    bytes_per_second: float = 200_000
    """Bytes from one socket, in the long run."""
    frames_an_address: float = 500
    """Frames, and pieces of requests, from one address in a second, in the long run."""
    bytes_an_address: float = 1_000_000
    """Bytes from one address in a second, in the long run."""
    sockets_an_address: int = 100
    sockets: int = 10_000
    tables_per_minute: float = 20
    """Tables that one address may set up, in the long run."""
    table_bytes_per_day: int = 50_000_000
    """Of the tables that one address sets up, in the database, in the long run."""
    table_memory_bytes: int = 200_000_000
    """Of the tables in memory, as estimated, in one process; unwatched tables make room."""
    finds_per_hour: float = 60
    """Browsers at one address that are counted as having found a problem of the day."""
    consents_per_hour: float = 5
    """Mail addresses that are asked for their consent for one address of the network."""
    consents_in_all: float = 100
    """The same for everybody together, in one process."""
    tables: int = 100_000
    """In the database, not counting the archive; above about this many, no more are set up."""
    connections: int = 5_000
    """Over HTTP, open at once, in one process, not counting sockets."""
    requests_per_second: float = 20
    """Over HTTP, from one address, in the long run."""
    requests_at_once: int = 100
    pages_per_second: float = 50
    """Pages and their files, from one address, in the long run."""
    pages_at_once: int = 500
    solver_seconds: float = 5
    """Time limit of one question to the solver."""
    solver_at_once: int = 30
    """Questions to the solver waiting, for each process."""
    reviews_at_once: int = 30
    """Reviews of games waiting, for each process."""
    slow_at_once: int = 40
    """Problems, the coach's advice and prints waiting, for each process."""
    questions_at_once: int = 100
    """Other questions waiting, for each process."""
    share_an_address: Annotated[float, Meta(ge=0, le=1)] = 0.3
    """The share of each of the previous four that one address may have, at least one; and the
    share of the free `tables`, at least 100."""
    computing_an_address: Annotated[float, Meta(ge=0, le=1)] = 0.25
    """The share of a process's time for listing the legal moves of one address; 1: all of it."""

    def make_slots(self, number: int) -> ConcurrencyLimit:
        """Create slots for jobs, of which one address may have its share."""
        return ConcurrencyLimit(number, max(1, int(number * self.share_an_address)))


def limits_from(data: dict[str, Any]) -> Limits:
    """Limits from plain data; missing ones have their defaults."""
    for name, value in data.items():
        if name not in Limits.__struct_fields__:
            known = ", ".join(Limits.__struct_fields__)
            raise BadInput(
                f"There is no limit called {shortened(name)}: known are {known}.", "bad_limits"
            )
        whole = Limits.__annotations__[name] == "int"
        most = 1 if name in ("share_an_address", "computing_an_address") else MOST
        number = type(value) is int or (type(value) is float and not whole)
        if not number or not 0 <= value <= most:
            kind = "a whole number" if whole else "a number"
            raise BadInput(
                f"The limit {name} is {kind} from 0 to {most}, not {shortened(str(value))}.",
                "bad_limits",
            )
    return msgspec.convert(data, Limits)


ENOUGH = 1 - 1e-6
"""One, but for what is lost by rounding."""


class TokenBucket:
    """Fills at a rate up to a brim; whoever takes more than is in it has to wait."""

    __slots__ = ("brim", "clock", "filled", "level", "network", "rate")

    def __init__(self, rate: float, brim: float, clock: SystemClock = SYSTEM_CLOCK) -> None:
        self.rate = rate
        self.brim = brim
        self.clock = clock
        self.level = brim
        self.filled = clock.monotonic()
        self.network: TokenBucket | None = None
        """The bucket of the network that the address belongs to: what is taken here is taken
        there, too."""

    def take(self) -> bool:
        """Take one, if there is one."""
        self._fill()
        if self.level < ENOUGH or (self.network is not None and not self.network.take()):
            return False
        self.level -= 1
        return True

    def wait(self) -> float:
        """Seconds until there is one."""
        self._fill()
        if self.network is not None and (longer := self.network.wait()) > 0:
            return max(longer, self._wait())
        return self._wait()

    def _wait(self) -> float:
        if self.level >= ENOUGH:
            return 0
        return (1 - self.level) / self.rate if self.rate > 0 and self.brim >= 1 else math.inf

    def _fill(self) -> None:
        now = self.clock.monotonic()
        self.level = min(self.brim, self.level + (now - self.filled) * self.rate)
        self.filled = now

    def pay(self, cost: float) -> None:
        """Take more for what turned out to be dear; whoever has not enough waits longer."""
        self.level -= cost
        if self.network is not None:
            self.network.pay(cost)


def busy() -> Unavailable:
    """What a client receives while too many others wait."""
    return Unavailable("Too many questions at once: ask again in a moment.", "busy")


class ConcurrencyLimit:
    """For what waits or is under way: so many in all, and so many for one address."""

    def __init__(self, most: float = math.inf, each: float = math.inf) -> None:
        self.most = most
        self.each = each
        self._taken: Counter[str] = Counter()
        self._networks: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many are taken."""
        return self._taken.total()

    def take(self, address: str) -> None:
        """Take one, or refuse."""
        if len(self) >= self.most:
            raise busy()
        network = network_of(address)
        crowded = network is not None and self._networks[network] >= NETWORK_FACTOR * self.each
        if crowded or self._taken[address] >= self.each:
            raise TooMany(
                "Your address waits for too many answers: ask again when one has come.", "too_many"
            )
        self._taken[address] += 1
        if network is not None:
            self._networks[network] += 1

    def count(self, address: str) -> int:
        """How many an address has."""
        return self._taken[address]

    def leave(self, address: str) -> None:
        """Give one back."""
        self._taken[address] -= 1
        if not self._taken[address]:
            del self._taken[address]
        if (network := network_of(address)) is not None:
            self._networks[network] -= 1
            if not self._networks[network]:
                del self._networks[network]


def address_of(scope: MutableMapping[str, Any]) -> str:
    """Whose limits a connection counts for: an address, or of IPv6 the network of one household."""
    host: str = scope["client"][0] if scope.get("client") else "?"
    if ":" not in host:
        return host
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    # A socket for both kinds tells of IPv4 as a part of IPv6: all of it is no household.
    return str(address.ipv4_mapped or ipaddress.IPv6Network((address, 64), strict=False))


FORWARDED = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip", b"via"})
"""Headers that a proxy adds."""


def is_from_this_machine(scope: MutableMapping[str, Any]) -> bool:
    """Whether a program on this machine asks, and no proxy in the name of another one."""
    if any(name in FORWARDED for name, _ in scope["headers"]):
        return False
    try:
        address = ipaddress.ip_address(scope["client"][0] if scope.get("client") else "")
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


@lru_cache(MAX_ADDRESSES)
def network_of(address: str) -> str | None:
    """The IPv6 /48 that an address (`address_of`) belongs to; None for all others.

    Many providers give a /48 to one customer, who then has 65,536 addresses to count for.
    """
    if not address.endswith("/64"):
        return None
    try:
        return str(ipaddress.IPv6Network(address).supernet(new_prefix=48))
    except ValueError:
        return None


class TokenBuckets:
    """A bucket for each address, and a larger one for each IPv6 /48."""

    def __init__(self, rate: float, brim: float, clock: SystemClock = SYSTEM_CLOCK) -> None:
        self._fresh = partial(TokenBucket, rate, brim, clock)
        factor = NETWORK_FACTOR
        self._fresh_network = partial(TokenBucket, factor * rate, factor * brim, clock)
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Take one from the bucket of an address, if there is one."""
        return self.of(address).take()

    def check(self, address: str, sentence: str) -> None:
        """Take one, or refuse, and say when there will be one."""
        bucket = self.of(address)
        if not bucket.take():
            raise TooMany(sentence, "too_fast").retry_after(bucket.wait())

    def of(self, address: str) -> TokenBucket:
        """The bucket of an address."""
        bucket = self._find(address, self._fresh)
        if (network := network_of(address)) is not None:
            bucket.network = self._find(network, self._fresh_network)
        return bucket

    def _find(self, name: str, fresh: Callable[[], TokenBucket]) -> TokenBucket:
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = fresh()
            if len(self._buckets) > MAX_ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(name)
        return bucket
