"""The turns of a game that was played, each beside the best one that was possible: exactly.

What counts is what the game counts, as its `review.py` says: the points of a turn, the discs of a
laying, the cells that it closes. Some have rounds; races have no turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import msgspec

from ..kernel.table import Table
from ..notation import Laying
from ..points import Earned, Turn

Unit = Literal["points", "discs", "cells", "moves"]


class PlayedTurn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A turn, or a round.

    `first` and `last` are the numbers of the states before its first and its last move.
    """

    player: int | None
    """Nobody, in a round in which no turn was shown."""
    first: int
    last: int
    layings: tuple[Laying, ...]
    points: int
    """What it brought, in the unit of the game."""
    best: Turn | None
    """The best that was possible, in the same unit; None if nothing could be laid."""
    lost: int
    """How much less it brought than the best one, as far as that matters."""
    announced: int | msgspec.UnsetType = msgspec.UNSET
    """In a round, what was announced and so scored."""

    def to_json(self) -> dict[str, Any]:
        """The public form of replays and reviews."""
        told: dict[str, Any] = {
            "player": self.player,
            "first": self.first,
            "last": self.last,
            "layings": [str(laying) for laying in self.layings],
            "points": self.points,
            "best": None if self.best is None else self.best.to_json(),
            "lost": self.lost,
        }
        if self.announced is not msgspec.UNSET:
            told["announced"] = self.announced
        return told


def best_laying(
    table: Table, hand: Sequence[str], worth: Callable[[Earned], tuple[int, ...]], least: int = 1
) -> Turn | None:
    """The laying with `least` contacts that is worth most; its points are the first of that."""
    best: tuple[tuple[int, ...], Laying] | None = None
    for name in hand:
        for laying, earned in table.scored(name):
            if earned.contacts >= least and (best is None or worth(earned) > best[0]):
                best = worth(earned), laying
    return None if best is None else Turn((best[1],), best[0][0])
