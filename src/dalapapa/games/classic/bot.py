"""How a bot plays the classic game (rules 1): the best turn that it sees."""

from __future__ import annotations

from ...bots.levels import LevelBot
from ...core.points import Turn
from ..game import AnyGame
from ..moves import End, Lay, Move, Pass
from ..turns import HAND
from .rules import ClassicView

MEDIUM = "medium"
"""The strongest level that sees no further than its turn."""


class ClassicBot(LevelBot[ClassicView]):
    """The best turn, domino by domino."""

    @classmethod
    def strongest_in(cls, game: AnyGame) -> str:
        """Levels above medium look ahead, which works with hands of two only."""
        return cls.strongest if game.parse_options({}).hand == HAND else MEDIUM

    def choose(self, view: ClassicView) -> Move:
        return start_turn(view.player, self.sight.turn(view))


def start_turn(player: int, turn: Turn | None) -> Move:
    """The first move of a turn; pass if there is none."""
    if turn is None:
        return Pass(player)
    return Lay(player, turn.layings[0]) if turn.layings else End(player)
