"""The bus over NATS: a process receives only what concerns the tables that it follows.

Each table has a subject, and NATS delivers its messages to the processes that have subscribed to
it; a message that no process wants costs nothing but its way to the broker, which stores nothing.
An announcement is lost if its sender dies after the commit, or while the broker is away; therefore
`tables/sync.py` also polls the tables with viewers. What operators change is rare and still comes
from PostgreSQL, whose notifications are part of the transaction.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..storage.store import Store
from ..storage.writer import Row
from .bus import BusReceiver, Post
from .postgres_bus import PostgresBus

if TYPE_CHECKING:
    from nats.aio.client import Client
    from nats.aio.msg import Msg
    from nats.aio.subscription import Subscription

logger = logging.getLogger("dalapapa")

TABLE_SUBJECT = "dalapapa.table."
"""The subject of a table, before its id: announcements (a number) and posts (JSON)."""

PROCESSES_SUBJECT = "dalapapa.processes"
"""The subject of posts for all processes; followed by a dot and a name, of those for one."""

NUMBER = re.compile(rb"[1-9][0-9]{0,9}")
"""The number of an entry. Those that say what operators did come from PostgreSQL only."""

CONNECT_TIMEOUT_S = 2
RECONNECT_DELAY_S = 0.5
PING_INTERVAL_S = 2
"""A broker that answers two pings in a row late counts as lost."""

FLUSH_TIMEOUT_S = 2
CLOSE_TIMEOUT_S = 1
MAX_QUEUED_MESSAGES = 10_000
"""Messages that wait while the broker is away; the oldest are dropped."""


class NatsBus:
    """A process's connection to a NATS server, or to a cluster of them."""

    is_lossy = True

    def __init__(self, store: Store, urls: str) -> None:
        """`store`: not open yet. `urls`: addresses of the broker, separated by commas."""
        self._urls = urls.split(",")
        self._operators = PostgresBus(store)
        store.announce = self._announce
        self._receiver: BusReceiver
        self._client: Client | None = None
        self._wanted: set[str] = set()
        self._subscriptions: dict[str, Subscription] = {}
        self._has_changes = asyncio.Event()
        """Set when `_wanted` may differ from `_subscriptions`."""
        self._queue: deque[tuple[str, bytes]] = deque(maxlen=MAX_QUEUED_MESSAGES)
        self._has_messages = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._is_away = False
        """Whether the loss of the connection was logged."""
        self.received = 0
        """The number of messages of other processes."""

    @property
    def is_connected(self) -> bool:
        """Whether the broker answers."""
        return self._client is not None and self._client.is_connected

    def open(self, receiver: BusReceiver) -> None:
        """Begin to connect. Without the broker, the server works, but viewers see moves later."""
        self._receiver = receiver
        self._operators.open(receiver)
        self._tasks.append(asyncio.create_task(self._run()))

    async def close(self) -> None:
        """Send what waits, if that is possible at once, and disconnect."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._client is not None:
            # The broker may be away, or accept nothing.
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(CLOSE_TIMEOUT_S):
                    if self._client.is_connected:
                        await self._send_queued(self._client)
                    await self._client.close()
        await self._operators.close()

    def follow(self, table: str) -> None:
        """Subscribe to a table soon; `note_followed` says when."""
        self._wanted.add(table)
        self._has_changes.set()

    def unfollow(self, table: str) -> None:
        """Unsubscribe from a table soon."""
        self._wanted.discard(table)
        self._has_changes.set()

    async def publish(self, posts: list[Post]) -> None:
        """Send posts to the processes that follow their tables."""
        for post in posts:
            if post.process:
                subject = f"{PROCESSES_SUBJECT}.{post.process}"
            else:
                subject = TABLE_SUBJECT + post.table if post.table else PROCESSES_SUBJECT
            self._enqueue(subject, post.text.encode())

    def _announce(self, rows: Iterable[Row]) -> None:
        """Announce durable entries; of one table, the last one stands for all."""
        for table, number in {row.table: row.number for row in rows}.items():
            self._enqueue(TABLE_SUBJECT + table, b"%d" % number)

    def _enqueue(self, subject: str, payload: bytes) -> None:
        self._queue.append((subject, payload))
        self._has_messages.set()

    # -- the connection ----------------------------------------------------------------------------

    async def _run(self) -> None:
        """Connect, then keep subscriptions and messages going; the client reconnects by itself."""
        import nats

        self._client = client = await nats.connect(
            self._urls,
            name="dalapapa",
            no_echo=True,
            allow_reconnect=True,
            max_reconnect_attempts=-1,
            reconnect_time_wait=RECONNECT_DELAY_S,
            connect_timeout=CONNECT_TIMEOUT_S,
            ping_interval=PING_INTERVAL_S,
            error_cb=self._log_error,
            disconnected_cb=self._log_disconnect,
            reconnected_cb=self._note_reconnect,
        )
        for subject in (PROCESSES_SUBJECT, f"{PROCESSES_SUBJECT}.{self._receiver.process}"):
            await client.subscribe(subject, cb=self._receive)
        await self._note_reconnect()
        await asyncio.gather(self._keep_sending(client), self._keep_subscribed(client))

    async def _log_error(self, error: Exception) -> None:
        if not self._is_away:
            self._is_away = True
            logger.warning("the message broker (NATS) failed: %s", error or type(error).__name__)

    async def _log_disconnect(self) -> None:
        if not self._is_away:
            self._is_away = True
            logger.warning(
                "the message broker (NATS) is away: viewers see moves of other processes later"
            )

    async def _note_reconnect(self) -> None:
        if self._is_away:
            self._is_away = False
            logger.warning("the message broker (NATS) is back")
        self._receiver.note_gap()

    async def _keep_sending(self, client: Client) -> None:
        while True:
            await self._has_messages.wait()
            self._has_messages.clear()
            await self._send_queued(client)
            if self._queue:  # The broker is away, and the client's own buffer is full.
                await asyncio.sleep(RECONNECT_DELAY_S)
                self._has_messages.set()

    async def _send_queued(self, client: Client) -> None:
        from nats.errors import Error

        while self._queue:
            subject, payload = self._queue[0]
            try:
                await client.publish(subject, payload)
            except Error:
                return
            self._queue.popleft()

    async def _keep_subscribed(self, client: Client) -> None:
        from nats.errors import Error

        while True:
            await self._has_changes.wait()
            self._has_changes.clear()
            try:
                for table in self._subscriptions.keys() - self._wanted:
                    await self._subscriptions.pop(table).unsubscribe()
                fresh = self._wanted - self._subscriptions.keys()
                for table in fresh:
                    subscription = await client.subscribe(TABLE_SUBJECT + table, cb=self._receive)
                    self._subscriptions[table] = subscription
                if fresh:
                    await client.flush(FLUSH_TIMEOUT_S)
                    self._receiver.note_followed(fresh)
            except (Error, OSError) as error:  # Polling finds what is missed until then.
                await self._log_error(error)
                await asyncio.sleep(RECONNECT_DELAY_S)
                self._has_changes.set()

    async def _receive(self, message: Msg) -> None:
        """Handle the announcement of an entry, or a post."""
        self.received += 1
        if message.data[:1] == b"{":
            self._receiver.receive_post(message.data.decode(errors="replace"))
            return
        if NUMBER.fullmatch(message.data):
            table = message.subject.removeprefix(TABLE_SUBJECT)
            self._receiver.receive_entry(table, int(message.data))
        else:
            logger.warning("cannot read a message of the message broker (NATS)")
