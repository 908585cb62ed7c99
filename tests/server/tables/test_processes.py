"""Several server processes on one database, and processes that die: nothing is lost."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import signal

import pytest

from dalapapa.core.errors import IllegalMove, Unavailable
from dalapapa.hosting.entries import Moved
from dalapapa.hosting.stored import StoredEntry
from dalapapa.server.storage.store import Store
from dalapapa.server.tables import driver as driver_module
from dalapapa.server.tables import sync as sync_module
from dalapapa.server.tables.tables import Tables
from tests.support.buses import Fleet
from tests.support.crash import Party, Process, started
from tests.support.nats import Broker
from tests.support.serving import PATIENCE
from tests.support.stores import terminate_queries
from tests.support.thoroughness import THOROUGH
from tests.support.two_processes import (
    WaitingViewer,
    choose_legal_move,
    make_settings_for_bots,
    make_settings_for_people,
    open_two_processes,
)
from tests.support.waiting import wait_until


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
def test_a_game_goes_on_when_one_of_two_processes_ends(fleet: Fleet, how: signal.Signals) -> None:
    async def play() -> None:
        async with (
            asyncio.timeout(PATIENCE),
            started(fleet.database, 2, fleet.broker) as (here, there),
        ):
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
            seen = {message["version"]: message for message in two.seen}
            assert [message["version"] for message in two.seen] == sorted(seen), (
                "never back, never twice"
            )
            both = [
                (message, seen[message["version"]])
                for message in one.seen
                if message["version"] in seen
            ]
            assert both
            for message, same in both:
                assert message["views"] == same["views"]
                if message["events"] and same["events"]:
                    assert message["events"] == same["events"]
            assert await party.check() > 20
            await party.verify_records()

    asyncio.run(play())


def test_bots_go_on_when_their_process_is_killed(fleet: Fleet) -> None:
    async def play() -> None:
        async with (
            asyncio.timeout(PATIENCE),
            started(fleet.database, 2, fleet.broker) as (here, there),
        ):
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


def thoughts(*processes: Tables) -> list[int]:
    return [tables.bots.thoughts for tables in processes]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("game", "seats"), [("classic", 3), ("puzzle", 2)])
def test_one_process_runs_the_bots_of_a_table(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, game: str, seats: int
) -> None:
    monkeypatch.setattr(driver_module, "BOT_TAKEOVER_DELAY_MS", 1000 * PATIENCE)

    async def play() -> None:
        async with open_two_processes(*fleet) as (here, there):
            live, _ = await here.creator.create(make_settings_for_bots(game, seats), None)
            viewers = WaitingViewer(), WaitingViewer()
            there.driver.watch(await there.find(live.id), viewers[1])
            here.driver.watch(live, viewers[0])
            await asyncio.gather(*(viewer.until_over() for viewer in viewers))
            assert thoughts(here, there) == [live.state.version, 0]

    asyncio.run(play())


def test_another_process_takes_over_when_the_first_falls_silent(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driver_module, "BOT_TAKEOVER_DELAY_MS", 50)

    async def play() -> None:
        async with open_two_processes(*fleet) as (here, there):
            live, _ = await here.creator.create(make_settings_for_bots("classic", 2), None)
            viewer = WaitingViewer()
            there.driver.watch(
                await there.find(live.id), viewer
            )  # The process that set it up has no viewer.
            await viewer.until_over()
            assert thoughts(here, there) == [0, viewer.versions[-1]]

    asyncio.run(play())


@pytest.mark.parametrize("game", ["classic", "puzzle", "auction"])
def test_no_move_is_made_twice_if_two_processes_run_a_bot(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(driver_module, "BOT_TAKEOVER_DELAY_MS", 0)

    async def play() -> None:
        async with open_two_processes(*fleet) as (here, there):
            live, _ = await here.creator.create(make_settings_for_bots(game, 2), None)
            viewers = WaitingViewer(), WaitingViewer()
            there.driver.watch(await there.find(live.id), viewers[1])
            here.driver.watch(live, viewers[0])
            await asyncio.gather(*(viewer.until_over() for viewer in viewers))
            log = await here.store.log(live.id)
            moves = [stored.entry.move for stored in log if isinstance(stored.entry, Moved)]
            assert len(moves) == live.state.version
            assert all(one != other for one, other in itertools.pairwise(moves))
            assert all(thoughts(here, there)), "both have tried"

    asyncio.run(play())


def test_a_player_from_another_process_gets_the_newest_state(database: str) -> None:
    async def play() -> None:
        async with open_two_processes(database) as (here, there):
            live, _ = await here.creator.create(make_settings_for_people(3), "Ann")
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


def test_missed_entries_are_read_later(fleet: Fleet) -> None:
    async def play() -> None:
        async with open_two_processes(*fleet) as (here, there):
            live, _ = await here.creator.create(make_settings_for_people(4), None)
            viewer = WaitingViewer()
            there.driver.watch(await there.find(live.id), viewer)
            await here.commands.sit(live, 0, "Ann")
            await viewer.until(1)
            for seat, name in enumerate(("Bob", "Cy", "Di"), start=1):
                await terminate_queries(here.store, "LISTEN")
                await here.commands.sit(live, seat, name)
                await viewer.until(seat + 1)
            assert viewer.versions == [1, 2, 3, 4]

    asyncio.run(play())


# -- a database that fails -------------------------------------------------------------------------


def lose_answers(store: Store, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """The next answers get lost: the server cannot know whether the entries are durable."""
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
        async with open_two_processes(database) as (here, _):
            live, _ = await here.creator.create(make_settings_for_people(2), "Ann", ("Bob",))
            viewer = WaitingViewer()
            here.driver.watch(live, viewer)
            lose_answers(here.store, monkeypatch, 1)
            move = choose_legal_move(live)
            with pytest.raises(Unavailable) as refused:
                await here.commands.move(live, (0, 1), move, 2, "mark")
            assert refused.value.code == "no_database"
            await viewer.until(3)
            assert await here.commands.move(live, (0, 1), move, 2, "mark") == 3
            assert [stored.number for stored in await here.store.log(live.id)] == [1, 2, 3]

    asyncio.run(play())


def test_bots_go_on_when_the_database_is_back(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (driver_module, sync_module):
        monkeypatch.setattr(module, "RETRY_DELAY_S", 0.01)
    monkeypatch.setattr(driver_module, "BOT_TAKEOVER_DELAY_MS", 50)

    async def play() -> None:
        async with open_two_processes(database) as (here, _):
            live, _ = await here.creator.create(make_settings_for_bots("classic", 2), None)
            viewer = WaitingViewer()
            lose_answers(here.store, monkeypatch, 5)
            here.driver.watch(live, viewer)
            await viewer.until_over()
            assert viewer.versions == list(range(1, live.state.version + 1))

    asyncio.run(play())


def test_equal_move_ids_of_different_players_do_not_collide(database: str) -> None:
    async def play() -> None:
        async with open_two_processes(database) as (here, _):
            live, _ = await here.creator.create(make_settings_for_people(2), "Ann", ("Bob",))
            made: set[tuple[int, int]] = set()
            while len({player for player, _ in made}) < 2:
                move = choose_legal_move(live)
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


async def crash(database: str, processes: int, kills: int, broker: Broker | None = None) -> int:
    """Kill servers, and the broker if there is one, under play; how many moves were accepted, all
    of which were kept."""
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

    url = None if broker is None else broker.url
    async with asyncio.timeout(10 * PATIENCE), started(database, processes, url) as servers:
        party = Party(servers)
        async with asyncio.TaskGroup() as group:
            for game, seats in TABLES:
                group.create_task(sit(party, game, seats))
            for _ in range(kills):
                await party.some_moves()
                await asyncio.sleep(rng.random() / 5)  # No condition: any moment will do.
                if broker is not None and rng.random() < 0.3:
                    broker.kill()
                    await party.some_moves()
                    await asyncio.to_thread(broker.start)
                await kill(rng.choice(servers))
            stopping = True
        accepted = await party.check()
        await party.verify_records()
    return accepted


KILLS = (
    {"sqlite": 30, "postgres": 20, "nats": 20}
    if THOROUGH
    else dict.fromkeys(("sqlite", "postgres", "nats"), 3)
)


@pytest.mark.parametrize(("kind", "processes"), [("sqlite", 1), ("postgres", 2), ("nats", 2)])
def test_accepted_moves_survive_a_kill(
    request: pytest.FixtureRequest, kind: str, processes: int
) -> None:
    broker = request.getfixturevalue("broker") if kind == "nats" else None
    stored_in = "postgres" if kind == "nats" else kind
    database = request.getfixturevalue(f"{stored_in}_database")
    accepted = asyncio.run(crash(database, processes, KILLS[kind], broker))
    assert accepted >= KILLS[kind]
    print(f"{accepted} moves were accepted, and all of them are there.")
