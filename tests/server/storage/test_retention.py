"""Nothing fills up for ever: what goes and when, what stays, and who sees to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import func, text, update

from dalapapa.client import Refused, Server
from dalapapa.core.errors import BadInput, DalapapaError
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.server.storage import retention as retention_module
from dalapapa.server.storage import table_count as count_module
from dalapapa.server.storage.connection import database as database_module
from dalapapa.server.storage.retention import DAY_MS, LOCK_ID, Retention, SweepResult
from dalapapa.server.storage.retention_policy import RetentionPolicy, read_policy
from dalapapa.server.storage.schema import entries
from dalapapa.server.storage.store import Store
from dalapapa.server.storage.table_count import TableCount
from dalapapa.server.tables.live import LiveTable
from dalapapa.server.tables.tables import Tables
from tests.support.command_line import run as command
from tests.support.serving import PATIENCE, LateClock, refusal, served
from tests.support.stores import find_places, open_store
from tests.support.thoroughness import SQLITE_EVERY_DAY
from tests.support.two_processes import InstantBots, WaitingViewer, open_two_processes
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio

HOUR = DAY_MS // 24
NEVER = RetentionPolicy("never", "never", "never", "never", "never")


@pytest.fixture
def clock() -> LateClock:
    return LateClock()


@pytest.fixture
async def tables(database: str, clock: LateClock) -> AsyncIterator[Tables]:
    async with open_store(database) as store:
        found = Tables(store, InstantBots(), clock)
        await found.open()
        yield found
        await found.close()


def people(visibility: Any = "private") -> Settings:
    return Settings("puzzle", (SeatPlan(),) * 2, visibility=visibility)


async def one_of_each(tables: Tables) -> dict[str, LiveTable]:
    """Unused ones, with and without a host; some that wait, are played, are over."""
    assert isinstance(tables.clock, LateClock)
    found = {}
    found["unused"], _ = await tables.creator.create(people(), "Ann")
    found["empty"], _ = await tables.creator.create(people("public"), None)
    found["programs"], _ = await tables.creator.create(
        Settings("classic", (SeatPlan("greedy"),) * 2, visibility="public"), None
    )
    for visibility in ("public", "private"):
        waits, token = await tables.creator.create(people(visibility), "Ann")
        tables.clock.ahead += 2
        await tables.commands.leave(waits, 0, token)
        found[f"{visibility} waiting"] = waits
        plays, token = await tables.creator.create(people(visibility), "Ann", ("Bob",))
        tables.clock.ahead += 2
        await tables.commands.leave(plays, 1, token)
        found[f"{visibility} playing"] = plays
        over, _ = await tables.creator.create(people(visibility), "Ann", ("Bob",))
        await tables.commands.move(over, (0,), {"player": 0, "move": "give_up"})
        found[f"{visibility} over"] = over
    return found


def retention_of(
    tables: Tables, policy: RetentionPolicy | None = None, clock: LateClock | None = None
) -> Retention:
    cache, count = tables.registry.cache, tables.creator.count
    return Retention(tables.store, policy, clock or tables.clock, cache, count)


async def left_after(
    tables: Tables, made: dict[str, LiveTable], days: float, keep: RetentionPolicy | None = None
) -> dict[str, str]:
    """Where they stand when nothing has happened for so long."""
    assert isinstance(tables.clock, LateClock)
    tables.clock.ahead = int(days * DAY_MS)
    await retention_of(tables, keep).sweep()
    found = await find_places(tables.store)
    return {name: found[live.id][0] for name, live in made.items() if live.id in found}


async def test_each_kind_of_table_is_removed_when_it_is_due(tables: Tables) -> None:
    made = await one_of_each(tables)
    kept = dict.fromkeys(made, "tables")
    assert await left_after(tables, made, 6.9) == kept
    for name in ("unused", "empty", "programs"):
        del kept[name]
    assert await left_after(tables, made, 7.1) == await left_after(tables, made, 29) == kept
    for name in ("public", "private"):
        del kept[f"{name} waiting"]
        kept[f"{name} over"] = "archive"
    assert await left_after(tables, made, 30.1) == await left_after(tables, made, 179) == kept
    for name in ("public", "private"):
        del kept[f"{name} playing"]
    assert await left_after(tables, made, 181) == await left_after(tables, made, 9999) == kept
    assert await left_after(tables, made, 100, read_policy({"archived": 99})) == {}
    assert await tables.store.count() == 0


async def test_a_clock_that_jumps_removes_nothing(sqlite_database: str) -> None:
    """Put forward by a year while the server runs, then set right: nothing has gone."""
    clock = LateClock()
    async with open_store(sqlite_database) as store:
        tables = Tables(store, InstantBots(), clock)
        made = await one_of_each(tables)
        sweeps = retention_of(tables)
        clock.stepped = 365 * DAY_MS
        assert await sweeps.sweep() == SweepResult(0, 0)
        clock.stepped = -365 * DAY_MS
        assert await sweeps.sweep() == SweepResult(0, 0)
        assert len(await find_places(store)) == len(made)


async def test_tables_without_a_retention_period_stay(tables: Tables) -> None:
    made = await one_of_each(tables)
    assert await left_after(tables, made, 99_999, NEVER) == dict.fromkeys(made, "tables")


async def test_a_request_for_a_removed_table_says_so(tables: Tables) -> None:
    """Whether or not it is still in memory."""
    made = await one_of_each(tables)
    held = made["unused"]
    assert set(await left_after(tables, made, 10)) == set(made) - {"unused", "empty", "programs"}
    assert await refusal(tables.find(held.id), DalapapaError) == "unknown_table"
    assert held.id not in tables.registry.cache
    assert await refusal(tables.commands.sit(held, 1, "Bob"), DalapapaError) == "unknown_table"
    assert await refusal(tables.find(made["empty"].id), DalapapaError) == "unknown_table"


async def test_a_table_with_a_viewer_stays(tables: Tables, clock: LateClock) -> None:
    made = await one_of_each(tables)
    del made["programs"]  # They would play on.
    for name, live in made.items():
        if "over" not in name:
            tables.driver.watch(live, WaitingViewer())
    sweeps = retention_of(tables, read_policy({"archived": 40}))
    for days in range(1, 400, 30):
        clock.ahead = days * DAY_MS
        await sweeps.sweep()
    found = await find_places(tables.store)
    assert {name for name, live in made.items() if live.id in found} == {
        name for name in made if "over" not in name
    }
    for live in made.values():
        live.viewers.clear()
    clock.ahead += 6 * DAY_MS
    assert (await sweeps.sweep()).removed == 0, "they have been watched until a few days ago"
    clock.ahead += 200 * DAY_MS
    assert (await sweeps.sweep()).removed == len(made) - 2


async def test_an_archived_game_with_a_viewer_stays(tables: Tables, clock: LateClock) -> None:
    made = await one_of_each(tables)
    live = made["private over"]
    keep = read_policy({"archived": 40})
    assert (await left_after(tables, made, 35, keep))["private over"] == "archive"
    tables.driver.watch(live, WaitingViewer())
    assert (await left_after(tables, made, 45, keep))["private over"] == "archive"
    assert (await left_after(tables, made, 400, keep))["private over"] == "archive"
    assert await tables.store.log(live.id)
    live.viewers.clear()
    assert await left_after(tables, made, 441, keep) == {}


@SQLITE_EVERY_DAY
async def test_a_new_viewer_of_an_old_table_is_known_to_all_processes(
    database: str,
) -> None:
    """The other process, which sweeps, has no viewer and hears of none but by the database."""
    clock = LateClock()
    async with open_two_processes(database) as (here, there):
        live, _ = await there.creator.create(people(), "Ann")
        clock.ahead = 8 * DAY_MS
        watching = retention_of(there, clock=clock)
        there.driver.on_watch = watching.note_viewer
        watching.open()
        there.driver.watch(live, WaitingViewer())
        await asyncio.gather(*watching._notes)
        sweeps = retention_of(here, clock=clock)
        assert await sweeps.sweep() == SweepResult(0, 0)
        clock.ahead += 8 * DAY_MS
        await watching._note_watched()  # As in each sweep of that process.
        assert await sweeps.sweep() == SweepResult(0, 0)
        live.viewers.clear()
        clock.ahead += 8 * DAY_MS
        assert await sweeps.sweep() == SweepResult(0, 1)
        await watching.close()


async def test_of_several_processes_one_sweeps(postgres_database: str) -> None:
    async with open_store(postgres_database) as store, open_store(postgres_database) as other:
        clock = LateClock()
        await one_of_each(Tables(store, InstantBots(), clock))
        clock.ahead = 1000 * DAY_MS
        async with other.engine.connect() as busy:
            await busy.execute(text(f"SELECT pg_advisory_lock({LOCK_ID})"))
            assert await Retention(store, RetentionPolicy(), clock).sweep() == SweepResult(0, 0)
            await busy.execute(text(f"SELECT pg_advisory_unlock({LOCK_ID})"))
        swept = await asyncio.gather(
            *(Retention(kept, RetentionPolicy(), clock).sweep() for kept in (store, other) * 2)
        )
        assert sum(one.archived for one in swept) == 2
        assert sum(one.removed for one in swept) == 7


async def test_a_lock_that_cannot_be_freed_ends_with_its_connection(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The pool must not keep it, or no process would ever sweep again."""
    broken = SimpleNamespace(
        pg_try_advisory_lock=func.pg_try_advisory_lock, pg_advisory_unlock=func.no_such_function
    )
    async with open_store(postgres_database) as store, open_store(postgres_database) as other:
        with monkeypatch.context() as patch:
            patch.setattr(database_module, "func", broken)
            async with store.advisory_lock(LOCK_ID) as check_lock:
                assert check_lock is not None
        assert "to free its lock: ProgrammingError" in caplog.text
        async with other.autocommit() as waiting, asyncio.timeout(PATIENCE):
            await waiting.execute(text(f"SELECT pg_advisory_lock({LOCK_ID})"))


async def test_a_log_that_is_rewritten_while_it_is_packed_is_not_archived(
    tables: Tables, clock: LateClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forgetting changes entries without adding any: the archive must not have the old ones."""
    live = (await one_of_each(tables))["private over"]
    sweeps = retention_of(tables, clock=clock)
    pack = sweeps._pack

    async def pack_too_early(ids: Any) -> Any:
        packed = await pack(ids)
        async with tables.store.writing() as connection:
            theirs = update(entries).where(entries.c.table_id == live.id)
            await connection.execute(
                theirs.values(entry=func.replace(entries.c.entry, "Ann", "Dan"))
            )
        return packed

    with monkeypatch.context() as patch:
        patch.setattr(sweeps, "_pack", pack_too_early)
        assert await sweeps.archive_tables([live.id]) == []
    assert await sweeps.archive_tables([live.id]) == [live.id]
    log = "".join(line.entry for line in await tables.store.lines(live.id))
    assert "Dan" in log
    assert "Ann" not in log


async def test_a_sweep_works_in_small_batches_with_pauses(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much is due, a transaction has few tables and few rows, and others come between."""
    monkeypatch.setattr(retention_module, "MAX_TABLES_PER_BATCH", 5)
    monkeypatch.setattr(retention_module, "MAX_ROWS_PER_BATCH", 7)
    clock = LateClock()
    async with open_store(sqlite_database) as store:
        tables = Tables(store, InstantBots(), clock)
        for _ in range(9):
            live, _ = await tables.creator.create(
                people(), "Ann", ("Bob",)
            )  # Two entries, and a third.
            await tables.commands.move(live, (0,), {"player": 0, "move": "give_up"})
        for _ in range(12):
            await tables.creator.create(people(), "Ann")
        sizes: list[int] = []
        sweeps = Retention(store, RetentionPolicy(), clock)
        archive, rest = sweeps.archive_tables, sweeps._pause

        async def watched(ids: Any) -> Any:
            sizes.append(len(ids))
            return await archive(ids)

        rests = 0

        async def rested(began: float) -> None:
            nonlocal rests
            rests += 1
            await rest(began)

        monkeypatch.setattr(sweeps, "archive_tables", watched)
        monkeypatch.setattr(sweeps, "_pause", rested)
        clock.ahead = 40 * DAY_MS
        assert await sweeps.sweep() == SweepResult(9, 12)
        assert sizes == [2, 2, 2, 2, 1]
        assert rests == 5 + 3


# -- room ------------------------------------------------------------------------------------------


@SQLITE_EVERY_DAY
async def test_a_full_server_makes_room(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself, while it runs: who is refused wakes it."""
    monkeypatch.setattr(retention_module, "FIRST_SWEEP_DELAY_S", 0.01)
    monkeypatch.setattr(retention_module, "MIN_SWEEP_INTERVAL_S", 0.01)
    monkeypatch.setattr(count_module, "COUNT_MAX_AGE_NEAR_LIMIT_S", 0.01)
    clock = LateClock()
    async with served(database, clock, tables=3) as here, Server(here.url) as server:
        over = await server.create(game="puzzle", seats=[None], host="Ann", countdown=0)
        async with server.watch(over["id"], over["token"]) as viewer:
            await viewer.move({"player": 0, "move": "give_up"})
        old = await server.create(game="puzzle", seats=[None, None], host="Ann")
        clock.ahead = 2 * HOUR
        new = await server.create(game="puzzle", seats=[None, None], host="Ann")
        made: list[str] = []

        async def make_another() -> bool:
            try:
                made.append((await server.create(seats=[None, None], host="Bob"))["id"])
            except Refused as full:
                assert full.code == "full"
            return len(made) == 2

        await wait_until(make_another, "room for two more tables")
        found = await find_places(here.store)
        assert found == {over["id"]: ["archive"], **{id: ["tables"] for id in (new["id"], *made)}}
        assert await refusal(server.create(seats=[None, None], host="Bob")) == "full"
        assert await refusal(server.ask("GET", f"/tables/{old['id']}")) == "unknown_table"
        assert (await server.ask("GET", f"/tables/{over['id']}"))["table"]["phase"] == "over"


class Counting(Store):
    """A store that knows how often it was counted."""

    counts = 0

    async def count(self) -> int:
        self.counts += 1
        return await super().count()


async def test_creating_a_table_does_not_count_all_tables(sqlite_database: str) -> None:
    store = Counting(sqlite_database)
    await store.open()
    tables = Tables(store, InstantBots(), max_tables=100)
    for _ in range(20):
        await tables.creator.create(people(), "Ann")
    assert store.counts == 1
    await store.close()


async def test_near_the_limit_tables_are_counted_more_often(
    sqlite_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count_module, "COUNT_MAX_AGE_NEAR_LIMIT_S", 0)
    async with open_store(sqlite_database) as store:
        here, there = (Tables(store, InstantBots(), max_tables=10) for _ in range(2))
        for _ in range(5):
            await here.creator.create(people(), "Ann")
            await there.creator.create(people(), "Ann")
        for tables in (here, there):
            tables.creator.count.expire()
            assert await refusal(tables.creator.create(people(), "Ann"), DalapapaError) == "full"
        assert await TableCount(store, 11).full() is False


async def test_the_lobby_and_what_is_due_are_found_by_an_index(tables: Tables) -> None:
    """No list looks through finished games."""
    if tables.store.postgres:
        return
    asked = "SELECT id FROM tables WHERE visibility = 'public' AND phase {} ORDER BY {} LIMIT 50"
    async with tables.store.engine.connect() as connection:
        for condition, order in (
            ("> 'over'", "phase DESC, changed DESC"),
            ("= 'over' AND changed < 5", "changed"),
        ):
            plan = await connection.execute(
                text("EXPLAIN QUERY PLAN " + asked.format(condition, order))
            )
            plan_text = " ".join(str(row) for row in plan)
            assert "INDEX lobby (visibility=? AND phase" in plan_text
            assert "TEMP B-TREE" not in plan_text


# -- settings --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wrong", [{"over": -1}, {"playing": 0}, {"waiting": "soon"}, {"games": 3}, {"archived": None}]
)
def test_wrong_periods_are_refused_in_a_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(BadInput) as refused:
        read_policy(wrong)
    assert refused.value.code == "bad_keep"
    assert "\n" not in str(refused.value)


def test_days_as_people_write_them() -> None:
    assert read_policy({"over": 0.5, "archived": 365, "playing": "never"}) == RetentionPolicy(
        over=0.5, archived=365, playing="never"
    )


def test_the_command_line_refuses_nonsense_before_it_serves() -> None:
    done = command("play", "--no-browser", "--port", "0", "--keep", "over=soon")
    assert "Error (bad_keep): --keep: over must be" in done.refusal
