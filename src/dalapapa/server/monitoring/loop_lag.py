"""The lag of the event loop, which delays everything that players wait for.

A task sleeps for a tenth of a second and records how late it woke up. A blocked loop wakes nothing,
so one late tick also counts for the ticks that it missed: the histogram shows how long a message
that arrived at a random time would have waited.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from ..tasks import cancel_tasks
from . import metrics

INTERVAL_S = 0.1

MAX_MISSED_TICKS = 600
"""Ticks that one late tick can count for: a minute."""


class LoopLag:
    """Measures until it is closed; tests pass a clock and a sleep of their own."""

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        series: metrics.HistogramSeries | None = None,
    ) -> None:
        self.now = now
        self.sleep = sleep
        self.series = series or metrics.LOOP_LAG_SECONDS.get_series()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self.measure())

    async def close(self) -> None:
        await cancel_tasks([self._task])

    async def measure(self) -> None:
        while True:
            due = self.now() + INTERVAL_S
            await self.sleep(INTERVAL_S)
            self.count(self.now() - due)

    def count(self, late: float) -> None:
        """Count a tick that was late by so many seconds, and the ticks that it missed."""
        for missed in range(MAX_MISSED_TICKS):
            left = late - missed * INTERVAL_S
            if missed and left <= 0:
                return
            self.series.observe(max(0.0, left))
