"""Expensive work in the event loop: in turns, with a budget for each address."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest

from dalapapa.core.errors import Unavailable
from dalapapa.server.traffic.loop_share import BURST_S, MAX_PAUSE_S, TURN_S, LoopShare, Work
from tests.support.serving import LateClock
from tests.support.waiting import run_other_tasks

pytestmark = pytest.mark.anyio


class Timer:
    """Time passes only where work says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def new_share(share: float = 0.25) -> tuple[LoopShare, Timer, LateClock]:
    clock, timer = LateClock(), Timer()
    clock.stand()
    return LoopShare(share, clock, timer), timer, clock


async def test_an_address_has_a_budget_that_fills_again() -> None:
    share, _, clock = new_share()
    assert share.allows("a")
    share.charge("a", BURST_S + 0.25)
    assert not share.allows("a")
    assert share.allows("b")
    await run_other_tasks()  # The next turn of the event loop.
    clock.ahead += 900
    assert not share.allows("a")
    clock.ahead += 200
    assert share.allows("a")
    unlimited, _, _ = new_share(1)
    unlimited.charge("a", 100)
    assert unlimited.allows("a")


async def test_an_address_with_a_budget_uses_only_a_part_of_one_turn_of_the_loop() -> None:
    share, _, _ = new_share()
    share.charge("a", TURN_S / 2)
    assert share.allows("a")
    share.charge("a", TURN_S / 2)
    assert not share.allows("a")
    assert share.allows("b")
    await run_other_tasks()
    assert share.allows("a")


async def test_addresses_alternate_and_turns_are_short() -> None:
    share, timer, _ = new_share()
    made: list[str] = []
    turns: list[float] = []

    def work(address: str, steps: int) -> Work:
        for _ in range(steps):
            timer.now += TURN_S / 3
            made.append(address)
            yield None

    take_turn = share._take_turn

    def counted() -> None:
        began = timer.now
        take_turn()
        turns.append(timer.now - began)

    share._take_turn = counted  # type: ignore[method-assign]
    for _ in range(5):
        share.add("a", work("a", 6))
    share.add("b", work("b", 6))
    assert not share.allows("a")
    async with asyncio.timeout(30):
        while len(share):
            await run_other_tasks()
    assert made[:12].count("b") == 6
    assert made.count("a") == 30
    assert max(turns) < 2 * TURN_S


async def test_the_announced_cost_of_work_counts_for_its_turn() -> None:
    """Answers are compressed after their turn: a few of them fill one."""
    share, _, _ = new_share()
    answered: list[int] = []

    async def ask(number: int) -> None:
        await share.run("a", bool, TURN_S / 2)
        answered.append(number)

    asking = [asyncio.create_task(ask(number)) for number in range(7)]
    await run_other_tasks()
    share._take_turn()
    await run_other_tasks(2)
    assert len(answered) <= 4
    async with asyncio.timeout(30):
        await asyncio.gather(*asking)
    assert answered == list(range(7))


async def test_one_long_step_makes_no_long_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    share, timer, _ = new_share()
    pauses: list[float] = []
    loop = asyncio.get_running_loop()
    call_later = loop.call_later

    def later(delay: float, *arguments: Any) -> Any:
        pauses.append(delay)
        return call_later(0, *arguments)

    monkeypatch.setattr(loop, "call_later", later)

    def work() -> Work:
        timer.now += 10
        yield None

    share.add("a", work())
    assert await share.run("a", lambda: 5) == 5
    assert pauses
    assert max(pauses) <= MAX_PAUSE_S


async def test_failing_work_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    share, _, _ = new_share()

    def broken() -> Work:
        yield None
        raise ValueError("wrong")

    share.add("a", broken())
    with caplog.at_level(logging.CRITICAL, "dalapapa"):
        assert await share.run("a", lambda: 5) == 5
    with pytest.raises(ZeroDivisionError):
        await share.run("a", lambda: 1 // 0)


async def test_closing_answers_waiting_callers() -> None:
    share, _, _ = new_share()
    asking = asyncio.create_task(share.run("a", lambda: 5))
    await run_other_tasks()
    share.close()
    with pytest.raises(Unavailable):
        await asking
    assert not len(share)
