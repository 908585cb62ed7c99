"""Turns of the event loop: an address that sends much waits, and others do not."""

from __future__ import annotations

import logging

import pytest

from dalapapa.server.traffic.loop_share import MAX_ADDRESSES_PER_TURN, TurnBudget
from tests.support.waiting import run_other_tasks

pytestmark = pytest.mark.anyio


async def test_an_address_has_a_part_of_every_turn() -> None:
    budget = TurnBudget(3)
    budget.spend("a", 2)
    assert not budget.is_used_up("a")
    budget.spend("a", 2)
    assert budget.is_used_up("a")
    assert not budget.is_used_up("b")
    await run_other_tasks()
    assert not budget.is_used_up("a")


class Reader:
    """Notes in which order waiting connections are read."""

    def __init__(self, budget: TurnBudget) -> None:
        self.budget = budget
        self.read: list[str] = []

    def wait(self, address: str, name: str, cost: int = 1) -> None:
        def act() -> None:
            if self.budget.is_used_up(address):
                self.budget.wait(address, act)
            else:
                self.read.append(f"{address}{name}")
                self.budget.spend(address, cost)

        self.budget.wait(address, act)


async def test_waiting_connections_are_read_in_order_within_the_budget() -> None:
    budget = TurnBudget(2)
    reader = Reader(budget)
    for name in range(5):
        reader.wait("a", str(name))
    assert budget.is_used_up("a"), "what comes now is read after those that wait"
    for expected in (["a0", "a1"], ["a2", "a3"], ["a4"]):
        reader.read.clear()
        await run_other_tasks()
        assert reader.read == expected
    await run_other_tasks()
    assert not budget.is_used_up("a")
    assert not budget._waiting


async def test_a_crowd_of_addresses_takes_turns() -> None:
    budget = TurnBudget(1)
    reader = Reader(budget)
    crowd = [f"{number}." for number in range(2 * MAX_ADDRESSES_PER_TURN)]
    for address in crowd:
        for name in "xy":
            reader.wait(address, name)
    assert not budget.is_used_up("another address")
    turns = []
    for _ in range(4):
        reader.read.clear()
        await run_other_tasks()
        turns.append(reader.read.copy())
    first, second = crowd[:MAX_ADDRESSES_PER_TURN], crowd[MAX_ADDRESSES_PER_TURN:]
    assert turns == [[f"{a}{n}" for a in part] for n in "xy" for part in (first, second)]


async def test_a_caller_that_has_left_or_fails_delays_no_other(
    caplog: pytest.LogCaptureFixture,
) -> None:
    budget = TurnBudget(1)
    reader = Reader(budget)

    def fail() -> None:
        raise RuntimeError("broken")

    budget.wait("a", fail)
    gone = budget.wait("a", lambda: reader.read.append("gone"))
    reader.wait("a", "last")
    gone.cancel()
    with caplog.at_level(logging.ERROR):
        await run_other_tasks()
    assert reader.read == ["alast"]
    assert "a connection failed" in caplog.text
