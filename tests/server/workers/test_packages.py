"""Games and bots of packages in a server: workers run them, and none harms another table."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dalapapa.client import Refused, Server, Viewer
from dalapapa.games import REGISTRY
from dalapapa.server.monitoring.loop_lag import LoopLag
from dalapapa.server.ops.admin import Admin
from dalapapa.server.workers import packages
from dalapapa.server.workers.remote_games import RemoteEvent
from tests.support.installing import installing, put, put_example
from tests.support.serving import PATIENCE, first, refusal, running, served
from tests.support.thoroughness import daily
from tests.support.waiting import wait_until

PEOPLE: dict[str, Any] = {"seats": [None, None], "host": "Ann", "guests": ["Bob"]}

GOOD = "from dalapapa.games.classic import Classic\n\n\nclass Own(Classic):\n    name = 'own'\n"

GOOD_BOT = """
from dalapapa.bots import Bot

class Own(Bot):
    def choose(self, view):
        return self.game.legal_moves(view)[-1]
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the path; what is registered there is forgotten again."""
    with installing(tmp_path / "installed", monkeypatch) as folder:
        yield folder


def run(test: Awaitable[None]) -> None:
    asyncio.run(asyncio.wait_for(test, PATIENCE))


def own(method: str, *lines: str) -> str:
    """A game with another method."""
    body = "".join(f"        {line}\n" for line in lines)
    return f"{GOOD}\n    def {method}(self, *args):\n{body}\n\nGAME = Own()\n"


async def play(viewer: Viewer, most: int = 1000) -> None:
    """Play to the end, or so many moves, in all seats of a viewer."""
    for _ in range(most):
        if viewer.table["phase"] == "over":
            return
        for seat in viewer.yours:
            if moves := await viewer.legal(seat):
                lays = [move for move in moves if move["move"] == "lay"]
                await viewer.move(first(lays or moves))
                break
        else:
            await viewer.changed()


async def wait_for_end(viewer: Viewer) -> None:
    """Wait until the connection ends."""
    while True:
        await viewer.changed()


# -- the process of the event loop -----------------------------------------------------------------


def test_the_server_process_imports_no_package(path: Path, sqlite_database: str) -> None:
    """It plays, shows, lists, loads and replays their games all the same."""
    put_example(path)
    put_example(path, "magpie")

    async def go() -> None:
        async with running(sqlite_database) as url, Server(url) as server:
            *_, three = await server.ask("GET", "/games")
            assert three["guests"][0]["name"] == "magpie"
            new = await server.create(
                game="three", seats=[None, "magpie", "greedy"], host="Ann", pace=0,
                visibility="public", clock={"kind": "turn", "seconds": 600},
            )  # fmt: skip
            classic = await server.create(seats=[None, "magpie"], host="Ann", pace=0)
            async with (
                server.watch(new["id"], new["token"]) as seat,
                server.watch(classic["id"], classic["token"]) as other,
            ):
                await play(seat, 5)
                await play(other, 3)
            picture = await server.http.get(f"/tables/{new['id']}/picture.svg")
            assert picture.status_code == 200
            assert picture.text.startswith("<svg")
            (listed,) = await server.ask("GET", "/tables")
            assert listed["id"] == new["id"]
            before = await server.ask("GET", f"/tables/{new['id']}")
        async with running(sqlite_database) as url, Server(url) as server:
            after = await server.ask("GET", f"/tables/{new['id']}")
            assert {**after, "table": None} == {**before, "table": None}, "loaded from its log"
            async with server.watch(new["id"], new["token"]) as seat:
                await play(seat)
                assert seat.table["phase"] == "over"
            record = await server.record(new["id"])
            replay = await server.ask("GET", f"/tables/{new['id']}/replay")
            history = await server.ask("GET", f"/tables/{new['id']}/history")
            assert replay["outcome"]["scores"] == history[-1]["events"][-1]["outcome"]["scores"]
            answer = await server.http.post("/replay", content=record)
            assert answer.json()["outcome"] == replay["outcome"]
            answer = await server.http.post("/review", content=record)
            assert answer.json()["code"] == "no_review"

    run(go())
    assert not {"three_dominoes", "magpie"} & set(sys.modules)


def test_only_the_player_of_an_event_sees_all_of_it() -> None:
    """Not spectators, even if the event has no player."""
    for player, viewer in ((0, 0), (0, 1), (0, None), (None, 0), (None, None)):
        event = RemoteEvent(player, b"1", b"2")
        assert bytes(event.redact(viewer)) == (b"1" if (player, viewer) == (0, 0) else b"2")


class Lags:
    """Collects how late the event loop was."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def observe(self, seconds: float) -> None:
        self.seconds.append(seconds)


@contextlib.asynccontextmanager
async def measured_lags() -> Any:
    lags = Lags()
    lag = LoopLag(series=lags)  # type: ignore[arg-type]  # Of a series, it needs `observe`.
    lag.open()
    yield lags.seconds
    await lag.close()


def test_an_endless_move_delays_no_other_table(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither tables of our games, nor the event loop, nor tables of another package."""
    limit_s = 6.0
    monkeypatch.setattr(packages, "CALL_LIMIT_S", limit_s)
    put(path, "endless_game", own("apply", "while True: pass"), own="endless_game:GAME")
    put_example(path)

    async def go() -> None:
        async with running() as url, Server(url) as server:
            games = ("own", "classic", "three")
            tables = [await server.create(game=game, **PEOPLE) for game in games]
            async with contextlib.AsyncExitStack() as stack:
                endless, *others = [
                    await stack.enter_async_context(server.watch(table["id"], table["token"]))
                    for table in tables
                ]
                (move, *_) = await endless.legal(0)
                for other in others:
                    await play(other, 2)  # Their workers have started.
                hanging = asyncio.create_task(refusal(endless.move(move)))
                longest = 0.0
                async with measured_lags() as lags:
                    for other in (*others, *others, *others):
                        began = time.monotonic()
                        await play(other, 1)
                        longest = max(longest, time.monotonic() - began)
                    assert not hanging.done()
                    assert await hanging == "broken_game"
                assert longest < limit_s / 2
                assert max(lags) < limit_s / 2

    run(go())
    assert "endless_game" not in sys.modules


# -- broken in many ways ---------------------------------------------------------------------------


HOSTILE = {
    "its process ends": (own("apply", "__import__('os')._exit(1)"), "it ended its process"),
    "Python ends": (own("apply", "raise SystemExit"), "SystemExit"),
    "a huge view": (
        own("view", "view = super().view(*args)", "from msgspec.structs import replace",
            "big = 'x' * (10**7 if len(args[0].table) else 1)",
            "return replace(view, phase=view.phase + big)"),
        "bytes",
    ),
    "a huge state": (
        own("apply", "from msgspec.structs import replace", "step = super().apply(*args)",
            "return replace(step, state=replace(step.state, phase='x' * 10**7))"),
        "bytes",
    ),
    "a state that cannot be pickled": (
        own("apply", "from msgspec.structs import replace", "step = super().apply(*args)",
            "return replace(step, state=replace(step.state, phase=lambda: 0))"),
        "pickle",
    ),
    "seats as text": (
        own("actors", "return ('x',) if len(args[0].table) else super().actors(*args)"),
        "are to act",
    ),
    "scores as text": (
        own("apply", "from msgspec.structs import replace", "step = super().apply(*args)",
            "from dalapapa.games.events import Outcome",
            "return replace(step, state=replace(step.state, outcome=Outcome(('x',), (), 'x')))"),
        "ValidationError",
    ),
    "an endless number": (
        own("count_laid", "return 0") .replace(
            "GAME", "    def clock_player(self, state):\n        return 10**400\n\n\nGAME"),
        "left out",
    ),
    **{
        f"an endless {hook}": (
            own(hook, "while len(args[0].table): pass", f"return super().{hook}(*args)"),
            "it took too long",
        )
        for hook in ("view", "actors", "next_actors", "clock_player", "timer")
    },
}  # fmt: skip


@pytest.mark.parametrize(
    "what", daily(HOSTILE, ["its process ends", "a huge view", "an endless view"])
)
def test_a_hostile_game_closes_its_own_table(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(packages, "CALL_LIMIT_S", 2 if "endless" in what else PATIENCE)
    source, why = HOSTILE[what]
    put(path, "hostile_game", source, own="hostile_game:GAME")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            good = await server.create(**PEOPLE)
            if why == "left out":
                assert await refusal(server.create(game="own", **PEOPLE)) == "unknown_game"
                return
            bad = await server.create(game="own", **PEOPLE)
            async with (
                server.watch(good["id"], good["token"]) as seat,
                server.watch(bad["id"], bad["token"]) as player,
            ):
                (move, *_) = await player.legal(0)
                assert await refusal(player.move(move)) == "broken_game"
                with pytest.raises(Refused, match="The game own is broken"):
                    await wait_for_end(player)
                await play(seat, 3)

    run(go())
    assert "hostile_game" not in sys.modules
    logged = [one.getMessage() for one in caplog.records if one.name == "dalapapa"]
    assert logged
    assert all(one.startswith("The game own (hostile_game") and why in one for one in logged)


OWN_REFUSAL = """
from dalapapa.core.errors import IllegalMove
from dalapapa.games.classic import Classic


class Unlucky(IllegalMove):
    pass


class Own(Classic):
    name = 'own'

    def apply(self, state, move):
        raise Unlucky("Not on a Friday.", "unlucky", days=3)


GAME = Own()
"""


def test_a_refusal_of_a_class_of_the_package_is_a_refusal(path: Path) -> None:
    put(path, "unlucky_game", OWN_REFUSAL, own="unlucky_game:GAME")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(game="own", **PEOPLE)
            async with server.watch(new["id"], new["token"]) as player:
                (move, *_) = await player.legal(0)
                for _ in range(2):
                    with pytest.raises(Refused, match="Not on a Friday") as caught:
                        await player.move(move)
                    assert caught.value.code == "unlucky"

    run(go())
    assert "unlucky_game" not in sys.modules


BROKEN_IMPORTS = {
    "it ended its process": "__import__('os')._exit(1)\n",
    "it took too long": "while True: pass\n",
    "SystemExit": "raise SystemExit\n",
    "it must be a Game": "GAME = Own = 'own'\n",
}


@pytest.mark.parametrize("why", BROKEN_IMPORTS)
def test_packages_that_cannot_be_imported_are_left_out(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    """All others are there, and no worker of the server imports a broken one again."""
    monkeypatch.setattr(packages, "TRIAL_LIMIT_S", 2 if "long" in why else PATIENCE)
    put(path, "broken_game", BROKEN_IMPORTS[why], own="broken_game:GAME")
    put(path, "broken_bot", BROKEN_IMPORTS[why], "dalapapa.bots", own="broken_bot:Own")
    put_example(path)
    put_example(path, "magpie")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            listed = await server.ask("GET", "/games")
            assert [game["name"] for game in listed] == [*REGISTRY, "three"]
            assert [guest["name"] for guest in listed[0]["guests"]] == ["magpie"]
            assert await refusal(server.create(game="own", **PEOPLE)) == "unknown_game"
            unknown = server.create(seats=[None, "own"], host="Ann")
            assert await refusal(unknown) == "unknown_bot"
            new = await server.create(game="three", seats=[None, "magpie"], host="Ann", pace=0)
            async with server.watch(new["id"], new["token"]) as seat:
                await play(seat, 3)

    run(go())
    broken = {
        "game own (broken_game:GAME)": why,
        "bot own (broken_bot:Own)": why.replace("a Game", "a subclass of Bot"),
    }
    for what, reason in broken.items():
        (logged,) = [text for one in caplog.records if what in (text := one.getMessage())]
        assert logged.startswith("Ignoring ")
        assert reason in logged


@pytest.mark.parametrize("source", [own("begin", "while True: pass")])
def test_a_game_that_hangs_at_the_start_is_left_out(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    monkeypatch.setattr(packages, "TRIAL_LIMIT_S", 2)
    put(path, "broken_game", source, own="broken_game:GAME")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            assert [game["name"] for game in await server.ask("GET", "/games")] == [*REGISTRY]

    run(go())
    assert "Ignoring the game own (broken_game:GAME): it took too long" in caplog.text


# -- logs that change ------------------------------------------------------------------------------


def test_a_forgotten_name_disappears_from_a_table_in_play(path: Path, sqlite_database: str) -> None:
    """The log is rewritten: the table is replayed in a worker, and goes on."""
    put_example(path)

    async def go() -> None:
        async with served(sqlite_database) as here, Server(here.url) as server:
            new = await server.create(game="three", seats=[None, None], host="Ann")
            token = await server.sit(new["id"], 1, "Bob")
            async with server.watch(new["id"], new["token"], token) as seat:
                await play(seat, 2)
                assert not {"three_dominoes"} & set(sys.modules)
                async with Admin.open(sqlite_database) as admin:
                    await admin.forget([new["token"]])
                live = await here.tables.find(new["id"])
                await wait_until(
                    lambda: live.state.seats[0].name == "player 1", "a table without the name"
                )
                assert live.state.game_state.views, "viewers see its last state"
                history = await server.ask("GET", f"/tables/{new['id']}/history")
                assert "Ann" not in str(history)

    run(go())
