"""How a program plays the classic game (rules 1): the turn that its sight shows."""

from __future__ import annotations

from typing import Any

from ..games.moves import End, Lay, Move, Pass
from ..points import Turn
from .sight import Sight


def choose(view: Any, sight: Sight) -> Move:
    """The best turn, domino by domino."""
    return begun(view.viewer, sight.turn(view))


def begun(player: int, turn: Turn | None) -> Move:
    """The first move of a turn."""
    if turn is None:
        return Pass(player)
    return Lay(player, turn.layings[0]) if turn.layings else End(player)
