"""The bot that fills frames (rules 5 and 6): by complete layouts that the solver finds.

It continues any layout, so that it can be made again for every move, and take over a frame that
another player has begun.
"""

from __future__ import annotations

from typing import Any, TypeVar

from ..core.notation import Laying
from ..games.moves import GiveUp, Lay, Move, TakeOut
from ..games.race import Race, RaceView
from ..kernel import solver
from .levels import LevelBot

ViewT = TypeVar("ViewT", bound=RaceView)

MAX_PLACES = 40
"""Places that are tried for the domino in hand before it goes back into the middle."""


class FrameBot(LevelBot[ViewT]):
    """Works towards a complete layout, and finds a new one when others take what it needs.

    The level's `detour` is the chance to try another domino than the right one, as people do, and
    to take it out again if it leads nowhere.
    """

    game: Race[Any, Any, ViewT]

    def begin(self) -> None:
        self.layout: tuple[Laying, ...] = ()

    def choose(self, view: ViewT) -> Move:
        """The next move towards a full frame; takes a domino out where there is no way."""
        missing = self._find_missing(view)
        tries = self.rng.random() < self.level.detour
        move = self.move_towards(view, missing, tries)
        if move is not None:
            return move
        player = view.player
        return TakeOut(player, view.frame[-1].tile) if view.frame else GiveUp(player)

    def move_towards(self, view: ViewT, missing: list[Laying], tries: bool) -> Move | None:
        """A move towards the missing layings, or another one if the bot `tries` that."""
        if not missing:
            return None
        return Lay(view.player, self._choose_other(view, missing) if tries else missing[0])

    def find_held(self, view: ViewT) -> str | None:  # noqa: ARG002
        """The domino in hand, in games that have one."""
        return None

    def _choose_other(self, view: ViewT, missing: list[Laying]) -> Laying:
        """A domino that fits where the right one would lie; the right one if there is none."""
        names = [laying.tile for laying in missing]
        cells = set(missing[0].cells)
        fitting = [
            laying
            for laying in self.game.layout(view.options, view.frame).legal(names)
            if set(laying.cells) == cells
        ]
        return fitting[int(self.rng.random() * len(fitting))]

    def _find_missing(self, view: ViewT) -> list[Laying]:
        """The layings that are missing; empty if no layout was found."""
        laid, supply = set(view.frame), set(self.game.supply(view))
        held = self.find_held(view)
        tiles = {laying.tile for laying in self.layout}
        if not laid <= {*self.layout} or not tiles <= supply or (held and held not in tiles):
            self.layout = ()
        if not self.layout:
            self.layout = self._solve(view, held)
        return [laying for laying in self.layout if laying not in laid]

    def _solve(self, view: ViewT, held: str | None) -> tuple[Laying, ...]:
        """A complete layout with the layings in the frame and the domino in hand."""
        begun: list[tuple[Laying, ...]] = [view.frame]
        if held is not None:
            places = self.game.layout(view.options, view.frame).legal([held])
            keys = [self.rng.random() for _ in places]
            tried = [place for _, place in sorted(zip(keys, places, strict=True))][:MAX_PLACES]
            begun = [(*view.frame, place) for place in tried]
        for frame in self.game.targets(view):
            for position in begun:
                found = solver.solve(
                    frame,
                    self.game.tiles(view.options),
                    self.game.supply(view),
                    position,
                    seed=self.seed,
                    budget=solver.HINT_NODES // len(begun),
                )
                if found.solutions:
                    return found.solutions[0]
        return ()
