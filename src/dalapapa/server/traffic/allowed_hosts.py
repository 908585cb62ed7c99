"""The host names that a server answers to.

Requests for unknown names are refused. Otherwise another site could point its own name to a
household's server (DNS rebinding), and its page could act there. Names that no outsider can own are
always allowed: addresses, and names of a home network.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from ...core.errors import BadInput, DalapapaError, WrongHost
from ...core.notation import shorten
from .limits import parse_address

PRIVATE_SUFFIXES = (".localhost", ".local", ".home.arpa", ".internal", ".lan")
"""Ends of names that no public name server knows."""

HOME_NETWORKS = [
    ipaddress.ip_network(network)
    for network in (
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
        "100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10",
    )
]  # fmt: skip
"""Addresses of this machine and of home networks."""

ANY_HOST = "*"

_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")


class AllowedHosts:
    """The names that an operator allows besides the default ones; `*`: any."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.any: bool = False
        self.names: set[str] = set()
        for name in names:
            if name == ANY_HOST:
                self.any = True
            elif _NAME.fullmatch(plain := name.lower().removesuffix(".")):
                self.names.add(plain)
            else:
                raise BadInput(
                    f"{shorten(name)} is not a host name: give a name without port and path, or *.",
                    "bad_host",
                )

    def check(self, headers: Iterable[tuple[bytes, bytes]], version: str = "1.1") -> None:
        """Refuse a request unless it has exactly one `Host`, which is allowed."""
        given = [value for name, value in headers if name == b"host"]
        if not given and version == "1.0":  # HTTP/1.0 had no host names; no browser uses it.
            return
        if len(given) != 1:
            raise DalapapaError("A request must name its host exactly once.", "http")
        host = given[0].decode("latin-1")
        if not self.allow(host):
            raise WrongHost(
                f"This server does not answer to the name {shorten(host)}: its operator"
                " can allow it with dalapapa play --allow-host NAME."
            )

    def allow(self, host: str) -> bool:
        """Return whether requests for a host, with or without its port, are answered."""
        if self.any:
            return True
        name = parse_host(host)
        if name is None:
            return False
        if "." not in name or name.endswith(PRIVATE_SUFFIXES) or name in self.names:
            return True
        return parse_address(name) is not None

    def may_name(self, host: str) -> bool:
        """Return whether links on our pages may name a host, with or without its port.

        Configured names and those of a home network may be named. Names that only `*` allows, and
        public addresses of other machines, may not: a cache could keep such a page for others.
        """
        name = parse_host(host)
        if name is None:
            return False
        if name in self.names:
            return True
        if address := parse_address(name.strip("[]")):
            return any(address in network for network in HOME_NETWORKS)
        return "." not in name or name.endswith(PRIVATE_SUFFIXES)


def parse_host(host: str) -> str | None:
    """Return the name in a `Host` without its port; None if it is malformed."""
    match = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/@?#\s]+?)\.?(?::\d*)?", host.strip())
    if match is None:
        return None
    name = match[1].lower()
    if name.startswith("["):
        return name if parse_address(name[1:-1]) else None
    return name if _NAME.fullmatch(name) else None
