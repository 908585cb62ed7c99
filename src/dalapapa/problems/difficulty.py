"""The chance to find a turn, by which problems are graded.

This is a model of what a beginner sees, and computes the chance without random numbers. It uses the
four operations of arithmetic only, so that the grade of a problem is the same on every machine. It
is part of the version of the problems: its numbers never change.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.notation import Laying
from ..core.points import Earned
from ..kernel.table import Table

GLANCES = 24.0
"""How many places a beginner looks at."""

NEARBY = 3
"""The distance in cells from the last laying within which a beginner looks twice as often."""

COUNTED = 0.6
"""The chance to notice that a laying closes a group."""

SECOND = 0.6
"""The chance to think the second domino through."""

PICTURED = 0.5
"""The chance to picture a second domino where it does not fit until the first one lies there."""

PATIENCE = 4.0
"""Layings that earn more by themselves, after which half of all give up on a weaker first one."""


def chance_to_find(table: Table, hand: Sequence[str], layings: Sequence[Laying]) -> float:
    """The chance, from 0 to 1, to find this turn, in this order."""
    first, *rest = layings
    scored = _score_all(table, hand)
    found = _estimate_seen(table, scored, first)
    if rest:
        more = sum(earned.points > scored[first].points for earned in scored.values())
        found *= SECOND * PATIENCE / (PATIENCE + more)
        after = table.copy()
        after.lay(first)
        left = [name for name in hand if name != first.tile]
        found *= _estimate_seen(after, _score_all(after, left), rest[0])
        if rest[0] not in scored:
            found *= PICTURED
    return found


def _score_all(table: Table, hand: Sequence[str]) -> dict[Laying, Earned]:
    return {laying: earned for name in hand for laying, earned in table.scored(name)}


def _estimate_seen(table: Table, scored: dict[Laying, Earned], sought: Laying) -> float:
    """The chance to see a laying among all that are legal, and what it is worth.

    Places with many discs catch the eye, by the square of their number.
    """
    last = table.layings[-1]

    def weight(laying: Laying) -> int:
        near = abs(laying.x - last.x) + abs(laying.y - last.y) <= NEARBY
        return scored[laying].contacts ** 2 * (2 if near else 1)

    looked = GLANCES * weight(sought)
    found = looked / (looked + sum(map(weight, scored)))
    for _ in scored[sought].groups:
        found *= COUNTED
    return found
