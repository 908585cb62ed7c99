"""How a program plays the classic game (rules 1): the turn that its sight shows."""

from __future__ import annotations

from ...bots import bot
from ...points import Turn
from ..moves import End, Lay, Move, Pass
from .rules import ClassicView


class Program(bot.Program[ClassicView]):
    """The best turn, domino by domino."""

    def choose(self, view: ClassicView) -> Move:
        return begun(view.player, self.sight.turn(view))


def begun(player: int, turn: Turn | None) -> Move:
    """The first move of a turn."""
    if turn is None:
        return Pass(player)
    return Lay(player, turn.layings[0]) if turn.layings else End(player)
