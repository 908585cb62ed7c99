"""The number of stored tables, and whether there is room for another."""

from __future__ import annotations

import asyncio
import math

from ..clock import SYSTEM_CLOCK, SystemClock
from .store import Store

COUNT_MAX_AGE_S, COUNT_MAX_AGE_NEAR_LIMIT_S = 60, 1
"""The time for which a count of all tables is used, far from the limit and near it."""

NEAR_LIMIT = 0.9
"""Share of the limit from which on tables are counted more often."""


class TableCount:
    """The approximate number of tables without the archive.

    Counting takes longer the more tables there are, so a count is used for a while; tables that
    other processes create meanwhile are not in it.
    """

    def __init__(self, store: Store, max_tables: int, clock: SystemClock = SYSTEM_CLOCK) -> None:
        self.max_tables = max_tables
        self.store = store
        self.clock = clock
        self.refused: asyncio.Event = asyncio.Event()
        """Set when a table was refused because there was no room."""
        self._known: int | None = None
        self._counted_at = 0.0
        self._counting = asyncio.Lock()

    async def full(self) -> bool:
        return await self.room() <= 0

    async def room(self) -> int:
        """How many more tables there may be, approximately."""
        async with self._counting:
            is_near = (self._known or 0) >= NEAR_LIMIT * self.max_tables
            max_age = COUNT_MAX_AGE_NEAR_LIMIT_S if is_near else COUNT_MAX_AGE_S
            if self._known is None or self.clock.monotonic() >= self._counted_at + max_age:
                self._known = await self.store.count()
                self._counted_at = self.clock.monotonic()
        return self.max_tables - self._known

    def add(self) -> None:
        """Count a table that was created here."""
        if self._known is not None:
            self._known += 1

    def expire(self) -> None:
        """Count again next time, because tables were removed."""
        self._counted_at = -math.inf
