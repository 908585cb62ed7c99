"""What the pages for studying begin with (`scripts/find_studies.py`) is worth looking at."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dalapapa import record as records
from dalapapa.core.notation import parse_position
from dalapapa.core.tiles import standard
from dalapapa.kernel.table import Table
from tests.support.paths import ROOT
from tests.support.scripting import script

STATE = ROOT / "web" / "src" / "state"
EXAMPLES: dict[str, Any] = json.loads((STATE / "examples.json").read_text())


def test_the_game_is_true_short_and_close() -> None:
    data = (STATE / "example-game.json").read_bytes()
    replay = records.replay(records.load(data))
    assert len(replay) <= script("find_studies").SHORT
    assert script("find_studies").leads(replay) >= 3
    assert len(data) < 8000, "everybody who opens the page loads it"


@pytest.mark.parametrize("number", range(6))
def test_the_best_turn_lays_both_dominoes(number: int) -> None:
    example = EXAMPLES["turns"][number]
    turns = Table.parse(example["position"], standard()).best_turns(example["hand"], 60)
    assert len(turns[0].layings) == 2
    one = max(turn.points for turn in turns if len(turn.layings) == 1)
    assert turns[0].points >= one + 3


def test_the_frame_is_filled_by_its_pile() -> None:
    frame = EXAMPLES["frame"]
    layings = parse_position(" ".join(frame["solution"]))
    assert {str(one) for one in parse_position(frame["position"])} < set(frame["solution"])
    assert {laying.tile for laying in layings} <= set(standard().pile(frame["pile"]))
    cells = {cell for laying in layings for cell in laying.cells}
    assert cells == {(x, y) for x in range(frame["width"]) for y in range(frame["height"])}
    assert len(layings) == len(cells) // 2
    table = Table(standard())
    for laying in layings:
        table.lay(laying)  # Every contact matches, or this is refused.
