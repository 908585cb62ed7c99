"""How many push messages are under way, so that services that hang hold up no others.

Anyone can subscribe endpoints that never answer, under any number of names. Services that have not
answered lately therefore share a few slots, and all names of a domain share even fewer.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from urllib.parse import urlsplit

MAX_MESSAGES, MAX_MESSAGES_PER_HOST = 40, 8
"""Under way, in all and to one push service."""

MAX_UNPROVEN, MAX_UNPROVEN_PER_DOMAIN = 10, 2
"""Under way to services that have not answered lately, in all and to one domain."""

MAX_PROVEN_HOSTS = 1000
"""Hosts that are remembered because they have answered."""

BROWSER_SERVICES = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)
"""The push services of browsers. They have the other slots from the beginning."""


class PushServices:
    """Counts messages by host. Each `take` that is true needs a `leave`."""

    def __init__(self) -> None:
        self._hosts: Counter[str] = Counter()
        self._domains: Counter[str] = Counter()
        """Of messages that count as unproven."""
        self._unproven: Counter[str] = Counter()
        """The same by endpoint, because a host may prove itself meanwhile."""
        self._proven: OrderedDict[str, None] = OrderedDict()

    def is_known(self, host: str) -> bool:
        """Whether a host is a browser's service, or took the last message that we sent it."""
        of_browsers = any(
            host == name or (name.startswith(".") and host.endswith(name))
            for name in BROWSER_SERVICES
        )
        return of_browsers or host in self._proven

    def take(self, endpoint: str) -> bool:
        """Take a slot for a message, if there is one."""
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
        """Give the slot back."""
        host = _host_of(endpoint)
        _subtract(self._hosts, host)
        if self._unproven[endpoint]:
            _subtract(self._unproven, endpoint)
            _subtract(self._domains, _domain_of(host))

    def note_outcome(self, endpoint: str, outcome: str) -> None:
        """Remember whether a service took a message, or has to prove itself again."""
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
    """The last two labels: whoever owns a domain has all names below it."""
    return ".".join(host.rstrip(".").split(".")[-2:])


def _subtract(counter: Counter[str], name: str) -> None:
    counter[name] -= 1
    if counter[name] <= 0:
        del counter[name]
