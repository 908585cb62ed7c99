"""Who wants to be told of their turns: browsers, and mail addresses that have consented."""

from __future__ import annotations

import secrets as chance
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import msgspec
from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from ..errors import BadInput, Forbidden, TooMany
from .clock import SYSTEM_CLOCK, SystemClock
from .limits import Limits, TokenBucket, TokenBuckets
from .notify_settings import Notify, is_address
from .push import Browser, check_browser
from .retention import ASKED_DAYS
from .store import Store, asked_addresses, subscribers
from .tables import LiveTable, Tables, hashed

DAY = 86_400_000
"""Milliseconds."""

MAX_EACH = 5
"""Browsers that are told of one player's turn."""

MAX_ASKED = 3
"""Times that an address is asked for its consent in `ASKED_DAYS`, and never twice in a day."""

CONFIRM = "confirm"
"""In place of news: an address is asked for its consent."""

Kind = Literal["push", "mail"]
What = Literal["turn", "started", "over"]


class News(NamedTuple):
    """Something to tell a player; the mark is the same for the same news."""

    what: What
    mark: str


WAITING = "w"
"""The mark of a table that waits for players: there is nothing to tell."""


def news_of(live: LiveTable, seats: tuple[int, ...], told: str) -> News | None:
    """What the owner of some seats should know now, if anything."""
    state = live.state
    here = [seat for seat in seats if not state.seats[seat].away]
    if not here or state.phase == "waiting":
        return None
    if state.phase == "over":
        return News("over", "o")
    since = [live.waits[seat] for seat in here if seat in live.waits]
    if since and state.goes_on:
        return News("turn", f"t{max(since)}")
    return News("started", "s") if told in (WAITING, "s") else None


class MailTold(msgspec.Struct, frozen=True):
    """A player's mail address, and whether it is confirmed; `refused`: there is no such address."""

    address: str
    state: Literal["asked", "on", "refused"]


class Told(msgspec.Struct, frozen=True):
    """Where one player is told of their turns at a table."""

    push: list[str]
    """The endpoints of browsers."""
    mail: MailTold | None


class Subscriber(NamedTuple):
    """A row."""

    id: str
    mark: str
    table_id: str
    owner: str
    kind: Kind
    address: str
    secret: str
    language: str
    state: Literal["asked", "on", "refused"]
    proof: str | None
    created: int
    looked: int
    told: str
    news: str | None
    due: int | None
    wake: int | None
    tries: int
    failures: int


class Subscriptions:
    """Those of all tables. `poke` is called when there is something to tell at once."""

    def __init__(
        self,
        tables: Tables,
        notify: Notify,
        limits: Limits,
        poke: Callable[[], None],
        clock: SystemClock = SYSTEM_CLOCK,
    ) -> None:
        self.tables = tables
        self.store: Store = tables.store
        self.notify = notify
        self.clock = clock
        self.poke = poke
        self.consents = TokenBuckets(
            limits.consents_per_hour / 3600, limits.consents_per_hour, clock
        )
        self.all_consents = TokenBucket(
            limits.consents_in_all / 3600, limits.consents_in_all, clock
        )
        self._insert = (postgresql if self.store.postgres else sqlite).insert

    def _own(self, live: LiveTable, token: str) -> tuple[int, ...]:
        seats = self.tables.seats_of(live, token)
        if not seats:
            raise Forbidden("Only players are told of their turns.", "not_your_seat")
        return seats

    async def told(self, live: LiveTable, token: str) -> Told:
        """Where the owner of a token is told."""
        self._own(live, token)
        async with self.store.reading() as connection:
            rows = await self.rows(connection, live.id, hashed(token))
        mail = next((MailTold(one.address, one.state) for one in rows if one.kind == "mail"), None)
        return Told([one.address for one in rows if one.kind == "push"], mail)

    async def rows(
        self, connection: AsyncConnection, table: str, owner: str | None = None
    ) -> list[Subscriber]:
        """Those at a table, or those of one owner there."""
        wanted = select(subscribers).where(subscribers.c.table_id == table)
        if owner is not None:
            wanted = wanted.where(subscribers.c.owner == owner)
        found = await connection.execute(wanted.order_by(subscribers.c.created))
        return [Subscriber(*row) for row in found]

    async def add_push(self, live: LiveTable, token: str, browser: Browser, language: str) -> Told:
        """Tell a browser from now on."""
        if not self.notify.push:
            raise BadInput("This server does not send web push.", "no_push")
        check_browser(browser, self.notify.private)
        own, owner = self._own(live, token), hashed(token)
        row = self._row(live, own, "push", owner, browser.endpoint)
        row |= {"secret": f"{browser.key} {browser.secret}", "language": language}
        async with self.store.writing() as connection:
            known = [one for one in await self.rows(connection, live.id, owner)
                     if one.kind == "push" and one.address != browser.endpoint]  # fmt: skip
            if len(known) >= MAX_EACH:
                raise TooMany(f"{MAX_EACH} browsers are told already.", "too_many_notices")
            await self._keep(connection, row, ("secret", "language"))
        return await self.told(live, token)

    async def add_mail(
        self, live: LiveTable, token: str, address: str, language: str, proof: str, sender: str
    ) -> Told:
        """Tell a mail address from now on, once its owner has confirmed it.

        `proof` is a secret of the browser: what was confirmed for it is confirmed for all its
        tables. `sender` is the network address that asks.
        """
        if not self.notify.mails:
            raise BadInput("This server does not send mail.", "no_mail")
        if not is_address(address):
            raise BadInput("This is not a mail address.", "bad_mail")
        own, owner, mark = self._own(live, token), hashed(token), hashed(proof)
        row = self._row(live, own, "mail", owner, "")
        row |= {"address": address, "language": language, "proof": mark}
        async with self.store.writing() as connection:
            same = select(subscribers.c.state).where(
                subscribers.c.kind == "mail",
                subscribers.c.address == address,
                subscribers.c.proof == mark,
            )
            states = set((await connection.execute(same)).scalars())
            if "on" not in states:
                row["state"] = "asked"
                if "asked" not in states:
                    await self._ask_consent(connection, address, sender)
                    row |= {"news": CONFIRM, "due": self.clock.now()}
            changes = ("address", "language", "proof", "state", "tries", "failures")
            await self._keep(
                connection, row, changes if row["news"] is None else (*changes, "news", "due")
            )
        self.poke()
        return await self.told(live, token)

    async def _ask_consent(self, connection: AsyncConnection, address: str, sender: str) -> None:
        """Whether an address may be asked: nobody shall be able to bother strangers with us."""
        mark, now = hashed(f"mail {address.lower()}"), self.clock.now()
        here = asked_addresses.c.mark == mark
        known = (await connection.execute(select(asked_addresses).where(here))).first()
        count = 0 if known is None or known.at < now - ASKED_DAYS * DAY else known.times
        if count and known is not None and known.at > now - DAY:
            raise TooMany("This address was asked today already.", "asked_already")
        if count >= MAX_ASKED:
            raise TooMany("This address was asked, and has not answered.", "asked_already")
        self.consents.check(sender, "Too many mail addresses: wait a while.")
        if not self.all_consents.take():
            raise TooMany("Too many mail addresses: wait a while.", "too_fast").later(
                self.all_consents.wait()
            )
        row = {"mark": mark, "at": now, "times": count + 1}
        added = self._insert(asked_addresses).values(row)
        await connection.execute(
            added.on_conflict_do_update(
                index_elements=["mark"], set_={"at": now, "times": count + 1}
            )
        )

    def _row(
        self, live: LiveTable, seats: tuple[int, ...], kind: Kind, owner: str, address: str
    ) -> dict[str, Any]:
        """Somebody who is told from now on: of what is new, not of what they see just now."""
        present = news_of(live, seats, WAITING)
        return {
            "id": chance.token_urlsafe(18), "mark": mark_of(kind, live.id, owner, address),
            "table_id": live.id, "owner": owner, "kind": kind, "address": address, "secret": "",
            "language": "en", "state": "on", "proof": None, "created": self.clock.now(),
            "looked": -1, "told": present.mark if present else WAITING, "news": None, "due": None,
            "wake": None, "tries": 0, "failures": 0,
        }  # fmt: skip

    async def _keep(
        self, connection: AsyncConnection, row: dict[str, Any], changes: tuple[str, ...]
    ) -> None:
        added = self._insert(subscribers).values(row)
        changed = {name: row[name] for name in changes}
        await connection.execute(added.on_conflict_do_update(index_elements=["mark"], set_=changed))

    async def stop(self, live: LiveTable, token: str, kind: Kind, address: str = "") -> Told:
        """Tell a player no more: by mail, or in one browser."""
        self._own(live, token)
        mark = mark_of(kind, live.id, hashed(token), address if kind == "push" else "")
        async with self.store.writing() as connection:
            await connection.execute(delete(subscribers).where(subscribers.c.mark == mark))
        return await self.told(live, token)

    # -- links in mails --------------------------------------------------------------------------

    async def find(self, key: str) -> Subscriber | None:
        """Whom a link is about; None: it is not in use any more."""
        async with self.store.reading() as connection:
            here = (subscribers.c.id == key, subscribers.c.kind == "mail")
            row = (await connection.execute(select(subscribers).where(*here))).first()
        return None if row is None else Subscriber(*row)

    async def confirm(self, found: Subscriber) -> None:
        """The owner of an address wants its mails, at all tables of the same browser."""
        now = {"state": "on", "looked": -1, "news": None, "due": None, "tries": 0}
        mark = hashed(f"mail {found.address.lower()}")
        async with self.store.writing() as connection:
            same = (
                subscribers.c.kind == "mail",
                subscribers.c.address == found.address,
                subscribers.c.proof == found.proof,
                subscribers.c.state == "asked",
            )
            await connection.execute(update(subscribers).where(*same).values(now))
            await connection.execute(delete(asked_addresses).where(asked_addresses.c.mark == mark))
        self.poke()

    async def unsubscribe(self, found: Subscriber) -> None:
        """No more mails to this address, whatever the table."""
        async with self.store.writing() as connection:
            same = (subscribers.c.kind == "mail", subscribers.c.address == found.address)
            await connection.execute(delete(subscribers).where(*same))


def mark_of(kind: str, table: str, owner: str, address: str) -> str:
    """The same for the same: nobody is told twice."""
    return hashed(f"{kind} {table} {owner} {address}")
