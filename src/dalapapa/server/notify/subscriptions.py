"""Subscriptions to notifications: browsers, and mail addresses with consent."""

from __future__ import annotations

import secrets as chance
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ...core.errors import BadInput, Forbidden, TooMany
from ...hosting.tokens import hash_token
from ..clock import SYSTEM_CLOCK, SystemClock
from ..storage.schema import subscribers
from ..storage.store import Store
from ..tables.live import LiveTable
from ..tables.tables import Tables
from ..traffic.limits import Limits, TokenBucket, TokenBuckets
from .config import NotifyConfig, is_address
from .mail_limits import MailLimits
from .mail_links import Kind, MailLinks, Purpose, Subscriber, find_id
from .webpush import Browser, check_browser

MAX_BROWSERS = 5
"""Browsers that are notified of the turns of one player."""

CONFIRM = "confirm"
"""In place of news: the address has to be asked for consent."""

What = Literal["turn", "started", "over"]


class News(NamedTuple):
    """A change that a player is notified of; the mark is the same for the same news."""

    what: What
    mark: str


WAITING = "w"
"""The mark of a table that waits for players: there is no news."""


def find_news(live: LiveTable, seats: tuple[int, ...], last_mark: str) -> News | None:
    """Return the news for the owner of some seats, whose last notification had a mark."""
    state = live.state
    here = [seat for seat in seats if not state.seats[seat].away]
    if not here or state.phase == "waiting":
        return None
    if state.phase == "over":
        return News("over", "o")
    since = [live.waits[seat] for seat in here if seat in live.waits]
    if since and state.accepts_moves:
        return News("turn", f"t{max(since)}")
    return News("started", "s") if last_mark in (WAITING, "s") else None


class MailSubscription(msgspec.Struct, frozen=True):
    """A player's mail address, and whether it is confirmed; `refused`: it does not exist."""

    address: str
    state: Literal["asked", "on", "refused"]


class PlayerSubscriptions(msgspec.Struct, frozen=True):
    """How one player is notified of their turns at a table."""

    push: list[str]
    mail: MailSubscription | None


class Subscriptions:
    """The subscriptions of all tables. `wake` is called when a mail has to be sent soon."""

    def __init__(
        self,
        tables: Tables,
        notify: NotifyConfig,
        limits: Limits,
        wake: Callable[[], None],
        clock: SystemClock = SYSTEM_CLOCK,
    ) -> None:
        self.tables = tables
        self.store: Store = tables.store
        self.notify = notify
        self.clock = clock
        self.wake = wake
        self.links: MailLinks = MailLinks(notify.url)
        self.mail_limits: MailLimits = MailLimits(self.store, clock)
        self.consents: TokenBuckets = TokenBuckets(
            limits.consents_per_hour / 3600, limits.consents_per_hour, clock
        )
        self.all_consents: TokenBucket = TokenBucket(
            limits.consents_in_all / 3600, limits.consents_in_all, clock
        )

    def _find_own_seats(self, live: LiveTable, token: str) -> tuple[int, ...]:
        seats = live.seats_of(token)
        if not seats:
            raise Forbidden("Only players can get notifications of their turns.", "not_your_seat")
        return seats

    async def find_own(self, live: LiveTable, token: str) -> PlayerSubscriptions:
        """Return the subscriptions of the owner of a token."""
        self._find_own_seats(live, token)
        async with self.store.reading() as connection:
            rows = await self.read_rows(connection, live.id, hash_token(token))
        mail = next(
            (MailSubscription(one.address, one.state) for one in rows if one.kind == "mail"), None
        )
        return PlayerSubscriptions([one.address for one in rows if one.kind == "push"], mail)

    async def read_rows(
        self, connection: AsyncConnection, table: str, owner: str | None = None
    ) -> list[Subscriber]:
        """Read the subscriptions at a table, or those of one owner there."""
        wanted = select(subscribers).where(subscribers.c.table_id == table)
        if owner is not None:
            wanted = wanted.where(subscribers.c.owner == owner)
        found = await connection.execute(wanted.order_by(subscribers.c.created))
        return [Subscriber(*row) for row in found]

    async def add_push(
        self, live: LiveTable, token: str, browser: Browser, language: str
    ) -> PlayerSubscriptions:
        if not self.notify.push:
            raise BadInput("This server does not send web push.", "no_push")
        check_browser(browser, self.notify.private)
        own, owner = self._find_own_seats(live, token), hash_token(token)
        keys = {"secret": f"{browser.key} {browser.secret}", "language": language}
        row = self._make_row(live, own, "push", owner, browser.endpoint) | keys
        async with self.store.writing() as connection:
            known = [one for one in await self.read_rows(connection, live.id, owner)
                     if one.kind == "push" and one.address != browser.endpoint]  # fmt: skip
            if len(known) >= MAX_BROWSERS:
                raise TooMany(
                    f"{MAX_BROWSERS} browsers already get notifications: remove one of them first.",
                    "too_many_notices",
                )
            await connection.execute(self.store.upsert(subscribers, row, ["mark"], keys))
        return await self.find_own(live, token)

    async def add_mail(
        self, live: LiveTable, token: str, address: str, language: str, proof: str, sender: str
    ) -> PlayerSubscriptions:
        """Subscribe a mail address, which its owner confirms for all tables of one browser.

        `proof` is a secret of the browser, `sender` the network address of the request.
        """
        if not self.notify.mails:
            raise BadInput("This server does not send mail.", "no_mail")
        if not is_address(address):
            raise BadInput("A mail address must look like you@example.org.", "bad_mail")
        own, browser = self._find_own_seats(live, token), hash_token(proof)
        row = self._make_row(live, own, "mail", hash_token(token), address)
        row |= {"language": language, "proof": browser}
        async with self.store.writing() as connection:
            await self.mail_limits.lock(connection, address)
            here = subscribers.c.mark == row["mark"]
            known = (await connection.execute(select(subscribers).where(here))).first()
            if known is not None and (known.address, known.proof) == (address, browser):
                # The same subscription: the keys in its mails stay valid.
                await connection.execute(update(subscribers).where(here).values(language=language))
            else:
                await self._replace_mail(connection, row, sender)
        self.wake()
        return await self.find_own(live, token)

    async def _replace_mail(
        self, connection: AsyncConnection, row: dict[str, Any], sender: str
    ) -> None:
        """Add a subscription, or replace another one with its state, its news and its id."""
        same = select(subscribers.c.state).where(
            subscribers.c.kind == "mail",
            subscribers.c.address == row["address"],
            subscribers.c.proof == row["proof"],
        )
        states = set((await connection.execute(same)).scalars())
        if "on" not in states:  # The owner has not confirmed it for this browser.
            row["state"] = "asked"
            if "asked" not in states:
                await self._ask_consent(connection, row["address"], row["id"], sender)
                row |= {"news": CONFIRM, "due": self.clock.now()}
        await connection.execute(self.store.upsert(subscribers, row, ["mark"], row))

    async def _ask_consent(
        self, connection: AsyncConnection, address: str, subscriber: str, sender: str
    ) -> None:
        """Refuse if this address was asked recently, or if too many others were."""
        await self.mail_limits.claim_question(connection, address, subscriber)
        for bucket in (self.consents.get(sender), self.all_consents):
            bucket.check("Too many mail addresses: wait a while.")

    def _make_row(
        self, live: LiveTable, seats: tuple[int, ...], kind: Kind, owner: str, address: str
    ) -> dict[str, Any]:
        """Make the row of a subscriber, who is not notified of what they see at present."""
        present = find_news(live, seats, WAITING)
        return {
            "id": chance.token_urlsafe(18), "mark": make_mark(kind, live.id, owner, address),
            "table_id": live.id, "owner": owner, "kind": kind, "address": address, "secret": "",
            "language": "en", "state": "on", "proof": None, "created": self.clock.now(),
            "looked": -1, "told": present.mark if present else WAITING, "news": None, "due": None,
            "wake": None, "tries": 0, "failures": 0,
        }  # fmt: skip

    async def stop(
        self, live: LiveTable, token: str, kind: Kind, address: str = ""
    ) -> PlayerSubscriptions:
        """Remove the mail subscription of a player, or that of one browser."""
        self._find_own_seats(live, token)
        mark = make_mark(kind, live.id, hash_token(token), address)
        async with self.store.writing() as connection:
            await connection.execute(delete(subscribers).where(subscribers.c.mark == mark))
        return await self.find_own(live, token)

    # -- links in mails --------------------------------------------------------------------------

    async def find(self, key: str, purpose: Purpose) -> Subscriber | None:
        """Return the subscription of a link; None if the link is not valid, or not any more."""
        here = (subscribers.c.id == find_id(key), subscribers.c.kind == "mail")
        async with self.store.reading() as connection:
            row = (await connection.execute(select(subscribers).where(*here))).first()
        found = None if row is None else Subscriber(*row)
        return found if found is not None and self.links.is_valid(key, purpose, found) else None

    async def confirm(self, found: Subscriber) -> None:
        """Confirm an address, at all tables of the browser that asked."""
        now = {"state": "on", "looked": -1, "news": None, "due": None, "tries": 0}
        async with self.store.writing() as connection:
            await self.mail_limits.note_answer(connection, found.address, wanted=True)
            same = (*_match_address(found), subscribers.c.proof == found.proof)
            asked = subscribers.c.state == "asked"
            await connection.execute(update(subscribers).where(*same, asked).values(now))
        self.wake()

    async def unsubscribe(self, found: Subscriber) -> None:
        """Stop all mails to this address, or only questions, if the link is from a question."""
        async with self.store.writing() as connection:
            same = _match_address(found)
            if found.state == "asked":  # Other subscriptions may be confirmed.
                await self.mail_limits.note_answer(connection, found.address, wanted=False)
                same = (*same, subscribers.c.state == "asked")
            else:
                await self.mail_limits.lock(connection, found.address)
            await connection.execute(delete(subscribers).where(*same))


def _match_address(found: Subscriber) -> tuple[ColumnElement[bool], ...]:
    return (subscribers.c.kind == "mail", subscribers.c.address == found.address)


def make_mark(kind: str, table: str, owner: str, address: str) -> str:
    """Return the mark of a subscription: a player has one for each browser, and one by mail."""
    return hash_token(f"{kind} {table} {owner} {address if kind == 'push' else ''}")
