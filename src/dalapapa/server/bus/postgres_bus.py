"""The bus over PostgreSQL's LISTEN and NOTIFY.

The transaction that appends entries also announces them (`storage/writer.py`), so that no
announcement can be lost. PostgreSQL sends every message to every process.
"""

from __future__ import annotations

import asyncio
import logging

from ..storage.notifications import publish_presence, receive_notifications
from ..storage.store import Store
from .bus import BusReceiver, Post

logger = logging.getLogger("dalapapa")

RETRY_DELAY_S = 0.5
"""The time after which a failed connection is opened again."""


class PostgresBus:
    """Listens to the notifications of a database."""

    is_lossy = False

    def __init__(self, store: Store) -> None:
        self.store = store
        self._listener: asyncio.Task[None] | None = None
        self._is_listening = False
        self.received = 0
        """The number of messages of other processes."""

    @property
    def is_connected(self) -> bool:
        """Whether notifications arrive."""
        return self._is_listening

    def open(self, receiver: BusReceiver) -> None:
        """Begin to listen."""
        self._listener = asyncio.create_task(self._listen(receiver))

    async def close(self) -> None:
        """Listen no more."""
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)

    def follow(self, table: str) -> None:
        """Do nothing: PostgreSQL sends the entries of all tables."""

    def unfollow(self, table: str) -> None:
        """Do nothing."""

    async def publish(self, posts: list[Post]) -> None:
        """Send posts to all processes."""
        await publish_presence(self.store, [post.text for post in posts])

    async def _listen(self, receiver: BusReceiver) -> None:
        def receive_entry(table: str, number: int) -> None:
            self.received += 1
            receiver.receive_entry(table, number)

        def receive_post(text: str) -> None:
            self.received += 1
            receiver.receive_post(text)

        def begin() -> None:
            self._is_listening = True
            receiver.note_gap()

        while True:
            try:
                await receive_notifications(self.store, receive_entry, begin, receive_post)
            except Exception as error:
                logger.warning("could not get changes from the database: %s", type(error).__name__)
            self._is_listening = False
            await asyncio.sleep(RETRY_DELAY_S)
