"""Which targets bots reach: the measured figures are those of the rules and bots of today."""

from __future__ import annotations

from typing import Any

import pytest

from dalapapa.bots.arena import derive_game_seed, play_game
from dalapapa.core.tiles import STANDARD
from dalapapa.games import find_game
from tests.support.scripting import script

TARGETS: Any = script("write_targets")


def test_every_game_with_a_target_is_measured_for_all_players_and_sets() -> None:
    figures = TARGETS.read_figures()
    assert list(figures["best"]) == TARGETS.games_with_target()
    for game, sets in figures["best"].items():
        assert list(sets) == list(STANDARD)
        for rows in sets.values():
            assert list(rows) == [str(players) for players in find_game(game).seats]
            assert all(len(row) == figures["games"] for row in rows.values())
    assert TARGETS.format_figures(figures["best"]) == TARGETS.FIGURES.read_text()


@pytest.mark.parametrize(
    ("game", "tiles", "players"),
    [("classic", "120", 3), ("auction", "72", 4), ("conquest", "72", 2), ("alex", "72", 3)],
)
def test_the_committed_figures_can_be_measured_again(game: str, tiles: str, players: int) -> None:
    row = TARGETS.read_figures()["best"][game][tiles][str(players)]
    again = [TARGETS.play_game(game, tiles, players, number) for number in range(2)]
    assert again == row[:2], "run scripts/write_targets.py and scripts/write_web_data.py"


@pytest.mark.parametrize("game", ["classic", "auction", "alex"])
@pytest.mark.parametrize("above", [0, 1])
def test_a_target_is_reached_up_to_the_best_score_and_not_above(game: str, above: int) -> None:
    """The bots of this level do not look at the target: the same game, played to another one."""
    players = 4
    row = TARGETS.read_figures()["best"][game]["72"][str(players)]
    for number in range(3):
        rules = find_game(game)
        options = rules.parse_options({"target": row[number] + above, "set": "72"})
        names, seed = (TARGETS.LEVEL,) * players, derive_game_seed(TARGETS.SEED, number)
        _, score = play_game(rules, names, options, seed)
        assert score.outcome.reason == ("blocked" if above else "target")
