"""The bus between server processes: one interface with two implementations.

PostgreSQL's notifications (`postgres_bus.py`) need no further program, but every process receives
every message. A NATS server (`nats_bus.py`) delivers a message only to the processes that follow
its table, so that the cost of a move does not grow with the number of processes.

The bus makes viewers see moves early; it decides nothing. Entries are durable before they are
announced, and a process that misses an announcement reads the entry from the database.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol


class Post(NamedTuple):
    """A message about presence: JSON text for the processes that follow a table.

    With the name of a process it is for that one only, without a table for all processes.
    """

    table: str
    text: str
    process: str = ""


class BusReceiver(Protocol):
    """What a process does with the messages of others. No method may wait."""

    @property
    def process(self) -> str:
        """The name of this process."""

    def receive_entry(self, table: str, number: int) -> None:
        """Another process has appended the entry of this number."""

    def receive_post(self, text: str) -> None:
        """Another process has sent a post about presence."""

    def note_followed(self, tables: Iterable[str]) -> None:
        """From now on, the entries of these tables arrive; earlier ones may have been missed."""

    def note_gap(self) -> None:
        """Any message may have been missed, because the connection was lost or is new."""


class Bus(Protocol):
    """The connection of a process to the others on its database."""

    is_lossy: bool
    """Whether announcements can be lost while the connection is up: tables are polled, too."""

    received: int
    """The number of messages of other processes."""

    @property
    def is_connected(self) -> bool:
        """Whether messages arrive."""

    def open(self, receiver: BusReceiver) -> None:
        """Connect, and connect again whenever the connection is lost."""

    async def close(self) -> None:
        """Disconnect."""

    def follow(self, table: str) -> None:
        """Receive the entries and posts of a table from now on."""

    def unfollow(self, table: str) -> None:
        """Receive them no more."""

    async def publish(self, posts: list[Post]) -> None:
        """Send posts to other processes; raise `Unavailable` if they should be sent again later."""
