"""How Alex is reviewed (rules 7): each round against the best turn that all could see."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from ...coach.reasons import Remark
from ...coach.reviewer import PlayedTurn, TableReviewer
from ...core.points import Turn
from ..events import Ended, Proved, RoundBegan
from ..game import Step
from .state import AlexState


class AlexReviewer(TableReviewer[AlexState]):
    """Points of rounds; chances by whole games."""

    rounds: ClassVar[bool] = True
    work: ClassVar[int] = 900
    moments: ClassVar[int] = 8

    @staticmethod
    def turns(steps: Sequence[Step[AlexState]]) -> list[PlayedTurn]:
        """The turn shown in each round, and its announcement; without a player if there is none."""
        found = []
        first = 0
        for number, (before, after) in enumerate(pairwise(steps)):
            if any(isinstance(event, RoundBegan | Ended) for event in after.events):
                start = steps[first].state
                proved = next((event for event in after.events if isinstance(event, Proved)), None)
                best = start.table.best_turn(start.drawn)
                announced = proved.points if proved else 0
                found.append(
                    PlayedTurn(
                        proved.player if proved else None,
                        first,
                        number,
                        tuple([laid.laying for laid in before.state.turn]) if proved else (),
                        proved.shown if proved else 0,
                        best,
                        max(0, best.points - announced) if best else 0,
                        announced,
                    )
                )
                first = number + 1
        return found

    def remarks(self, played: PlayedTurn, best: Turn) -> tuple[Remark, ...]:
        if played.announced:
            more = Remark("more_than_announced", {"points": played.lost})
        else:
            more = Remark("nobody_showed", {"points": best.points})
        return self.parts(played, best), more
