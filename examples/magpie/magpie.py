"""Magpie: a bot that likes closed groups most."""

from dalapapa.bots import Bot, make_bot
from dalapapa.games.classic import ClassicView
from dalapapa.games.game import AnyGame
from dalapapa.games.moves import Lay, Move


class Magpie(Bot[ClassicView]):
    """Closes the largest group in reach, and else plays as Nora does."""

    games = ("classic", "auction", "conquest", "three")

    def __init__(self, game: AnyGame, seed: str) -> None:
        super().__init__(game, seed)
        self.nora = make_bot("medium", game, seed)

    def choose(self, view: ClassicView) -> Move:
        found: dict[Move, int] = {}
        for move in self.game.legal_moves(view):
            if isinstance(move, Lay):
                found[move] = view.table.earned(move.laying).group_points - view.charge
        best = max(found, key=found.__getitem__, default=None)
        return best if best and found[best] > 0 else self.nora.choose(view)
