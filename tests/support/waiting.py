"""Waiting with a deadline: until a condition holds, else the test fails and says for what."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, overload

T = TypeVar("T")

PATIENCE = 120
"""Seconds for what takes a moment; a busy machine may need many."""

POLL_INTERVAL_S = 0.01


@overload
async def wait_until(
    condition: Callable[[], Awaitable[T | None]],
    what: str | Callable[[], str],
    seconds: float = PATIENCE,
) -> T: ...


@overload
async def wait_until(
    condition: Callable[[], T | None], what: str | Callable[[], str], seconds: float = PATIENCE
) -> T: ...


async def wait_until(
    condition: Callable[[], Any], what: str | Callable[[], str], seconds: float = PATIENCE
) -> Any:
    """Ask a function or a coroutine function until its answer is true, and return the answer.

    `what` completes "waited for ..."; it is called when the time is over if it is a function.
    """
    try:
        async with asyncio.timeout(seconds) as deadline:
            while True:
                answer = condition()
                if inspect.isawaitable(answer):
                    answer = await answer
                if answer:
                    return answer
                await asyncio.sleep(POLL_INTERVAL_S)  # Between two questions.
    except TimeoutError:
        if not deadline.expired():
            raise  # The condition itself took too long for something.
    raise AssertionError(_explain(what, seconds))


def wait_until_sync(
    condition: Callable[[], T | None],
    what: str | Callable[[], str],
    seconds: float = PATIENCE,
    interval: float = POLL_INTERVAL_S,
) -> T:
    """Ask a function until its answer is true, and return the answer."""
    end = time.monotonic() + seconds
    while not (answer := condition()):
        if time.monotonic() > end:
            raise AssertionError(_explain(what, seconds))
        time.sleep(interval)  # Between two questions.
    return answer


async def run_other_tasks(turns: int = 1) -> None:
    """Let every task that can run do so, so many times. It takes no time.

    A task that was just created has then begun, and stands where it first waits for something.
    """
    for _ in range(turns):
        await asyncio.sleep(0)  # No time: the loop goes round once.


def _explain(what: str | Callable[[], str], seconds: float) -> str:
    return f"waited {seconds:g} s for {what if isinstance(what, str) else what()}"
