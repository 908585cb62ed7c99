"""How a program plays the classic game (rules 1): the turn that its sight shows."""

from __future__ import annotations

from typing import Any

from ...bots import bot
from ...bots.perception import Perception
from ...points import Turn
from ..moves import End, Lay, Move, Pass
from .rules import ClassicView


class Program(bot.Program):
    """The best turn, domino by domino."""

    def choose(self, view: ClassicView) -> Move:
        return choose(view, self.sight)


def choose(view: Any, sight: Perception) -> Move:
    """The first move of the turn that a sight shows."""
    return begun(view.viewer, sight.turn(view))


def begun(player: int, turn: Turn | None) -> Move:
    """The first move of a turn."""
    if turn is None:
        return Pass(player)
    return Lay(player, turn.layings[0]) if turn.layings else End(player)
