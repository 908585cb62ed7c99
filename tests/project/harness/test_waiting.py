"""Waiting for a condition ends: with its answer, or with a sentence that says what was missing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tests.support.waiting import run_other_tasks, wait_until, wait_until_sync

pytestmark = pytest.mark.anyio


def answers(*values: object) -> Iterator[object]:
    return iter(values)


async def test_wait_until_returns_the_first_true_answer() -> None:
    some = answers(0, None, "", "found", "later")
    assert await wait_until(lambda: next(some), "an answer") == "found"

    async def ask() -> object:
        return next(some)

    assert await wait_until(ask, "another answer") == "later"


async def test_wait_until_says_what_it_waited_for() -> None:
    with pytest.raises(AssertionError, match=r"^waited 0 s for the end of time$"):
        await wait_until(lambda: False, "the end of time", seconds=0)
    with pytest.raises(AssertionError, match="for 3 of 4"):
        await wait_until(lambda: False, lambda: "3 of 4", seconds=0)


async def test_wait_until_ends_a_question_that_is_never_answered() -> None:
    with pytest.raises(AssertionError, match="for an answer"):
        await wait_until(asyncio.Event().wait, "an answer", seconds=0.01)


async def test_wait_until_lets_the_errors_of_a_condition_pass() -> None:
    def fail() -> bool:
        raise TimeoutError("of its own")

    with pytest.raises(TimeoutError, match="of its own"):
        await wait_until(fail, "nothing")


def test_wait_until_sync_returns_an_answer_or_says_what_it_waited_for() -> None:
    some = answers(0, "found")
    assert wait_until_sync(lambda: next(some), "an answer") == "found"
    with pytest.raises(AssertionError, match=r"^waited 0 s for the end of time$"):
        wait_until_sync(lambda: False, "the end of time", seconds=0)


async def test_run_other_tasks_starts_what_was_created() -> None:
    begun = []

    async def one(number: int) -> None:
        begun.append(number)

    tasks = [asyncio.create_task(one(number)) for number in range(3)]
    await run_other_tasks()
    assert begun == [0, 1, 2]
    await asyncio.gather(*tasks)
