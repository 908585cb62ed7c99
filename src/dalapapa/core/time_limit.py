"""An end to code that is not ours and may never return."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TookTooLong(BaseException):
    """No `Exception`, so that the code that takes too long does not catch it by chance."""


def _raise(_signal: int, _frame: FrameType | None) -> None:
    raise TookTooLong


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TookTooLong` in what takes longer, again and again until it ends.

    By the alarm of Unix, which only the main thread hears; elsewhere, there is no limit. Inside of
    another limit, that one counts.
    """
    if (
        sys.platform == "win32"
        or threading.current_thread() is not threading.main_thread()
        or signal.getitimer(signal.ITIMER_REAL)[0]
    ):
        yield
        return
    before = signal.signal(signal.SIGALRM, _raise)
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds / 10)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
