"""How a program fills a frame (rules 5 and 6): by a whole layout that the solver found."""

from __future__ import annotations

from typing import Any

from .. import solver
from ..games.moves import GiveUp, Lay, Move, PutBack, Take, TakeOut
from ..games.puzzle import PuzzleView
from ..games.race import Race, RaceView
from ..notation import Laying


class FramePlan:
    """A full layout to work towards; a new one when others have taken what it needs."""

    def __init__(self, game: Race, seed: str) -> None:
        self.game = game
        self.seed = seed
        self.layout: tuple[Laying, ...] = ()

    def choose(self, view: Any) -> Move:
        """The next move towards a full frame; a domino taken out again where there is no way."""
        player = view.viewer
        missing = self._missing(view)
        if isinstance(view, PuzzleView):
            held = view.held[player]
            if held is not None:
                for laying in missing:
                    if laying.tile == held:
                        return Lay(player, laying)
                return PutBack(player)
            if missing:
                return Take(player, missing[0].tile)
        elif missing:
            return Lay(player, missing[0])
        return TakeOut(player, view.frame[-1].tile) if view.frame else GiveUp(player)

    def _missing(self, view: RaceView) -> list[Laying]:
        """What is still to be laid, or nothing if no layout was found."""
        laid, supply = set(view.frame), set(self.game.supply(view))
        planned = {*self.layout}
        if not (laid <= planned and all(laying.tile in supply for laying in planned)):
            self.layout = ()
        if not self.layout:
            self.layout = self._solved(view)
        return [laying for laying in self.layout if laying not in laid]

    def _solved(self, view: RaceView) -> tuple[Laying, ...]:
        for frame in self.game.targets(view):
            found = solver.solve(
                frame,
                self.game.tiles(view.options),
                self.game.supply(view),
                view.frame,
                seed=self.seed,
                budget=solver.HINT_NODES,
            )
            if found.solutions:
                return found.solutions[0]
        return ()
