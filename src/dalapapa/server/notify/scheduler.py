"""Telling players who have no page open that it is their turn: by web push and by mail.

What is to be told follows from the logs of tables, so nothing is lost by a kill: a row for each
subscriber notes which change of its table was looked at, what is to be told and when, and what was
told last. One process does it for all that share a PostgreSQL; if it dies, another goes on. News
are sent at least once, and what is sent twice is shown once: by its topic, tag or message id.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from secrets import token_urlsafe
from typing import Any
from weakref import WeakSet

from sqlalchemy import delete, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ...core.errors import DalapapaError, Unavailable
from ...rulebook import describe_game
from ...texts import say
from ..clock import SYSTEM_CLOCK, SystemClock
from ..monitoring import metrics
from ..storage.schema import secrets, subscribers
from ..storage.schema import tables as stored_tables
from ..storage.store import Store
from ..tables.driver import UnattendedGames
from ..tables.live import LiveTable
from ..tables.tables import Tables
from ..tables.tokens import find_seats
from ..traffic.limits import Limits
from .config import Notify
from .mail import Mailer
from .mail_texts import write_notice, write_question
from .subscriptions import CONFIRM, WAITING, News, Subscriber, Subscriptions, mark_of, news_of
from .webpush import (
    Browser,
    Outcome,
    Sender,
    encode_message,
    encoded,
    new_key,
    private_key,
    public_point,
    topic_of,
)

logger = logging.getLogger("dalapapa")

EVERY = 3.0
"""Seconds between looks for changes."""

GRACE = 15_000
"""Milliseconds between a change and the news of it: moves are taken back, pages are reloaded."""

PRESENT, PATIENCE = 60_000, 300_000
"""Milliseconds between looks at somebody whose page is open, and until it is told all the same."""

ASK = 2_000
"""Milliseconds for other processes to say whom they have at a table."""

WAKE = 60_000
"""Milliseconds until a table is woken again, if its time was up and nothing has happened."""

FIRST_PAUSE, LONGEST_PAUSE = 30_000, 6 * 3_600_000
"""Milliseconds between tries: three times as long each time."""

MAX_TRIES = 10
"""For one piece of news: more than a day."""

MAIL_TRIES = 3
"""To an address that is refused."""

MAX_FAILURES = 3
"""Pieces of news in a row that could not be told; then nobody is there."""

MAX_MAILS_AT_ONCE = 8
"""Mails under way; push messages have their own limits (`push_services.py`)."""

MAX_DUE = 500
"""Subscribers that are notified in one go; those that get no slot make room for others."""

NO_SLOT_PAUSE_MS = 5_000

MAX_LOOKED = 200
"""Tables that are looked at in one go."""

LIFE = 7 * 86_400
"""Seconds that a push service keeps news for a browser that is off."""

LOCK = 720_122
"""In PostgreSQL's advisory locks: who has it tells."""


class Notices:
    """Tells. Without what the host has set, it does nothing."""

    def __init__(
        self, tables: Tables, notify: Notify, limits: Limits, clock: SystemClock = SYSTEM_CLOCK
    ) -> None:
        self.tables = tables
        self.store: Store = tables.store
        self.notify = notify
        self.clock = clock
        self.every: float = EVERY
        self.grace: int = GRACE
        self.sender: Sender | None = None
        self.mailer: Mailer | None = Mailer(notify) if notify.mails else None
        self.key = ""
        """Our public key, which browsers ask their push services for."""
        self.unattended = UnattendedGames(tables.driver)
        self.subscriptions = Subscriptions(tables, notify, limits, self.poke, clock)
        self.links = self.subscriptions.links
        self.mail_limits = self.subscriptions.mail_limits
        self._asked: WeakSet[LiveTable] = WeakSet()
        """Tables at which other processes were asked whom they have."""
        self._present: dict[str, int] = {}
        """Since when subscribers who are to be told have a page open."""
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._mails = 0
        self._some = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to tell."""
        if self.notify.push:
            key = private_key(await self._secret("vapid", new_key()))
            self.key = encoded(public_point(key))
            self.sender = Sender(self.notify.push, key, self.notify.private)
        self.links.secret = await self._link_secret()
        if self.notify.any:
            self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop; what is under way is told again by whoever goes on."""
        tasks = [*self._sending.values(), *([self._task] if self._task else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self.sender is not None:
            await self.sender.close()
        if self.mailer is not None:
            self.mailer.close()

    def poke(self) -> None:
        """There is something to do at once."""
        self._some.set()

    async def _secret(self, name: str, fresh: str) -> str:
        """What was made once for this database."""
        async with self.store.writing() as connection:
            row = {"name": name, "value": fresh}
            await connection.execute(self.store.insert_new(secrets), row)
            found = await connection.scalar(select(secrets.c.value).where(secrets.c.name == name))
        return str(found)

    async def _link_secret(self) -> str:
        """What keys in mails are signed with; links of earlier mails work while mail is off."""
        if self.notify.mails:
            return await self._secret("mail_links", token_urlsafe(32))
        wanted = select(secrets.c.value).where(secrets.c.name == "mail_links")
        async with self.store.reading() as connection:
            return str(await connection.scalar(wanted) or "")

    # -- one process for all ---------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            try:
                async with self._alone() as alone:
                    while alone is not None:
                        await self.round()
                        await self._rest()
                        await alone()
            except DalapapaError as error:
                if self.store.write_trouble.reason is None:  # Else the store has said so.
                    logger.warning("players are not told: %s", error)
            except Exception:
                logger.warning("players are not told", exc_info=True)
            await self._rest()

    async def _rest(self) -> None:
        self._some.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._some.wait(), self.every)

    @contextlib.asynccontextmanager
    async def _alone(self) -> AsyncIterator[Any]:
        """Whether no other process tells; what it gives sees to it that this stays so."""

        async def nothing() -> None:
            """One process has the file."""

        if not self.store.postgres:
            yield nothing
            return
        async with self.store.autocommit() as connection:

            async def still() -> None:
                await connection.execute(select(1))

            taken = text("SELECT pg_try_advisory_lock(:lock)")
            if not (await connection.execute(taken, {"lock": LOCK})).scalar_one():
                yield None
                return
            try:
                yield still
            finally:
                with contextlib.suppress(Exception):  # Whoever lost the connection lost the lock.
                    given = text("SELECT pg_advisory_unlock(:lock)")
                    await connection.execute(given, {"lock": LOCK})

    async def round(self) -> None:
        """Look at what has changed, wake tables whose time is up, and tell what is due."""
        await self._look_at_changes()
        await self._wake()
        await self._tell_due()

    # -- looking ---------------------------------------------------------------------------------

    async def _look_at_changes(self) -> None:
        wanted = (
            select(subscribers.c.table_id, stored_tables.c.changed)
            .join(stored_tables, stored_tables.c.id == subscribers.c.table_id)
            .where(stored_tables.c.changed != subscribers.c.looked, subscribers.c.state == "on")
            .distinct()
            .limit(MAX_LOOKED)
        )
        async with self.store.reading() as connection:
            found = (await connection.execute(wanted)).all()
        for row in found:
            await self._look(row.table_id, row.changed)

    async def _look(self, table: str, changed: int) -> None:
        """Note for everybody at a table what there is to tell."""
        live: LiveTable | None = None
        wanted = False
        try:
            live = await self.tables.find(table)
        except Unavailable:
            raise
        except DalapapaError:  # Closed or damaged: nobody plays there.
            pass
        async with self.store.writing() as connection:
            for row in await self.subscriptions.rows(connection, table):
                here = subscribers.c.id == row.id
                if live is None:
                    quiet = {"looked": changed, "news": None, "due": None, "wake": None}
                    await connection.execute(update(subscribers).where(here).values(quiet))
                    continue
                seats = _seats(live, row.owner)
                if not seats:  # Somebody who has left, or was sent away or forgotten.
                    await connection.execute(delete(subscribers).where(here))
                elif live.state.rematch is not None:
                    await self._move_on(connection, row, live.state.rematch)
                elif row.state == "on":
                    wanted = wanted or _plays(live, seats)
                    values = self._noted(live, row, seats, changed)
                    await connection.execute(update(subscribers).where(here).values(values))
        if live is not None:
            if self.store.postgres:
                self.tables.presence.ask(live)
                self._asked.add(live)
            if wanted:
                self.unattended.keep_going(live)

    def _noted(
        self, live: LiveTable, row: Subscriber, seats: tuple[int, ...], changed: int
    ) -> dict[str, Any]:
        news = news_of(live, seats, row.told)
        values: dict[str, Any] = {"looked": changed, "wake": _deadline(live, seats)}
        if news is None or news.mark == row.told:
            return values | {"news": None, "due": None, "tries": 0}
        if news.mark != row.news:
            return values | {"news": news.mark, "due": self.clock.now() + self.grace, "tries": 0}
        return values

    async def _move_on(self, connection: AsyncConnection, row: Subscriber, rematch: str) -> None:
        """Whoever was told of this game is told of the next one."""
        address = row.address if row.kind == "push" else ""
        mark = mark_of(row.kind, rematch, row.owner, address)
        there = select(subscribers.c.id).where(subscribers.c.mark == mark)
        table = select(stored_tables.c.id).where(stored_tables.c.id == rematch)
        here = subscribers.c.id == row.id
        known = (await connection.execute(there)).first()
        if known is not None or (await connection.execute(table)).first() is None:
            await connection.execute(delete(subscribers).where(here))
            return
        fresh: dict[str, Any] = {
            "table_id": rematch, "mark": mark, "told": WAITING, "looked": -1, "wake": None,
        }  # fmt: skip
        if row.news != CONFIRM:
            fresh |= {"news": None, "due": None, "tries": 0}
        await connection.execute(update(subscribers).where(here).values(fresh))

    async def _wake(self) -> None:
        """Tables whose time is up go on, though nobody watches."""
        now = self.clock.now()
        late = subscribers.c.wake <= now
        async with self.store.reading() as connection:
            wanted = select(subscribers.c.table_id).where(late).distinct().limit(MAX_LOOKED)
            found = list((await connection.execute(wanted)).scalars())
        for table in found:
            async with self.store.writing() as connection:
                again = update(subscribers).where(subscribers.c.table_id == table, late)
                await connection.execute(again.values(wake=now + WAKE))
            with contextlib.suppress(DalapapaError):
                self.unattended.keep_going(await self.tables.find(table))

    # -- telling ---------------------------------------------------------------------------------

    async def _tell_due(self) -> None:
        question, confirmed = subscribers.c.news == CONFIRM, subscribers.c.state == "on"
        due = subscribers.c.due <= self.clock.now()
        wanted = select(subscribers).where(due, question | confirmed)
        before = set(self._sending)  # What ends while we read is settled, and read as it was.
        async with self.store.reading() as connection:
            found = await connection.execute(wanted.order_by(subscribers.c.due).limit(MAX_DUE))
            rows = [Subscriber(*row) for row in found]
        for row in rows:
            if row.id in before or row.id in self._sending or row.news is None:
                continue
            if not self._take_slot(row):
                continue
            task = asyncio.create_task(self._tell(row))
            self._sending[row.id] = task
            task.add_done_callback(lambda _, row=row: self._leave_slot(row))  # type: ignore[misc]
        if len(rows) == MAX_DUE:  # Others wait behind those that got no slot.
            waiting = [row.id for row in rows if row.id not in self._sending]
            later = update(subscribers).where(subscribers.c.id.in_(waiting), due)
            async with self.store.writing() as connection:
                await connection.execute(later.values(due=self.clock.now() + NO_SLOT_PAUSE_MS))

    def _take_slot(self, row: Subscriber) -> bool:
        if row.kind == "push":
            return self.sender is None or self.sender.services.take(row.address)
        if self._mails >= MAX_MAILS_AT_ONCE:
            return False
        self._mails += 1
        return True

    def _leave_slot(self, row: Subscriber) -> None:
        self._sending.pop(row.id, None)
        if row.kind == "mail":
            self._mails -= 1
        elif self.sender is not None:
            self.sender.services.leave(row.address)
        self.poke()

    async def _tell(self, row: Subscriber) -> None:
        try:
            if row.news == CONFIRM:
                await self._ask(row)
                return
            live = await self.tables.find(row.table_id)
            seats = _seats(live, row.owner)
            news = news_of(live, seats, row.told)
            if news is None or news.mark != row.news:  # It has changed meanwhile.
                await self._put_off(row, looked=-1, news=None, due=None)
                return
            if (pause := self._has_page_open(live, row, seats, news)) is not None:
                if pause:
                    await self._put_off(row, due=self.clock.now() + pause)
                else:
                    await self._put_off(row, told=row.news, news=None, due=None)
                return
            if row.kind == "mail" and (pause := await self.mail_limits.claim_notice(row.address)):
                await self._put_off(row, due=self.clock.now() + pause)
                return
            self._present.pop(row.id, None)
            await self._settle(row, await self._deliver(row, live, seats, news))
        except DalapapaError as error:
            logger.warning("a player is not told: %s", error.code)
        except Exception:
            logger.warning("a player is not told", exc_info=True)

    def _has_page_open(
        self, live: LiveTable, row: Subscriber, seats: tuple[int, ...], news: News
    ) -> int | None:
        """For how many milliseconds to wait; 0: it is seen, for good. None: tell now."""
        if self.store.postgres and live not in self._asked:
            self.tables.presence.ask(live)
            self._asked.add(live)
            return ASK
        now = self.clock.now()
        live.presence.update(live.time.now())
        if not live.presence.here.intersection(seats):
            return None
        if news.what != "turn":
            return 0
        since = self._present.setdefault(row.id, now)
        return None if now >= since + PATIENCE else PRESENT

    async def _deliver(
        self, row: Subscriber, live: LiveTable, seats: tuple[int, ...], news: News
    ) -> Outcome:
        if row.kind == "mail":
            if self.mailer is None:
                return Outcome("later")
            return await self.mailer.send(write_notice(row, self.links, live, seats, news))
        if self.sender is None:
            return Outcome("later")
        game = describe_game(live.state.settings.game, row.language)[0]
        deadline = live.state.deadline() if news.what == "turn" else None
        message = {
            "table": live.id, "url": f"/t/{live.id}", "tag": live.id,
            "title": say("notices", news.what, row.language),
            "body": f"{game}: {', '.join(live.state.names())}",
        }  # fmt: skip
        left = LIFE
        if deadline is not None:
            left = max(60, min(LIFE, (deadline - live.time.now()) // 1000))
        key, secret = row.secret.split(" ")
        browser = Browser(row.address, key, secret)
        now = self.clock.now() / 1000
        topic = topic_of(live.id)
        return await self.sender.send(browser, encode_message(message), topic, left, now)

    async def _ask(self, row: Subscriber) -> None:
        """Ask an address for its consent, unless a later subscription has asked since."""
        if not await self.mail_limits.begin_question(row.address, row.id):
            await self._put_off(row, news=None, due=None)
            return
        outcome = Outcome("later")
        if self.mailer is not None:
            outcome = await self.mailer.send(write_question(row, self.links))
        await self._settle(row, outcome)

    # -- what came of it -------------------------------------------------------------------------

    async def _put_off(self, row: Subscriber, **values: Any) -> None:
        here = (subscribers.c.id == row.id, subscribers.c.news == row.news)
        async with self.store.writing() as connection:
            await connection.execute(update(subscribers).where(*here).values(values))

    async def _settle(self, row: Subscriber, outcome: Outcome) -> None:
        metrics.NOTICES.add(row.kind, outcome.what)
        tries, most = row.tries + 1, MAX_TRIES
        if outcome.what == "refused":
            most = MAIL_TRIES if row.kind == "mail" else 1
        done: dict[str, Any] = {"news": None, "due": None, "tries": 0}
        if row.news != CONFIRM:
            done["told"] = row.news
        if outcome.what == "sent":
            await self._put_off(row, **done, failures=0)
        elif outcome.what == "lost":
            await self._forget(row)
        elif tries < most:
            pause = max(1000 * outcome.pause, min(LONGEST_PAUSE, FIRST_PAUSE * 3**row.tries))
            await self._put_off(row, tries=tries, due=self.clock.now() + int(pause))
        elif (row.kind == "mail" and outcome.what == "refused") or row.failures + 1 >= MAX_FAILURES:
            await self._forget(row)
        else:
            await self._put_off(row, **done, failures=row.failures + 1)

    async def _forget(self, row: Subscriber) -> None:
        """Nobody is there: a browser is forgotten at all tables; of mail, the player is told."""
        same = (subscribers.c.kind == row.kind, subscribers.c.address == row.address)
        async with self.store.writing() as connection:
            if row.kind == "push":
                await connection.execute(delete(subscribers).where(*same))
                return
            gone = {
                "state": "refused", "address": "", "secret": "", "proof": None, "news": None,
                "due": None, "wake": None,
            }  # fmt: skip
            await connection.execute(update(subscribers).where(*same).values(gone))


def _seats(live: LiveTable, owner: str) -> tuple[int, ...]:
    return find_seats((seat.owner for seat in live.state.seats), owner)


def _plays(live: LiveTable, seats: tuple[int, ...]) -> bool:
    """Whether the owner of some seats has not left the game to programs."""
    return any(not live.state.seats[seat].away for seat in seats)


def _deadline(live: LiveTable, seats: tuple[int, ...]) -> int | None:
    goes_on = live.state.accepts_moves and _plays(live, seats)
    deadline = live.state.deadline() if goes_on else None
    return None if deadline is None else deadline + 1000
