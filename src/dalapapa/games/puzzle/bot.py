"""How a bot plays Puzzle (rules 5): it takes what its layout needs, one domino at a time."""

from __future__ import annotations

from ...bots.frames import FrameBot
from ...core.notation import Laying
from ..moves import Lay, Move, PutBack, Take
from .rules import PuzzleView


class PuzzleBot(FrameBot[PuzzleView]):
    """Takes a domino, lays it, or puts it back."""

    def move_towards(self, view: PuzzleView, missing: list[Laying], tries: bool) -> Move | None:
        player, held = view.player, self.find_held(view)
        if held is None:
            return Take(player, missing[0].tile) if missing else None
        if missing and not tries:
            return Lay(player, next(one for one in missing if one.tile == held))
        return PutBack(player)

    def find_held(self, view: PuzzleView) -> str | None:
        return view.held[view.player]
