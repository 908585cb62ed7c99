"""Doing the same thing again and again for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def repeat(work: Callable[[], T], seconds: float) -> tuple[list[T], float]:
    """What the work gave each time, and the seconds it took in all: about so many, once at least.

    The first time is not counted: it pays for what is kept.
    """
    work()
    given: list[T] = []
    started = time.perf_counter()
    while True:
        given.append(work())
        spent = time.perf_counter() - started
        if spent >= seconds:
            return given, spent


def rate(work: Callable[[], int], seconds: float) -> float:
    """Units of work a second, over about so many seconds."""
    units, spent = repeat(work, seconds)
    return sum(units) / spent
