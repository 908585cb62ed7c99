"""The programs by name. Each plays every game; what it does in which is in its own file."""

from __future__ import annotations

from random import Random
from typing import Any

from ..errors import BadOptions
from ..games.game import Game
from ..games.moves import Move
from .bot import Bot
from .greedy import GreedyBot


class RandomBot(Bot):
    """Every legal move is equally likely."""

    def __init__(self, game: Game, seed: str) -> None:
        super().__init__(game, seed)
        self.chance = Random(seed)

    def choose(self, view: Any) -> Move:
        moves = self.game.legal_moves(view)
        # Random.random() is the one method whose sequence Python promises to keep.
        return moves[int(self.chance.random() * len(moves))]


BOTS: dict[str, type[Bot]] = {"random": RandomBot, "greedy": GreedyBot}


def make_bot(name: str, game: Game, seed: str) -> Bot:
    """The program called `name`, for one seat of one game."""
    try:
        kind = BOTS[name]
    except KeyError:
        known = ", ".join(BOTS)
        raise BadOptions(
            f"There is no player called {name!r}: known are {known}.", "unknown_bot"
        ) from None
    return kind(game, seed)
