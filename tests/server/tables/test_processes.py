"""Several server processes on one database, and processes that die: nobody loses anything."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import random
import signal
from collections.abc import AsyncIterator
from typing import Any

import pytest

from dalapapa.core.errors import DalapapaError, IllegalMove, Unavailable
from dalapapa.games.moves import Move, move_to_json
from dalapapa.hosting.log import Moved, SeatPlan, Settings
from dalapapa.server.storage.store import Store, StoredEntry
from dalapapa.server.tables import driver as driver_module
from dalapapa.server.tables import sync as sync_module
from dalapapa.server.tables.live import LiveTable
from dalapapa.server.tables.tables import Tables
from dalapapa.server.workers.bots import Programs, think
from tests.server.storage.test_store import terminate
from tests.support.crash import Party, Process, started
from tests.support.serving import PATIENCE, LateClock
from tests.support.thoroughness import THOROUGH
from tests.support.waiting import run_other_tasks, wait_until


def alive(group: int) -> bool:
    """Whether there is any process of a group."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


# -- two processes, one game -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "how", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.thorough)]
)
def test_a_game_goes_on_when_one_of_two_processes_ends(
    postgres_database: str, how: signal.Signals
) -> None:
    async def play() -> None:
        async with asyncio.timeout(PATIENCE), started(postgres_database, 2) as (here, there):
            party = Party([here, there])
            table, token = await party.create("classic", [None, None, "greedy"])
            async with (
                party.watching(table, at=here) as one,
                party.watching(table, at=there) as two,
            ):
                players = [
                    asyncio.create_task(party.play(table, token, 0, at=here)),
                    asyncio.create_task(party.play(table, token, 1, at=there)),
                    asyncio.create_task(party.watch(table, at=here)),
                ]
                await asyncio.gather(one.until(20), two.until(20))
                await here.kill(how)
                await asyncio.gather(*players, two.until(1_000_000))
                assert two.table["phase"] == "over"
            seen = {told["version"]: told for told in two.seen}
            assert [told["version"] for told in two.seen] == sorted(seen), "never back, never twice"
            both = [(told, seen[told["version"]]) for told in one.seen if told["version"] in seen]
            assert both
            for told, same in both:
                assert told["views"] == same["views"]
                if told["events"] and same["events"]:
                    assert told["events"] == same["events"]
            assert await party.check() > 20
            await party.verify_records()

    asyncio.run(play())


def test_programs_go_on_when_their_process_is_killed(postgres_database: str) -> None:
    async def play() -> None:
        async with asyncio.timeout(PATIENCE), started(postgres_database, 2) as (here, there):
            party = Party([here])
            table, _ = await party.create("classic", ["greedy"] * 3, pace=200)
            async with (
                party.watching(table, at=there) as viewer,
                party.watching(table, at=here),
            ):
                await viewer.until(2)
                group = here.group
                await here.kill()
                await viewer.until(viewer.version + 4)
                assert viewer.table["phase"] == "playing"
            await party.check()
            await wait_until(lambda: not alive(group), "the end of the dead server's bots")

    asyncio.run(play())


# -- the tables of two processes, in one -----------------------------------------------------------


class Thinking(Programs):
    """Thinks at once, and counts."""

    def __init__(self) -> None:
        super().__init__()
        self.thoughts = 0

    async def choose(self, game: str, program: str, seed: str, view: Any) -> Move:
        self.thoughts += 1
        await run_other_tasks()
        return think(game, program, seed, view)


class Looking:
    """A viewer who waits."""

    def __init__(self) -> None:
        self.versions: list[int] = []
        self.over = False
        self.something = asyncio.Event()

    def closed(self, error: DalapapaError) -> None:
        raise error

    def changed(self, live: LiveTable) -> None:
        self.versions.append(live.state.version)
        self.over = live.state.phase == "over"
        self.something.set()

    async def until_over(self) -> None:
        while not self.over:
            self.something.clear()
            await self.something.wait()

    async def until(self, version: int) -> None:
        while version not in self.versions:
            self.something.clear()
            await self.something.wait()


@contextlib.asynccontextmanager
async def two_processes(database: str) -> AsyncIterator[tuple[Tables, Tables]]:
    async with contextlib.AsyncExitStack() as stack:
        found = []
        for _ in range(2):
            store = Store(database)
            await store.open()
            stack.push_async_callback(store.close)
            tables = Tables(store, Thinking(), LateClock())
            await tables.open()
            stack.push_async_callback(tables.close)
            found.append(tables)
        async with asyncio.timeout(PATIENCE):
            yield found[0], found[1]


def for_programs(game: str, seats: int) -> Settings:
    return Settings(game, (SeatPlan("greedy"),) * seats, pace=0)


def for_people(seats: int) -> Settings:
    return Settings("classic", (SeatPlan(),) * seats)


def thoughts(*processes: Tables) -> list[int]:
    return [tables.bots.thoughts for tables in processes]  # type: ignore[attr-defined]


def some_move(live: LiveTable) -> dict[str, Any]:
    """Any legal move of whoever has the turn."""
    game, state = live.state.game, live.state.game_state
    (player,) = game.next_actors(state)
    return move_to_json(game.legal_moves(game.view(state, player))[0])


@pytest.mark.parametrize(("game", "seats"), [("classic", 3), ("puzzle", 2)])
def test_one_process_thinks_for_a_table(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch, game: str, seats: int
) -> None:
    monkeypatch.setattr(driver_module, "BOT_TAKEOVER_DELAY_MS", 1000 * PATIENCE)

    async def play() -> None:
        async with two_processes(postgres_database) as (here, there):
            live, _ = await here.creator.create(for_programs(game, seats), None)
            viewers = Looking(), Looking()
            there.driver.watch(await there.find(live.id), viewers[1])
            here.driver.watch(live, viewers[0])
            await asyncio.gather(*(viewer.until_over() for viewer in viewers))
            assert thoughts(here, there) == [live.state.version, 0]

    asyncio.run(play())


def test_another_process_takes_over_when_the_first_falls_silent(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver_module, "BOT_TAKEOVER_DELAY_MS", 50)

    async def play() -> None:
        async with two_processes(postgres_database) as (here, there):
            live, _ = await here.creator.create(for_programs("classic", 2), None)
            viewer = Looking()
            there.driver.watch(
                await there.find(live.id), viewer
            )  # Nobody watches where it was set up.
            await viewer.until_over()
            assert thoughts(here, there) == [0, viewer.versions[-1]]

    asyncio.run(play())


@pytest.mark.parametrize("game", ["classic", "puzzle", "auction"])
def test_no_move_is_made_twice_where_two_processes_think(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(driver_module, "BOT_TAKEOVER_DELAY_MS", 0)

    async def play() -> None:
        async with two_processes(postgres_database) as (here, there):
            live, _ = await here.creator.create(for_programs(game, 2), None)
            viewers = Looking(), Looking()
            there.driver.watch(await there.find(live.id), viewers[1])
            here.driver.watch(live, viewers[0])
            await asyncio.gather(*(viewer.until_over() for viewer in viewers))
            log = await here.store.log(live.id)
            moves = [stored.entry.move for stored in log if isinstance(stored.entry, Moved)]
            assert len(moves) == live.state.version
            assert all(one != other for one, other in itertools.pairwise(moves))
            assert all(thoughts(here, there)), "both have tried"

    asyncio.run(play())


def test_who_comes_from_another_process_finds_what_is_new(database: str) -> None:
    async def play() -> None:
        async with two_processes(database) as (here, there):
            live, _ = await here.creator.create(for_people(3), "Ann")
            assert (await there.find(live.id)).state.version == 1
            await here.commands.sit(live, 1, "Bob")
            assert (await there.find(live.id)).state == live.state
            with pytest.raises(IllegalMove, match="taken"):
                await there.commands.sit(await there.find(live.id), 1, "Cy")
            await there.commands.sit(await there.find(live.id), 2, "Di")
            assert live.state.version == 2
            with pytest.raises(IllegalMove, match="taken"):  # Here it is not known yet.
                await here.commands.sit(live, 2, "Eve")
            assert live.state.names() == ("Ann", "Bob", "Di")

    asyncio.run(play())


def test_news_that_were_missed_are_caught_up(postgres_database: str) -> None:
    async def play() -> None:
        async with two_processes(postgres_database) as (here, there):
            live, _ = await here.creator.create(for_people(4), None)
            viewer = Looking()
            there.driver.watch(await there.find(live.id), viewer)
            await here.commands.sit(live, 0, "Ann")
            await viewer.until(1)
            for seat, name in enumerate(("Bob", "Cy", "Di"), start=1):
                await terminate(here.store, "LISTEN")
                await here.commands.sit(live, seat, name)
                await viewer.until(seat + 1)
            assert viewer.versions == [1, 2, 3, 4]

    asyncio.run(play())


# -- a database that fails -------------------------------------------------------------------------


def lose_answers(store: Store, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """The next answers get lost on their way: nobody can know whether the entries are durable."""
    append, rest = store.append, iter(range(number))

    async def lossy(table: str, stored: StoredEntry, phase: str) -> bool:
        made = await append(table, stored, phase)
        if next(rest, None) is not None:
            raise Unavailable("The database does not answer: try again.", "no_database")
        return made

    monkeypatch.setattr(store, "append", lossy)


def test_a_move_whose_answer_was_lost_is_shown_and_not_made_twice(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with two_processes(database) as (here, _):
            live, _ = await here.creator.create(for_people(2), "Ann", ("Bob",))
            viewer = Looking()
            here.driver.watch(live, viewer)
            lose_answers(here.store, monkeypatch, 1)
            move = some_move(live)
            with pytest.raises(Unavailable) as refused:
                await here.commands.move(live, (0, 1), move, 2, "mark")
            assert refused.value.code == "no_database"
            await viewer.until(3)
            assert await here.commands.move(live, (0, 1), move, 2, "mark") == 3
            assert [stored.number for stored in await here.store.log(live.id)] == [1, 2, 3]

    asyncio.run(play())


def test_programs_go_on_when_the_database_is_back(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (driver_module, sync_module):
        monkeypatch.setattr(module, "RETRY_DELAY_S", 0.01)
    monkeypatch.setattr(driver_module, "BOT_TAKEOVER_DELAY_MS", 50)

    async def play() -> None:
        async with two_processes(database) as (here, _):
            live, _ = await here.creator.create(for_programs("classic", 2), None)
            viewer = Looking()
            lose_answers(here.store, monkeypatch, 5)
            here.driver.watch(live, viewer)
            await viewer.until_over()
            assert viewer.versions == list(range(1, live.state.version + 1))

    asyncio.run(play())


def test_marks_of_different_players_do_not_meet(database: str) -> None:
    async def play() -> None:
        async with two_processes(database) as (here, _):
            live, _ = await here.creator.create(for_people(2), "Ann", ("Bob",))
            made: set[tuple[int, int]] = set()
            while len({player for player, _ in made}) < 2:
                move = some_move(live)
                mark = f"{sum(player == move['player'] for player, _ in made)}"
                made.add((move["player"], await here.commands.move(live, (0, 1), move, nonce=mark)))
            assert {version for _, version in made} == set(range(3, live.state.version + 1))

    asyncio.run(play())


# -- crashes ---------------------------------------------------------------------------------------

TABLES: list[tuple[str, list[str | None]]] = [
    ("classic", [None, None, "greedy"]),
    ("auction", [None, None]),
    ("arlequin", [None, "greedy"]),
]


async def crash(database: str, processes: int, kills: int) -> int:
    """Kill servers under play; how many moves were accepted, all of which were kept."""
    rng = random.Random(kills)
    stopping = False

    async def sit(party: Party, game: str, seats: list[str | None]) -> None:
        """One table after the other, each of them to its end."""
        while not stopping:
            table, token = await party.create(game, seats)
            people = [seat for seat, program in enumerate(seats) if program is None]
            async with asyncio.TaskGroup() as group:
                group.create_task(party.watch(table))
                for seat in people:
                    group.create_task(party.play(table, token, seat))

    async def kill(process: Process) -> None:
        """At a random moment: while it is played on or, now and then, while it starts."""
        await process.kill()
        starting = asyncio.create_task(process.start())
        if rng.random() < 0.1:
            await asyncio.sleep(rng.random())  # No condition: any moment of a start will do.
            await process.kill()
            await starting
            starting = asyncio.create_task(process.start())
        await starting

    async with asyncio.timeout(10 * PATIENCE), started(database, processes) as servers:
        party = Party(servers)
        async with asyncio.TaskGroup() as group:
            for game, seats in TABLES:
                group.create_task(sit(party, game, seats))
            for _ in range(kills):
                await party.some_moves()
                await asyncio.sleep(rng.random() / 5)  # No condition: any moment will do.
                await kill(rng.choice(servers))
            stopping = True
        accepted = await party.check()
        await party.verify_records()
    return accepted


KILLS = {"sqlite": 30, "postgres": 20} if THOROUGH else {"sqlite": 3, "postgres": 3}


@pytest.mark.parametrize(("kind", "processes"), [("sqlite", 1), ("postgres", 2)])
def test_what_was_accepted_survives_being_killed(
    request: pytest.FixtureRequest, kind: str, processes: int
) -> None:
    database = request.getfixturevalue(f"{kind}_database")
    accepted = asyncio.run(crash(database, processes, KILLS[kind]))
    assert accepted >= KILLS[kind]
    print(f"{accepted} moves were accepted, and all of them are there.")
