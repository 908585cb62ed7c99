"""Notify players without an open page of their turns, by web push and by mail.

Notifications follow from the logs of tables, so a killed process loses none: rows of subscribers
contain what was checked and sent last. One process notifies for all that share a PostgreSQL; if it
ends, another takes over. News are sent at least once, and repeated news are shown once, because
they have the same topic, tag or message id.
"""

from __future__ import annotations

import asyncio
import contextlib
from secrets import token_urlsafe
from typing import Any
from weakref import WeakSet

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ...core.errors import DalapapaError, Unavailable
from ...hosting.tokens import find_seats
from ...rulebook import describe_game
from ...texts import say
from ..clock import SYSTEM_CLOCK, SystemClock
from ..monitoring import metrics
from ..monitoring.logging_setup import logger
from ..storage.schema import secrets, subscribers
from ..storage.schema import tables as stored_tables
from ..storage.store import Store
from ..tables.driver import UnattendedGames
from ..tables.live import LiveTable
from ..tables.tables import Tables
from ..tasks import cancel_tasks
from ..traffic.limits import Limits
from . import webpush
from .config import NotifyConfig
from .mail import Mailer, write_notice, write_question
from .mail_links import Subscriber
from .subscriptions import CONFIRM, WAITING, News, Subscriptions, find_news, make_mark
from .webpush import Browser, Delivery, Sender

ROUND_INTERVAL_S = 3.0

GRACE_PERIOD_MS = 15_000
"""Delay of a notification, because players take moves back and reload pages."""

PRESENT_CHECK_MS, MAX_PRESENT_MS = 60_000, 300_000
"""Interval of checks whether a player has a page open, and when they are notified nevertheless."""

PRESENCE_ANSWER_MS = 2_000
"""Time for other processes to answer who is present at a table."""

WAKE_INTERVAL_MS = 60_000
"""Time until a table whose deadline has passed is woken again, if nothing has happened."""

MIN_RETRY_MS, MAX_RETRY_MS = 30_000, 6 * 3_600_000
"""The delay of the first retry, which triples up to the longest delay."""

MAX_TRIES = 10
"""Tries for one notification, which take more than a day."""

MAX_REFUSED_MAILS = 3
"""Tries for an address that the mail server refuses."""

MAX_FAILURES = 3
"""Consecutive notifications that failed before a subscriber is removed."""

MAX_PARALLEL_MAILS = 8
"""Mails that are being sent; push messages have their own limits (`push_services.py`)."""

MAX_DUE = 500
"""Subscribers that are notified in one round; those without a slot make room for others."""

NO_SLOT_PAUSE_MS = 5_000

MAX_TABLES_PER_ROUND = 200

PUSH_LIFETIME_S = 7 * 86_400
"""Seconds for which a push service stores a message for a browser that is offline."""

ADVISORY_LOCK_ID = 720_122
"""The advisory lock of PostgreSQL whose owner notifies players."""


class NotificationScheduler:
    """Notifies players, if the host has configured it."""

    def __init__(
        self,
        tables: Tables,
        notify: NotifyConfig,
        limits: Limits,
        clock: SystemClock = SYSTEM_CLOCK,
    ) -> None:
        self.tables = tables
        self.store: Store = tables.store
        self.notify = notify
        self.clock = clock
        self.interval_s: float = ROUND_INTERVAL_S
        self.grace_ms: int = GRACE_PERIOD_MS
        self.sender: Sender | None = None
        self.mailer: Mailer | None = Mailer(notify) if notify.mails else None
        self.key: str = ""
        """Our public key, with which browsers subscribe at their push services."""
        self.unattended: UnattendedGames = UnattendedGames(tables.driver)
        self.subscriptions: Subscriptions = Subscriptions(tables, notify, limits, self.wake, clock)
        self.links = self.subscriptions.links
        self.mail_limits = self.subscriptions.mail_limits
        self._asked: WeakSet[LiveTable] = WeakSet()
        """Tables for which other processes were asked who is present."""
        self._present: dict[str, int] = {}
        """When subscribers with pending news were first seen with a page open."""
        self.sending: dict[str, asyncio.Task[None]] = {}
        self._mails = 0
        self._wake_up = asyncio.Event()
        self.rounds: asyncio.Task[None] | None = None
        """The task that runs all rounds; None if no notifications are configured."""

    async def open(self) -> None:
        if self.notify.push:
            key = webpush.load_private_key(await self._load_secret("vapid", webpush.generate_key()))
            self.key = webpush.encode_base64url(webpush.encode_public_key(key))
            self.sender = Sender(self.notify.push, key, self.notify.private)
        # Links of earlier mails work while mail is off.
        new = token_urlsafe(32) if self.notify.mails else ""
        self.links.secret = await self._load_secret("mail_links", new)
        if self.notify.any:
            self.rounds = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stop; the next process repeats unfinished notifications."""
        await cancel_tasks([*self.sending.values(), self.rounds])
        if self.sender is not None:
            await self.sender.close()
        if self.mailer is not None:
            self.mailer.close()

    def wake(self) -> None:
        """Start the next round now."""
        self._wake_up.set()

    async def _load_secret(self, name: str, new: str) -> str:
        """Load a secret of this database; if there is none, store a new one that is not empty."""
        async with self.store.writing() if new else self.store.reading() as connection:
            if new:
                row = {"name": name, "value": new}
                await connection.execute(self.store.insert_new(secrets), row)
            found = await connection.scalar(select(secrets.c.value).where(secrets.c.name == name))
        return str(found or "")

    # -- rounds ------------------------------------------------------------------------------------

    async def _run(self) -> None:
        while True:
            try:
                async with self.store.advisory_lock(ADVISORY_LOCK_ID) as check_lock:
                    while check_lock is not None:
                        await self.run_round()
                        await self._wait()
                        await check_lock()
            except DalapapaError as error:
                if self.store.write_trouble.reason is None:  # Otherwise the store has logged it.
                    logger.warning("could not notify players: %s", error)
            except Exception:
                logger.warning("could not notify players", exc_info=True)
            await self._wait()

    async def _wait(self) -> None:
        self._wake_up.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._wake_up.wait(), self.interval_s)

    async def run_round(self) -> None:
        """Check changed tables, wake tables whose deadline has passed, and send what is due."""
        await self._check_changes()
        await self._wake_tables()
        await self._send_due()

    # -- changes ---------------------------------------------------------------------------------

    async def _check_changes(self) -> None:
        wanted = (
            select(subscribers.c.table_id, stored_tables.c.changed)
            .join(stored_tables, stored_tables.c.id == subscribers.c.table_id)
            .where(stored_tables.c.changed != subscribers.c.looked, subscribers.c.state == "on")
            .distinct()
            .limit(MAX_TABLES_PER_ROUND)
        )
        async with self.store.reading() as connection:
            found = (await connection.execute(wanted)).all()
        for row in found:
            await self._check_table(row.table_id, row.changed)

    async def _check_table(self, table: str, changed: int) -> None:
        """Plan the notifications of all subscribers at a table."""
        live: LiveTable | None = None
        wanted = False
        try:
            live = await self.tables.find(table)
        except Unavailable:
            raise
        except DalapapaError:  # Closed or damaged: no one plays there.
            pass
        async with self.store.writing() as connection:
            for row in await self.subscriptions.read_rows(connection, table):
                here = subscribers.c.id == row.id
                if live is None:
                    quiet = {"looked": changed, "news": None, "due": None, "wake": None}
                    await connection.execute(update(subscribers).where(here).values(quiet))
                    continue
                seats = _find_seats(live, row.owner)
                if not seats:  # A player who has left, or was removed or forgotten.
                    await connection.execute(delete(subscribers).where(here))
                elif live.state.rematch is not None:
                    await self._move_to_rematch(connection, row, live.state.rematch)
                elif row.state == "on":
                    wanted = wanted or _plays(live, seats)
                    values = self._plan_news(live, row, seats, changed)
                    await connection.execute(update(subscribers).where(here).values(values))
        if live is not None:
            if self.tables.bus is not None:
                self.tables.presence.ask(live)
                self._asked.add(live)
            if wanted:
                self.unattended.keep_going(live)

    def _plan_news(
        self, live: LiveTable, row: Subscriber, seats: tuple[int, ...], changed: int
    ) -> dict[str, Any]:
        news = find_news(live, seats, row.notified)
        goes_on = live.state.accepts_moves and _plays(live, seats)
        deadline = live.state.clock_deadline() if goes_on else None
        wake = None if deadline is None else deadline + 1000
        values: dict[str, Any] = {"looked": changed, "wake": wake}
        if news is None or news.mark == row.notified:
            return values | {"news": None, "due": None, "tries": 0}
        if news.mark != row.news:
            return values | {"news": news.mark, "due": self.clock.now() + self.grace_ms, "tries": 0}
        return values

    async def _move_to_rematch(
        self, connection: AsyncConnection, row: Subscriber, rematch: str
    ) -> None:
        mark = make_mark(row.kind, rematch, row.owner, row.address)
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

    async def _wake_tables(self) -> None:
        """Continue games whose deadline has passed, though they have no viewers."""
        now = self.clock.now()
        late = subscribers.c.wake <= now
        async with self.store.reading() as connection:
            wanted = select(subscribers.c.table_id).where(late).distinct()
            rows = await connection.execute(wanted.limit(MAX_TABLES_PER_ROUND))
            found = list(rows.scalars())
        for table in found:
            async with self.store.writing() as connection:
                again = update(subscribers).where(subscribers.c.table_id == table, late)
                await connection.execute(again.values(wake=now + WAKE_INTERVAL_MS))
            with contextlib.suppress(DalapapaError):
                self.unattended.keep_going(await self.tables.find(table))

    # -- sending ---------------------------------------------------------------------------------

    async def _send_due(self) -> None:
        question, confirmed = subscribers.c.news == CONFIRM, subscribers.c.state == "on"
        due = subscribers.c.due <= self.clock.now()
        wanted = select(subscribers).where(due, question | confirmed)
        before = set(self.sending)  # Tasks that end during the query have changed their rows.
        async with self.store.reading() as connection:
            found = await connection.execute(wanted.order_by(subscribers.c.due).limit(MAX_DUE))
            rows = [Subscriber(*row) for row in found]
        for row in rows:
            if row.id in before or row.id in self.sending or row.news is None:
                continue
            if not self._take_slot(row):
                continue
            task = asyncio.create_task(self._notify(row))
            self.sending[row.id] = task
            task.add_done_callback(lambda _, row=row: self._leave_slot(row))  # type: ignore[misc]
        if len(rows) == MAX_DUE:  # Others wait behind those without a slot.
            waiting = [row.id for row in rows if row.id not in self.sending]
            later = update(subscribers).where(subscribers.c.id.in_(waiting), due)
            async with self.store.writing() as connection:
                await connection.execute(later.values(due=self.clock.now() + NO_SLOT_PAUSE_MS))

    def _take_slot(self, row: Subscriber) -> bool:
        if row.kind == "push":
            return self.sender is None or self.sender.services.take(row.address)
        if self._mails >= MAX_PARALLEL_MAILS:
            return False
        self._mails += 1
        return True

    def _leave_slot(self, row: Subscriber) -> None:
        self.sending.pop(row.id, None)
        if row.kind == "mail":
            self._mails -= 1
        elif self.sender is not None:
            self.sender.services.leave(row.address)
        self.wake()

    async def _notify(self, row: Subscriber) -> None:
        try:
            if row.news == CONFIRM:
                await self._ask_consent(row)
                return
            live = await self.tables.find(row.table_id)
            seats = _find_seats(live, row.owner)
            news = find_news(live, seats, row.notified)
            if news is None or news.mark != row.news:  # The table has changed meanwhile.
                await self._update(row, looked=-1, news=None, due=None)
                return
            if (pause := self._has_page_open(live, row, seats, news)) is not None:
                if pause:
                    await self._update(row, due=self.clock.now() + pause)
                else:
                    await self._update(row, told=row.news, news=None, due=None)
                return
            if row.kind == "mail" and (pause := await self.mail_limits.claim_notice(row.address)):
                await self._update(row, due=self.clock.now() + pause)
                return
            self._present.pop(row.id, None)
            await self._save_result(row, await self._deliver(row, live, seats, news))
        except DalapapaError as error:
            logger.warning("could not notify a player: %s", error.code)
        except Exception:
            logger.warning("could not notify a player", exc_info=True)

    def _has_page_open(
        self, live: LiveTable, row: Subscriber, seats: tuple[int, ...], news: News
    ) -> int | None:
        """Return the milliseconds to wait; 0: the player has seen it. None: notify now."""
        bus = self.tables.bus
        if bus is not None and live not in self._asked:
            self.tables.presence.ask(live)
            self._asked.add(live)
            return PRESENCE_ANSWER_MS
        if bus is not None and bus.is_lossy and not live.viewers:
            self._asked.discard(live)  # What changes from now on does not arrive here.
        now = self.clock.now()
        live.presence.update(live.time.now())
        if not live.presence.here.intersection(seats):
            return None
        if news.what != "turn":
            return 0
        since = self._present.setdefault(row.id, now)
        return None if now >= since + MAX_PRESENT_MS else PRESENT_CHECK_MS

    async def _deliver(
        self, row: Subscriber, live: LiveTable, seats: tuple[int, ...], news: News
    ) -> Delivery:
        if row.kind == "mail":
            if self.mailer is None:
                return Delivery("later")
            return await self.mailer.send(write_notice(row, self.links, live, seats, news))
        if self.sender is None:
            return Delivery("later")
        game = describe_game(live.state.settings.game, row.language)[0]
        deadline = live.state.turn_deadline() if news.what == "turn" else None
        message = {
            "table": live.id, "url": f"/t/{live.id}", "tag": live.id,
            "title": say("notices", news.what, row.language),
            "body": f"{game}: {', '.join(live.state.names())}",
        }  # fmt: skip
        left = PUSH_LIFETIME_S
        if deadline is not None:
            left = max(60, min(PUSH_LIFETIME_S, (deadline - live.time.now()) // 1000))
        key, secret = row.secret.split(" ")
        browser = Browser(row.address, key, secret)
        data, topic = webpush.encode_push_message(message), webpush.make_topic(live.id)
        return await self.sender.send(browser, data, topic, left, self.clock.now() / 1000)

    async def _ask_consent(self, row: Subscriber) -> None:
        """Ask an address for consent, unless a later subscription has asked."""
        if not await self.mail_limits.begin_question(row.address, row.id):
            await self._update(row, news=None, due=None)
            return
        delivery = Delivery("later")
        if self.mailer is not None:
            delivery = await self.mailer.send(write_question(row, self.links))
        await self._save_result(row, delivery)

    # -- results ---------------------------------------------------------------------------------

    async def _update(self, row: Subscriber, **values: Any) -> None:
        here = (subscribers.c.id == row.id, subscribers.c.news == row.news)
        async with self.store.writing() as connection:
            await connection.execute(update(subscribers).where(*here).values(values))

    async def _save_result(self, row: Subscriber, delivery: Delivery) -> None:
        metrics.NOTICES.add(row.kind, delivery.what)
        tries, max_tries = row.tries + 1, MAX_TRIES
        if delivery.what == "refused":
            max_tries = MAX_REFUSED_MAILS if row.kind == "mail" else 1
        done: dict[str, Any] = {"news": None, "due": None, "tries": 0}
        if row.news != CONFIRM:
            done["told"] = row.news
        if delivery.what == "sent":
            await self._update(row, **done, failures=0)
        elif delivery.what == "lost":
            await self._forget(row)
        elif tries < max_tries:
            pause = max(1000 * delivery.pause, min(MAX_RETRY_MS, MIN_RETRY_MS * 3**row.tries))
            await self._update(row, tries=tries, due=self.clock.now() + int(pause))
        elif (
            row.kind == "mail" and delivery.what == "refused"
        ) or row.failures + 1 >= MAX_FAILURES:
            await self._forget(row)
        else:
            await self._update(row, **done, failures=row.failures + 1)

    async def _forget(self, row: Subscriber) -> None:
        """Remove a browser at all tables, or mark a mail address as refused for its player."""
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


def _find_seats(live: LiveTable, owner: str) -> tuple[int, ...]:
    return find_seats((seat.owner for seat in live.state.seats), owner)


def _plays(live: LiveTable, seats: tuple[int, ...]) -> bool:
    """Return whether the owner of some seats has not left them to bots."""
    return any(not live.state.seats[seat].away for seat in seats)
