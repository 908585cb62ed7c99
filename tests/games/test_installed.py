"""A game of another package: registered, played everywhere, and harmless if broken."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dalapapa import games, record
from dalapapa.adapters import zoo
from dalapapa.bots import list_bots, list_levels, make_bot
from dalapapa.bots.arena import play_game
from dalapapa.bots.levels import BOT_NAMES
from dalapapa.client import Refused, Server, Viewer
from dalapapa.coach.reasons import split_turn
from dalapapa.core.errors import BadOptions
from dalapapa.core.tiles import standard
from dalapapa.games import REGISTRY
from dalapapa.games.bag import fill_bag
from dalapapa.games.classic import ClassicGame, ClassicOptions, ClassicState, ClassicView
from dalapapa.games.classic.reviewer import PointsReviewer
from dalapapa.games.events import Laid
from dalapapa.server.workers import packages
from tests.support.installing import EXAMPLE, installing, put, put_example
from tests.support.serving import PATIENCE, first, refusal, running
from tests.support.thoroughness import daily

Install = Callable[..., None]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the path; what is registered there is forgotten again."""
    with installing(tmp_path / "installed", monkeypatch) as folder:
        yield folder


def test_the_example_is_short_and_public() -> None:
    texts = [file.read_text() for file in EXAMPLE.iterdir() if file.is_file()]
    assert sum(len(text.splitlines()) for text in texts) < 45
    assert not any(re.search(r"\b_[a-z]", text.replace("build_meta", "")) for text in texts)


def test_the_example_is_played_from_the_command_line(tmp_path: Path) -> None:
    put_example(tmp_path)
    here = [str(tmp_path), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(here)}

    def run(*words: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "dalapapa", *words],
            capture_output=True, text=True, env=environment, check=False,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        return done.stderr if code else done.stdout

    (entry,) = json.loads(run("games", "three", "--json"))
    assert [option["name"] for option in entry["options"]] == ["target", "first", "set", "charge"]
    listed = json.loads(run("games", "--json"))
    assert [one["name"] for one in listed] == [*REGISTRY, "three"]

    words = ("--game", "three", "--seed", "x", "--option", "charge=2", "--json")
    records = tmp_path / "records"
    played = ("--players", "greedy,random,greedy", "--games", "2", "--records", str(records))
    answer = json.loads(run("simulate", *words, *played))
    assert answer["games"] == 2
    assert answer["wins"][1] == 0, "random against greedy"
    run("replay", str(records / "three-000000.json"))
    climbed = json.loads(run("ladder", *words, "--games", "4", "--jobs", "1"))
    assert [one["name"] for one in climbed["programs"]] == ["novice", "easy", "medium"]
    assert "unknown_bot" in run("simulate", *words, "--players", "unknown,greedy", code=2)
    assert "no_review" in run("analyse", str(records / "three-000000.json"), code=2)


def test_the_example_is_played_over_a_socket(path: Path) -> None:
    put_example(path)

    async def go() -> None:
        async with running() as url, Server(url) as server:
            *ours, three = await server.ask("GET", "/games")
            assert len(ours) == len(REGISTRY)
            assert three["programs"] == ["novice", "easy", "medium"]
            assert three["charge"] == 3
            assert not any("charge" in one or "guests" in one for one in ours)
            assert three["title"] == "Three"
            assert three["description"].startswith("Lay up to three dominoes")
            asked = server.create(game="three", seats=[None, "unknown"], host="Ann")
            assert await refusal(asked) == "unknown_bot"
            new = await server.create(
                game="three", seats=[None, "greedy"], host="Ann", pace=0, options={"charge": 1}
            )
            async with server.watch(new["id"], new["token"]) as seat:
                while seat.table["phase"] != "over":
                    moves = await seat.legal()
                    if moves:  # As many dominoes in a turn as there may be.
                        lays = [move for move in moves if move["move"] == "lay"]
                        await seat.move(first(lays or moves))
                    else:
                        await seat.changed()
                assert seat.views["0"]["options"]["charge"] == 1
            replayed = record.replay(record.load(await server.record(new["id"])))
            events = [event for step in replayed.steps for event in step.events]
            assert {one.charge for one in events if isinstance(one, Laid)} == {0, 1}

    asyncio.run(asyncio.wait_for(go(), PATIENCE))


def test_a_variant_has_the_bots_of_its_game_and_an_environment(path: Path) -> None:
    put_example(path)
    game = games.find_game("three")
    assert list_bots(game) == BOT_NAMES
    assert list_levels(game) == ("novice", "easy", "medium"), "no level looks ahead with three"
    assert make_bot("greedy", game, "").seconds(None) == 0.7
    assert zoo.env("three").unwrapped.actions.slots == 3


@pytest.mark.parametrize("level", ["novice", "medium", "expert"])
def test_our_bots_play_a_variant_by_its_charge_and_its_hand(path: Path, level: str) -> None:
    """No bot lays another domino for what it costs or less; all three are laid at times."""
    put_example(path)
    game, sizes = games.find_game("three"), set()
    for charge in (0, 9):
        options = game.parse_options({"charge": charge})
        recorder, _ = play_game(game, (level, level), options, "x")
        steps: list[Any] = list(record.replay(record.load(record.dump(recorder.record()))).steps)
        laid = [
            one for step in steps for one in step.events if isinstance(one, Laid) and one.scores
        ]
        assert {one.charge for one in laid} <= {0, charge}
        if level != "novice":  # Who does not see all may be mistaken.
            assert all(one.points > 0 or not one.charge for one in laid)
        sizes |= {(charge, len(step.state.turn)) for step in steps}
    assert (0, 3) in sizes
    assert (9, 3) not in sizes, "worth it once in many games"


class ExpensiveOptions(ClassicOptions, frozen=True, forbid_unknown_fields=True):
    """A second domino costs more."""

    charge = 7


class Expensive(ClassicGame[ExpensiveOptions, ClassicState, ClassicView]):
    """A variant with a fixed charge, which stands in no record."""

    name = "expensive"


def test_the_coach_counts_by_the_charge_of_a_variant() -> None:
    game = Expensive()
    recorder, _ = play_game(game, ("medium", "medium"), game.parse_options({}), "x")
    assert "charge" not in msgspec.to_builtins(recorder.record().options)
    start = game.start(2, {}, fill_bag(standard().names, "x"))
    steps: list[Any] = [start, *(step for _, step in recorder.moves)]
    turns = PointsReviewer.turns(steps)
    assert turns
    assert {turn.lost for turn in turns} == {0}, "medium plays the best turn for points"
    for turn in turns:
        parts = split_turn(
            steps[turn.first].state.table, turn.layings, game.parse_options({}).charge
        )
        assert sum(part.earned.points - part.charge for part in parts) == turn.points


def test_a_game_of_a_new_kind_has_the_general_bots(path: Path) -> None:
    put(path, "own_game", GENERAL_GAME, own="own_game:GAME")
    game = games.find_game("own")
    assert list_bots(game) == list_levels(game) == ("random", "greedy")
    _, score = play_game(game, ("greedy", "random"), game.parse_options({}), "x")
    assert score.outcome.reason == "enough"


GENERAL_GAME = """
from msgspec.structs import replace
from dalapapa.games.classic import ClassicOptions, ClassicView
from dalapapa.games.game import Step
from dalapapa.games.events import Laid
from dalapapa.games.turns import TurnGame, TurnState, TurnView
from dalapapa.games.turns import draw_for, lay_for_active, list_layings
from dalapapa.kernel.table import Table


class Own(TurnGame[ClassicOptions, TurnState, TurnView]):
    name = "own"
    seats = range(2, 3)

    def begin(self, players, options, bag):
        table = Table(self.tiles(options)).freeze()
        state = TurnState(
            options=options, phase="play", table=table, bag=bag, hands=((), ()), active=0
        )
        return Step(draw_for(state, 0, 1, []), ())

    def legal_moves(self, view):
        return list_layings(view) if view.viewer == view.active and view.phase == "play" else []

    def apply(self, state, move):
        self.check_turn(state, move)
        state, earned = lay_for_active(state, move.laying)
        events = [Laid(move.player, move.laying, earned, scores=False)]
        if len(state.table) == 3:
            return self.finish(state, (0, 0), "enough", events)
        seat = 1 - state.active
        state = draw_for(replace(state, active=seat), seat, 1, events)
        return Step(state, tuple(events))


GAME = Own()
"""


WITH_BOT = """
from dalapapa.games.classic import Classic
from dalapapa.games.game import GameParts
from {package}.bot import OwnBot


class Own(Classic):
    name = "own"
    parts = GameParts(bot=OwnBot)


GAME = Own()
"""

GOOD = "from dalapapa.games.classic import Classic\n\nclass Own(Classic):\n    name = 'own'\n"

BROKEN = {
    "no module": ("import no_such_module\n", "ModuleNotFoundError"),
    "no text": ("1 +\n", "SyntaxError"),
    "nothing": ("", "AttributeError"),
    "no game": ("GAME = 'own'\n", "it must be a Game"),
    "a class": (f"{GOOD}\nGAME = Own\n", "it must be a Game"),
    "a taken name": (f"{GOOD}    name = 'gone'\n\nGAME = Own()\n", "another game is called gone"),
    "a strange name": (f"{GOOD}    name = '../own'\n\nGAME = Own()\n", "its name"),
    "no range": (f"{GOOD}    seats = (2, 3)\n\nGAME = Own()\n", "its seats"),
    "a crowd": (f"{GOOD}    seats = range(2, 99)\n\nGAME = Own()\n", "its seats"),
    "no view": (f"{GOOD}    view_type = dict\n\nGAME = Own()\n", "its view_type"),
    "no options": (f"{GOOD}    options = 3\n\nGAME = Own()\n", "Ignoring"),
    "no beginning": (
        f"{GOOD}    def begin(self, *_):\n        raise KeyError\n\nGAME = Own()\n", "KeyError"
    ),
    "two outcomes": (
        f"{GOOD}    def outcome(self, state):\n        return None\n\nGAME = Own()\n",
        "Own must not define outcome: define winners instead",
    ),
    "no sight": (
        f"{GOOD}    def view_fields(self, *_):\n        return {{}}\n\nGAME = Own()\n", "TypeError"
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_game_is_left_out_with_a_sentence(
    path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    source, why = BROKEN[what]
    put(path, "broken_game", source, own="broken_game:GAME")
    put_example(path)
    with caplog.at_level(logging.WARNING, "dalapapa"):
        assert [entry.name for entry in games.list_entries()] == [*REGISTRY, "three"]
        games.list_entries()
    (logged,) = [one.getMessage() for one in caplog.records]
    assert logged.startswith("Ignoring the game own (broken_game:GAME): ")
    assert why in logged
    assert "\n" not in logged
    with pytest.raises(BadOptions, match="no game called 'own'"):
        games.find_game("own")


def test_of_two_games_with_one_name_the_first_is_listed(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(path, "own_game", f"{GOOD}\nGAME = Own()\n", a="own_game:GAME", b="own_game:GAME")
    assert games.find_game("own").name == "own"
    assert "Ignoring the game b (own_game:GAME)" in caplog.text


def test_a_package_may_bring_bots(path: Path) -> None:
    """A game names its bot in `parts`."""
    package = path / "own_package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "rules.py").write_text(WITH_BOT.format(package="own_package"))
    shutil.copy(Path(games.__file__).parent / "classic" / "bot.py", package / "bot.py")
    text = (package / "bot.py").read_text()
    text = text.replace("from ...", "from dalapapa.").replace("from ..", "from dalapapa.games.")
    text = text.replace("from .rules", "from dalapapa.games.classic")
    (package / "bot.py").write_text(text.replace("ClassicBot", "OwnBot"))
    put(path, "owner", "", own="own_package.rules:GAME")
    game = games.find_game("own")
    assert "expert" in list_bots(game)
    assert type(make_bot("novice", game, "")).__module__ == "own_package.bot"


# -- broken while it is played --------------------------------------------------------------------


async def last_word(viewer: Viewer) -> None:
    """Wait until the connection ends."""
    while True:
        await viewer.changed()


async def until_refused(viewer: Viewer) -> None:
    """Play on, if there is anything to play."""
    while True:
        if moves := await viewer.legal():
            await viewer.move(first(moves))
        else:
            await viewer.changed()


def own(method: str, does: str, when: str = "len(state.table)") -> str:
    """A game of which a method does something else as soon as a domino lies."""
    return (
        f"{GOOD}\n    def {method}(self, state, *more):\n"
        f"        if {when}:\n            {does}\n"
        f"        return super().{method}(state, *more)\n\nGAME = Own()\n"
    )


BROKEN_LATER = {
    "apply fails": own("apply", "raise KeyError('oops')", "True"),
    "apply gives nothing": own("apply", "return None", "True"),
    "apply never ends": own("apply", "while True: pass", "True"),
    # What takes for ever is tested, with and without work.
    "apply sleeps": own("apply", "__import__('time').sleep(1000)", "True"),
    "apply catches all": own(
        "apply", "\n            ".join(("for _ in iter(int, 1):", "    try:", "        while 1: 1",
                                        "    except Exception: pass")), "True",
    ),
    "no view": own("view_fields", "raise ZeroDivisionError"),
    "a strange view": own("view", "return {'table': state.table}"),
    "no timer": own("timer", "return 3"),
    "no actors": own("actors", "return 'x'"),
    "no outcome": own("apply", "from msgspec.structs import replace\n            "
                      "step = super().apply(state, *more)\n            "
                      "return replace(step, state=replace(step.state, outcome='won'))", "True"),
    "no clock": own("clock_player", "return -1"),
}  # fmt: skip


@pytest.mark.parametrize(
    "what",
    daily(BROKEN_LATER, ["apply fails", "apply gives nothing", "apply never ends", "no view"]),
)
def test_a_game_that_breaks_closes_its_table_and_no_other(
    path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    hangs = what in ("apply never ends", "apply sleeps", "apply catches all")
    monkeypatch.setattr(packages, "CALL_LIMIT_S", 2 if hangs else PATIENCE)
    put(path, "broken_game", BROKEN_LATER[what], own="broken_game:GAME")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            people = {"seats": [None, None], "host": "Ann", "guests": ["Bob"]}
            good = await server.create(visibility="public", **people)
            clock = {"kind": "turn"}
            bad = await server.create(game="own", visibility="public", clock=clock, **people)
            async with server.watch(good["id"], good["token"]) as seat:
                async with server.watch(bad["id"], bad["token"]) as player:
                    (move, *_) = await player.legal()
                    assert await refusal(player.move(move)) == "broken_game"
                    with pytest.raises(Refused, match="The game own is broken"):
                        await last_word(player)
                assert await refusal(server.watch(bad["id"]).__aenter__()) == "broken_game"
                response = await server.http.get(f"/tables/{bad['id']}")
                assert (response.status_code, response.json()["code"]) == (503, "broken_game")
                for _ in range(5):
                    moves = await seat.legal(0) or await seat.legal(1)
                    await seat.move(first(moves))
                listed = [table["id"] for table in await server.ask("GET", "/tables")]
                assert listed == [good["id"]]
                offered = [game["name"] for game in await server.ask("GET", "/games")]
                assert ("own" in offered) is not hangs, "a game that hung is not asked again"
                if hangs:
                    assert await refusal(server.create(game="own", **people)) == "broken_game"

    asyncio.run(asyncio.wait_for(go(), PATIENCE))
    logged = [one.getMessage() for one in caplog.records if one.name == "dalapapa"]
    assert logged
    assert all(one.startswith("The game own (broken_game) is broken: ") for one in logged)


@pytest.mark.thorough
def test_endless_moves_delay_no_other_table(path: Path) -> None:
    source = own("legal_moves", "while True: pass", "len(state.table) == 0")
    put(path, "broken_game", source, own="broken_game:GAME")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            people = {"seats": [None, None], "host": "Ann", "guests": ["Bob"]}
            good, bad = await server.create(**people), await server.create(game="own", **people)
            async with (
                server.watch(good["id"], good["token"]) as seat,
                server.watch(bad["id"], bad["token"]) as player,
            ):
                asked = asyncio.create_task(player.legal())
                (move, *_) = await seat.legal()
                await seat.move(move)
                assert not asked.done()
                assert await refusal(asked) == "too_hard"
                assert await refusal(player.legal()) == "too_hard", "not asked again"
                lay = {
                    "player": 0,
                    "move": "lay",
                    "laying": f"{player.views['0']['hand'][0]}+0@0,0",
                }
                await player.move(lay)

    asyncio.run(asyncio.wait_for(go(), PATIENCE))


@pytest.mark.parametrize(
    ("base", "when"),
    [("object", "create"), ("LevelBot", "play")],
)
def test_a_broken_bot_harms_only_its_own_table(path: Path, base: str, when: str) -> None:
    package = path / f"own_{when}"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "rules.py").write_text(WITH_BOT.format(package=package.name))
    (package / "bot.py").write_text(
        f"from dalapapa.bots.levels import LevelBot\n\n\nclass OwnBot({base}):\n"
        "    def choose(self, view):\n        raise OSError('no brain')\n"
    )
    put(path, "owner", "", own=f"own_{when}.rules:GAME")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            asked = server.create(game="own", seats=[None, "greedy"], host="Ann", pace=0)
            if when == "create":
                assert await refusal(asked) == "broken_game"
            else:
                new = await asked
                async with server.watch(new["id"], new["token"]) as seat:
                    assert await refusal(until_refused(seat)) == "broken_game"
            await server.create()

    asyncio.run(asyncio.wait_for(go(), PATIENCE))
