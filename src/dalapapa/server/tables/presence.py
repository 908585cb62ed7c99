"""Who is at a table just now, and what people say to each other there: nothing of it is kept.

A seat is `here` while a socket that owns it is open, `away` when there has been none for a while,
and `left` when its player has left the game and a program plays. Several processes on one
PostgreSQL tell each other whose sockets they have. Changes are gathered for a moment, so that a bad
connection does not flood anybody; a short break of a connection is no absence.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol
from weakref import WeakValueDictionary

import msgspec

from ...core.errors import Forbidden, IllegalMove, TooMany, Unavailable
from ...hosting.messages import CompanyTold, Greeting, SeatCompany, told
from ..clock import SystemClock
from ..storage.store import Store
from ..traffic.limits import TokenBucket

if TYPE_CHECKING:  # It has a company.
    from ...hosting.log import TableState
    from .tables import LiveTable

logger = logging.getLogger("dalapapa")

GRACE = 10_000
"""Milliseconds without a socket that do not count as absence: a page being reloaded, a tunnel."""

GATHER = 0.25
"""Seconds in which changes are collected before they are sent."""

GREETINGS_AT_ONCE = 3
GREETING_SECONDS = 5
"""After those at once, a seat has another one every so many seconds."""

REMINDER_EVERY = 30_000
"""Milliseconds between two reminders of the same player."""

BEAT = 20
"""Seconds between signs of life of a process; one that misses three of them has nobody here."""

RETRY = 0.5
MAX_POST = 1000
"""News for other processes that wait while the database is away; beyond, the oldest are lost."""


class Guest(Protocol):
    """A socket that is open at a table."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that it owns; none: it watches."""

    def hear_company(self, message: bytes) -> None:
        """Who is there now. Must not wait."""

    def hear_word(self, message: bytes) -> None:
        """Something that somebody says. Must not wait."""


# -- one table -----------------------------------------------------------------------------------


class Elsewhere(msgspec.Struct, frozen=True):
    """Whom another process has at a table."""

    seats: tuple[int, ...] = ()
    spectators: int = 0


NOBODY = Elsewhere()


class Company:
    """Who is at one table: the sockets of this process, and what other processes tell."""

    def __init__(self, now: int) -> None:
        self.guests: set[Guest] = set()
        self.elsewhere: dict[str, Elsewhere] = {}
        self.here: frozenset[int] = frozenset()
        self.began = now
        """Nobody knows what was before."""
        self.left: dict[int, int] = {}
        """When the last socket of a seat was closed."""
        self.posted: Elsewhere | None = None
        """What other processes know of ours."""
        self.settled: object = None
        """The seats that were looked at last, if everybody was there: no move changes that."""
        self.greeted: dict[int, TokenBucket] = {}
        self.reminded: dict[int, int] = {}

    def shift(self, milliseconds: int) -> None:
        """The table's time has jumped: what was so long ago still was."""
        self.began += milliseconds
        for times in (self.left, self.reminded):
            for seat in times:
                times[seat] += milliseconds

    def ours(self) -> Elsewhere:
        """Whom this process has here."""
        seats = {seat for guest in self.guests for seat in guest.seats}
        return Elsewhere(tuple(sorted(seats)), sum(not guest.seats for guest in self.guests))

    def look(self, now: int) -> None:
        """Notice who has come and who has gone."""
        ours = self.ours()
        here = frozenset(ours.seats).union(*(other.seats for other in self.elsewhere.values()))
        for seat in self.here - here:
            self.left[seat] = now
        for seat in here:
            self.left.pop(seat, None)
        self.here = here

    @property
    def spectators(self) -> int:
        return self.ours().spectators + sum(one.spectators for one in self.elsewhere.values())

    def absent_since(self, seat: int) -> int | None:
        """Since when a seat has no socket; None if it has one."""
        return None if seat in self.here else self.left.get(seat, self.began)

    def away(self, seat: int, now: int) -> bool:
        """Whether it has had none for longer than a break of the connection."""
        since = self.absent_since(seat)
        return since is not None and now >= since + GRACE

    def replaceable(self, state: TableState, waits: dict[int, int], seat: int) -> int | None:
        """When the others may let a program play for an absent player; None: not as things are."""
        since = self.absent_since(seat)
        player = state.seats[seat]
        if not (state.settings.absence and state.goes_on and seat in waits) or since is None:
            return None
        if player.owner is None or player.away:
            return None
        return max(since, waits[seat]) + 1000 * state.settings.absence

    def told(self, state: TableState, waits: dict[int, int], now: int) -> CompanyTold:
        """What everybody may know of it."""
        seats = []
        for number, seat in enumerate(state.seats):
            if seat.owner is None:
                seats.append(SeatCompany(None))
            elif seat.away:
                seats.append(SeatCompany("left"))
            elif self.away(number, now):
                replace = self.replaceable(state, waits, number)
                seats.append(SeatCompany("away", self.absent_since(number), replace))
            else:
                seats.append(SeatCompany("here"))
        return CompanyTold(seats, self.spectators)

    def next_away(self, seats: Iterable[int], now: int) -> int | None:
        """When somebody's short break becomes an absence."""
        times = [since + GRACE for seat in seats if (since := self.absent_since(seat)) is not None]
        return min((time for time in times if time > now), default=None)


# -- all tables of a process ---------------------------------------------------------------------


class Here(msgspec.Struct, frozen=True, tag="here"):
    """Whom a process has at a table; `ask`: and whom have you?"""

    process: str
    table: str
    company: Elsewhere
    ask: bool = False


class Word(msgspec.Struct, frozen=True, tag="word"):
    """A message for everybody at a table; `reminded`: the seat that it calls."""

    process: str
    table: str
    message: msgspec.Raw
    reminded: int | None = None


class Process(msgspec.Struct, frozen=True, tag="process"):
    """A process is alive, or ends."""

    process: str
    alive: bool


Post = Here | Word | Process
_decoder = msgspec.json.Decoder(Post)


class Presence:
    """Notices who comes and goes at all tables of a process, and passes it on."""

    def __init__(
        self, store: Store, clock: SystemClock, held: WeakValueDictionary[str, LiveTable]
    ) -> None:
        self.store = store
        self.clock = clock
        self.held = held
        """The tables in memory."""
        self.process = secrets.token_hex(4)
        self._others: dict[str, float] = {}
        """When other processes were heard last."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._post: list[Post] = []
        self._posting: asyncio.Task[None] | None = None
        self._heart: asyncio.Task[None] | None = None
        self._closed = False

    def open(self) -> None:
        """Begin to give signs of life."""
        if self.store.postgres:
            self._heart = asyncio.create_task(self._beat())

    async def close(self) -> None:
        """Stop, and say so: others need not wait for signs of life."""
        self._closed = True
        for timer in self._timers.values():
            timer.cancel()
        tasks = [task for task in (self._heart, self._posting) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.store.postgres:
            with contextlib.suppress(Unavailable):
                await self.store.notify([_written(Process(self.process, alive=False))])

    # -- who comes and goes ----------------------------------------------------------------------

    def enter(self, live: LiveTable, guest: Guest) -> None:
        """A socket is open."""
        live.company.guests.add(guest)
        self.soon(live)

    def leave(self, live: LiveTable, guest: Guest) -> None:
        """A socket is closed."""
        live.company.guests.discard(guest)
        self.soon(live)

    def ask(self, live: LiveTable) -> None:
        """Ask other processes whom they have at a table that nobody may watch here."""
        self._send(Here(self.process, live.id, live.company.ours(), ask=True))

    def changed(self, live: LiveTable) -> None:
        """A table has a new state: it matters if seats have changed, or if somebody is missing."""
        if live.company.settled is not live.state.seats:
            self.soon(live)

    def soon(self, live: LiveTable, seconds: float = GATHER) -> None:
        """Look at a table again in a moment."""
        if self._closed:  # The last sockets end after us.
            return
        loop = asyncio.get_running_loop()
        timer = self._timers.get(live.id)
        if timer is not None:
            if timer.when() <= loop.time() + seconds:
                return
            timer.cancel()
        self._timers[live.id] = loop.call_later(seconds, self._look, live)

    def _look(self, live: LiveTable) -> None:
        del self._timers[live.id]
        company, now = live.company, live.time.now()
        company.look(now)
        ours = company.ours()
        if ours != (company.posted or NOBODY):
            # The first one here asks whom others have; after the last one, nobody counts on us.
            self._send(Here(self.process, live.id, ours, ask=company.posted is None))
            company.posted = ours if company.guests else None
        if not company.guests:
            return
        message = msgspec.json.encode(company.told(live.state, live.waits, now))
        for guest in tuple(company.guests):
            guest.hear_company(message)
        people = [n for n, seat in enumerate(live.state.seats) if seat.owner and not seat.away]
        company.settled = live.state.seats if company.here.issuperset(people) else None
        due = company.next_away(people, now)
        if due is not None:
            self.soon(live, max(GATHER, (due - now) / 1000))

    # -- what people say -------------------------------------------------------------------------

    def greet(self, live: LiveTable, seats: tuple[int, ...], seat: int, greeting: Greeting) -> None:
        """One of a few words to everybody, from one of your seats."""
        if seat not in seats:
            raise Forbidden("This seat is not yours.", "not_your_seat")
        bucket = live.company.greeted.get(seat)
        if bucket is None:
            bucket = TokenBucket(1 / GREETING_SECONDS, GREETINGS_AT_ONCE, self.clock)
            live.company.greeted[seat] = bucket
        if not bucket.take():
            raise TooMany("You have just said something: wait a moment.", "too_often")
        self._say(live, told("greeting", seat=seat, greeting=greeting))

    def remind(self, live: LiveTable, seats: tuple[int, ...], seat: int) -> bool:
        """Call a player for whom the table waits; whether a page of theirs is open to hear it."""
        company, now = live.company, live.time.now()
        if not seats:
            raise Forbidden("Only players remind each other.", "not_your_seat")
        player = live.state.seats[seat] if seat in range(len(live.state.seats)) else None
        awaited = live.state.goes_on and seat in live.waits and seat not in seats
        if player is None or player.owner is None or player.away or not awaited:
            raise IllegalMove("Nobody waits for this player.", "not_awaited")
        if now < company.reminded.get(seat, -REMINDER_EVERY) + REMINDER_EVERY:
            raise TooMany("This player has just been reminded: wait a moment.", "too_often")
        company.reminded[seat] = now
        company.look(now)
        self._say(live, told("reminder", seat=seat, by=seats[0]), seat)
        return seat in company.here

    def _say(self, live: LiveTable, message: bytes, reminded: int | None = None) -> None:
        self._send(Word(self.process, live.id, msgspec.Raw(message), reminded))
        for guest in tuple(live.company.guests):
            guest.hear_word(message)

    # -- other processes -------------------------------------------------------------------------

    def _send(self, post: Post) -> None:
        if not self.store.postgres:
            return
        self._post.append(post)
        del self._post[:-MAX_POST]
        if self._posting is None or self._posting.done():
            self._posting = asyncio.create_task(self._deliver())

    async def _deliver(self) -> None:
        while self._post:
            posts, self._post = self._post, []
            try:
                await self.store.notify([_written(post) for post in posts])
            except Unavailable:
                # What somebody said a while ago need not be heard; who is here does.
                self._post = [one for one in posts if isinstance(one, Here)] + self._post
                await asyncio.sleep(RETRY)

    async def _beat(self) -> None:
        while True:
            self._send(Process(self.process, alive=True))
            await asyncio.sleep(BEAT)
            silent = self.clock.monotonic() - 3 * BEAT
            for process in [one for one, heard in self._others.items() if heard < silent]:
                self._forget(process)

    def _forget(self, process: str) -> None:
        self._others.pop(process, None)
        for live in tuple(self.held.values()):
            if live.company.elsewhere.pop(process, None) is not None:
                self.soon(live)

    def heard(self, news: str) -> None:
        """News from another process."""
        try:
            post = _decoder.decode(news)
        except msgspec.MsgspecError:
            logger.warning("a process tells what nobody understands")
            return
        if post.process == self.process:
            return
        if isinstance(post, Process) and not post.alive:
            self._forget(post.process)
            return
        self._others[post.process] = self.clock.monotonic()
        if isinstance(post, Process):
            return
        live = self.held.get(post.table)
        if live is None:
            return
        if isinstance(post, Word):
            if post.reminded is not None:
                live.company.reminded[post.reminded] = live.time.now()
            for guest in tuple(live.company.guests):
                guest.hear_word(bytes(post.message))
            return
        if post.company == NOBODY:
            live.company.elsewhere.pop(post.process, None)
        else:
            live.company.elsewhere[post.process] = post.company
        if post.ask and live.company.guests:
            self._send(Here(self.process, live.id, live.company.ours()))
        self.soon(live)

    def missed(self) -> None:
        """News may have been missed: ask everybody again."""
        for live in tuple(self.held.values()):
            live.company.elsewhere.clear()
            live.company.posted = None
            if live.company.guests:
                self.soon(live)


def _written(post: Post) -> str:
    return msgspec.json.encode(post).decode()
