"""Limits on mails to one address, by all tables and processes together, in the database.

Addresses are counted without case, tags (`+games`) and dots in front of the `@`, because for many
mail providers these are the same mailbox. Two people whose addresses differ in nothing else share
a limit; consent is never shared.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, Table, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ...core.errors import TooMany
from ...hosting.tokens import hash_token
from ..clock import SYSTEM_CLOCK, SystemClock
from ..storage.retention import ASKED_ADDRESS_DAYS, DAY_MS
from ..storage.schema import asked_addresses, mailed_addresses
from ..storage.store import Store

MAX_QUESTIONS = 3
"""How often an address is asked for consent in `ASKED_ADDRESS_DAYS`; never twice in 24 hours."""

MAX_NOTICE_BURST = 5
NOTICE_INTERVAL_MS = 20 * 60_000
"""Notices to one address: a burst of five, and then one every 20 minutes. So at most 8 in an hour
and 77 in a day, for all tables together."""


def normalize_address(address: str) -> str:
    """Return the form of an address under which it is counted."""
    local, _, domain = address.lower().rpartition("@")
    mailbox = local.partition("+")[0].replace(".", "")
    return f"{mailbox or local}@{domain}"


class MailLimits:
    """Counts mails. A transaction that reads a count locks its row until it ends."""

    def __init__(self, store: Store, clock: SystemClock = SYSTEM_CLOCK) -> None:
        self.store = store
        self.clock = clock

    async def lock(self, connection: AsyncConnection, address: str) -> Row[Any]:
        """Lock the subscriptions of an address until the end of the transaction."""
        fresh = {"at": 0, "times": 0}
        return await self._lock(connection, asked_addresses, address, fresh)

    async def claim_question(
        self, connection: AsyncConnection, address: str, subscriber: str
    ) -> None:
        """Note that an address will be asked for consent, or refuse."""
        known, now = await self.lock(connection, address), self.clock.now()
        count = 0 if known.at < now - ASKED_ADDRESS_DAYS * DAY_MS else known.times
        if now - DAY_MS < known.at <= now + DAY_MS:  # Later: the clock was set back.
            raise TooMany(
                "This server has sent a mail to this address today: try again tomorrow.",
                "asked_already",
            )
        if count >= MAX_QUESTIONS:
            raise TooMany(
                f"This server has sent {MAX_QUESTIONS} mails to this address in"
                f" {ASKED_ADDRESS_DAYS} days, and its owner has not confirmed it: try"
                " again in a month.",
                "asked_already",
            )
        await self._change_question(connection, known, at=now, times=count + 1, asker=subscriber)

    async def begin_question(self, address: str, subscriber: str) -> bool:
        """Return whether this question may be sent; a newer question replaces an older one."""
        async with self.store.writing() as connection:
            known = await self.lock(connection, address)
            if known.asker != subscriber:
                return False
            # The day until the next question starts now.
            await self._change_question(connection, known, at=self.clock.now())
        return True

    async def note_answer(self, connection: AsyncConnection, address: str, wanted: bool) -> None:
        """Note that the owner has confirmed, so that we may ask again, or wants no questions."""
        known = await self.lock(connection, address)
        if wanted:
            await self._change_question(connection, known, times=0)
        else:
            now = self.clock.now()
            await self._change_question(connection, known, at=now, times=MAX_QUESTIONS)

    async def claim_notice(self, address: str) -> int:
        """Return the milliseconds that a notice to this address has to wait; 0: it was counted."""
        async with self.store.writing() as connection:
            known = await self._lock(connection, mailed_addresses, address, {"paid_until": 0})
            now, reserve = self.clock.now(), MAX_NOTICE_BURST * NOTICE_INTERVAL_MS
            # Beyond the reserve: the clock was set back.
            is_credible = now < known.paid_until <= now + reserve
            paid_until = (known.paid_until if is_credible else now) + NOTICE_INTERVAL_MS
            if paid_until > now + reserve:
                return int(paid_until - now - reserve)
            here = mailed_addresses.c.mark == known.mark
            changed = update(mailed_addresses).where(here).values(paid_until=paid_until)
            await connection.execute(changed)
        return 0

    async def _lock(
        self, connection: AsyncConnection, table: Table, address: str, fresh: dict[str, int]
    ) -> Row[Any]:
        mark = hash_token(f"mail {normalize_address(address)}")
        added = self.store.insert_new(table).values(mark=mark, **fresh)
        await connection.execute(added)
        wanted = select(table).where(table.c.mark == mark).with_for_update()
        return (await connection.execute(wanted)).one()

    async def _change_question(
        self, connection: AsyncConnection, known: Row[Any], **values: int | str
    ) -> None:
        here = asked_addresses.c.mark == known.mark
        await connection.execute(update(asked_addresses).where(here).values(values))
