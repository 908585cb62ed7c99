"""What a program is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

import msgspec

from ..games.game import Game
from ..games.moves import Move
from .pace import seconds

SECONDS = 1.0
"""What a turn may take a program that thinks ahead, on one core."""


T = TypeVar("T", str, int)


def shuffled(items: Sequence[T], chance: Random) -> list[T]:
    """Dominoes in an order by chance, by the one method whose sequence Python promises to keep."""
    keys = [chance.random() for _ in items]
    return [item for _, item in sorted(zip(keys, items, strict=True))]


class Time(msgspec.Struct, frozen=True):
    """What a program may take for a turn."""

    seconds: float = SECONDS
    """Work is counted, so that it takes about half of this on one core."""
    clocked: bool = True
    """Whether a clock ends what takes longer; without it, the same seed gives the same choice."""


class Bot(ABC):
    """A program in one seat of one game. The same seed gives the same choices."""

    pace = 1.0
    """How quick it is beside medium, where the quickest acts."""

    def __init__(self, game: Game, seed: str) -> None:
        self.game = game
        self.seed = seed

    @abstractmethod
    def choose(self, view: Any) -> Move:
        """A legal move for the viewer of `view`, who is to act."""

    def seconds(self, view: Any) -> float:
        """How long a person would take for that move, on average."""
        return seconds(view, self.pace)
