"""The clock of a server, which is injected: tests put it forward, or step it."""

from __future__ import annotations

import time

TOLERANCE_MS = 1000
"""Time by which the clocks of two processes may differ before one follows the other."""

_BOOT_CLOCK = getattr(time, "CLOCK_BOOTTIME", None)
"""A clock of Linux that goes on while a laptop sleeps."""


class SystemClock:
    """The clock of this machine."""

    def now(self) -> int:
        """Milliseconds since 1970; it may be set back or forward at any time."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds, which never go back."""
        return time.monotonic() if _BOOT_CLOCK is None else time.clock_gettime(_BOOT_CLOCK)


SYSTEM_CLOCK = SystemClock()


class TableTime:
    """The time of one table in milliseconds since 1970, which decides about its deadlines.

    It begins with the machine's time and then advances steadily, even if that is set. It is never
    earlier than the last entry of the log, so that no deadline comes twice.
    """

    def __init__(self, clock: SystemClock, least: int) -> None:
        self._clock = clock
        self._started = clock.monotonic()
        self._then = max(clock.now(), least)

    def now(self) -> int:
        """The time at this table now."""
        return self._then + int(1000 * (self._clock.monotonic() - self._started))

    def hear(self, at: int, just_made: bool) -> int:
        """Adjust to an entry of another process; by how much the time has jumped.

        An old entry is a lower bound for the time. One that was just made sets the time, unless the
        clocks differ by no more than usual.
        """
        ahead = at - self.now()
        if ahead <= 0 and not (just_made and ahead < -TOLERANCE_MS):
            return 0
        self._then += ahead
        return ahead
