"""Lists of moves: requests for the same list share one job of a worker."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from dalapapa.core.errors import DalapapaError, TooHard, TooMany
from dalapapa.hosting.layings import LayingsCache
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.state import TableState, open_table
from dalapapa.server.traffic.loop_share import LoopShare
from dalapapa.server.workers.packages import Packages
from dalapapa.server.workers.pool import Workers
from dalapapa.server.ws.move_lists import MoveLister
from tests.support.waiting import run_other_tasks

pytestmark = pytest.mark.anyio

LIST = b"[]"


class HeldWorkers:
    """Notes the addresses of jobs, and answers when a test sets a list or an error."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, asyncio.Future[bytes]]] = []

    async def ask(self, *_job: Any, address: str) -> bytes:
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        self.asked.append((address, answer))
        return await answer


class Setup:
    """A lister whose lists come from workers, and a state with many moves."""

    def __init__(self) -> None:
        self.workers = HeldWorkers()
        self.cache = LayingsCache()
        workers = cast(Workers, self.workers)
        self.lister = MoveLister(self.cache, LoopShare(1), workers, Packages())
        self.state: TableState = open_table(Settings("arlequin", (SeatPlan("random"),)), "seed", 0)

    async def start(self, *addresses: str) -> list[asyncio.Task[bytes]]:
        key = (1, self.state.version, 0, None)
        tasks = [
            asyncio.create_task(self.lister.list_moves(self.state, key, address))
            for address in addresses
        ]
        await run_other_tasks(3)
        return tasks

    def list_addresses(self) -> list[str]:
        return [address for address, _ in self.workers.asked]


@pytest.fixture
async def setup() -> Setup:
    return Setup()


async def test_requests_for_a_list_share_a_job_and_its_result_is_cached(setup: Setup) -> None:
    tasks = await setup.start("a", "b", "c")
    tasks[0].cancel()
    await run_other_tasks()
    setup.workers.asked[0][1].set_result(LIST)
    assert await asyncio.gather(*tasks[1:]) == [LIST, LIST]
    (later,) = await setup.start("d")
    assert await later == LIST
    assert setup.list_addresses() == ["a"]


async def test_a_list_that_one_address_is_refused_is_computed_for_another(setup: Setup) -> None:
    tasks = await setup.start("a", "b", "c")
    setup.workers.asked[0][1].set_exception(TooMany("Wait.", "too_many"))
    await run_other_tasks(5)
    assert setup.list_addresses() == ["a", "b"]
    setup.workers.asked[1][1].set_result(LIST)
    first, *others = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(first, TooMany)
    assert others == [LIST, LIST]


@pytest.mark.parametrize(
    ("code", "jobs"), [("too_many_moves", 1), ("too_hard", 2)], ids=["cached", "not cached"]
)
async def test_only_the_refusal_of_long_lists_is_cached(setup: Setup, code: str, jobs: int) -> None:
    tasks = await setup.start("a", "b")
    setup.workers.asked[0][1].set_exception(TooHard("Too long.", code))
    for error in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(error, TooHard)
        assert error.code == code
    (again,) = await setup.start("a")
    assert len(setup.workers.asked) == jobs
    if jobs == 2:
        setup.workers.asked[1][1].set_result(LIST)
        assert await again == LIST
    else:
        with pytest.raises(DalapapaError) as refused:
            await again
        assert refused.value.code == code
