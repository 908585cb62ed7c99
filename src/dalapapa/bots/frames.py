"""How a program fills a frame (rules 5 and 6): by whole layouts that the solver finds.

It plays on from whatever lies there, so that it can be made anew for every move, and take over
a frame that somebody else has begun.
"""

from __future__ import annotations

from random import Random
from typing import Any

from .. import solver
from ..games.moves import GiveUp, Lay, Move, PutBack, Take, TakeOut
from ..games.puzzle import PuzzleView
from ..games.race import Race, RaceView
from ..notation import Laying

MOST_PLACES = 40
"""Places that are tried for the domino in hand before it goes back into the middle."""


class FramePlan:
    """A full layout to work towards; a new one when others have taken what it needs.

    `detour` is the chance to try another domino than the right one, as people do: it is taken
    out again if nothing comes of it.
    """

    def __init__(self, game: Race, seed: str, detour: float = 0.0) -> None:
        self.game = game
        self.seed = seed
        self.detour = detour
        self.chance = Random(seed)
        self.layout: tuple[Laying, ...] = ()

    def choose(self, view: Any) -> Move:
        """The next move towards a full frame; a domino taken out again where there is no way."""
        player = view.viewer
        missing = self._missing(view)
        tries = self.chance.random() < self.detour
        if isinstance(view, PuzzleView):
            held = view.held[player]
            if held is not None:
                if missing and not tries:
                    return Lay(player, next(one for one in missing if one.tile == held))
                return PutBack(player)
            if missing:
                return Take(player, missing[0].tile)
        elif missing:
            return Lay(player, self._other(view, missing) if tries else missing[0])
        return TakeOut(player, view.frame[-1].tile) if view.frame else GiveUp(player)

    def _other(self, view: RaceView, missing: list[Laying]) -> Laying:
        """A domino that fits where the right one would lie; the right one if there is none."""
        names = [laying.tile for laying in missing]
        cells = set(missing[0].cells)
        fitting = [
            laying
            for laying in self.game.layout(view.options, view.frame).legal(names)
            if set(laying.cells) == cells
        ]
        return fitting[int(self.chance.random() * len(fitting))]

    def _missing(self, view: RaceView) -> list[Laying]:
        """What is still to be laid, or nothing if no layout was found."""
        laid, supply = set(view.frame), set(self.game.supply(view))
        held = view.held[view.viewer] if isinstance(view, PuzzleView) else None  # type: ignore[index]
        tiles = {laying.tile for laying in self.layout}
        if not laid <= {*self.layout} or not tiles <= supply or (held and held not in tiles):
            self.layout = ()
        if not self.layout:
            self.layout = self._solved(view, held)
        return [laying for laying in self.layout if laying not in laid]

    def _solved(self, view: RaceView, held: str | None) -> tuple[Laying, ...]:
        """A layout with all that lies in the frame, and with the domino in hand."""
        begun: list[tuple[Laying, ...]] = [view.frame]
        if held is not None:
            places = self.game.layout(view.options, view.frame).legal([held])
            keys = [self.chance.random() for _ in places]
            tried = [place for _, place in sorted(zip(keys, places, strict=True))][:MOST_PLACES]
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
