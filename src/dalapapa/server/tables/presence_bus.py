"""The presence bus: connections, greetings and reminders of all tables of a process.

Several processes of one database send each other their occupancy. Changes are collected for a
moment, so that a bad connection does not flood the others. None of it is stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from weakref import WeakValueDictionary

import msgspec

from ...core.errors import Forbidden, IllegalMove, TooMany, Unavailable
from ...hosting.protocol import Greeting, GreetingMessage, ReminderMessage, encode_message
from ..bus.bus import Bus, Post
from ..clock import SystemClock
from ..traffic.limits import TokenBucket
from .live import LiveTable
from .presence import NO_OCCUPANCY, Guest, Occupancy

logger: logging.Logger = logging.getLogger("dalapapa")

COLLECT_DELAY_S = 0.25
"""Time in which changes are collected before they are sent."""

MAX_GREETINGS_AT_ONCE = 3
GREETING_INTERVAL_S = 5
"""The time between greetings of a seat after a burst."""

REMINDER_INTERVAL_MS = 30_000
"""The time between two reminders of the same player."""

HEARTBEAT_INTERVAL_S = 20
"""The time between heartbeats of a process; one that misses three has no sockets any more."""

RETRY_DELAY_S = 0.5
MAX_QUEUED_POSTS = 1000
"""Posts to other processes that wait while the database is away; the oldest ones are dropped."""


class OccupancyPost(msgspec.Struct, frozen=True, tag="here", rename={"occupancy": "company"}):
    """The occupancy of a table in one process; `ask`: the others answer with theirs.

    `to`: the process that has asked.
    """

    process: str
    table: str
    occupancy: Occupancy
    ask: bool = False
    to: str = ""


class MessagePost(msgspec.Struct, frozen=True, tag="word"):
    """A message for all viewers of a table; `reminded`: the seat that it reminds."""

    process: str
    table: str
    message: msgspec.Raw
    reminded: int | None = None


class ProcessPost(msgspec.Struct, frozen=True, tag="process"):
    """The heartbeat, or the end, of a process."""

    process: str
    alive: bool


PresencePost = OccupancyPost | MessagePost | ProcessPost
_decoder = msgspec.json.Decoder(PresencePost)


class PresenceBus:
    """Notes who connects and disconnects at all tables of a process, and sends it to others."""

    def __init__(
        self, bus: Bus | None, clock: SystemClock, live: WeakValueDictionary[str, LiveTable]
    ) -> None:
        self.bus = bus
        """The way to other processes, if there can be any."""
        self.clock = clock
        self.live = live
        """The tables in memory."""
        self.process: str = secrets.token_hex(4)
        self._others: dict[str, float] = {}
        """When the last post of each other process arrived."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._queue: list[PresencePost] = []
        self._sending: asyncio.Task[None] | None = None
        self._heartbeat: asyncio.Task[None] | None = None
        self._closed = False

    def open(self) -> None:
        """Begin to send heartbeats."""
        if self.bus is not None:
            self._heartbeat = asyncio.create_task(self._send_heartbeats())

    async def close(self) -> None:
        """Stop, and send that: other processes need not wait for missing heartbeats."""
        self._closed = True
        for timer in self._timers.values():
            timer.cancel()
        tasks = [task for task in (self._heartbeat, self._sending) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.bus is not None:
            with contextlib.suppress(Unavailable):
                await self.bus.publish([_encode(ProcessPost(self.process, alive=False))])

    def enter(self, live: LiveTable, guest: Guest) -> None:
        """Add an open socket."""
        live.presence.enter(guest, live.time.now())
        live.wake_driver.set()  # A timer may wait for its players.
        self.update_soon(live)

    def leave(self, live: LiveTable, guest: Guest) -> None:
        """Remove a closed socket."""
        live.presence.guests.discard(guest)
        self.update_soon(live)

    def ask(self, live: LiveTable) -> None:
        """Ask other processes for their occupancy of a table."""
        if self.bus is not None and self.bus.is_lossy and not live.viewers:
            # The bus delivers what has changed only at tables with viewers.
            live.presence.elsewhere.clear()
        own = live.presence.own_occupancy()
        self._send(OccupancyPost(self.process, live.id, own, ask=True))

    def note_change(self, live: LiveTable) -> None:
        """Handle a new state: it matters if seats have changed, or if a player is absent."""
        if live.presence.complete_seats is not live.state.seats:
            self.update_soon(live)

    def update_soon(self, live: LiveTable, seconds: float = COLLECT_DELAY_S) -> None:
        """Schedule an update of the presence at a table."""
        if self._closed:  # The last sockets end later.
            return
        loop = asyncio.get_running_loop()
        timer = self._timers.get(live.id)
        if timer is not None:
            if timer.when() <= loop.time() + seconds:
                return
            timer.cancel()
        self._timers[live.id] = loop.call_later(seconds, self._update, live)

    def _update(self, live: LiveTable) -> None:
        del self._timers[live.id]
        presence, now = live.presence, live.time.now()
        presence.update(now)
        own = presence.own_occupancy()
        if own != (presence.published or NO_OCCUPANCY):
            # The first socket asks others for theirs; after the last one, they expect nothing.
            ask = presence.published is None
            self._send(OccupancyPost(self.process, live.id, own, ask))
            presence.published = own if presence.guests else None
        if not presence.guests:
            return
        message = msgspec.json.encode(presence.describe(live.state, live.waits, now))
        for guest in tuple(presence.guests):
            guest.on_presence(message)
        people = [n for n, seat in enumerate(live.state.seats) if seat.owner and not seat.away]
        presence.complete_seats = live.state.seats if presence.here.issuperset(people) else None
        due = presence.next_absence(people, now)
        if due is not None:
            self.update_soon(live, max(COLLECT_DELAY_S, (due - now) / 1000))

    def greet(self, live: LiveTable, seats: tuple[int, ...], seat: int, greeting: Greeting) -> None:
        """Send a greeting from one of your seats to all viewers."""
        if seat not in seats:
            raise Forbidden("This seat is not yours.", "not_your_seat")
        bucket = live.presence.greeting_limits.get(seat)
        if bucket is None:
            bucket = TokenBucket(1 / GREETING_INTERVAL_S, MAX_GREETINGS_AT_ONCE, self.clock)
            live.presence.greeting_limits[seat] = bucket
        if not bucket.take():
            raise TooMany("You have just sent a reaction: wait a moment.", "too_often")
        self._broadcast(live, encode_message(GreetingMessage(seat, greeting)))

    def remind(self, live: LiveTable, seats: tuple[int, ...], seat: int) -> bool:
        """Remind a player whom the table waits for; whether any page of theirs is open."""
        presence, now = live.presence, live.time.now()
        if not seats:
            raise Forbidden("Only players can remind each other.", "not_your_seat")
        player = live.state.seats[seat] if seat in range(len(live.state.seats)) else None
        awaited = live.state.accepts_moves and seat in live.waits and seat not in seats
        if player is None or player.owner is None or player.away or not awaited:
            raise IllegalMove("The table does not wait for this player.", "not_awaited")
        if now < presence.reminded_at.get(seat, -REMINDER_INTERVAL_MS) + REMINDER_INTERVAL_MS:
            raise TooMany(
                "Another reminder has just gone to this player: wait a moment.", "too_often"
            )
        presence.reminded_at[seat] = now
        presence.update(now)
        self._broadcast(live, encode_message(ReminderMessage(seat, seats[0])), seat)
        return seat in presence.here

    def _broadcast(self, live: LiveTable, message: bytes, reminded: int | None = None) -> None:
        self._send(MessagePost(self.process, live.id, msgspec.Raw(message), reminded))
        for guest in tuple(live.presence.guests):
            guest.on_reaction(message)

    def _send(self, post: PresencePost) -> None:
        if self.bus is None:
            return
        self._queue.append(post)
        del self._queue[:-MAX_QUEUED_POSTS]
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._deliver(self.bus))

    async def _deliver(self, bus: Bus) -> None:
        while self._queue:
            posts, self._queue = self._queue, []
            try:
                await bus.publish([_encode(post) for post in posts])
            except Unavailable:
                # Old greetings and heartbeats are worth nothing; occupancy is sent again.
                old = [post for post in posts if isinstance(post, OccupancyPost)]
                self._queue = old + self._queue
                await asyncio.sleep(RETRY_DELAY_S)

    async def _send_heartbeats(self) -> None:
        while True:
            self._send(ProcessPost(self.process, alive=True))
            await asyncio.sleep(HEARTBEAT_INTERVAL_S)
            silent = self.clock.monotonic() - 3 * HEARTBEAT_INTERVAL_S
            for process in [one for one, at in self._others.items() if at < silent]:
                self._drop_process(process)

    def _drop_process(self, process: str) -> None:
        self._others.pop(process, None)
        for live in tuple(self.live.values()):
            if live.presence.elsewhere.pop(process, None) is not None:
                self.update_soon(live)

    def receive(self, news: str) -> None:
        """Handle a post of another process."""
        try:
            post = _decoder.decode(news)
        except msgspec.MsgspecError:
            logger.warning("cannot read a message from another server process")
            return
        if post.process == self.process:
            return
        if isinstance(post, ProcessPost) and not post.alive:
            self._drop_process(post.process)
            return
        self._others[post.process] = self.clock.monotonic()
        if isinstance(post, ProcessPost):
            return
        live = self.live.get(post.table)
        if live is None:
            return
        if isinstance(post, MessagePost):
            if post.reminded is not None:
                live.presence.reminded_at[post.reminded] = live.time.now()
            for guest in tuple(live.presence.guests):
                guest.on_reaction(bytes(post.message))
            return
        if post.occupancy == NO_OCCUPANCY:
            live.presence.elsewhere.pop(post.process, None)
        else:
            live.presence.elsewhere[post.process] = post.occupancy
        if post.ask and live.presence.guests:
            own = live.presence.own_occupancy()
            self._send(OccupancyPost(self.process, live.id, own, to=post.process))
        self.update_soon(live)

    def resync(self) -> None:
        """Ask all processes again, because posts may have been missed."""
        for live in tuple(self.live.values()):
            live.presence.elsewhere.clear()
            live.presence.published = None
            if live.presence.guests:
                self.update_soon(live)


def _encode(post: PresencePost) -> Post:
    table = "" if isinstance(post, ProcessPost) else post.table
    process = post.to if isinstance(post, OccupancyPost) else ""
    return Post(table, msgspec.json.encode(post).decode(), process)
