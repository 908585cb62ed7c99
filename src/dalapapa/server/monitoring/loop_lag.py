"""How late the event loop is: everything that players wait for waits for it.

Ten times a second a task asks to be woken, and counts how much later that happened. A loop that is
frozen wakes nothing, so one late tick also counts for those that it has swallowed: the histogram
says how long a message would have waited that arrived at any time.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable

from . import metrics

INTERVAL_S = 0.1
"""Between two ticks."""

MAX_SWALLOWED = 600
"""Ticks that one late tick counts for: a minute."""


class LoopLag:
    """Measures until it is closed. Clock and pause are the machine's, except in tests."""

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        series: metrics.Series | None = None,
    ) -> None:
        self.now = now
        self.sleep = sleep
        self.series = series or metrics.LOOP_LAG_SECONDS.get_series()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to measure."""
        self._task = asyncio.create_task(self.measure())

    async def close(self) -> None:
        """Measure no more."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def measure(self) -> None:
        """Measure for ever."""
        while True:
            due = self.now() + INTERVAL_S
            await self.sleep(INTERVAL_S)
            self.count(self.now() - due)

    def count(self, late: float) -> None:
        """Count a tick that came so many seconds late, and those that it has swallowed."""
        for swallowed in range(MAX_SWALLOWED):
            left = late - swallowed * INTERVAL_S
            if swallowed and left <= 0:
                return
            self.series.observe(max(0.0, left))
