"""The programs: `random` and `greedy`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any

from ..errors import BadOptions
from ..games.game import Game
from ..games.moves import End, Lay, Move, Pass
from ..points import SECOND_DOMINO_CHARGE


class Bot(ABC):
    """A program in one seat of one game. The same seed gives the same choices."""

    def __init__(self, game: Game, seed: str) -> None:
        self.game = game
        self.seed = seed

    @abstractmethod
    def choose(self, view: Any) -> Move:
        """A legal move for the viewer of `view`, who is to act."""


class RandomBot(Bot):
    """Every legal move is equally likely."""

    def __init__(self, game: Game, seed: str) -> None:
        super().__init__(game, seed)
        self.chance = Random(seed)

    def choose(self, view: Any) -> Move:
        moves = self.game.legal_moves(view)
        # Random.random() is the one method whose sequence Python promises to keep.
        return moves[int(self.chance.random() * len(moves))]


class GreedyBot(Bot):
    """The exact best immediate turn; of equal ones, the first by its text."""

    def choose(self, view: Any) -> Move:
        player = view.viewer
        best = view.table.best_turn(view.hand)
        if view.turn and (best is None or best.points <= SECOND_DOMINO_CHARGE):
            return End(player)
        return Pass(player) if best is None else Lay(player, best.layings[0])


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
