"""The positions of the client's lesson: each task can be done, and not by accident."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dalapapa.core.notation import Laying
from dalapapa.core.points import SECOND_DOMINO_CHARGE, ClosedGroup, Earned
from dalapapa.core.tiles import standard
from dalapapa.kernel.table import Table
from tests.support.paths import ROOT
from tests.support.scripting import script

FOLDER = ROOT / "web" / "src" / "lesson"
STEPS: dict[str, Any] = json.loads((FOLDER / "positions.json").read_text())


def step(name: str) -> tuple[Table, list[str]]:
    return Table.parse(STEPS[name]["position"], standard()), STEPS[name]["hand"]


def test_all_steps_are_there() -> None:
    assert list(STEPS) == ["match", "discs", "over", "group", "undo", "both"]
    tasks = (FOLDER / "steps.ts").read_text(encoding="utf-8")
    assert all(f'name: "{name}"' in tasks for name in STEPS)


@pytest.mark.parametrize("name", STEPS)
def test_tables_are_small_enough_for_a_telephone(name: str) -> None:
    table, _ = step(name)
    assert script("find_lesson").fits(table.layings, 5, 5)


def test_match_can_be_laid() -> None:
    table, [tile] = step("match")
    scored = table.scored(tile)
    assert {laying.side for laying, _ in scored} == {"+", "-"}
    assert all(earned.contacts == 1 for _, earned in scored), "the text says: a new disc"


def test_three_discs_are_one_laying_of_many() -> None:
    table, [tile] = step("discs")
    earned = [earned for _, earned in table.scored(tile)]
    assert earned.count(Earned(3, ())) == 1, "the text says: four points"
    assert max(one.points for one in earned) == 4
    assert len(earned) > 10


def test_only_the_other_face_makes_three_discs() -> None:
    table, [tile] = step("over")
    scored = table.scored(tile)
    assert max(earned.contacts for laying, earned in scored if laying.side == "+") == 1
    assert max(earned.contacts for laying, earned in scored if laying.side == "-") == 3
    [best, second, *_] = [earned for _, earned in scored]
    assert best == Earned(3, ()), "what is asked for is the best there is"
    assert second.points < best.points


def test_the_yellow_group_can_be_closed() -> None:
    table, [tile] = step("group")
    [(best, earned), (_, second), *_] = table.scored(tile)
    assert earned == Earned(2, (ClosedGroup("Y", 7),))
    assert str(best) == STEPS["group"]["closes"]
    assert second.points < earned.points
    disc = tuple(STEPS["group"]["group"])
    [outlined] = [group for group in table.groups() if disc in group.discs]
    assert (outlined.colour, outlined.closed) == ("Y", False)
    assert outlined.size > 3, "there is something to put a line round"


def test_the_mistake_is_one_and_there_is_better() -> None:
    table, [tile] = step("undo")
    points = {str(laying): earned.points for laying, earned in table.scored(tile)}
    mistake = STEPS["undo"]["mistake"]
    gain = table.earned(Laying.parse(mistake["laying"])).to_json()
    assert mistake == {"laying": mistake["laying"], **gain}
    assert points[mistake["laying"]] == 1
    assert max(points.values()) == 4


def test_the_second_domino_pays() -> None:
    table, hand = step("both")
    best = table.best_turn(hand)
    assert best is not None
    assert best.points == 12 + 8 - SECOND_DOMINO_CHARGE
    assert [table.lay(laying).points for laying in best.layings] == [12, 8]


def test_the_search_finds_such_steps() -> None:
    """A few tries are enough to see that the script still works."""
    found = script("find_lesson")
    best = found.best("match", found.match, 20)
    table = Table.parse(best["position"], standard())
    assert {laying.side for laying in table.legal(*best["hand"])} == {"+", "-"}
