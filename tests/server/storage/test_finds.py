"""How many have found the problem of a day: counted once, checked, and nothing else is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, text

from dalapapa.client import Server
from dalapapa.problems import TurnProblem, make_problem, make_request, problem_to_json
from dalapapa.server.storage.retention import DAY_MS, Retention
from dalapapa.server.storage.schema import finders, finds
from dalapapa.server.storage.solved_problems import is_counted
from dalapapa.server.storage.store import Store
from tests.support.serving import START, LateClock, Served, refusal, served
from tests.support.thoroughness import SQLITE_EVERY_DAY

pytestmark = pytest.mark.anyio

HOUR = DAY_MS // 24


@pytest.fixture
async def here() -> AsyncIterator[Served]:
    async with served() as here:
        yield here


def today(days: int = 0) -> str:
    """The date of the server in Greenwich, in so many days."""
    return (START + timedelta(days)).date().isoformat()


def solution(date: str, kind: str = "turn") -> list[str]:
    problem = make_problem(make_request(kind, date=date))
    if isinstance(problem, TurnProblem):
        return [str(laying) for laying in problem.solution.layings]
    task = problem_to_json(make_request(kind, date=date), solution=True)
    given = set(task["position"])
    return [laying for laying in task["solution"] if laying not in given]


async def found(server: Server, mark: str, date: str, kind: str = "turn") -> int:
    layings = solution(date, kind)
    answer: dict[str, int] = await server.ask(
        "POST", "/problem/found", kind=kind, date=date, layings=layings, mark=mark * 16
    )
    return answer["count"]


async def count(server: Server, date: str, kind: str = "turn") -> int:
    answer: dict[str, int] = await server.ask("GET", f"/problem/found?kind={kind}&date={date}")
    return answer["count"]


async def kept(store: Store, table: Any) -> list[tuple[Any, ...]]:
    async with store.reading() as connection:
        return [tuple(row) for row in await connection.execute(select(table))]


@SQLITE_EVERY_DAY
async def test_a_browser_is_counted_once(database: str) -> None:
    date = today()
    async with served(database) as here, Server(here.url) as server:
        assert await count(server, date) == 0
        assert await found(server, "a", date) == 1
        assert await found(server, "a", date) == 1
        assert await found(server, "b", date) == 2
        assert await count(server, date) == 2
        assert await count(server, date, "frame") == 0
        assert await found(server, "a", date, "frame") == 1
        assert await asyncio.gather(*[found(server, "c", date) for _ in range(5)]) == [3] * 5
        for row in await kept(here.store, finders):
            assert len(row) == 3
            assert len(row[2]) == 64
    async with served(database) as here, Server(here.url) as server:
        assert await count(server, date) == 3


async def test_two_processes_count_together(postgres_database: str) -> None:
    date = today()
    async with (
        served(postgres_database) as one,
        served(postgres_database) as two,
        Server(one.url) as here,
        Server(two.url) as there,
    ):
        await asyncio.gather(
            *[found(server, mark, date) for mark in "aabbccdd" for server in (here, there)]
        )
        assert [await count(server, date) for server in (here, there)] == [4, 4]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"layings": ["PRYGB+0@50,50"]}, "not_in_hand"),
        ({"date": "2026-13-01"}, "bad_date"),
        ({"date": "yesterday"}, "bad_date"),
        ({"mark": "short"}, "malformed"),
        ({"mark": "x" * 65}, "malformed"),
        ({"layings": []}, "malformed"),
        ({"seed": "x"}, "malformed"),
        ({"kind": "card"}, "malformed"),
    ],
)
async def test_wrong_solutions_are_not_counted(
    here: Served, body: dict[str, Any], code: str
) -> None:
    date = today()
    good = {"date": date, "layings": solution(date), "mark": "x" * 16}
    async with Server(here.url) as server:
        asked = server.ask("POST", "/problem/found", **{**good, **body})
        assert await refusal(asked) == code
        assert await count(server, date) == 0


async def test_a_turn_that_is_not_the_best_is_not_counted(here: Served) -> None:
    date = today()
    problem = make_problem(make_request(date=date))
    assert isinstance(problem, TurnProblem)
    poor = problem.table.scored(problem.hand[0])[-1][0]
    async with Server(here.url) as server:
        body: dict[str, Any] = {"date": date, "layings": [str(poor)], "mark": "x" * 16}
        assert await refusal(server.ask("POST", "/problem/found", **body)) == "not_solved"
        assert await count(server, date) == 0


async def test_solutions_found_offline_are_counted_later(here: Served) -> None:
    """Once, however often it arrives; another day's is refused, and nothing is counted."""
    late = today(-5)
    async with Server(here.url) as server:
        assert [await found(server, "a", late) for _ in range(2)] == [1, 1]
        for date in (today(-10), today(3)):
            assert await refusal(found(server, "a", date)) == "another_day"
            assert await count(server, date) == 0


def test_a_day_begins_where_it_is_first_and_counts_a_week_after_it_ends_everywhere() -> None:
    noon = int(datetime(2026, 11, 16, 12, tzinfo=UTC).timestamp() * 1000)
    assert [is_counted(f"2026-11-{day:02}", noon) for day in (7, 8, 9, 16, 17, 18)] == [
        False, False, True, True, True, False,
    ]  # fmt: skip
    assert is_counted("2026-11-08", noon - 1)  # On Baker Island it ended a week ago.
    assert is_counted("2026-11-17", noon - 2 * HOUR)  # In Kiribati.
    assert not is_counted("2026-11-17", noon - 2 * HOUR - 1)


async def test_one_address_cannot_raise_the_count() -> None:
    date = today()
    async with served(finds_per_hour=2) as here, Server(here.url) as server:
        assert [await found(server, mark, date) for mark in "abcd"] == [1, 2, 2, 2]


@SQLITE_EVERY_DAY
async def test_after_a_week_only_the_count_is_kept(database: str) -> None:
    clock, date = LateClock(START), today()
    clock.stand()
    async with served(database, clock) as here, Server(here.url) as server:
        await found(server, "a", date)
        sweeps = Retention(here.store, clock=clock)
        await sweeps.sweep()
        assert len(await kept(here.store, finders)) == 1
        clock.ahead = 8 * DAY_MS  # It counts until noon of this day.
        await sweeps.sweep()
        assert len(await kept(here.store, finders)) == 1
        clock.ahead = 10 * DAY_MS
        await sweeps.sweep()
        assert await kept(here.store, finders) == []
        assert await kept(here.store, finds) == [(date, "turn", 1)]
        assert await refusal(found(server, "b", date)) == "another_day"


async def test_tables_of_finds_have_only_the_documented_columns(here: Served) -> None:
    """What lies there is what the page on privacy says."""
    async with here.store.reading() as connection:
        for name in ("finds", "finders"):
            row = (await connection.execute(text(f"SELECT * FROM {name}"))).keys()
            assert set(row) == {"date", "kind", "count" if name == "finds" else "mark"}
