"""How Dalapapa 72 is reviewed (rules 8): by the cells that each laying closes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from ...coach import reviewer
from ...coach.reasons import Remark
from ...coach.turns import PlayedTurn, Unit, best_laying
from ...points import Earned, Turn
from ..events import Passed, Replayed, TurnEnded
from ..game import Step


class Reviewer(reviewer.Reviewer):
    """Cells of layings; chances by whole games."""

    unit: ClassVar[Unit] = "cells"
    work: ClassVar[int] = 2_000
    moments: ClassVar[int] = 10

    @staticmethod
    def turns(steps: Sequence[Step]) -> list[PlayedTurn]:
        """Every domino is a choice of its own, from the draw before it to the next one."""
        found = []
        first: int | None = None
        for number, (before, after) in enumerate(pairwise(steps)):
            if before.state.phase != "play":
                continue
            first = number if first is None else first
            if not any(isinstance(event, TurnEnded | Replayed | Passed) for event in after.events):
                continue
            start, laid = steps[first].state, before.state.laid
            # One connection costs a token (rules 8, 1).
            least = 1 if start.tokens[start.active] else 2
            best = best_laying(start.table, start.hands[start.active], _cells, least)
            cells = laid.earned.group_points if laid else 0
            lost = best.points - cells if best else 0
            layings = (laid.laying,) if laid else ()
            found.append(PlayedTurn(start.active, first, number, layings, cells, best, lost))
            first = None
        return found

    def remarks(self, played: PlayedTurn, best: Turn) -> tuple[Remark, ...]:
        return (Remark("cells_more", {"cells": best.points, "more": played.lost}),)


def _cells(earned: Earned) -> tuple[int, ...]:
    """The cells that a laying closes; of equal ones, connections are worth tokens."""
    return earned.group_points, earned.contacts
