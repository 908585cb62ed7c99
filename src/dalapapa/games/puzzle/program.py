"""How a program plays Puzzle (rules 5): it takes what its layout needs, one domino at a time."""

from __future__ import annotations

from ...bots.frames import FrameProgram
from ...bots.pace import LAY
from ...notation import Laying
from ..moves import Lay, Move, PutBack, Take
from .rules import PuzzleView

FIND = 14.0
"""Seconds to find a domino that fits in a small frame."""


class Program(FrameProgram):
    """Takes a domino, lays it, or puts it back."""

    def towards(self, view: PuzzleView, missing: list[Laying], tries: bool) -> Move | None:
        player, held = view.viewer, self.held(view)
        assert player is not None
        if held is None:
            return Take(player, missing[0].tile) if missing else None
        if missing and not tries:
            return Lay(player, next(one for one in missing if one.tile == held))
        return PutBack(player)

    def held(self, view: PuzzleView) -> str | None:
        return None if view.viewer is None else view.held[view.viewer]

    @classmethod
    def takes(cls, view: PuzzleView, pace: float) -> float:
        return (LAY if view.held[view.viewer or 0] else FIND) / pace
