"""The time of a server, which is handed in: tests put it forward."""

from __future__ import annotations

import time


class SystemClock:
    """The time of this machine."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds, which never go back."""
        return time.monotonic()


SYSTEM_CLOCK = SystemClock()
