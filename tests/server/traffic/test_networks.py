"""IPv6: each household has its /64, and all households of a /48 together have a limit, too."""

from __future__ import annotations

import pytest

from dalapapa.core.errors import TooMany
from dalapapa.server.traffic.limits import (
    NETWORK_FACTOR,
    ConcurrencyLimit,
    TokenBuckets,
    address_of,
    network_of,
)
from tests.support.serving import LateClock


def household(number: int, site: str = "2001:db8:7") -> str:
    """The address that counts for one of the 65,536 households of a site."""
    return address_of({"client": (f"{site}:{number:x}::1", 1)})


def test_only_ipv6_has_a_wider_network() -> None:
    assert network_of(household(1)) == network_of(household(0xFFFF)) == "2001:db8:7::/48"
    assert network_of(household(1, "2001:db8:8")) == "2001:db8:8::/48"
    for other in ("127.0.0.1", "?", "", "nonsense:::/64", address_of({"client": ("fe80:::", 1)})):
        assert network_of(other) is None
    assert network_of(address_of({"client": ("::ffff:10.0.0.1", 1)})) is None


def test_a_rate_holds_for_all_households_of_a_site() -> None:
    clock = LateClock()
    clock.stand()
    buckets = TokenBuckets(1, 3, clock)
    taken = [buckets.take(household(n)) for n in range(100)]
    assert taken.count(True) == 3 * NETWORK_FACTOR
    assert not buckets.take(household(200)), "a household that has asked for nothing"
    with pytest.raises(TooMany) as refused:
        buckets.check(household(201), "Too fast.")
    assert refused.value.after == pytest.approx(1 / NETWORK_FACTOR)
    assert buckets.take(household(1, "2001:db8:8")), "another site"
    assert buckets.take("127.0.0.1")
    clock.ahead = 1000
    assert [buckets.take(household(n)) for n in range(300, 310)].count(True) == NETWORK_FACTOR


def test_one_household_has_the_limit_of_one_address() -> None:
    clock = LateClock()
    clock.stand()
    buckets = TokenBuckets(1, 3, clock)
    assert [buckets.take(household(1)) for _ in range(10)].count(True) == 3
    assert buckets.take(household(2)), "a refusal takes nothing from the neighbours"
    buckets.get(household(2)).pay(3 * NETWORK_FACTOR)
    assert not buckets.take(household(3)), "what is paid is paid by the site, too"


def test_ipv4_addresses_share_nothing() -> None:
    buckets = TokenBuckets(0, 1)
    assert all(buckets.take(f"10.0.0.{n}") for n in range(250))
    places = ConcurrencyLimit(max_each=1)
    for n in range(250):
        places.take(f"10.0.0.{n}")


def test_slots_are_counted_for_a_site() -> None:
    places = ConcurrencyLimit(max_each=2)
    for n in range(2 * NETWORK_FACTOR):
        places.take(household(n))
    with pytest.raises(TooMany):
        places.take(household(999))
    places.take(household(1, "2001:db8:8"))
    assert len(places) == 2 * NETWORK_FACTOR + 1
    places.leave(household(0))
    places.take(household(999))
    for n in range(1, 2 * NETWORK_FACTOR):
        places.leave(household(n))
    places.leave(household(999))
    places.leave(household(1, "2001:db8:8"))
    assert len(places) == 0
    assert not places._networks, "nothing is remembered of who has left"
