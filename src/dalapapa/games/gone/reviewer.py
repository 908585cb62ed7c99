"""How Gone is reviewed (rules 4): by the discs of each laying that count."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from ...coach.reasons import Remark
from ...coach.reviewer import PlayedTurn, TableReviewer, Unit, find_best_laying
from ...core.points import Earned, Turn
from ..events import Laid
from ..game import Step
from .rules import LAYS_AGAIN, GoneState


class GoneReviewer(TableReviewer[GoneState]):
    """Discs of layings; chances by whole games."""

    unit: ClassVar[Unit] = "discs"
    work: ClassVar[int] = 1_500
    moments: ClassVar[int] = 16

    @staticmethod
    def turns(steps: Sequence[Step[GoneState]]) -> list[PlayedTurn]:
        """The turns: every laying is one, and so is every pass."""
        found = []
        for number, (before, after) in enumerate(pairwise(steps)):
            state = before.state
            laid = next((event for event in after.events if isinstance(event, Laid)), None)
            if laid is None:
                found.append(PlayedTurn(state.active, number, number, (), 0, None, 0))
                continue
            discs = laid.earned.contacts
            best = find_best_laying(state.table, state.hands[state.active], _discs)
            most = best.points if best else 0
            lost = min(most, LAYS_AGAIN) - min(discs, LAYS_AGAIN)
            found.append(
                PlayedTurn(state.active, number, number, (laid.laying,), discs, best, lost)
            )
        return found

    def remarks(self, played: PlayedTurn, best: Turn) -> tuple[Remark, ...]:  # noqa: ARG002
        again = best.points >= LAYS_AGAIN
        return (Remark("lays_again" if again else "draws_nothing", {"discs": best.points}),)


def _discs(earned: Earned) -> tuple[int, ...]:
    return (earned.contacts,)
