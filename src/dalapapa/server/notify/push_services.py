"""Limits on parallel push messages, so that services that hang delay no others.

Anyone can subscribe endpoints that never answer, under any number of names. Services that have not
answered lately therefore share a few slots, and all names of a domain share even fewer.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from urllib.parse import urlsplit

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
            domain = _domain_of(host)
            if self._domains[domain] >= MAX_UNPROVEN_PER_DOMAIN:
                return False
            if self._domains.total() >= MAX_UNPROVEN:
                return False
            self._domains[domain] += 1
            self._unproven[endpoint] += 1
        self._hosts[host] += 1
        return True

    def leave(self, endpoint: str) -> None:
        """Give a slot back."""
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
