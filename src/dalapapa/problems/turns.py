"""Turn problems: a table, two dominoes, and one turn that is clearly best (the skill of Alex)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

import msgspec

from ..core.errors import IllegalMove
from ..core.notation import Laying
from ..core.points import SECOND_DOMINO_CHARGE, Earned, Turn
from ..games.bag import fill_bag, lay_figure
from ..kernel.table import Table
from .seeded import make_attempt_seed, randbelow

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
    """The chance, from 0 to 1, to find this turn, in this order, by which problems are graded.

    This is a model of what a beginner sees, and computes the chance without random numbers. It
    uses the four operations of arithmetic only, so that the grade of a problem is the same on every
    machine. It is part of the version of the problems: its numbers never change.
    """
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


GAP = 2
"""The minimum lead of the best turn over every turn that leaves another table."""

TABLE_SIZES = ((4, 8), (5, 11), (7, 15), (9, 19), (12, 25))
"""The minimum and maximum number of dominoes on the table, by grade."""

CHANCES = ((0.3, 1.0), (0.15, 0.3), (0.075, 0.15), (0.03, 0.075), (0.0, 0.03))
"""The chance to find the turn, from and below, by grade."""

START_DOMINOES = 2


class TurnProblem(msgspec.Struct, frozen=True):
    """A position, the two dominoes in hand, and the best turn."""

    grade: int
    seed: str
    position: tuple[Laying, ...]
    hand: tuple[str, ...]
    solution: Turn
    """The best turn; its layings may make as many points in the other order, too."""
    gap: int
    """Points between it and the best turn that leaves another table."""
    chance: float
    """The chance that a beginner finds it."""

    @property
    def table(self) -> Table:
        return Table(self.position)

    def try_turn(self, layings: Sequence[Laying]) -> TriedTurn:
        """Score a turn with the dominoes in hand; refuses one that is not legal."""
        if not 1 <= len(layings) <= len(self.hand):
            raise IllegalMove("A turn must be one or two layings.", "bad_turn")
        for laying in layings:
            if laying.tile not in self.hand:
                raise IllegalMove(f"{laying.tile} is not in your hand.", "not_in_hand")
        after = self.table
        earned = tuple([after.lay(laying) for laying in layings])
        points = sum(one.points for one in earned)
        points -= SECOND_DOMINO_CHARGE * (len(layings) > 1)
        more = self.solution.points - points
        other_order = more > 0 and set(layings) == set(self.solution.layings)
        return TriedTurn(earned, points, more, other_order)


class TriedTurn(msgspec.Struct, frozen=True):
    """A turn that was tried, in parts."""

    earned: tuple[Earned, ...]
    points: int
    """The points of all layings, less the charge for the second domino."""
    more: int
    """The points that the best turn brings more; 0 if this is the best."""
    other_order: bool
    """Whether it would be the best turn with the dominoes in the other order."""


def make_turn_problem(grade: int, seed: str) -> TurnProblem:
    """The problem of a grade and a seed; one table in a hundred will do: a tenth of a second."""
    start = make_attempt_seed("turn", grade, seed)
    tries = (_try_attempt(grade, seed, f"{start}/{attempt}") for attempt in count())
    return next(found for found in tries if found is not None)


def _try_attempt(grade: int, seed: str, attempt: str) -> TurnProblem | None:
    """The problem of an attempt, if its best turn is clearly the best and of that grade."""
    fewest, most = TABLE_SIZES[grade - 1]
    played = _play_table(attempt, fewest + randbelow(f"{attempt}/size", most - fewest + 1))
    if played is None:
        return None
    table, hand = played
    # The same layings in the other order leave the same table: the third turn is another one.
    turns = table.best_turns(hand, 3)
    if not turns:
        return None
    best, *others = turns
    alike = [turn for turn in others if set(turn.layings) == set(best.layings)]
    others = [turn for turn in others if turn not in alike]
    if not others or best.points - others[0].points < GAP:
        return None
    orders = [best, *(turn for turn in alike if turn.points == best.points)]
    seen = max(chance_to_find(table, hand, turn.layings) for turn in orders)
    least, below = CHANCES[grade - 1]
    if not least <= seen < below:
        return None
    gap = best.points - others[0].points
    return TurnProblem(grade, seed, table.layings, hand, best, gap, seen)


def _play_table(seed: str, size: int) -> tuple[Table, tuple[str, ...]] | None:
    """A table of `size` dominoes or one more, and the hand of the player to move.

    Two players make the best turn for points, by turns; None if one of them cannot lay.
    """
    table = Table()
    bag = lay_figure(table, fill_bag(table.tiles.names, seed), START_DOMINOES)
    mine, bag = bag.draw(2)
    yours, bag = bag.draw(2)
    while len(table) < size:
        turn = table.best_turn(mine)
        if turn is None:
            return None
        for laying in turn.layings:
            table.lay(laying)
            mine = tuple(name for name in mine if name != laying.tile)
        drawn, bag = bag.draw(len(turn.layings))
        mine, yours = yours, mine + drawn
    return table, mine
