"""The classic game beyond its scenarios: options, and the ends of long games."""

from __future__ import annotations

from typing import Any

import pytest

from dalapapa.bots.arena import play_game
from dalapapa.core.errors import BadOptions
from dalapapa.games import find_game
from dalapapa.games.bag import fill_bag
from dalapapa.games.classic import ClassicOptions
from dalapapa.games.moves import End, Pass

GAME = find_game("classic")


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"target": 59}, "The option target of classic must be 60 to 240, not 59"),
        ({"target": 241}, "The option target of classic must be 60 to 240, not 241"),
        ({"target": -1}, "60"),
        ({"target": "60"}, "target"),
        ({"target": 60.5}, "target"),
        ({"target": True}, "target"),
        ({"target": None}, "target"),
        ({"aim": 60}, "aim"),
        ({"first": -1}, "first"),
        ({"first": 4}, "first"),
        ({"set": "nonsense"}, "set"),
        ({"set": "/etc/passwd.csv"}, "set"),
        ({"set": [{"name": "A", "recto": "RRRRRR", "verso": "RRRRRRR"}]}, "seven"),
        ({"set": [{"name": "A", "recto": "RRRRRRR"}]}, "verso"),
        ({"set": []}, "no domino"),
        ([], "object"),
        (None, "object"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(options: Any, word: str) -> None:
    with pytest.raises(BadOptions, match=word) as caught:
        GAME.parse_options(options)
    assert "\n" not in str(caught.value)


def test_options_built_by_hand_are_checked_too() -> None:
    bag = fill_bag(GAME.tiles(ClassicOptions()).names, "x")
    for options, code in (
        (ClassicOptions(target=59), "bad_target"),
        (ClassicOptions(target=241), "bad_target"),
        (ClassicOptions(first=2), "bad_first"),
        (ClassicOptions(target=60.5), "bad_target"),  # type: ignore[arg-type]
        (ClassicOptions(first=1.0), "bad_first"),  # type: ignore[arg-type]
    ):
        with pytest.raises(BadOptions) as caught:
            GAME.start(2, options, bag)
        assert caught.value.code == code


def test_a_set_needs_a_domino_for_each_player() -> None:
    row = {"name": "A", "recto": "RRRRRRR", "verso": "RRRRRRR"}
    options = GAME.parse_options({"set": [row]})
    with pytest.raises(BadOptions, match="need at least 2"):
        GAME.start(2, options, fill_bag(("A",), "x"))


@pytest.mark.parametrize("target", [60, 61, 100])
def test_a_game_ends_when_its_round_is_played_out(target: int) -> None:
    options = GAME.parse_options({"target": target, "first": 2})
    recorder, score = play_game(GAME, ("greedy", "greedy", "greedy"), options, f"t{target}")
    assert score.outcome.reason == "target"
    assert max(score.outcome.scores) >= target
    ends = [0, 0, 0]
    for move, _ in recorder.moves:
        if isinstance(move, End | Pass):
            ends[move.player] += 1
    assert len(set(ends)) == 1, "everybody has had equally many turns"


def test_random_players_empty_the_bag() -> None:
    options = GAME.parse_options({"target": 240})
    recorder, score = play_game(GAME, ("random",) * 4, options, "long")
    assert score.outcome.reason == "blocked"
    state: Any = recorder.moves[-1][1].state
    assert len(state.bag) == 0
    assert min(score.outcome.scores) < 0


def test_the_set_of_72_plays_too() -> None:
    options = GAME.parse_options({"set": "72"})
    recorder, _ = play_game(GAME, ("greedy", "random"), options, "small")
    state: Any = recorder.moves[-1][1].state
    names = {laying.tile[0] for laying in state.table.layings}
    assert names <= set("CADZ")
