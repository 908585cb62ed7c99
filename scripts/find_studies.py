"""Find what the pages for studying begin with: a game, some positions, and a frame.

    python scripts/find_studies.py

Programs play a few hundred games, and the best examples are kept. Everything is seeded, so the same
ones are found every time. They are in web/src/state/example-game.json and examples.json;
tests/project/test_studies.py says what each must be. It takes a minute or two.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from dalapapa import record as records
from dalapapa.bots.arena import play_game
from dalapapa.core.notation import Laying, print_position
from dalapapa.games import find_game
from dalapapa.library import solve

STATE = Path(__file__).parents[1] / "web" / "src" / "state"
GAME = STATE / "example-game.json"
EXAMPLES = STATE / "examples.json"

GAMES = 240
POSITIONS = 6
"""How many games are played, and how many positions are kept."""
SHORT = 44
"""The most moves of an example."""
SIDE = 6
"""Of the frame."""


def extent(layings: list[Laying]) -> tuple[int, int]:
    """How many columns and rows a table takes."""
    cells = [cell for laying in layings for cell in laying.cells]
    columns, rows = ([cell[axis] for cell in cells] for axis in (0, 1))
    return max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


def leads(replay: records.Replay) -> int:
    """How often the lead changes."""
    scores, leader, changes = [0] * len(replay.players), None, 0
    for entry in replay.entries:
        if entry["player"] is None:
            continue
        scores[entry["player"]] = entry["score"]
        first = max(range(len(scores)), key=scores.__getitem__)
        if scores.count(scores[first]) == 1 and first != leader:
            changes += leader is not None
            leader = first
    return changes


def positions(replay: records.Replay) -> list[tuple[float, dict[str, Any]]]:
    """Where the best turn lays both dominoes and is worth finding; how dull each is comes first."""
    found = []
    for step in replay.steps:
        state: Any = step.state
        if state.phase != "play" or state.turn or len(state.hands[state.active]) < 2:
            continue
        hand, table = list(state.hands[state.active]), state.table
        if not 9 <= len(table) <= 16:
            continue
        turns = table.best_turns(hand, 60)
        top = turns[0]
        if len(top.layings) < 2:
            continue
        one = max((turn.points for turn in turns if len(turn.layings) == 1), default=0)
        after = [*table.layings, *top.layings]
        columns, rows = extent(after)
        ahead = top.points - one
        if ahead >= 3:
            position = {"position": print_position(table.layings), "hand": hand}
            found.append((abs(columns - 1.3 * rows) + columns + rows - ahead, position))
    return found


def main() -> None:
    """Play, choose and write."""
    game = find_game("classic")
    options = game.parse_options({"target": 60})
    games: list[tuple[float, records.Record]] = []
    studies: list[tuple[float, dict[str, Any]]] = []
    for number in range(GAMES):
        played, _ = play_game(game, ("medium", "easy"), options, f"example {number}")
        written = played.record()
        replay = records.replay(written)
        scores = replay.outcome.scores
        studies += sorted(positions(replay), key=lambda one: one[0])[:1]
        if len(replay) <= SHORT:
            columns, rows = extent(list(replay.positions[-1].layings))  # type: ignore[union-attr]
            dull = abs(scores[0] - scores[1]) + abs(columns - 1.3 * rows) + columns + rows
            games.append((dull - 6 * leads(replay), written))
    best = min(games, key=lambda one: one[0])[1]
    GAME.write_bytes(json.dumps(msgspec.to_builtins(best), separators=(",", ":")).encode() + b"\n")
    chosen = [study for _, study in sorted(studies, key=lambda one: one[0])[:POSITIONS]]
    EXAMPLES.write_text(json.dumps({"turns": chosen, "frame": frame()}, indent=1) + "\n")


def frame() -> dict[str, Any]:
    """A frame with a few dominoes laid by hand, and one way to fill it."""
    found = solve(SIDE, SIDE, pile=1, seed="example")
    [solution] = found.solutions
    laid = Random(6).sample(list(solution), 4)
    return {
        "width": SIDE, "height": SIDE, "pile": 1,
        "position": print_position(laid), "solution": [str(laying) for laying in solution],
    }  # fmt: skip


if __name__ == "__main__":
    main()
