"""The review of a race (rules 5 and 6): how full the frames were, and which ways were wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ..games.game import Step
from ..games.moves import Move
from ..games.race import Race
from .dead_ends import NODES, WrongWay, paces, wrong_ways
from .estimate import exactly
from .reasons import Remark
from .reviewer import SECONDS, Moment, Progress, Review, Reviewed, Reviewer
from .turns import PlayedTurn, Unit

MAX_MOMENTS = 400
"""Of a race: all of them, in any that people have run."""


class RaceReviewer(Reviewer):
    """How full the frames were, who took how many moves, and which layings led nowhere."""

    game: Race
    unit: ClassVar[Unit] = "moves"

    @staticmethod
    def turns(steps: Sequence[Step]) -> list[PlayedTurn]:  # noqa: ARG004
        """There are none: all play at once."""
        return []

    def review(self, names: Sequence[str], moves: Sequence[Move], progress: Progress) -> Review:  # noqa: ARG002
        movers = [move.player for move in moves]
        nodes = int(NODES * self.seconds / SECONDS)
        ways = wrong_ways(self.game, self.steps, movers, nodes)
        turns = [_reviewed(number, way) for number, way in enumerate(ways, start=1)]
        pace = paces(self.game, self.steps, movers)
        return self.told(names, turns, _filling(self.game, self.steps), "full", pace)


def _reviewed(number: int, way: WrongWay) -> Reviewed:
    text = "wrong_way_to_the_end" if way.stayed else "wrong_way"
    remark = Remark(text, {"tile": way.laying.tile, "moves": way.moves})
    played = PlayedTurn(way.player, way.first, way.last, (way.laying,), 0, None, way.moves)
    return Reviewed(number, played, remarks=(remark,))


def _filling(game: Race, steps: Sequence[Step]) -> tuple[Moment, ...]:
    """How much of each frame is full, wherever that changes; not everywhere in long races."""
    needed = game.dominoes(steps[0].state.options)
    moments: list[Moment] = []
    for position, step in enumerate(steps):
        full = tuple([exactly(len(frame) / needed) for frame in step.state.frames])
        if not moments or full != moments[-1].chances or position == len(steps) - 1:
            moments.append(Moment(position, full))
    return (*moments[: -1 : len(moments) // MAX_MOMENTS + 1], moments[-1])
