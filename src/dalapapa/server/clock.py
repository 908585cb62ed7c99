"""The time of a server, which is handed in: tests put it forward, or step it."""

from __future__ import annotations

import time

TOLERANCE = 1000
"""Milliseconds by which the clocks of two processes may differ before one follows the other."""

_STEADY = getattr(time, "CLOCK_BOOTTIME", None)
"""Of Linux: it goes on while a laptop sleeps."""


class SystemClock:
    """The time of this machine."""

    def now(self) -> int:
        """Milliseconds since 1970; somebody may set it, back or forward, at any time."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds, which never go back."""
        return time.monotonic() if _STEADY is None else time.clock_gettime(_STEADY)


SYSTEM_CLOCK = SystemClock()


class TableTime:
    """The time of one table, in milliseconds since 1970, by which its deadlines go.

    It begins with the machine's time and goes on steadily, whatever happens to that. It is
    never before what the log tells, so that nobody waits for a time that was already.
    """

    def __init__(self, clock: SystemClock, least: int) -> None:
        self._clock = clock
        self._started = clock.monotonic()
        self._then = max(clock.now(), least)

    def now(self) -> int:
        """The time at this table."""
        return self._then + int(1000 * (self._clock.monotonic() - self._started))

    def hear(self, at: int, just_made: bool) -> int:
        """Go by an entry of another process; by how much time has jumped.

        An old entry tells the least that it may be now; one that was just made tells what time it
        is, unless clocks differ by no more than they always do.
        """
        ahead = at - self.now()
        if ahead <= 0 and not (just_made and ahead < -TOLERANCE):
            return 0
        self._then += ahead
        return ahead
