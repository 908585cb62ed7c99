"""Readiness: whether moves can be made durable now, tried by writing and cached for a second.

A process on a full or read-only disk is alive but useless. So it writes as a move would, a table of
a size that needs new pages, and deletes it in the same transaction.
"""

from __future__ import annotations

import asyncio
import secrets

from ...core.errors import DalapapaError, Unavailable
from ..clock import SystemClock
from ..monitoring.logging_setup import logger
from ..tasks import cancel_tasks
from .connection.failures import find_reason
from .store import Store

CACHE_DURATION_S = 1.0
"""Seconds for which an answer is cached, so that frequent checks write once a second."""

ANSWER_TIMEOUT_S = 3.0
"""The time after which a database that does not answer counts as broken."""


class Readiness:
    """The state behind `/ready`."""

    def __init__(self, store: Store, clock: SystemClock) -> None:
        self.store = store
        self.clock = clock
        self.stopping: bool = False
        self._at: float | None = None
        self._trouble: DalapapaError | None = None
        self._probe = f"ready? {secrets.token_hex(8)}"
        """The id of a table that only this process writes, and no client sees."""
        self._trying: asyncio.Task[None] | None = None
        """The attempt under way. This is no `SingleFlightCache`: its result expires by the clock,
        failures are results, too, and no caller waits for it longer than `ANSWER_TIMEOUT_S`."""

    @property
    def last(self) -> bool:
        """Whether it was ready at the last check; before the first, it is assumed."""
        return not self.stopping and self._trouble is None

    async def check(self) -> None:
        """Refuse with the reason if moves cannot be made durable."""
        if self.stopping:
            raise Unavailable("The server is stopping: use another one.", "stopping")
        trying = self.refresh()
        if trying is not None:  # All requests wait for the same attempt.
            done, _ = await asyncio.wait({trying}, timeout=ANSWER_TIMEOUT_S)
            if not done:
                self._trouble = Unavailable("The database does not answer.", "no_database")
                self._at = self.clock.monotonic()  # Other requests need not wait as long.
        if self._trouble is not None:
            raise Unavailable(str(self._trouble), self._trouble.code)

    def refresh(self) -> asyncio.Task[None] | None:
        """Try again if the last result is old; None if it is not. `last` changes a moment later."""
        if self._at is not None and self.clock.monotonic() - self._at < CACHE_DURATION_S:
            return None
        if self._trying is None and not self.stopping:
            self._trying = asyncio.create_task(self._try())
        return self._trying

    async def _try(self) -> None:
        try:
            await self.store.try_to_write(self._probe)
        except DalapapaError as error:
            code = find_reason(error) or error.code
            self._trouble = Unavailable("The server cannot make moves durable now.", code)
        except Exception:
            logger.exception("the durability check failed")
            self._trouble = Unavailable("The server cannot make moves durable now.", "no_database")
        else:
            self._trouble = None
        finally:
            self._at = self.clock.monotonic()
            self._trying = None

    async def close(self) -> None:
        self.stopping = True
        await cancel_tasks([self._trying])
