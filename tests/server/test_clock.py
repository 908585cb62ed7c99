"""The machine's clock is set back or forward: no bot stops, and no deadline moves.

`LateClock.ahead` is time that passes, `LateClock.stepped` a clock that is set.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from dalapapa.core.errors import DalapapaError, IllegalMove
from dalapapa.games.moves import Announce, move_to_json
from dalapapa.hosting.settings import Clock, SeatPlan, Settings
from dalapapa.server.clock import TOLERANCE_MS, TableTime
from dalapapa.server.storage.store import Store
from dalapapa.server.tables.live import LiveTable
from dalapapa.server.tables.presence import GRACE_MS
from dalapapa.server.tables.tables import Tables
from tests.support.serving import PATIENCE, LateClock, wait_for_driver
from tests.support.two_processes import InstantBots, WaitingViewer, choose_legal_move

pytestmark = pytest.mark.anyio

HOUR = 3_600_000
STEPS = (-HOUR, -7000, HOUR)

PEOPLE = (SeatPlan(), SeatPlan())


@asynccontextmanager
async def process(database: str, stepped: int = 0) -> AsyncIterator[Tables]:
    """The tables of one server process, whose machine's clock is off by so much."""
    clock = LateClock()
    clock.stepped = stepped
    store = Store(database)
    await store.open()
    tables = Tables(store, InstantBots(), clock)
    await tables.open()
    try:
        async with asyncio.timeout(PATIENCE):
            yield tables
    finally:
        await tables.close()
        await store.close()


@pytest.fixture
async def tables(sqlite_database: str) -> AsyncIterator[Tables]:
    async with process(sqlite_database) as found:
        yield found


def step(tables: Tables, milliseconds: int) -> None:
    """Set the machine's clock."""
    tables.clock.stepped += milliseconds  # type: ignore[attr-defined]
    _look(tables)


def pass_time(tables: Tables, milliseconds: int) -> None:
    """Let so much time pass."""
    tables.clock.ahead += milliseconds  # type: ignore[attr-defined]
    _look(tables)


def stop_clock(tables: Tables) -> None:
    """Let no time pass but by `pass_time`, however slow the machine is."""
    tables.clock.stand()  # type: ignore[attr-defined]


def _look(tables: Tables) -> None:
    for live in tables.registry.cache.values():
        live.wake_driver.set()


async def times(tables: Tables, live: LiveTable) -> list[int]:
    return [stored.at for stored in await tables.store.log(live.id)]


def watched(tables: Tables, live: LiveTable) -> WaitingViewer:
    viewer = WaitingViewer((0,))
    tables.driver.watch(live, viewer)
    tables.presence.enter(live, viewer)
    return viewer


def legal(live: LiveTable, seat: int) -> list[dict[str, Any]]:
    game, state = live.state.game, live.state.game_state
    return [move_to_json(move) for move in game.legal_moves(game.view(state, seat))]


# -- the time of a table ---------------------------------------------------------------------------


def test_the_table_clock_follows_the_monotonic_clock() -> None:
    clock = LateClock()
    clock.stand()
    time = TableTime(clock, 0)
    before = time.now()
    clock.stepped = -HOUR
    assert time.now() == before
    clock.ahead = 5000
    assert time.now() - before == 5000
    clock.stepped = HOUR
    assert time.now() - before == 5000


def test_the_table_clock_is_never_before_the_log() -> None:
    clock = LateClock()
    clock.stand()
    late = clock.now() + HOUR
    time = TableTime(clock, late)
    assert time.now() == late
    assert time.hear(late + HOUR, just_made=False) == HOUR
    assert time.now() == late + HOUR


def test_an_old_entry_says_nothing_a_new_one_the_time() -> None:
    clock = LateClock()
    clock.stand()
    time = TableTime(clock, 0)
    now = time.now()
    assert time.hear(now - HOUR, just_made=False) == 0
    assert time.hear(now - TOLERANCE_MS // 2, just_made=True) == 0, "clocks always differ a little"
    assert time.hear(now - HOUR, just_made=True) == -HOUR
    assert time.now() == now - HOUR


# -- while a process runs --------------------------------------------------------------------------


@pytest.mark.parametrize("by", STEPS)
async def test_bots_play_on_after_a_clock_change(tables: Tables, by: int) -> None:
    live, _ = await tables.creator.create(
        Settings("classic", (SeatPlan("greedy"),) * 2, pace=100), None
    )
    viewer = watched(tables, live)
    await viewer.until(1)
    step(tables, by)
    await viewer.until(4)
    at = await times(tables, live)
    assert at == sorted(at)
    assert at[-1] - at[0] < PATIENCE * 1000


@pytest.mark.parametrize("by", STEPS)
@pytest.mark.parametrize("kind", ["turn", "bank"])
async def test_a_turn_keeps_its_time_after_a_clock_change(
    tables: Tables, by: int, kind: Any
) -> None:
    stop_clock(tables)
    settings = Settings("classic", PEOPLE, clock=Clock(kind, 60))
    live, _ = await tables.creator.create(settings, "Ann", ("Bob",))
    viewer = watched(tables, live)
    deadline = live.state.deadline()
    assert deadline is not None
    step(tables, by)
    pass_time(tables, 50_000)
    await wait_for_driver(live)
    assert live.state.version == 2, "ten seconds are left"
    assert 0 < deadline - live.time.now() <= 10_000
    pass_time(tables, 10_000)
    await viewer.until(3)
    assert (await times(tables, live))[-1] - deadline < PATIENCE * 1000


@pytest.mark.parametrize("by", STEPS)
async def test_a_race_counts_down_after_a_clock_change(tables: Tables, by: int) -> None:
    stop_clock(tables)
    live, _ = await tables.creator.create(Settings("puzzle", PEOPLE, countdown=10), "Ann", ("Bob",))
    step(tables, by)
    move = legal(live, 0)[0]
    with pytest.raises(IllegalMove) as early:
        await tables.commands.move(live, (0, 1), move)
    assert early.value.code == "too_early"
    assert 0 < float(early.value.values["wait"]) <= 10_000
    pass_time(tables, 10_000)
    assert await tables.commands.move(live, (0, 1), move) == 3


@pytest.mark.parametrize("by", STEPS)
async def test_the_sandglass_runs_after_a_clock_change(tables: Tables, by: int) -> None:
    stop_clock(tables)
    live, _ = await tables.creator.create(
        Settings("alex", PEOPLE, {"sandglass": 30}), "Ann", ("Bob",)
    )  # fmt: skip
    viewer = watched(tables, live)
    await tables.commands.move(live, (0, 1), move_to_json(Announce(0, 1, 1)))
    assert live.state.timer is not None
    version = live.state.version
    step(tables, by)
    pass_time(tables, 25_000)
    await wait_for_driver(live)
    assert live.state.version == version
    assert 0 < live.state.timer.deadline - live.time.now() <= 5000
    pass_time(tables, 5000)
    await viewer.until(version + 1)


@pytest.mark.parametrize("by", STEPS)
async def test_an_absence_counts_after_a_clock_change(tables: Tables, by: int) -> None:
    stop_clock(tables)
    live, _ = await tables.creator.create(Settings("classic", PEOPLE, absence=60), None)
    tokens = [
        await tables.commands.sit(live, seat, name) for seat, name in enumerate(("Ann", "Bob"))
    ]
    (awaited,) = live.waits
    other = 1 - awaited
    step(tables, by)
    pass_time(tables, 50_000)
    with pytest.raises(DalapapaError) as early:
        await tables.commands.replace_absent(live, awaited, tokens[other])
    assert early.value.code == "not_absent"
    pass_time(tables, 10_000 + GRACE_MS)
    await tables.commands.replace_absent(live, awaited, tokens[other])
    assert live.state.seats[awaited].replaced


# -- across processes and restarts -----------------------------------------------------------------


@pytest.mark.parametrize("by", [-HOUR, -7000])
async def test_a_restart_after_the_clock_was_set_back(sqlite_database: str, by: int) -> None:
    async with process(sqlite_database) as before:
        settings = Settings("classic", PEOPLE, clock=Clock("turn", 60))
        live, _ = await before.creator.create(settings, "Ann", ("Bob",))
        await before.commands.move(live, (0, 1), choose_legal_move(live))
        id = live.id
    async with process(sqlite_database, stepped=by) as after:
        live = await after.find(id)
        deadline = live.state.deadline()
        assert deadline is not None
        assert 0 < deadline - live.time.now() <= 60_000, "no player waits an hour more"
        viewer = watched(after, live)
        await wait_for_driver(live)
        assert live.state.version == 3, "no player's time is over immediately"
        pass_time(after, 60_000)
        await viewer.until(4)
        at = await times(after, live)
        assert at == sorted(at)


@pytest.mark.parametrize("by", STEPS)
async def test_processes_whose_clocks_differ(sqlite_database: str, by: int) -> None:
    """Each move begins a turn of a minute, whichever process it is made at, and who looks."""
    settings = Settings("classic", PEOPLE, clock=Clock("turn", 60))
    async with process(sqlite_database) as here, process(sqlite_database, by) as there:
        one, _ = await here.creator.create(settings, "Ann", ("Bob",))
        other = await there.find(one.id)
        for _ in range(3):
            await here.commands.move(one, (0, 1), choose_legal_move(one))
            await there.find(one.id)
            await there.commands.move(other, (0, 1), choose_legal_move(other))
            await here.find(one.id)
            for live in (one, other):
                deadline = live.state.deadline()
                assert deadline is not None
                assert 0 < deadline - live.time.now() <= 60_000 + TOLERANCE_MS
        at = await times(here, one)
        assert at == sorted(at)


async def test_time_while_the_server_was_stopped_has_passed(sqlite_database: str) -> None:
    async with process(sqlite_database) as before:
        settings = Settings("classic", PEOPLE, clock=Clock("turn", 60))
        live, _ = await before.creator.create(settings, "Ann", ("Bob",))
        id = live.id
    async with process(sqlite_database, stepped=70_000) as after:
        live = await after.find(id)
        await watched(after, live).until(3)
