"""The names that a server answers to.

A page of another site can have its own name lead to a household's server (DNS rebinding): its
visitor's browser would take both for one site, and the page could act there. A request for a name
that is not ours is refused, so such a page learns nothing. Names that nobody outside can own are
always allowed: addresses, and those of a home network.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from ...core.errors import BadInput, DalapapaError, WrongHost
from ...core.notation import shorten

PRIVATE = (".localhost", ".local", ".home.arpa", ".internal", ".lan")
"""How names end that no public name server knows."""

HOME = [
    ipaddress.ip_network(one)
    for one in (
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16",
        "100.64.0.0/10", "::1/128", "fc00::/7", "fe80::/10",
    )
]  # fmt: skip
"""Addresses of this machine and of home networks."""

ANY = "*"

_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")


class Hosts:
    """Which names are allowed besides those that always are; `*`: any."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.any = False
        self.names: set[str] = set()
        for name in names:
            if name == ANY:
                self.any = True
            elif _NAME.fullmatch(plain := name.lower().removesuffix(".")):
                self.names.add(plain)
            else:
                raise BadInput(
                    f"{shorten(name)} is not the name of a host: give a name without port"
                    " and path, or *.",
                    "bad_host",
                )

    def check(self, headers: Iterable[tuple[bytes, bytes]], version: str = "1.1") -> None:
        """Refuse a request whose `Host` is not one of ours, as HTTP wants it: exactly one."""
        given = [value for name, value in headers if name == b"host"]
        if not given and version == "1.0":  # From before there were names; no browser does this.
            return
        if len(given) != 1:
            raise DalapapaError("A request says for which host it is, once.", "http")
        host = given[0].decode("latin-1")
        if not self.allow(host):
            raise WrongHost(
                f"This server does not answer to the name {shorten(host)}: whoever runs it can"
                " allow it (dalapapa play --allow-host NAME)."
            )

    def allow(self, host: str) -> bool:
        """Whether requests for a host, with or without its port, are answered."""
        if self.any:
            return True
        name = host_name(host)
        if name is None:
            return False
        if "." not in name or name.endswith(PRIVATE) or name in self.names:
            return True
        return _is_address(name)

    def may_name(self, host: str) -> bool:
        """Whether links on our pages may name a host, with or without its port.

        Those that were configured, and those of a home. Not any name where `*` allows it, nor the
        public address of another machine: a cache could keep such a page for other readers.
        """
        name = host_name(host)
        if name is None:
            return False
        if name in self.names:
            return True
        if _is_address(bare := name.strip("[]")):
            address = ipaddress.ip_address(bare)
            return any(address in network for network in HOME)
        return "." not in name or name.endswith(PRIVATE)


def host_name(host: str) -> str | None:
    """What a `Host` names, without its port; None if it makes no sense."""
    found = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/@?#\s]+?)\.?(?::\d*)?", host.strip())
    if found is None:
        return None
    name = found[1].lower()
    if name.startswith("["):
        return name if _is_address(name[1:-1]) else None
    return name if _NAME.fullmatch(name) else None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
