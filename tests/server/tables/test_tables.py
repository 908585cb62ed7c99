"""The online tables of one process: loading, driving and closing them."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import Any

import msgspec
import pytest

from dalapapa.bots.pacing import MIN_REACTION_MS
from dalapapa.core.errors import DalapapaError, Forbidden, IllegalMove, Unavailable
from dalapapa.core.tiles import SetIdentity
from dalapapa.games import find_game
from dalapapa.games.bag import fill_bag
from dalapapa.games.moves import Announce, Move, NoMore, PutBack, Take, move_to_json
from dalapapa.hosting import state as state_module
from dalapapa.hosting.entries import Moved
from dalapapa.hosting.settings import Clock, SeatPlan, Settings
from dalapapa.hosting.stored import StoredEntry, StoredTable
from dalapapa.server.listings.lobby import Lobby
from dalapapa.server.storage.store import Store
from dalapapa.server.tables import driver as driver_module
from dalapapa.server.tables import sync as sync_module
from dalapapa.server.tables.live import LiveTable
from dalapapa.server.tables.tables import Tables
from dalapapa.server.workers.bots import BotWorkers, choose_next_bot, think
from tests.support.serving import PATIENCE, LateClock, wait_for_driver, wait_for_no_driver
from tests.support.two_processes import (
    WaitingViewer,
    choose_legal_move,
    make_settings_for_bots,
    make_settings_for_people,
    open_two_processes,
)
from tests.support.waiting import run_other_tasks, wait_until

pytestmark = pytest.mark.anyio


class Slow(BotWorkers):
    """Thinks until it is allowed to answer."""

    def __init__(self) -> None:
        super().__init__()
        self.thoughts = 0
        self.thinking = asyncio.Event()
        self.answers = asyncio.Event()

    async def choose(self, game: str, program: str, seed: str, view: Any) -> Move:
        self.thoughts += 1
        self.thinking.set()
        await self.answers.wait()
        return think(game, program, seed, view)


@pytest.fixture
async def slow() -> Slow:
    return Slow()


@pytest.fixture
def late_clock() -> LateClock:
    return LateClock()


@pytest.fixture
async def tables(sqlite_database: str, slow: Slow, late_clock: LateClock) -> AsyncIterator[Tables]:
    store = Store(sqlite_database)
    await store.open()
    found = Tables(store, slow, late_clock)
    await found.open()
    yield found
    await found.close()
    await store.close()


async def soon(what: Awaitable[Any]) -> None:
    await asyncio.wait_for(what, PATIENCE)


async def code(asked: Any) -> str:
    with pytest.raises(DalapapaError) as caught:
        await asked
    return caught.value.code


def give_up(player: int) -> dict[str, Any]:
    return {"player": player, "move": "give_up"}


async def over(tables: Tables) -> LiveTable:
    """A game of two that has ended."""
    live, _ = await tables.creator.create(Settings("puzzle", (SeatPlan(),) * 2), "Ann", ("Bob",))
    await tables.commands.move(live, (0,), give_up(0))
    assert live.state.phase == "over"
    return live


# -- other dominoes --------------------------------------------------------------------------


@pytest.mark.parametrize("other", [None, SetIdentity("120", "0" * 64), SetIdentity("72", "0" * 64)])
async def test_a_table_of_other_dominoes_is_refused(
    tables: Tables, other: SetIdentity | None
) -> None:
    """Also one of an early version, which names none; and the lobby lists the others."""
    settings = Settings("classic", (SeatPlan(),) * 2, visibility="public")
    good, _ = await tables.creator.create(settings, "Ann")
    stored = StoredTable("early", 1, settings, "seed", other)
    assert await tables.store.create(stored, "waiting", [])
    assert await code(tables.find("early")) == "other_set"
    for most in (50, 1):  # However many there are, they take no room in the list.
        answer = json.loads((await Lobby(tables).encode(most)).data)
        assert [one["id"] for one in answer] == [good.id]


# -- in memory -----------------------------------------------------------------------------------


async def test_a_table_is_never_in_memory_twice(tables: Tables) -> None:
    """A table that had to make room but is still referenced is the one that others find."""
    tables.registry.cache.max_tables = 1
    held, _ = await tables.creator.create(make_settings_for_people(3), None)
    await tables.creator.create(make_settings_for_people(3), None)
    assert held.id not in tables.registry.cache
    viewer = WaitingViewer()
    tables.driver.watch(await tables.find(held.id), viewer)
    await tables.commands.sit(held, 0, "Ann")
    assert viewer.versions == [1]


async def test_tables_without_references_are_dropped_from_memory(tables: Tables) -> None:
    tables.registry.cache.max_tables = 3
    for _ in range(10):
        await tables.creator.create(make_settings_for_people(3), "Ann")
    assert len(tables.registry.cache) == 3
    assert len(tables.registry.live) == 3


async def test_a_long_log_is_loaded_while_others_go_on(tables: Tables) -> None:
    live, _ = await tables.creator.create(Settings("puzzle", (SeatPlan(),) * 2), "Ann", ("Bob",))
    take = Moved(Take(0, min(live.state.game_state.middle)))
    back = Moved(PutBack(0))
    await asyncio.gather(
        *(
            tables.store.append(live.id, StoredEntry(3 + n, 0, (take, back)[n % 2]), "playing")
            for n in range(1000)
        )
    )
    loading = asyncio.create_task(tables.find(live.id))
    turns = 0
    versions = set()
    while not loading.done():
        turns += 1
        versions.add(live.state.version)
        await run_other_tasks()
    assert live.state.version == 1002
    assert len(versions) > 5


@pytest.mark.parametrize("id", ["\0", "a\0b", "", "x" * 33, "é", "\ud800", "a b", "'", "..", "a\n"])
async def test_malformed_ids_find_no_table(database: str, id: str) -> None:
    async with open_two_processes(database) as (here, _):
        assert await code(here.find(id)) == "unknown_table"


async def test_a_process_that_reads_news_drives_the_table(database: str) -> None:
    """A request may be quicker than the news, and then nothing is new for those."""
    async with open_two_processes(database) as (here, there):
        settings = Settings("classic", (SeatPlan(), SeatPlan("greedy")), pace=0)
        live, _ = await here.creator.create(settings, None)
        viewer = WaitingViewer()
        same = await there.find(live.id)
        there.driver.watch(same, viewer)
        await there.sync.close(set())  # It gets no news.
        await here.commands.sit(live, 0, "Ann")
        await there.find(live.id)
        assert viewer.versions == [1]
        assert same.driver is not None


# -- the end of a log ----------------------------------------------------------------------------


async def test_the_log_of_a_table_has_a_limit(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_module, "MAX_ENTRIES", 4)
    live, token = await tables.creator.create(make_settings_for_people(2), "Ann", ("Bob",))
    for _ in range(2):
        await tables.commands.move(live, (0, 1), choose_legal_move(live))
    assert live.state.version == 4
    assert await code(tables.commands.move(live, (0, 1), choose_legal_move(live))) == "table_full"
    assert await code(tables.commands.leave(live, 0, token)) == "table_full"
    assert live.state.version == len(await tables.store.log(live.id)) == 4


async def test_a_rematch_is_possible_although_the_log_is_full(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await over(tables)
    monkeypatch.setattr(state_module, "MAX_ENTRIES", 3)
    assert (await tables.commands.rematch(live)).id == live.state.rematch


@pytest.mark.parametrize("clock", ["none", "turn"])
async def test_bots_stop_at_the_limit_of_the_log(
    tables: Tables, slow: Slow, monkeypatch: pytest.MonkeyPatch, clock: Any
) -> None:
    monkeypatch.setattr(state_module, "MAX_ENTRIES", 5)
    slow.answers.set()
    settings = msgspec.structs.replace(make_settings_for_bots("classic", 2), clock=Clock(clock))
    live, _ = await tables.creator.create(settings, None)
    tables.driver.watch(live, WaitingViewer())
    await wait_for_no_driver(live)
    assert live.state.version == slow.thoughts == 5
    tables.driver.watch(live, WaitingViewer())
    assert live.driver is None


# -- seats ---------------------------------------------------------------------------------------


async def test_a_client_that_has_left_moves_for_no_other_player(tables: Tables) -> None:
    """Not even with a move that was on its way while the seat got another owner."""
    live, token = await tables.creator.create(
        Settings("puzzle", (SeatPlan(),) * 3), "Eve", ("Bob",)
    )
    async with live.lock:
        waiting = [
            asyncio.create_task(asked)
            for asked in (
                tables.commands.leave(live, 0, token),
                tables.commands.sit(live, 0, "Ann"),
                tables.commands.sit(live, 2, "Cid"),
                tables.commands.move(live, (0, 1), give_up(0)),
            )
        ]
        await run_other_tasks()
    *_, moved = await asyncio.gather(*waiting, return_exceptions=True)
    assert isinstance(moved, Forbidden)
    assert moved.code == "not_your_seat"
    assert live.state.names() == ("Ann", "Bob", "Cid")
    assert live.state.version == 5


# -- bots ------------------------------------------------------------------------------------


async def test_a_thinking_bot_does_not_move_for_a_player_who_returned(
    tables: Tables, slow: Slow, caplog: pytest.LogCaptureFixture
) -> None:
    """Where all play at once, a move does not go stale by what happens meanwhile."""
    caplog.set_level(logging.DEBUG, "dalapapa")
    settings = Settings("puzzle", (SeatPlan(),) * 2, pace=0)
    live, token = await tables.creator.create(settings, "Ann", ("Bob",))
    tables.driver.watch(live, WaitingViewer())
    await tables.commands.leave(live, 0, token)
    await soon(slow.thinking.wait())
    await tables.commands.come_back(live, 0, token)
    slow.answers.set()
    await wait_until(
        lambda: "the table refused the move of a bot: stale" in caplog.text, "a stale move"
    )
    assert live.state.version == 4
    assert slow.thoughts == 1


async def test_a_bot_is_not_asked_about_an_old_state(
    tables: Tables, slow: Slow, late_clock: LateClock
) -> None:
    """While the bot thought, the sandglass ran out, and another player has to show a turn."""
    slow.answers.set()
    settings = Settings("alex", (SeatPlan(), SeatPlan("random")), {"sandglass": 30}, pace=10_000)
    live, _ = await tables.creator.create(settings, "Ann")
    await tables.commands.move(live, (0,), move_to_json(Announce(0, 1, 1)))
    viewer = WaitingViewer((0,))
    tables.driver.watch(live, viewer)
    tables.presence.enter(live, viewer)
    await wait_for_driver(live)
    late_clock.ahead = 31_000
    assert await code(tables.commands.move(live, (0,), move_to_json(NoMore(0, 1, 1)))) == "too_late"
    assert live.state.game_state.phase == "show"
    await wait_for_driver(live)  # It has looked again.
    assert slow.thoughts == 0


async def test_moves_of_others_do_not_delay_a_bot(tables: Tables, slow: Slow) -> None:
    """Where all play at once; and it acts once, not at once."""
    slow.answers.set()
    settings = Settings("puzzle", (SeatPlan(), SeatPlan("expert")), pace=20)
    live, _ = await tables.creator.create(settings, "Ann")
    began = tables.clock.now()
    tables.driver.watch(live, WaitingViewer())
    tile = live.state.game.view(live.state.game_state, 0).middle[0]

    async def play_on() -> int:
        await tables.commands.move(live, (0,), move_to_json(Take(0, tile)))
        await tables.commands.move(live, (0,), move_to_json(PutBack(0)))
        return slow.thoughts

    await wait_until(play_on, "a bot that acts")
    assert tables.clock.now() - began >= MIN_REACTION_MS


def test_bots_pause_according_to_their_level() -> None:
    """Within half and one and a half of what their level takes; the better ones act more often."""
    game = find_game("alex")
    state = game.start(3, {}, fill_bag(game.tiles(game.parse_options({})).names, "")).state
    acted = dict.fromkeys(range(3), 0)
    for _ in range(400):
        seat, pause, longest = choose_next_bot(
            game, state, {0: "novice", 1: "expert", 2: "medium"}, 700
        )
        acted[seat] += 1
        assert MIN_REACTION_MS / 1000 <= longest / 3.01 < pause <= longest < 7
    assert acted[1] > acted[2] > acted[0] > 20
    assert choose_next_bot(game, state, {1: "expert"}, 1)[1] == MIN_REACTION_MS / 1000
    assert choose_next_bot(game, state, {1: "expert"}, 0)[1:] == (0, 0)
    classic = find_game("classic")
    begun = classic.start(2, {}, fill_bag(classic.tiles(classic.parse_options({})).names, "")).state
    assert choose_next_bot(classic, begun, {0: "novice"}, 700) == (0, 0.7, 0.7)


async def test_time_runs_out_while_a_bot_thinks(
    tables: Tables, slow: Slow, late_clock: LateClock
) -> None:
    settings = Settings("alex", (SeatPlan(), SeatPlan("random")), {"sandglass": 30}, pace=0)
    live, _ = await tables.creator.create(settings, "Ann")
    viewer = WaitingViewer((0,))
    tables.driver.watch(live, viewer)
    tables.presence.enter(live, viewer)
    await soon(slow.thinking.wait())
    await tables.commands.move(live, (0,), move_to_json(Announce(0, 1, 1)))
    late_clock.ahead = 31_000
    await soon(viewer.until(3))
    assert live.state.game_state.phase == "show"


async def test_a_late_move_of_a_bot_is_not_made(
    tables: Tables, slow: Slow, late_clock: LateClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver_module, "CLOCK_CHECK_INTERVAL_S", PATIENCE)
    settings = Settings("puzzle", (SeatPlan(), SeatPlan("greedy")), {"minutes": 1}, pace=0)
    live, _ = await tables.creator.create(settings, "Ann")
    viewer = WaitingViewer()
    tables.driver.watch(live, viewer)
    await soon(slow.thinking.wait())
    late_clock.ahead = 61_000
    slow.answers.set()
    await soon(viewer.until_over())
    (last,) = (await tables.store.log(live.id))[1:]
    assert isinstance(last.entry, Moved)
    assert last.entry.cause == "time"


async def test_no_driver_waits_at_a_table_without_viewers(tables: Tables) -> None:
    """Neither a driver for a move of people, nor one for a time."""
    for settings in (
        Settings("classic", (SeatPlan(), SeatPlan("greedy"))),
        msgspec.structs.replace(make_settings_for_people(1 + 1), clock=Clock("turn", 60)),
    ):
        live, _ = await tables.creator.create(
            settings, "Ann", ("Bob",)[: settings.clock.kind == "turn"]
        )
        viewer = WaitingViewer()
        tables.driver.watch(live, viewer)
        assert live.driver is not None
        tables.driver.unwatch(live, viewer)
        await wait_for_no_driver(live)


# -- answers that are lost -----------------------------------------------------------------------


async def test_a_durable_move_is_sent_although_its_sender_has_gone(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = tables.store.append
    kept = asyncio.Event()

    async def stuck(table: str, stored: StoredEntry, phase: str) -> bool:
        await append(table, stored, phase)
        kept.set()
        await asyncio.Event().wait()
        return True

    live, _ = await tables.creator.create(make_settings_for_people(3), None)
    viewer = WaitingViewer()
    tables.driver.watch(live, viewer)
    monkeypatch.setattr(tables.store, "append", stuck)
    sitting = asyncio.create_task(tables.commands.sit(live, 0, "Ann"))
    await soon(kept.wait())
    assert viewer.versions == []
    sitting.cancel()
    await soon(viewer.until(1))


# -- rematches -----------------------------------------------------------------------------------


async def test_concurrent_rematch_requests_give_one_table(database: str) -> None:
    """In whichever process: no table is left over."""
    async with open_two_processes(database) as (here, there):
        live = await over(here)
        same = await there.find(live.id)
        again = await asyncio.gather(
            *(tables.commands.rematch(one) for tables, one in ((here, live), (there, same)) * 3)
        )
        assert len({one.id for one in again}) == 1
        assert all(one.state == again[0].state for one in again)
        assert again[0].state.names() == ("Ann", "Bob")
        assert await here.store.count() == 2
        for tables in (here, there):
            assert (await tables.find(live.id)).state.rematch == again[0].id


@pytest.mark.parametrize("durable", [False, True])
async def test_a_failed_rematch_can_be_requested_again(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, durable: bool
) -> None:
    live = await over(tables)
    append = tables.store.append

    async def fails(table: str, stored: StoredEntry, phase: str) -> bool:
        if durable:
            await append(table, stored, phase)
        raise Unavailable("The database does not answer: try again.", "no_database")

    with monkeypatch.context() as patch:
        patch.setattr(tables.store, "append", fails)
        assert await code(tables.commands.rematch(live)) == "no_database"
    again = await tables.commands.rematch(live)
    assert live.state.rematch == again.id
    assert await tables.store.count() == 2
    assert (await tables.commands.rematch(live)) is again


async def test_the_id_of_a_rematch_cannot_be_guessed(tables: Tables) -> None:
    first, second = await over(tables), await over(tables)
    ids = {(await tables.commands.rematch(live)).id for live in (first, second)}
    assert len(ids | {first.id, second.id}) == 4
    assert all(len(id) == 16 for id in ids)


# -- what is logged ------------------------------------------------------------------------------


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.DEBUG, "dalapapa"):
        yield caplog


async def test_log_lines_do_not_reveal_table_ids(
    tables: Tables,
    slow: Slow,
    monkeypatch: pytest.MonkeyPatch,
    logged: pytest.LogCaptureFixture,
) -> None:
    """The id of a table is the invitation to it."""
    for module in (driver_module, sync_module):
        monkeypatch.setattr(module, "RETRY_DELAY_S", 0.01)
    append = tables.store.append
    failures: list[Exception] = [
        ZeroDivisionError("a mistake in a program"),
        Unavailable("The database does not answer: try again.", "no_database"),
        IllegalMove("The table has changed in the meantime.", "stale"),
    ]

    async def fails(table: str, stored: StoredEntry, phase: str) -> bool:
        if failures:
            raise failures.pop()
        return await append(table, stored, phase)

    monkeypatch.setattr(tables.store, "append", fails)
    slow.answers.set()
    live, _ = await tables.creator.create(make_settings_for_bots("classic", 2), None)
    viewer = WaitingViewer()
    tables.driver.watch(live, viewer)
    await soon(viewer.until(1))
    records = [record for record in logged.records if record.name == "dalapapa"]
    assert len(records) == 3
    assert live.id not in logged.text


async def test_concurrent_requests_load_a_table_once_and_share_a_failure(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, _ = await tables.creator.create(make_settings_for_people(2), "Ann")
    id = live.id
    tables.registry.cache.clear()
    tables.registry.live.clear()
    load, loads, begun = tables.store.load, 0, asyncio.Event()
    answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    async def load_slowly(id: str) -> StoredTable | None:
        nonlocal loads
        loads += 1
        begun.set()
        if not await answer:
            raise Unavailable("The database does not answer.", "no_database")
        return await load(id)

    monkeypatch.setattr(tables.store, "load", load_slowly)
    for works in (False, True):
        loads, answer = 0, asyncio.get_running_loop().create_future()
        begun.clear()
        left, *others = [asyncio.create_task(tables.find(id)) for _ in range(3)]
        await begun.wait()
        left.cancel()
        await run_other_tasks()
        answer.set_result(works)
        found = await asyncio.gather(*others, return_exceptions=True)
        if works:
            assert [one is tables.held(id) for one in found] == [True, True]
        else:
            assert [getattr(one, "code", None) for one in found] == ["no_database"] * 2
        assert loads == 1
