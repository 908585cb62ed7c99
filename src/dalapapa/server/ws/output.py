"""Output that clients do not read: bounded in bytes, for one socket and for one address."""

from __future__ import annotations

from typing import Protocol, TypeVar

MAX_SOCKET_BYTES = 2_000_000
"""Queued for one socket; beyond, only the newest table is sent."""

MAX_ADDRESS_BYTES = 16_000_000
"""Queued for all sockets of one address; a message that does not fit closes its socket."""

MAX_BUFFERED_BYTES = 131_072
"""What a connection that takes no more holds besides its last message: twice 64 kB."""

MIN_LARGE_BYTES = 32_768
"""Smaller messages are sent to a connection that takes them, whatever its address has unread."""

TOO_SLOW = 4408
"""The close code of a socket whose client does not read."""


class Reader(Protocol):
    """A socket, as far as its output matters."""

    @property
    def address(self) -> str:
        """Whose limits it counts for."""

    @property
    def unread(self) -> int:
        """Bytes that it holds because the client does not read."""


R = TypeVar("R", bound=Reader)


class OpenSockets(set[R]):
    """All open sockets, also by address."""

    def __init__(self) -> None:
        super().__init__()
        self._by_address: dict[str, set[R]] = {}

    def add(self, socket: R) -> None:
        super().add(socket)
        self._by_address.setdefault(socket.address, set()).add(socket)

    def discard(self, socket: R) -> None:  # type: ignore[override]
        super().discard(socket)
        same = self._by_address.get(socket.address)
        if same is not None:
            same.discard(socket)
            if not same:
                del self._by_address[socket.address]

    def of(self, address: str) -> frozenset[R]:
        """The sockets of an address."""
        return frozenset(self._by_address.get(address, ()))

    def unread_of(self, address: str) -> int:
        """Bytes that clients at an address have not read."""
        return sum(socket.unread for socket in self._by_address.get(address, ()))
