"""The life of tables with games of packages: moves, clocks, restarts, operators, failures."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dalapapa.client import Server, Viewer
from dalapapa.core.errors import DalapapaError, NotFound
from dalapapa.server.ops.export import ExportResult, ImportResult, export_tables, import_tables
from dalapapa.server.workers import packages
from tests.support.command_line import run as command
from tests.support.installing import installing, put, put_example
from tests.support.serving import (
    PATIENCE,
    LateClock,
    first,
    refusal,
    running,
    served,
    wait_for_driver,
)
from tests.support.waiting import wait_until

PEOPLE: dict[str, Any] = {"seats": [None, None], "host": "Ann", "guests": ["Bob"]}

OWN = """
import os, time
from pathlib import Path
from dalapapa.core.errors import IllegalMove
from dalapapa.games.classic import Classic
from dalapapa.games.game import Timer
from dalapapa.games.moves import TimeUp


class Own(Classic):
    name = 'own'
    {body}


GAME = Own()
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the path; what is registered there is forgotten again."""
    with installing(tmp_path / "installed", monkeypatch) as folder:
        yield folder


def run(test: Awaitable[None]) -> None:
    asyncio.run(asyncio.wait_for(test, PATIENCE))


def put_own(path: Path, body: str = "pass") -> None:
    put(path, "own_game", OWN.format(body=body), own="own_game:GAME")


def remove_own(path: Path) -> None:
    (path / "own_game.py").unlink()
    shutil.rmtree(path / "own_game-1.0.dist-info")


async def play(viewer: Viewer, most: int) -> None:
    """Make so many moves in all seats of a viewer, or play to the end."""
    for _ in range(most):
        while viewer.table["phase"] != "over":
            moves = [move for seat in viewer.yours for move in await viewer.legal(seat)]
            if moves:
                made = await viewer.move(first(moves))
                await reach(viewer, made)
                break
            await viewer.changed()


async def reach(viewer: Viewer, version: int) -> None:
    """Wait until a viewer has seen a version."""
    while viewer.version < version:
        await viewer.changed()


async def collect(*asked: Awaitable[int]) -> tuple[list[int], list[str]]:
    """The versions of the moves that were made at the same moment, and the codes of refusals."""
    answers = await asyncio.gather(*asked, return_exceptions=True)
    made = [answer for answer in answers if isinstance(answer, int)]
    refused = [error.code for error in answers if isinstance(error, DalapapaError)]
    assert len(made) + len(refused) == len(answers), answers
    return made, refused


def test_one_of_two_moves_at_the_same_moment_is_made(path: Path, postgres_database: str) -> None:
    """At one process, and at two processes of one database: then both show the same table."""
    put_example(path)

    async def go() -> None:
        async with (
            running(postgres_database) as url,
            running(postgres_database) as other_url,
            Server(url) as server,
            Server(other_url) as other_server,
        ):
            new = await server.create(game="three", **PEOPLE)
            table, token = new["id"], new["token"]
            async with (
                server.watch(table, token) as here,
                server.watch(table, token) as beside,
                other_server.watch(table, token) as there,
            ):
                await play(here, 2)  # Each player begins with one laying.
                for other in (beside, there):
                    version = here.version
                    move = next(move for move in await here.legal(0) if move["move"] == "lay")
                    made, refused = await collect(here.move(move), other.move(move))
                    assert made == [version + 1]
                    assert len(refused) == 1
                    await here.move({"player": 0, "move": "undo"})
                    for viewer in (here, beside, there):
                        await reach(viewer, version + 2)
                        assert viewer.views == here.views
                version = await here.move(move)
                made, refused = await collect(
                    here.move({"player": 0, "move": "end"}, version),
                    there.move({"player": 0, "move": "undo"}, version),
                )
                assert len(made) == len(refused) == 1
                for viewer in (here, there):
                    await reach(viewer, made[0])
                assert here.views == there.views
                await play(there, 4)
                await reach(here, there.version)
                assert here.views == there.views

    run(go())


def test_a_move_goes_on_in_another_worker_if_one_is_killed(path: Path, tmp_path: Path) -> None:
    started, may_end = tmp_path / "started", tmp_path / "may_end"
    put_own(
        path,
        f"""
    def apply(self, state, move):
        started = Path({str(started)!r})
        if not started.exists():
            Path({str(started)!r} + '.new').write_text(str(os.getpid()))
            os.rename({str(started)!r} + '.new', started)
            while not Path({str(may_end)!r}).exists():
                time.sleep(0.01)
        return super().apply(state, move)
""",
    )

    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(game="own", **PEOPLE)
            async with server.watch(new["id"], new["token"]) as seat:
                (move, *_) = await seat.legal(0)
                moving = asyncio.create_task(seat.move(move))
                await wait_until(started.exists, "a move that is being made")
                os.kill(int(started.read_text()), signal.SIGKILL)
                assert await moving == seat.version
                assert seat.views["0"]["table"]
                await play(seat, 3)

    run(go())


def test_a_move_is_made_though_its_player_leaves(path: Path, tmp_path: Path) -> None:
    """Or it is not made at all: the table goes on, and each viewer sees the same."""
    started, may_end = tmp_path / "started", tmp_path / "may_end"
    put_own(
        path,
        f"""
    def apply(self, state, move):
        Path({str(started)!r}).touch()
        while not Path({str(may_end)!r}).exists():
            time.sleep(0.01)
        return super().apply(state, move)
""",
    )

    async def go() -> None:
        async with served() as here, Server(here.url) as server:
            new = await server.create(game="own", **PEOPLE)
            live = await here.tables.find(new["id"])
            async with server.watch(new["id"], new["token"]) as other:
                async with server.watch(new["id"], new["token"]) as seat:
                    (move, *_) = await seat.legal(0)
                    moving = asyncio.create_task(seat.move(move))
                    await wait_until(started.exists, "a move that is being made")
                    moving.cancel()
                may_end.touch()
                await wait_until(lambda: not live.lock.locked(), "the end of the move")
                await play(other, 3)
                assert other.version == live.state.version

    run(go())


def test_time_runs_out_in_turns(path: Path) -> None:
    """The timer of the game, and the clock of the table: then a bot plays."""
    put_own(
        path,
        """
    def timer(self, state):
        return Timer(state.active, 30)

    def apply(self, state, move):
        if isinstance(move, TimeUp):
            move = self.legal_moves(self.view(state, state.active))[0]
        return super().apply(state, move)
""",
    )
    put_example(path)

    async def go() -> None:
        clock = LateClock()
        clock.stand()
        async with served(clock=clock) as here, Server(here.url) as server:
            own = await server.create(game="own", **PEOPLE)
            three = await server.create(
                game="three", clock={"kind": "turn", "seconds": 5}, **PEOPLE
            )
            for new, passes_s in ((own, 31), (three, 6)):
                live = await here.tables.find(new["id"])
                async with server.watch(new["id"], new["token"]) as seat:
                    for player in (1, 0):
                        await wait_for_driver(live)
                        clock.ahead += 1000 * passes_s
                        live.wake_driver.set()
                        while seat.views["0"]["active"] != player:
                            await seat.changed()

    run(go())


def test_a_rematch_and_what_operators_do(path: Path, sqlite_database: str, tmp_path: Path) -> None:
    """Check, export and import read the logs of such tables in the process of the command."""
    put_example(path)

    async def go() -> None:
        async with running(sqlite_database) as url, Server(url) as server:
            bots = await server.create(game="three", seats=[None, "greedy"], host="Ann", pace=0)
            async with server.watch(bots["id"], bots["token"]) as seat:
                await play(seat, 1000)
                assert seat.table["phase"] == "over"
            again = await server.ask("POST", f"/tables/{bots['id']}/rematch", bots["token"])
            async with server.watch(again["id"], bots["token"]) as seat:
                await play(seat, 2)

    run(go())
    copy, file = f"sqlite+aiosqlite:///{tmp_path / 'copy.db'}", str(tmp_path / "all")
    assert asyncio.run(export_tables(sqlite_database, file)) == ExportResult(2, 0)
    assert asyncio.run(import_tables(copy, file)) == ImportResult(2, 0)
    for database in (sqlite_database, copy):
        assert command("check", database) == (0, "2 tables, 0 damaged\n", "")


def test_the_solver_helps_in_a_race_of_a_package(path: Path) -> None:
    source = OWN.format(body="pass").replace("classic import Classic", "puzzle.rules import Puzzle")
    put(path, "own_game", source.replace("(Classic)", "(Puzzle)"), own="own_game:GAME")
    frame = {"width": 4, "height": 4}

    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(
                game="own", seats=[None, "greedy"], host="Ann", options=frame, countdown=0,
                hints="yes", pace=10_000,
            )  # fmt: skip
            async with server.watch(new["id"], new["token"]) as seat:
                hints = f"/tables/{new['id']}/seats/0/hint"
                hint = await server.ask("POST", hints, new["token"])
                assert hint["possible"]
                take = {"player": 0, "move": "take", "tile": hint["laying"][:5]}
                assert take in await seat.legal(0)
                await seat.move(take)
                lay = {"player": 0, "move": "lay", "laying": hint["laying"]}
                await reach(seat, await seat.move(lay))
                assert seat.table["seats"][0]["hints"] == 1

    run(go())


def test_a_challenge_of_a_package_is_played_and_compared(path: Path) -> None:
    put_example(path)
    put_example(path, "magpie")
    bob = "the-token-of-Bob-00"

    async def go() -> None:
        async with running() as url, Server(url) as server:
            seats = [None, "magpie"]
            new = await server.create(game="three", seats=seats, host="Ann", pace=0)
            async with server.watch(new["id"], new["token"]) as seat:
                await play(seat, 1000)
            made = await server.ask("POST", f"/tables/{new['id']}/challenge", new["token"])
            attempts = f"/challenges/{made['id']}/attempts"
            begun = await server.ask("POST", attempts, bob, name="Bob")
            async with server.watch(begun["table"], bob) as seat:
                await play(seat, 1000)
            comparison = await server.ask("GET", f"/challenges/{made['id']}/comparison", bob)
            assert len(comparison["attempts"]) == 2

    run(go())


def test_a_package_is_removed_and_upgraded(path: Path, sqlite_database: str) -> None:
    """Its tables are in quarantine, and all others go on; with the package, they are back."""
    put_own(path)

    async def go() -> None:
        async with running(sqlite_database) as url, Server(url) as server:
            new, good = await server.create(game="own", **PEOPLE), await server.create(**PEOPLE)
            async with server.watch(new["id"], new["token"]) as seat:
                await play(seat, 2)
                version = seat.version

        async def load(works: bool) -> None:
            async with running(sqlite_database) as url, Server(url) as server:
                asked = server.ask("GET", f"/tables/{new['id']}")
                if works:
                    assert (await asked)["version"] == version
                else:
                    assert await refusal(asked) == "damaged_table"
                async with server.watch(good["id"], good["token"]) as seat:
                    await play(seat, 1)

        remove_own(path)
        await load(False)
        put_own(path, "def apply(self, state, move): raise IllegalMove('Not any more.', 'no_lay')")
        await load(False)
        remove_own(path)
        put_own(path)
        await load(True)

    run(go())


ENDLESS_BOT = """
from dalapapa.bots import Bot

class Own(Bot):
    def choose(self, view):
        while True: pass
"""


def test_an_endless_bot_of_another_package_plays_the_least_moves(
    path: Path, monkeypatch: pytest.MonkeyPatch, sqlite_database: str
) -> None:
    """At a table of a package; it leaves the menus, and its tables can be loaded again."""
    monkeypatch.setattr(packages, "CALL_LIMIT_S", 2)
    put(path, "own_bot", ENDLESS_BOT, "dalapapa.bots", own="own_bot:Own")
    put_example(path)

    async def go() -> None:
        async with served(sqlite_database) as here, Server(here.url) as server:
            settings = {"game": "three", "seats": [None, "own"], "host": "Ann", "pace": 0}
            new = await server.create(**settings)
            async with server.watch(new["id"], new["token"]) as seat:
                await play(seat, 4)
            assert await refusal(server.create(**settings)) == "unknown_bot"
            *_, three = await server.ask("GET", "/games")
            assert "guests" not in three
            registry = here.tables.registry
            registry.drop(await registry.find(new["id"]), NotFound("Out of memory."))
            async with server.watch(new["id"], new["token"]) as seat:
                await play(seat, 2)

    run(go())


ENDLESS_BRAIN = """
from dalapapa.bots.levels import LevelBot


class OwnBot(LevelBot):
    def choose(self, view):
        while True: pass
"""

WITH_BRAIN = """
from dalapapa.games.classic import Classic
from dalapapa.games.game import GameParts
from endless.bot import OwnBot


class Own(Classic):
    name = 'own'
    parts = GameParts(bot=OwnBot)


GAME = Own()
"""


def test_an_endless_bot_of_a_game_closes_its_table(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packages, "THINKING_LIMIT_S", 2)
    (path / "endless").mkdir()
    (path / "endless" / "__init__.py").touch()
    (path / "endless" / "bot.py").write_text(ENDLESS_BRAIN)
    (path / "endless" / "rules.py").write_text(WITH_BRAIN)
    put(path, "owner", "", own="endless.rules:GAME")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            good = await server.create(seats=[None, "greedy"], host="Ann", pace=0)
            bad = await server.create(game="own", seats=["medium", None], host="Ann", pace=0)
            async with (
                server.watch(good["id"], good["token"]) as seat,
                server.watch(bad["id"], bad["token"]) as player,
            ):
                closed = asyncio.create_task(refusal(wait_for_end(player)))
                await play(seat, 4)
                assert await closed == "broken_game"

    run(go())
    assert not {name for name in sys.modules if name.startswith("endless")}


async def wait_for_end(viewer: Viewer) -> None:
    """Wait until the connection ends."""
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            await viewer.changed()
