"""Moves of a kind that only the game of a package has: played, stored and read like ours."""

from __future__ import annotations

import json
import logging
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

import dalapapa
from dalapapa import Bot, Match, games, read_record
from dalapapa.bots.arena import Simulation, play_games
from dalapapa.core.errors import IllegalMove
from dalapapa.games import REGISTRY
from dalapapa.games.moves import (
    MAX_FOREIGN_MOVE_BYTES,
    ForeignMove,
    PlayersMove,
    keep_move,
    move_from_json,
    move_to_json,
)
from dalapapa.record import dump
from tests.support.installing import installing, put, put_example

SCHEMA = json.loads((Path(dalapapa.__file__).parent / "record.schema.json").read_text())

SWAPPER = """
from dalapapa.bots import Bot

class Swapper(Bot):
    def choose(self, view):
        swaps = [move for move in view.legal if type(move).__name__ == "Swap"]
        return (swaps or view.legal)[0]
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the path, with the example; what is registered there is forgotten again."""
    with installing(tmp_path / "installed", monkeypatch) as folder:
        put_example(folder, "swapping")
        yield folder


class Writer(Bot[Any]):
    """Swaps by text, whenever that is possible."""

    def choose(self, view: Any) -> Any:
        moves = view.legal
        return "swap" if any(type(move).__name__ == "Swap" for move in moves) else moves[0]


def begin_play() -> Match:
    """A match in which the first player may swap."""
    match = Match("swapping", ["Ann", "Bob"], seed="x")
    while match.state.phase == "setup":
        match.play(match.legal[0])
    return match


def test_it_is_written_as_text_and_as_json(path: Path) -> None:
    del path
    match = begin_play()
    kind = sys.modules["swapping"].Swap
    tile = match.view(0).hand[1]
    swap = kind(0, tile)
    assert swap in match.legal
    assert move_to_json(swap) == {"player": 0, "move": "swap", "tile": tile}
    for given in (swap, f"swap {tile}", move_to_json(swap), {"move": "swap", "tile": tile}):
        copy = match.copy()
        copy.play(given)
        assert copy.moves[-1] == swap
        assert copy.scores == (-2, 0)
    match.play("swap")
    with pytest.raises(IllegalMove, match="No player can swap now"):
        match.play("swap")
    with pytest.raises(IllegalMove, match="once"):
        match.play(f"swap {tile}")
    with pytest.raises(IllegalMove, match=r"or one of .*no_more, time_up, swap\.$"):
        match.play("swop")
    with pytest.raises(IllegalMove, match="swap"):
        Match("classic", ["Ann", "Bob"]).play(f"swap {tile}")


@pytest.mark.parametrize("bot", [Writer, "swapper"])
def test_a_record_holds_it(path: Path, tmp_path: Path, bot: Any) -> None:
    put(path, "swapper", SWAPPER, "dalapapa.bots", swapper="swapper:Swapper")
    match = Match("swapping", [bot, "greedy"], seed="x")
    match.run(40)
    jsonschema.validate(json.loads(dump(match.record())), SCHEMA)
    match.run()
    file = tmp_path / "swapping.json"
    match.save(file)
    jsonschema.validate(json.loads(file.read_bytes()), SCHEMA)
    replay = read_record(file.read_bytes())
    assert replay.moves == match.moves
    assert "swap" in {entry["move"] for entry in replay.entries}
    assert replay.outcome == match.outcome


def test_a_simulation_writes_records_that_can_be_read(path: Path, tmp_path: Path) -> None:
    put(path, "swapper", SWAPPER, "dalapapa.bots", swapper="swapper:Swapper")
    players = ("swapper", "medium")
    list(play_games(Simulation("swapping", players, {}, "x", 2, records=str(tmp_path)), jobs=2))
    for number in range(2):
        replay = read_record((tmp_path / f"swapping-{number:06}.json").read_bytes())
        assert "swap" in {entry["move"] for entry in replay.entries}


def test_an_external_program_plays_it(path: Path, tmp_path: Path) -> None:
    del path
    program = tmp_path / "program.py"
    program.write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    if asked['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'hello'}), flush=True)\n"
        "    elif asked['type'] == 'view':\n"
        "        moves = asked['moves']\n"
        "        swaps = [move for move in moves if move['move'] == 'swap']\n"
        "        move = (swaps or moves)[0]\n"
        "        print(json.dumps({'type': 'move', 'id': asked['id'], 'move': move}), flush=True)\n"
    )
    with Match(
        "swapping", [f"exec:{shlex.join([sys.executable, str(program)])}", "greedy"], seed="x"
    ) as match:
        match.run(12)
        assert "Swap" in {type(move).__name__ for move in match.moves}


def test_the_schema_knows_which_games_are_ours(path: Path) -> None:
    del path
    match = Match("swapping", [Writer, "greedy"], seed="x")
    match.run(12)
    data = json.loads(dump(match.record()))
    assert "swap" in {move["move"] for move in data["moves"]}
    jsonschema.validate(data, SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "game": "classic"}, SCHEMA)
    for move in ({"move": "swap"}, {"player": 0, "move": "end", "tile": "x", "points": 0}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**data, "moves": [move]}, SCHEMA)
    ours = SCHEMA["if"]["properties"]["game"]["enum"]
    assert set(ours) == set(REGISTRY)


# -- declarations ----------------------------------------------------------------------------------


OWN = """
from dalapapa.core.notation import Laying
from dalapapa.games.classic import Classic
from dalapapa.games.moves import PlayersMove, Pass

class Own(Classic):
    name = "own"

{kind}

GAME = Own()
"""

BAD_KINDS = {
    "no tuple": ("Own.move_types = [Pass]", "must be a tuple"),
    "no kind": ("Own.move_types = (int,)", "must be a subclass of PlayersMove"),
    "ours": ("Own.move_types = (Pass,)", "another kind of move is called pass"),
    "the tag of ours": (
        "class Nap(PlayersMove, frozen=True, tag='pass'): pass\nOwn.move_types = (Nap,)",
        "another kind of move is called pass",
    ),
    "no tag": (
        "class Nap(PlayersMove, frozen=True): pass\nOwn.move_types = (Nap,)", "needs a tag of"
    ),
    "a field of records": (
        "class Nap(PlayersMove, frozen=True, tag='nap'):\n    points: int\n"
        "Own.move_types = (Nap,)", "must not have a field called points",
    ),
    "a laying of another name": (
        "class Nap(PlayersMove, frozen=True, tag='nap'):\n    at: Laying\nOwn.move_types = (Nap,)",
        "must keep its laying in a field called laying",
    ),
    "a field without a form": (
        "class Nap(PlayersMove, frozen=True, tag='nap'):\n    at: set[int] | list[int]\n"
        "Own.move_types = (Nap,)", "TypeError",
    ),
    "undeclared": (
        "class Nap(PlayersMove, frozen=True, tag='nap'): pass\n"
        "Own.legal_moves = lambda self, view: [Nap(0)]", "add it to move_types",
    ),
    "not the same once read": (
        "class Nap(PlayersMove, frozen=True, tag='nap'):\n    at: float\n"
        "Own.move_types = (Nap,)\nOwn.legal_moves = lambda self, view: [Nap(0, float('nan'))]",
        "TypeError",
    ),
    "huge": (
        "class Nap(PlayersMove, frozen=True, tag='nap'):\n    at: str\n"
        "Own.move_types = (Nap,)\nOwn.legal_moves = lambda self, view: [Nap(0, 'x' * 10**6)]",
        "more than 2000 bytes",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD_KINDS)
def test_a_kind_that_cannot_be_stored_is_left_out_with_a_sentence(
    path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    source, why = BAD_KINDS[what]
    put(path, "own_kinds", OWN.format(kind=source), own="own_kinds:GAME")
    with caplog.at_level(logging.WARNING, "dalapapa"):
        assert "own" not in games.list_games()
    (logged,) = [one.getMessage() for one in caplog.records]
    assert logged.startswith("Ignoring the game own (own_kinds:GAME): ")
    assert why in logged
    assert len(logged) < 400


class Nap(PlayersMove, frozen=True, tag="nap"):
    """A kind that no game declares."""


def test_a_match_refuses_a_kind_that_its_game_does_not_declare() -> None:
    match = Match("classic", ["Ann", "Bob"])
    with pytest.raises(IllegalMove, match="Nap is not a kind of move of this game") as caught:
        match.play(Nap(0))
    assert caught.value.code == "malformed_move"
    assert not match.moves


# -- on the way through a process that does not know the game --------------------------------------


def test_a_foreign_move_keeps_its_data() -> None:
    data = {"player": 1, "move": "nap", "deep": [1, {"x": None}]}
    kept = keep_move(data)
    assert kept == ForeignMove(1, data)
    assert move_to_json(kept) == data
    assert keep_move({"player": 1, "move": "end"}) == move_from_json({"player": 1, "move": "end"})


@pytest.mark.parametrize(
    "data",
    [
        {"player": 1, "move": "x" * 31},
        {"player": 1, "move": "Nap"},
        {"player": True, "move": "nap"},
        {"player": None, "move": "nap"},
        {"move": "nap"},
        {"player": 1, "move": "nap", "long": "x" * MAX_FOREIGN_MOVE_BYTES},
        {"player": 1, "move": "nap", "text": "\ud800"},
        {"player": 1, "move": "nap", "number": float("nan")},
        {"player": 1, "move": 5},
        [],
    ],
)
def test_other_data_is_no_foreign_move(data: Any) -> None:
    with pytest.raises(IllegalMove) as caught:
        keep_move(data)
    assert caught.value.code == "malformed_move"
    assert len(str(caught.value)) < 300


def test_our_games_refuse_a_foreign_move_as_before() -> None:
    data = {"player": 0, "move": "nap"}
    with pytest.raises(IllegalMove) as before:
        move_from_json(data)
    with pytest.raises(IllegalMove) as after:
        games.find_game("classic").resolve_move(keep_move(data))
    assert str(after.value) == str(before.value)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(data, ForeignMove)
