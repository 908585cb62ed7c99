"""How Dalapapa 72 is reviewed (rules 8): by the cells that each laying closes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ...coach.reasons import Remark
from ...coach.reviewer import PlayedTurn, TableReviewer, Unit, find_best_laying, find_spans
from ...core.points import Earned, Turn
from ..events import Passed, Replayed, TurnEnded
from ..game import Step
from .rules import State72


class Reviewer72(TableReviewer[State72]):
    """Cells of layings; chances by whole games."""

    unit: ClassVar[Unit] = "cells"
    work: ClassVar[int] = 2_000
    moments: ClassVar[int] = 10

    @staticmethod
    def turns(steps: Sequence[Step[State72]]) -> list[PlayedTurn]:
        """The turns: every domino is one, from the draw before it to the next."""
        found = []
        for first, last, _ in find_spans(steps, TurnEnded | Replayed | Passed):
            start, laid = steps[first].state, steps[last].state.laid
            # One connection costs a token (rules 8, 1).
            least = 1 if start.tokens[start.active] else 2
            best = find_best_laying(start.table, start.hands[start.active], _cells, least)
            cells = laid.earned.group_points if laid else 0
            lost = best.points - cells if best else 0
            layings = (laid.laying,) if laid else ()
            found.append(PlayedTurn(start.active, first, last, layings, cells, best, lost))
        return found

    def remarks(self, played: PlayedTurn, best: Turn) -> tuple[Remark, ...]:
        return (Remark("cells_more", {"cells": best.points, "more": played.lost}),)


def _cells(earned: Earned) -> tuple[int, ...]:
    """The cells that a laying closes; of equal ones, connections are worth tokens."""
    return earned.group_points, earned.contacts
