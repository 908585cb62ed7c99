"""Measure which targets bots reach, and write docs/targets.json.

    python scripts/write_targets.py             measure every game that has a target
    python scripts/write_targets.py alex        measure these games; the others stay

The bots of one level play to the highest target that can be chosen, with every number of players
and every standard set. For each game, the file keeps the highest score that a player had at the end
of a turn: every target up to that score would have been reached. The form for a new table shows
what follows from it (`scripts/write_web_data.py`). The whole run takes two minutes of one core.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dalapapa.bots import arena
from dalapapa.core.options import Option
from dalapapa.core.tiles import STANDARD
from dalapapa.games import REGISTRY, find_game
from dalapapa.games.events import Passed, Proved, TurnEnded
from dalapapa.record import Recorder

FIGURES = Path(__file__).parents[1] / "docs" / "targets.json"

SEED = "targets"
LEVEL = "medium"
GAMES_PER_ROW = 40


def target_option(game: str) -> Option | None:
    """The option of a game that says how many points to reach."""
    return next((one for one in find_game(game).menu() if one.name == "target"), None)


def games_with_target() -> list[str]:
    """The games to measure, in the order of the menus."""
    return [game for game in REGISTRY if target_option(game)]


def play_game(game: str, tiles: str, players: int, number: int) -> int:
    """The highest score at the end of a turn in game `number`."""
    target = target_option(game)
    assert target is not None
    rules = find_game(game)
    options = rules.parse_options({"target": int(target.most or 0), "set": tiles})
    seed = arena.derive_game_seed(SEED, number)
    recorder, _ = arena.play_game(rules, (LEVEL,) * players, options, seed)
    return max([0, *scores_at_turn_ends(recorder)])


def scores_at_turn_ends(recorder: Recorder) -> Iterator[int]:
    """The best score whenever the rules compare the scores with the target."""
    before: Any = recorder.start.state
    for _, step in recorder.moves:
        after: Any = step.state
        for event in step.events:
            # Points count as soon as a domino is laid; only Conquest adds more at its end.
            if isinstance(event, (TurnEnded, Passed)):
                yield max(before.scores)
            elif isinstance(event, Proved):
                yield after.scores[event.player]
        before = after


def measure_game(game: str) -> dict[str, dict[str, list[int]]]:
    """The highest scores of all games, by set and number of players."""
    return {
        tiles: {
            str(players): [
                play_game(game, tiles, players, number) for number in range(GAMES_PER_ROW)
            ]
            for players in find_game(game).seats
        }
        for tiles in STANDARD
    }


def read_figures() -> dict[str, Any]:
    """The committed figures."""
    figures: dict[str, Any] = json.loads(FIGURES.read_text())
    return figures


def format_figures(best: dict[str, Any]) -> str:
    """The whole file, with one line for each set and number of players."""
    head = {"seed": SEED, "level": LEVEL, "games": GAMES_PER_ROW}
    text = json.dumps({**head, "best": best}, indent=1)
    while (shorter := text.replace(",\n     ", ", ")) != text:
        text = shorter
    return text.replace("[\n     ", "[").replace("\n    ]", "]") + "\n"


def main(games: list[str]) -> None:
    """Measure these games, or all that have a target."""
    best = read_figures()["best"] if FIGURES.exists() else {}
    for game in games or games_with_target():
        print(game, file=sys.stderr)
        best[game] = measure_game(game)
    FIGURES.write_text(format_figures({game: best[game] for game in REGISTRY if game in best}))


if __name__ == "__main__":
    main(sys.argv[1:])
