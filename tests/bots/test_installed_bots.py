"""A bot of another package: registered, usable by name, and harmless if broken."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dalapapa import Match, compare, games, record
from dalapapa.bots import Bot, list_bots, list_levels, make_bot
from dalapapa.bots.arena import play_game
from dalapapa.bots.installed import InstalledBot
from dalapapa.bots.levels import BOT_NAMES
from dalapapa.client import Server, Viewer
from dalapapa.core.errors import BadOptions
from dalapapa.core.tiles import standard
from dalapapa.games import REGISTRY
from dalapapa.games.bag import fill_bag
from dalapapa.games.moves import Move
from dalapapa.games.plain import read_view, to_plain
from dalapapa.server.workers import bots
from tests.support.installing import EXAMPLES, installing, put, put_example
from tests.support.serving import PATIENCE, refusal, running
from tests.support.thoroughness import daily

CLASSIC = games.find_game("classic")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the path; what is registered there is forgotten again."""
    with installing(tmp_path / "installed", monkeypatch) as folder:
        yield folder


def test_the_example_is_short() -> None:
    files = [file for file in (EXAMPLES / "magpie").iterdir() if file.is_file()]
    assert sum(len(file.read_text().splitlines()) for file in files) < 40


def test_the_example_is_played_from_the_command_line(path: Path, tmp_path: Path) -> None:
    put_example(path, "magpie")

    def run(*words: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "dalapapa", *words], capture_output=True, text=True, check=False
        )
        assert done.returncode == code, done.stderr
        return done.stderr if code else done.stdout

    words = ("--players", "magpie,random", "--seed", "x", "--json")
    records = str(tmp_path / "records")
    answer = json.loads(run("simulate", *words, "--games", "2", "--records", records))
    assert answer["players"] == ["magpie", "random"]
    assert answer["wins"] == [2, 0]
    run("replay", f"{records}/classic-000000.json")
    climbed = ("--levels", "magpie,medium", "--games", "4", "--jobs", "1", "--json")
    answer = json.loads(run("ladder", *climbed))
    assert [one["name"] for one in answer["programs"]] == ["magpie", "medium"]
    assert "unknown_bot" in run("simulate", "--game", "gone", *words, code=2), "not its game"


@pytest.mark.thorough
def test_the_example_is_played_over_a_socket(path: Path) -> None:
    put_example(path, "magpie")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            listed = {game["name"]: game for game in await server.ask("GET", "/games")}
            (magpie,) = listed["classic"]["guests"]
            assert (magpie["name"], magpie["title"]) == ("magpie", "Magpie")
            assert magpie["description"].startswith("Closes the largest group")
            assert "magpie" not in listed["classic"]["programs"], "it has not been measured"
            assert "guests" not in listed["gone"]
            asked = server.create(game="gone", seats=[None, "magpie"], host="Ann")
            assert await refusal(asked) == "unknown_bot"
            new = await server.create(seats=[None, "magpie"], host="Ann", pace=0)
            async with server.watch(new["id"], new["token"]) as seat:
                await play(seat)
            loaded = record.load(await server.record(new["id"]))
            assert loaded.players[1].program == "magpie"

    asyncio.run(asyncio.wait_for(go(), PATIENCE))


async def play(seat: Viewer, most: int = 1000) -> None:
    """To the end, or so many moves: the last one of the list, so that turns end."""
    for _ in range(most):
        if seat.table["phase"] == "over":
            return
        moves = await seat.legal()
        if moves:
            await seat.move(moves[-1])
        else:
            await seat.changed()


def test_an_installed_bot_is_used_by_its_name(path: Path) -> None:
    put_example(path, "magpie")
    put_example(path)
    assert list_bots(CLASSIC) == (*BOT_NAMES, "magpie")
    assert "magpie" not in list_levels(CLASSIC)
    assert list_bots(games.find_game("three")) == (*BOT_NAMES, "magpie"), (
        "also in a game of another package"
    )
    assert "magpie" not in list_bots(REGISTRY["gone"])
    bot = make_bot("magpie", CLASSIC, "")
    assert isinstance(bot, InstalledBot)
    assert bot.seconds(None) == make_bot("medium", CLASSIC, "").seconds(None)
    with pytest.raises(BadOptions, match="'magpie': choose one of random"):
        make_bot("magpie", REGISTRY["gone"], "")


GOOD = """
from dalapapa.bots import Bot

class Own(Bot):
    def choose(self, view):
        return self.game.legal_moves(view)[-1]
"""

BROKEN = {
    "no module": ("import no_such_module\n", "ModuleNotFoundError"),
    "nothing": ("", "AttributeError"),
    "no class": (f"{GOOD}\nOwn = Own.choose\n", "it must be a subclass of Bot"),
    "another class": ("class Own:\n    def choose(self, view): pass\n", "it must be a subclass"),
    "no choice": ("from dalapapa.bots import Bot\nclass Own(Bot): pass\n", "it must define choose"),
    "one game as text": (f"{GOOD}\n    games = 'classic'\n", "its games"),
    "no pace": (f"{GOOD}\n    pace = 0\n", "its pace"),
    "cannot be made": (f"{GOOD}\n    def __init__(self): pass\n", "TypeError"),
    "ends Python": ("raise SystemExit\n", "SystemExit"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_one_is_left_out_with_a_sentence(
    path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    source, why = BROKEN[what]
    put(path, "broken_bot", source, "dalapapa.bots", own="broken_bot:Own")
    put_example(path, "magpie")
    with caplog.at_level(logging.WARNING, "dalapapa"):
        assert list_bots(CLASSIC) == (*BOT_NAMES, "magpie")
    (logged,) = [one.getMessage() for one in caplog.records]
    assert logged.startswith("Ignoring the bot own (broken_bot:Own): ")
    assert why in logged
    assert "\n" not in logged


@pytest.mark.parametrize("name", ["medium", "random", "guest", "Own"])
def test_a_name_that_is_taken_or_strange_is_left_out(
    path: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    put(path, "own_bot", GOOD, "dalapapa.bots", **{name: "own_bot:Own"})
    assert list_bots(CLASSIC) == BOT_NAMES
    assert f"Ignoring the bot {name} (own_bot:Own)" in caplog.text


def own(does: str) -> str:
    """A program that does something else once a domino lies."""
    return f"{GOOD}\n    def choose(self, view):\n        {does}\n"


FAILS = {
    "an exception": (own("raise KeyError('oops')"), "KeyError: 'oops'"),
    "no move": (own("return None"), "not None (NoneType)"),
    "not legal": (
        own("from dalapapa.games.moves import Undo; return Undo(view.player)"), "is illegal"
    ),
    "another player": (
        own("from dalapapa.games.moves import Pass; return Pass(1 - view.player)"), "is illegal"
    ),
    "not made later": (
        f"{GOOD}\n    def __init__(self, game, seed):\n        super().__init__(game, seed)\n"
        "        assert seed == 'trial'\n", "AssertionError"
    ),
    "ends Python": (own("raise SystemExit"), "SystemExit"),
}  # fmt: skip


@pytest.mark.parametrize("what", FAILS)
def test_a_failing_bot_loses_its_move(
    path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    source, why = FAILS[what]
    put(path, "broken_bot", source, "dalapapa.bots", own="broken_bot:Own")
    _, score = play_game(CLASSIC, ("medium", "own"), CLASSIC.parse_options({}), "x")
    assert score.outcome.winners == (0,)
    logged = [one.getMessage() for one in caplog.records]
    assert logged
    assert all(
        one.startswith("The bot own (broken_bot:Own) failed: ") and why in one for one in logged
    )


SERVED = {
    "an exception": FAILS["an exception"][0],
    "never ends": own("while True: pass"),
    "ends its process": own("__import__('os')._exit(1)"),
}


@pytest.mark.parametrize("what", daily(SERVED, ["an exception", "ends its process"]))
def test_a_table_goes_on_and_others_do_not_notice(
    path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    put(path, "broken_bot", SERVED[what], "dalapapa.bots", own="broken_bot:Own")

    async def go() -> None:
        async with running() as url, Server(url) as server:
            bad = await server.create(seats=[None, "own"], host="Ann", pace=0)
            good = await server.create(seats=[None, "medium"], host="Ann", pace=0)
            async with (
                server.watch(bad["id"], bad["token"]) as seat,
                server.watch(good["id"], good["token"]) as other,
            ):
                await asyncio.gather(play(seat, 12), play(other, 12))
            (classic, *_) = await server.ask("GET", "/games")
            assert ("guests" in classic) is (what == "an exception"), "who hung leaves the menus"

    asyncio.run(asyncio.wait_for(go(), PATIENCE))
    logged = [one.getMessage() for one in caplog.records if one.name == "dalapapa"]
    if what == "never ends":
        (sentence,) = logged
        assert "(broken_bot:Own) failed: it took too long." in sentence
    assert len(logged) == (what != "an exception"), "it is asked once; workers log exceptions"


def test_a_table_goes_on_without_its_package(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It was there when the table was set up, and is not installed any more."""
    del path
    state = CLASSIC.start(2, {}, fill_bag(standard().names, "x")).state
    assert bots.choose_next_bot(CLASSIC, state, {0: "gone_bot"}, 700)[0] == 0
    view = CLASSIC.view(state, 0)
    assert bots.think("classic", "gone_bot", "", view) == bots.think("classic", "greedy", "", view)
    (logged,) = [one.getMessage() for one in caplog.records]
    assert "gone_bot" in logged


CHOICES = {
    "a laying": "return getattr(view.legal[0], 'laying', view.legal[0])",
    "text": "return str(getattr(view.legal[0], 'laying', view.legal[0].__struct_config__.tag))",
    "a dict": "from dalapapa.games.moves import move_to_json; return move_to_json(view.legal[0])",
}


@pytest.mark.parametrize("what", CHOICES)
def test_a_bot_may_choose_in_every_form_that_a_match_reads(
    path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    put(path, "own_bot", own(CHOICES[what]), "dalapapa.bots", own="own_bot:Own")
    _, score = play_game(CLASSIC, ("own", "random"), CLASSIC.parse_options({}), "x")
    assert score.failures == (0, 0)
    assert not caplog.records


def test_failures_are_logged_once_with_a_traceback_and_then_counted(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(path, "broken_bot", FAILS["an exception"][0], "dalapapa.bots", own="broken_bot:Own")
    _, score = play_game(CLASSIC, ("medium", "own"), CLASSIC.parse_options({}), "x")
    assert score.failures[0] == 0
    assert score.failures[1] > 10
    first, *others = caplog.records
    assert first.exc_info is not None
    assert first.exc_info[0] is KeyError
    assert len(others) == len(str(score.failures[1])) - 1
    assert "(failure 10 in this process)" in others[0].getMessage()
    assert not any(one.exc_info for one in others)


def test_results_of_a_failing_bot_are_flagged(path: Path) -> None:
    put(path, "broken_bot", FAILS["an exception"][0], "dalapapa.bots", own="broken_bot:Own")
    found = compare("own", "random", games=4, jobs=2)
    assert found.failures[0] > 0
    assert found.failures[1] == 0
    assert "own failed at" in str(found)
    assert "is weaker" not in str(found)

    def run(*words: str) -> tuple[Any, str]:
        done = subprocess.run(
            [sys.executable, "-m", "dalapapa", *words, "--seed", "x", "--games", "4", "--json"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        return json.loads(done.stdout), done.stderr

    answer, says = run("simulate", "--players", "random,own", "--jobs", "1")
    assert answer["failures"][0] == 0
    assert f"own failed at {answer['failures'][1]} moves" in says
    assert says.count("Traceback") == 1
    answer, says = run("ladder", "--levels", "random,own", "--jobs", "1")
    assert [set(bot) & {"failures"} for bot in answer["programs"]] == [set(), {"failures"}]
    assert "its results do not count" in says


TIMED = """
from dalapapa.bots import Bot

class Own(Bot):
    def __init__(self, game, seed):
        self.known = self.time.seconds
        super().__init__(game, seed)

    def begin(self):
        assert self.known == self.time.seconds

    def choose(self, view):
        if self.known != 0.25:
            raise ValueError(f"it has {self.known} seconds")
        return view.legal[-1]
"""


def test_a_bot_knows_its_time_for_a_turn(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    put(path, "own_bot", TIMED, "dalapapa.bots", own="own_bot:Own")
    _, score = play_game(CLASSIC, ("own", "random"), CLASSIC.parse_options({}), "x", seconds=0.25)
    assert score.failures == (0, 0)
    assert not caplog.records
    words = ("simulate", "--players", "own,random", "--games", "1", "--seconds", "0.25")
    done = subprocess.run([sys.executable, "-m", "dalapapa", *words], check=False)
    assert done.returncode == 0


class Timed(Bot[Any]):
    """Knows its time as soon as a game begins."""

    def begin(self) -> None:
        self.known = self.time.seconds

    def choose(self, view: Any) -> Move:
        assert self.known == 0.25
        move: Move = view.legal[-1]
        return move


@pytest.mark.parametrize("bot", [Timed, Timed()])
def test_a_bot_of_ones_own_knows_its_time_as_well(bot: Any) -> None:
    Match("classic", [bot, "random"], seed="x", seconds=0.25).run(4)


# -- at a table of a server, as a program ----------------------------------------------------------


def test_it_plays_at_a_table_by_its_name(path: Path) -> None:
    """Also our own; and one that fails gets the least move, and then leaves."""
    put_example(path, "magpie")
    fails = own("print('what a bot prints is no answer'); raise KeyError('oops')")
    put(path, "broken_bot", fails, "dalapapa.bots", own="broken_bot:Own")

    async def go() -> None:
        async with running() as url, Server(url) as server:

            async def play(name: str) -> tuple[int | None, str, str]:
                new = await server.create(seats=[None, "easy"], pace=0)
                words = ("bot", name, "--server", url, "--table", new["id"], "--json")
                running_bot = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "dalapapa", *words, stdout=PIPE, stderr=PIPE
                )
                out, err = await running_bot.communicate()
                return running_bot.returncode, out.decode(), err.decode()

            for name in ("magpie", "easy"):
                code, out, err = await play(name)
                assert code == 0, err
                assert json.loads(out)["reason"] == "target"
                assert "failed" not in err
            code, _, err = await play("own")
            assert code == 2
            assert "KeyError: 'oops'" in err
            assert "given_up" in err

    asyncio.run(asyncio.wait_for(go(), PATIENCE))


@pytest.mark.parametrize("game", REGISTRY)
def test_a_program_rebuilds_views_from_messages(game: str) -> None:
    match = Match(game, max(2, REGISTRY[game].seats[0]), seed="5")
    rng = Random(3)
    for _ in range(20):
        for seat in (None, *range(len(match.players))):
            view = match.view(seat)
            same = read_view(match.game, json.loads(json.dumps(to_plain(view))))
            assert same == view
            assert match.game.many_moves or same.legal == view.legal
        if match.over:
            break
        match.play(rng.choice(match.legal))


def test_a_program_rebuilds_views_of_a_set_of_ones_own() -> None:
    rows = [
        {"name": one.name, "recto": one.face("+"), "verso": one.face("-")}
        for one in standard("120").tiles[:20]
    ]
    match = Match("classic", 2, seed="5", options={"set": rows})
    view = match.view(0)
    sent = {**json.loads(json.dumps(to_plain(view))), "of_a_newer_server": 1}
    assert read_view(match.game, sent) == view
