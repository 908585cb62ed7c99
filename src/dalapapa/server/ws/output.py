"""Limits on output that clients do not read, for one session and for one address."""

from __future__ import annotations

from typing import Protocol, TypeVar

MAX_SOCKET_BYTES = 2_000_000
"""Bytes queued for one session; beyond, only the newest state is sent."""

MAX_ADDRESS_BYTES = 16_000_000
"""Bytes queued for all sessions of one address; a message that does not fit closes its session."""

MAX_BUFFERED_BYTES = 131_072
"""What the transport of a slow client stores besides its last message: twice 64 kB."""

MIN_LARGE_BYTES = 32_768
"""Smaller messages are sent to a client that reads, however much its address has unread."""

CLOSE_TOO_SLOW = 4408


class Reader(Protocol):
    """A session, as far as its output matters."""

    @property
    def address(self) -> str:
        """The address whose limits it counts for."""

    @property
    def unread(self) -> int:
        """Bytes that are stored because the client does not read."""


R = TypeVar("R", bound=Reader)


class OpenSessions(set[R]):
    """All open sessions, also by address."""

    def __init__(self) -> None:
        super().__init__()
        self._by_address: dict[str, set[R]] = {}

    def add(self, session: R) -> None:
        super().add(session)
        self._by_address.setdefault(session.address, set()).add(session)

    def discard(self, session: R) -> None:  # type: ignore[override]
        super().discard(session)
        same = self._by_address.get(session.address)
        if same is not None:
            same.discard(session)
            if not same:
                del self._by_address[session.address]

    def at(self, address: str) -> frozenset[R]:
        return frozenset(self._by_address.get(address, ()))

    def count_unread(self, address: str) -> int:
        """Count the bytes that clients at an address have not read."""
        return sum(session.unread for session in self._by_address.get(address, ()))
