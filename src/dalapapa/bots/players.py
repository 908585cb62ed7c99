"""The programs by name. Each plays every game, and a level is the same everywhere."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from ..errors import BadOptions
from ..games.game import Game
from ..games.moves import Move
from ..games.race import Race
from .bot import Bot, Time
from .foresight import Foresight
from .frames import FramePlan
from .greedy import CHOICES
from .sight import BeginnersSight, Oversight, Sight

USUAL = Time()


class RandomBot(Bot):
    """Every legal move is equally likely."""

    def __init__(self, game: Game, seed: str) -> None:
        super().__init__(game, seed)
        self.chance = Random(seed)

    def choose(self, view: Any) -> Move:
        moves = self.game.legal_moves(view)
        # Random.random() is the one method whose sequence Python promises to keep.
        return moves[int(self.chance.random() * len(moves))]


class Level(msgspec.Struct, frozen=True):
    """How well a program plays."""

    name: str
    pace: float
    """How quick it is in games in which the quickest acts."""
    oversight: Oversight | None = None
    """What it overlooks."""
    ahead: float = 0.0
    """Of the time that it may take for a turn, what it spends on looking ahead."""

    def sight(self, time: Time, seed: str) -> Sight:
        if self.oversight is not None:
            return BeginnersSight(self.oversight, Random(seed))
        if self.ahead:
            return Foresight(time, self.ahead, Random(seed))
        return Sight()


MEDIUM = Level("medium", pace=1.0)
LEVELS = {
    level.name: level
    for level in (
        Level("novice", pace=0.4, oversight=Oversight(disc=0.06, closing=0.15, second=0.1)),
        Level("easy", pace=0.7, oversight=Oversight(disc=0.3, closing=0.6, second=0.7)),
        MEDIUM,
        Level("strong", pace=1.5, ahead=0.1),
        Level("expert", pace=2.0, ahead=1.0),
    )
}
"""From the weakest to the strongest."""


class LevelBot(Bot):
    """A level in one seat; in the races, it fills its frame by a plan."""

    def __init__(self, level: Level, game: Game, seed: str, time: Time) -> None:
        super().__init__(game, seed)
        self.pace = level.pace
        self.sight = level.sight(time, seed)
        self.plan = FramePlan(game, seed) if isinstance(game, Race) else None

    def choose(self, view: Any) -> Move:
        if self.plan is not None:
            return self.plan.choose(view)
        return CHOICES[self.game.name](view, self.sight)


def _of_level(level: Level) -> Callable[[Game, str, Time], Bot]:
    return lambda game, seed, time: LevelBot(level, game, seed, time)


BOTS: dict[str, Callable[[Game, str, Time], Bot]] = {
    "random": lambda game, seed, _: RandomBot(game, seed),
    "greedy": _of_level(MEDIUM),
    **{name: _of_level(level) for name, level in LEVELS.items()},
}
"""All programs: the levels, `greedy` as medium was called first, and `random` for tests."""


def make_bot(name: str, game: Game, seed: str, time: Time = USUAL) -> Bot:
    """The program called `name`, for one seat of one game, with so much time for a turn."""
    try:
        make = BOTS[name]
    except KeyError:
        known = ", ".join(BOTS)
        raise BadOptions(
            f"There is no player called {name!r}: known are {known}.", "unknown_bot"
        ) from None
    return make(game, seed, time)
