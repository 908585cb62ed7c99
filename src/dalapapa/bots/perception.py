"""What a bot sees of all possible layings: everything, or what a beginner notices.

What it does with them is up to each game's `bot.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import msgspec

from ..core.notation import Laying
from ..core.points import SECOND_DOMINO_CHARGE, Earned, Turn
from ..games.turns import HAND, TargetView
from ..kernel.table import Table

END_TURN = Turn((), 0)
"""The end of a turn: nothing more is laid."""


class Perception:
    """Sees everything, and looks no further than the turn."""

    points_decide = True
    """Whether only turns for points are left at the end, which can then be computed exactly."""

    def best(
        self, table: Table, hand: Sequence[str], charge: int = SECOND_DOMINO_CHARGE
    ) -> Turn | None:
        """The best turn that it sees; None if nothing can be laid.

        With a hand of three or more, it is the best turn with two of them: after the first laying,
        the bot looks again.
        """
        if len(hand) <= HAND:
            return table.best_turn(hand, charge)
        turns = [table.best_turn(two, charge) for two in combinations(hand, HAND)]
        return max(filter(None, turns), key=lambda turn: turn.points, default=None)

    def layings(self, table: Table, name: str) -> list[tuple[Laying, Earned]]:
        """The layings of a domino that it sees, the best first: at least one, if there is any."""
        return table.scored(name)

    def turn(self, view: TargetView) -> Turn | None:
        """The rest of a classic turn: what it lays next, or `END_TURN`; None if it cannot lay."""
        return self.richest(view)

    def richest(self, view: TargetView) -> Turn | None:
        """The rest of a turn that brings the most points now."""
        best = self.best(view.table, view.hand, view.options.charge)
        if view.turn and (best is None or best.points <= view.charge):
            return END_TURN
        return best


class Oversight(msgspec.Struct, frozen=True):
    """How much a beginner overlooks, as probabilities."""

    disc: float
    """The chance to see a distant laying, for each disc that it makes."""
    closing: float
    """The chance to notice that a laying closes a group."""
    second: float
    """The chance to think of the second domino."""
    slip: float
    """The chance to forget the charge of the second domino in an announcement (rules 7)."""


NEARBY_CELLS = 3
"""The distance in cells from the last laying within which a beginner sees twice as much."""

MAX_TRIED_LAYINGS = 4
"""First layings after which a beginner tries to find a second one."""


class BeginnersSight(Perception):
    """Overlooks distant places, closed groups and the second domino.

    It takes the best of what it sees, so that it never wastes points, and passes only when it
    must.
    """

    def __init__(self, oversight: Oversight, rng: Random) -> None:
        self.oversight = oversight
        self.rng = rng

    def _happens(self, likely: float) -> bool:
        # Random.random() is the one method whose sequence Python promises to keep.
        return self.rng.random() < likely

    def _notice(self, table: Table, hand: Sequence[str]) -> list[tuple[Laying, Earned]]:
        """The layings that it sees, each with what it believes to earn; the best first."""
        every = [one for name in hand for one in table.scored(name)]
        last = table.layings[-1] if len(table) else None
        found = []
        for laying, earned in every:
            seen = self.oversight.disc * earned.contacts
            if last is not None and abs(laying.x - last.x) + abs(laying.y - last.y) <= NEARBY_CELLS:
                seen *= 2
            if self._happens(seen):
                found.append((laying, self._believe(earned)))
        if every and not found:
            laying, earned = every[int(self.rng.random() * len(every))]
            found = [(laying, self._believe(earned))]
        found.sort(key=lambda one: -one[1].points)
        return found

    def _believe(self, earned: Earned) -> Earned:
        """The points of a laying, without groups whose closing it does not notice."""
        groups = [group for group in earned.groups if self._happens(self.oversight.closing)]
        return Earned(earned.contacts, tuple(groups))

    def layings(self, table: Table, name: str) -> list[tuple[Laying, Earned]]:
        return self._notice(table, [name])

    def best(
        self, table: Table, hand: Sequence[str], charge: int = SECOND_DOMINO_CHARGE
    ) -> Turn | None:
        """The best turn that it sees, with the points that it believes in."""
        noticed = self._notice(table, hand)
        if not noticed:
            return None
        laying, earned = noticed[0]
        best = Turn((laying,), earned.points)
        if len(hand) < 2 or not self._happens(self.oversight.second):
            return best
        for laying, earned in noticed[:MAX_TRIED_LAYINGS]:
            after = table.copy()
            after.lay(laying)
            others = [name for name in hand if name != laying.tile]
            for second, more in self._notice(after, others)[:1]:
                points = earned.points + more.points - charge
                if points > best.points:
                    best = Turn((laying, second), points)
        return best

    def richest(self, view: TargetView) -> Turn | None:
        if view.turn and not self._happens(self.oversight.second):
            return END_TURN
        return super().richest(view)
