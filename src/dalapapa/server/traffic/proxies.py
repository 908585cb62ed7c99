"""The reverse proxies whose `X-Forwarded-For` is believed (`dalapapa play --proxy`).

Limits count people by their addresses. Behind a proxy every connection comes from the proxy, which
says in a header for whom it is. Any client can send that header, so it counts only from proxies
that the operator names; from all others it is ignored, and the log says so once.
"""

from __future__ import annotations

import ipaddress
import logging
import re
from collections.abc import Iterable

from ...core.errors import BadInput
from ...core.notation import shorten
from ..monitoring import logging_setup

logger = logging.getLogger("dalapapa")

LOOPBACK = ("127.0.0.1", "::1")
"""Believed by default: a proxy on the same machine."""

NONE = "none"

MAX_WARNINGS = 10
"""Peers that the log names: one proxy is wrong, or strangers make headers up."""


def read_proxies(words: Iterable[str]) -> tuple[str, ...]:
    """Read addresses and networks, separated by commas or spaces; `none`: no proxy is believed."""
    given = [word for text in words for word in re.split(r"[,\s]+", text) if word]
    if given == [NONE]:
        return ()
    return tuple(str(_read_network(word)) for word in given)


def trusted_peers(proxies: Iterable[str]) -> list[str]:
    """List how proxies may appear as the peer of a connection, for uvicorn.

    A socket that listens for both kinds of addresses shows IPv4 as a part of IPv6.
    """
    found = []
    for proxy in proxies:
        network = ipaddress.ip_network(proxy)
        found.append(proxy)
        if network.version == 4:
            found.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return found


def _read_network(word: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        network = ipaddress.ip_network(word)
    except ValueError:
        raise BadInput(
            f"{shorten(word)} is not a proxy: give an address (10.0.0.5), a network"
            f" (10.0.0.0/24), or {NONE}.",
            "bad_proxy",
        ) from None
    if not network.prefixlen:
        raise BadInput(
            f"{shorten(word)} contains all addresses, so that every client could claim to be"
            " another one: give those of your proxies.",
            "bad_proxy",
        )
    return network


class Networks:
    """Addresses and networks, to ask whether the peer of a connection is one of them."""

    def __init__(self, proxies: Iterable[str] = ()) -> None:
        self.networks = [ipaddress.ip_network(one) for one in trusted_peers(proxies)]

    def __contains__(self, peer: str) -> bool:
        """Whether a peer is one of them."""
        if not self.networks:
            return False
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return False
        return any(address in network for network in self.networks)


class UntrustedForwards:
    """Warns of peers that send `X-Forwarded-For` and are no trusted proxy, once for each."""

    def __init__(self) -> None:
        self._named: set[str] = set()

    def note(self, peer: str) -> None:
        """A header of this peer was ignored."""
        who = peer if logging_setup.LOG_ADDRESSES or _is_private(peer) else "a public address"
        if who in self._named or len(self._named) >= MAX_WARNINGS:
            return
        self._named.add(who)
        logger.warning(
            "X-Forwarded-For from %s is ignored, because this is no trusted proxy. If it is yours,"
            " all players behind it share the limits of one address: start the server with"
            " --proxy ADDRESS.",
            who,
        )


def _is_private(peer: str) -> bool:
    """Whether an address belongs to a network of the operator, and says nothing about a player."""
    try:
        return ipaddress.ip_address(peer.partition("%")[0]).is_private
    except ValueError:
        return False
