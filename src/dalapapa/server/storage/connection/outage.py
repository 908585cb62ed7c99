"""Whether PostgreSQL answers: one request finds out that it hangs, and all others need not wait.

Requests wait for each other: those of one table for its lock, new tables for the count. If each of
them waited for a database that hangs, the tenth would wait ten times as long as the first. So after
one timeout requests are refused immediately, until a ping is answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

from ....core.errors import DalapapaError, Unavailable

SILENCE_S = 2.0
"""Without any answer for this long, a timeout is the database's; else one statement was slow."""

PING_INTERVAL_S = 0.5
"""Pause between two pings of a database that does not answer."""


class Outage:
    """Begins with a timeout, and ends with any answer. `ping` raises while there is none."""

    def __init__(
        self, ping: Callable[[], Awaitable[None]], now: Callable[[], float] = time.monotonic
    ) -> None:
        self.ping = ping
        self.now = now
        self.is_on = False
        self._answered = now()
        self._pinging: asyncio.Task[None] | None = None

    def check(self) -> None:
        """Refuse a request while the database does not answer."""
        if self.is_on:
            raise make_outage_error()

    def note_answer(self) -> None:
        """The database has answered something."""
        self._answered = self.now()
        self.is_on = False

    def note_timeout(self) -> None:
        """The database has not answered a request in time."""
        if not self.is_on and self.now() - self._answered > SILENCE_S:
            self.is_on = True
            if self._pinging is None or self._pinging.done():
                self._pinging = asyncio.create_task(self._ping_until_answered())

    async def close(self) -> None:
        """Ping no more."""
        if self._pinging is not None:
            self._pinging.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._pinging

    async def _ping_until_answered(self) -> None:
        while self.is_on:
            try:
                await self.ping()
            except DalapapaError:
                await asyncio.sleep(PING_INTERVAL_S)
            else:
                self.note_answer()


def make_outage_error() -> Unavailable:
    """What a client receives while the database does not answer."""
    return Unavailable("The database does not answer: try again.", "no_database")
