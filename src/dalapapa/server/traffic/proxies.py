"""The reverse proxies whose `X-Forwarded-For` is trusted (`dalapapa play --proxy`).

Limits count people by their addresses. Behind a proxy every connection comes from the proxy, which
says in a header for whom it is. Any client can send that header, so it counts only from proxies
that the operator names; from all others it is ignored, and the log says so once.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from ...core.errors import BadInput
from ...core.notation import shorten
from ..monitoring import logging_setup
from ..monitoring.logging_setup import logger
from .limits import parse_address

LOOPBACK = ("127.0.0.1", "::1")
"""Trusted by default: a proxy on the same machine."""

NO_PROXY = "none"

MAX_WARNINGS = 10
"""Peers that the log names; strangers can forge the header."""


def read_proxies(words: Iterable[str]) -> tuple[str, ...]:
    """Read addresses and networks, separated by commas or spaces; `none`: no proxy is trusted."""
    given = [word for text in words for word in re.split(r"[,\s]+", text) if word]
    if given == [NO_PROXY]:
        return ()
    return tuple(str(_read_network(word)) for word in given)


def list_trusted_peers(proxies: Iterable[str]) -> list[str]:
    """List how proxies can appear as the peer of a connection, for uvicorn."""
    found = []
    for proxy in proxies:
        network = ipaddress.ip_network(proxy)
        found.append(proxy)
        if network.version == 4:  # A dual-stack socket shows it as a part of IPv6.
            found.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return found


def _read_network(word: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    try:
        network = ipaddress.ip_network(word)
    except ValueError:
        raise BadInput(
            f"{shorten(word)} is not a proxy: give an address (10.0.0.5), a network"
            f" (10.0.0.0/24), or {NO_PROXY}.",
            "bad_proxy",
        ) from None
    if not network.prefixlen:
        raise BadInput(
            f"{shorten(word)} contains all addresses, so that every client could claim any"
            " address: give only the addresses of your proxies.",
            "bad_proxy",
        )
    return network


class TrustedProxies:
    """The addresses and networks of proxies."""

    def __init__(self, proxies: Iterable[str] = ()) -> None:
        self.networks = [ipaddress.ip_network(peer) for peer in list_trusted_peers(proxies)]

    def __contains__(self, peer: str) -> bool:
        """Return whether the peer of a connection is a trusted proxy."""
        address = parse_address(peer) if self.networks else None
        return address is not None and any(address in network for network in self.networks)


class UntrustedForwards:
    """Warns of peers that send `X-Forwarded-For` and are no trusted proxy, once for each."""

    def __init__(self) -> None:
        self._named: set[str] = set()

    def note(self, peer: str) -> None:
        """Warn that a header of this peer was ignored."""
        # A private address is of the operator's network, and says nothing about a player.
        address = parse_address(peer)
        is_harmless = logging_setup.LOG_ADDRESSES or (address is not None and address.is_private)
        name = peer if is_harmless else "a public address"
        if name in self._named or len(self._named) >= MAX_WARNINGS:
            return
        self._named.add(name)
        logger.warning(
            "The server ignores X-Forwarded-For from %s, which is not a trusted proxy. If"
            " it is yours, start the server with --proxy ADDRESS; until then, all players"
            " behind it share the limits of one address.",
            name,
        )
