"""The positions of the client's lesson: each task can be done, and not by accident."""

from __future__ import annotations

import re
from pathlib import Path

from dalapapa.points import SECOND_DOMINO_CHARGE
from dalapapa.table import Table
from dalapapa.tiles import standard

STEPS = Path(__file__).parents[1] / "web" / "src" / "lesson" / "steps.ts"
STEP = re.compile(r'name: "(\w+)",\s+position: "([^"]*)",\s+hand: \[([^\]]*)\]')


def steps() -> dict[str, tuple[Table, list[str]]]:
    found = STEP.findall(STEPS.read_text(encoding="utf-8"))
    return {
        name: (Table.parse(position, standard()), re.findall(r'"(\w+)"', hand))
        for name, position, hand in found
    }


def test_all_steps_are_read() -> None:
    assert list(steps()) == ["match", "discs", "over", "group", "undo", "both"]


def test_match_can_be_laid() -> None:
    table, [tile] = steps()["match"]
    assert {laying.side for laying in table.legal(tile)} == {"+", "-"}


def test_three_discs_are_one_laying_of_many() -> None:
    table, [tile] = steps()["discs"]
    contacts = [earned.contacts for _, earned in table.scored(tile)]
    assert contacts.count(3) == 1
    assert len(contacts) > 10


def test_only_the_other_face_makes_three_discs() -> None:
    table, [tile] = steps()["over"]
    scored = table.scored(tile)
    assert max(earned.contacts for laying, earned in scored if laying.side == "+") == 1
    assert max(earned.contacts for laying, earned in scored if laying.side == "-") == 3


def test_the_yellow_group_can_be_closed() -> None:
    table, [tile] = steps()["group"]
    [best, *_] = table.scored(tile)
    assert [(group.colour, group.size) for group in best[1].groups] == [("Y", 7)]


def test_the_mistake_is_one_and_there_is_better() -> None:
    table, [tile] = steps()["undo"]
    points = {str(laying): earned.points for laying, earned in table.scored(tile)}
    text = STEPS.read_text(encoding="utf-8")
    [mistake] = re.findall(r'mistake: \{ laying: "([^"]+)"', text)
    assert points[mistake] == 1
    assert max(points.values()) == 4


def test_the_second_domino_pays() -> None:
    table, hand = steps()["both"]
    best = table.best_turn(hand)
    assert best is not None
    assert best.points == 12 + 8 - SECOND_DOMINO_CHARGE
