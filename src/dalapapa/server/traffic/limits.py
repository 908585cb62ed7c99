"""Limits for connections and addresses: generous to people, strict with floods."""

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
from ...core.notation import shorten
from ..clock import SYSTEM_CLOCK, SystemClock

MAX_LIMIT = 1_000_000_000
"""The largest value of a limit: more than any machine can do."""

MAX_ADDRESSES = 10_000
"""Addresses that are remembered; those that were silent for the longest time are forgotten."""

MAX_BODY_BYTES = 200_000

NETWORK_FACTOR = 4
"""How many times the limit of one address all addresses of an IPv6 /48 have together."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of a server, which `--limit` sets."""

    messages_per_second: float = 100
    """Messages from one socket, on average."""
    messages_at_once: int = 300
    frames_per_second: float = 300
    """Frames of any kind from one socket, on average."""
    bytes_per_second: float = 200_000
    """Bytes from one socket, on average."""
    frames_an_address: float = 500
    """Frames, and pieces of requests, from one address in a second, on average."""
    bytes_an_address: float = 1_000_000
    """Bytes from one address in a second, on average."""
    sockets_an_address: int = 100
    sockets: int = 10_000
    tables_per_minute: float = 20
    """Tables that one address may set up, on average."""
    table_bytes_per_day: int = 50_000_000
    """Bytes in the database of the tables that one address may set up, on average."""
    table_memory_bytes: int = 200_000_000
    """Estimated bytes of the tables in memory of one process; tables without viewers make room."""
    finds_per_hour: float = 60
    """Browsers at one address that count as having solved the problem of the day."""
    consents_per_hour: float = 5
    """Mail addresses that one network address may have asked to confirm."""
    consents_in_all: float = 100
    """The same for all network addresses together, in one process."""
    tables: int = 100_000
    """Tables in the database without the archive; above this number, no new ones are created."""
    connections: int = 5_000
    """Open HTTP connections in one process, without sockets."""
    requests_per_second: float = 20
    """HTTP requests from one address, on average."""
    requests_at_once: int = 100
    pages_per_second: float = 50
    """Pages and their files for one address, on average."""
    pages_at_once: int = 500
    solver_seconds: float = 5
    """Time limit of one question to the solver."""
    solver_at_once: int = 30
    """Questions to the solver that wait, in each process."""
    reviews_at_once: int = 30
    """Reviews of games that wait, in each process."""
    slow_at_once: int = 40
    """Problems, advice of the coach and prints that wait, in each process."""
    questions_at_once: int = 100
    """Other questions that wait, in each process."""
    share_an_address: Annotated[float, Meta(ge=0, le=1)] = 0.3
    """The share of each of the previous four limits that one address may use, at least one; and the
    share of the free `tables`, at least 100."""
    computing_an_address: Annotated[float, Meta(ge=0, le=1)] = 0.25
    """The share of the time of a process for listing legal moves of one address; 1: all of it."""

    def make_slots(self, number: int) -> ConcurrencyLimit:
        """Create slots for jobs, of which one address may have its share."""
        return ConcurrencyLimit(number, max(1, int(number * self.share_an_address)))


def limits_from(data: dict[str, Any]) -> Limits:
    """Read limits from plain data; missing ones have their defaults."""
    for name, value in data.items():
        if name not in Limits.__struct_fields__:
            known = ", ".join(Limits.__struct_fields__)
            raise BadInput(
                f"There is no limit called {shorten(name)}: choose one of {known}.", "bad_limits"
            )
        whole = Limits.__annotations__[name] == "int"
        most = 1 if name in ("share_an_address", "computing_an_address") else MAX_LIMIT
        number = type(value) is int or (type(value) is float and not whole)
        if not number or not 0 <= value <= most:
            kind = "a whole number" if whole else "a number"
            raise BadInput(
                f"The limit {name} must be {kind} from 0 to {most}, not {shorten(str(value))}.",
                "bad_limits",
            )
    return msgspec.convert(data, Limits)


ONE_TOKEN = 1 - 1e-6
"""One, with a tolerance for rounding."""


class TokenBucket:
    """Gains tokens at a rate up to a capacity; a client that finds none has to wait."""

    __slots__ = ("capacity", "clock", "filled_at", "level", "network", "rate")

    def __init__(self, rate: float, capacity: float, clock: SystemClock = SYSTEM_CLOCK) -> None:
        self.rate: float = rate
        self.capacity: float = capacity
        self.clock: SystemClock = clock
        self.level: float = capacity
        self.filled_at: float = clock.monotonic()
        self.network: TokenBucket | None = None
        """The bucket of the network of the address, which pays the same."""

    def take(self) -> bool:
        """Take a token, and return whether there was one."""
        self._fill()
        if self.level < ONE_TOKEN or (self.network is not None and not self.network.take()):
            return False
        self.level -= 1
        return True

    def check(self, sentence: str) -> None:
        """Take a token, or refuse with the time when there will be one."""
        if not self.take():
            raise TooMany(sentence, "too_fast").retry_after(self.wait())

    def wait(self) -> float:
        """Return the seconds until there is a token."""
        self._fill()
        if self.network is not None and (longer := self.network.wait()) > 0:
            return max(longer, self._wait())
        return self._wait()

    def _wait(self) -> float:
        if self.level >= ONE_TOKEN:
            return 0
        return (1 - self.level) / self.rate if self.rate > 0 and self.capacity >= 1 else math.inf

    def _fill(self) -> None:
        now = self.clock.monotonic()
        self.level = min(self.capacity, self.level + (now - self.filled_at) * self.rate)
        self.filled_at = now

    def pay(self, cost: float) -> None:
        """Take more tokens, because a request was expensive; the level may become negative."""
        self.level -= cost
        if self.network is not None:
            self.network.pay(cost)


def make_busy_error() -> Unavailable:
    """Return the refusal of a client while too many others wait."""
    return Unavailable("Too many questions at once: ask again in a moment.", "busy")


class ConcurrencyLimit:
    """Limits how many jobs wait or run at the same time, in total and for each address."""

    def __init__(self, max_total: float = math.inf, max_each: float = math.inf) -> None:
        self.max_total = max_total
        self.max_each = max_each
        self._taken: Counter[str] = Counter()
        self._networks: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._taken.total()

    def take(self, address: str) -> None:
        """Take a slot, or refuse."""
        if len(self) >= self.max_total:
            raise make_busy_error()
        network = network_of(address)
        crowded = network is not None and self._networks[network] >= NETWORK_FACTOR * self.max_each
        if crowded or self._taken[address] >= self.max_each:
            raise TooMany(
                "Your address has too many requests in progress: wait until one is answered.",
                "too_many",
            )
        self._taken[address] += 1
        if network is not None:
            self._networks[network] += 1

    def count(self, address: str) -> int:
        return self._taken[address]

    def leave(self, address: str) -> None:
        self._taken[address] -= 1
        if not self._taken[address]:
            del self._taken[address]
        if (network := network_of(address)) is not None:
            self._networks[network] -= 1
            if not self._networks[network]:
                del self._networks[network]


def parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an IP address without its zone; None for other text."""
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None


def address_of(scope: MutableMapping[str, Any]) -> str:
    """Return whose limits a connection counts for: an address, or the IPv6 /64 of a household."""
    host: str = scope["client"][0] if scope.get("client") else "?"
    address = parse_address(host) if ":" in host else None
    if not isinstance(address, ipaddress.IPv6Address):
        return host
    # A dual-stack socket shows IPv4 as a part of IPv6, which is not the network of one household.
    return str(address.ipv4_mapped or ipaddress.IPv6Network((address, 64), strict=False))


FORWARDED = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip", b"via"})


def is_from_this_machine(scope: MutableMapping[str, Any]) -> bool:
    """Return whether a request comes from this machine, and not through a proxy on it."""
    if any(name in FORWARDED for name, _ in scope["headers"]):
        return False
    address = parse_address(scope["client"][0] if scope.get("client") else "")
    address = getattr(address, "ipv4_mapped", None) or address
    return address is not None and address.is_loopback


@lru_cache(MAX_ADDRESSES)
def network_of(address: str) -> str | None:
    """Return the IPv6 /48 of an address (`address_of`), often of one customer; None for IPv4."""
    if not address.endswith("/64"):
        return None
    try:
        return str(ipaddress.IPv6Network(address).supernet(new_prefix=48))
    except ValueError:
        return None


class TokenBuckets:
    """A bucket for each address, and a larger one for each IPv6 /48."""

    def __init__(self, rate: float, capacity: float, clock: SystemClock = SYSTEM_CLOCK) -> None:
        self._create = partial(TokenBucket, rate, capacity, clock)
        factor = NETWORK_FACTOR
        self._create_network = partial(TokenBucket, factor * rate, factor * capacity, clock)
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str) -> bool:
        return self.get(address).take()

    def check(self, address: str, sentence: str) -> None:
        """Take a token of an address, or refuse."""
        self.get(address).check(sentence)

    def get(self, address: str) -> TokenBucket:
        bucket = self._find(address, self._create)
        if (network := network_of(address)) is not None:
            bucket.network = self._find(network, self._create_network)
        return bucket

    def _find(self, name: str, create: Callable[[], TokenBucket]) -> TokenBucket:
        bucket = self._buckets.get(name)
        if bucket is None:
            bucket = self._buckets[name] = create()
            if len(self._buckets) > MAX_ADDRESSES:
                self._buckets.popitem(last=False)
        self._buckets.move_to_end(name)
        return bucket
