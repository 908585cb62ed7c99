"""What a program is, and what a game's own programs build on.

A game has programs of its own by a class `Program` in its `program.py`; all levels are made from
it. A game without one gets the general program, which is this one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

import msgspec

from ..core.points import SECOND_DOMINO_CHARGE
from ..games import part
from ..games.game import AnyGame, Game, OptionsT, StateT, ViewT
from ..games.moves import End, Lay, Move
from ..games.turns import TargetView, TurnView

if TYPE_CHECKING:
    from .levels import Level

SECONDS = 1.0
"""What a turn may take a program that thinks ahead, on one core."""

A_MOVE = 0.7
"""Seconds that a person takes for a move in a turn: enough to see what happens."""

LAY = 2.0
"""To lay what was found, in a frame or to show a turn."""


T = TypeVar("T", str, int)


def shuffled(items: Sequence[T], rng: Random) -> list[T]:
    """Dominoes in an order by chance, by the one method whose sequence Python promises to keep."""
    keys = [rng.random() for _ in items]
    return [item for _, item in sorted(zip(keys, items, strict=True))]


class Time(msgspec.Struct, frozen=True):
    """What a program may take for a turn."""

    seconds: float = SECONDS
    """Work is counted, so that it takes about half of this on one core."""
    clocked: bool = True
    """Whether a clock ends what takes longer; without it, the same seed gives the same choice."""


class Bot(ABC, Generic[ViewT]):
    """A program in one seat of one game. To write one, `choose` is enough:

        class Cautious(Bot):
            def choose(self, view):
                return view.legal[0]

    It sees what a person in its seat sees. `self.game` are the rules, `self.seed` and `self.rng`
    its own chance, which tells nothing of the bag: with them, the same seed gives the same choices.
    A class of one's own may have any `__init__` and need not call this one.
    """

    game: AnyGame
    seed: str
    rng: Random
    """Set before each game, like the two above."""

    games: ClassVar[tuple[str, ...]] = ()
    """The games that it plays, by name; all of them, if none is named."""
    pace: float = 1.0
    """How quick it is beside medium, where the quickest acts."""

    def __init__(self, game: AnyGame | None = None, seed: str = "0") -> None:
        if game is not None:
            self.sit_down(game, seed)

    def sit_down(self, game: AnyGame, seed: str) -> None:
        """Called for each new game, by whoever seats the program."""
        vars(self).pop("_usual", None)
        self.game = game
        self.seed = seed
        self.rng = Random(seed)
        self.begin()

    def begin(self) -> None:  # A hook: most programs have nothing to do here.
        """A new game begins: the place to forget the last one."""

    @abstractmethod
    def choose(self, view: ViewT) -> Move:
        """A legal move for the viewer of `view`, who is to act: one of `view.legal`, or its text.

        (Also a `Laying`: everything that `Match.play` takes.)
        """

    def seconds(self, view: ViewT) -> float:
        """How long a person would take for that move, on average."""
        return self._usual.takes(view, self.pace)

    @cached_property
    def _usual(self) -> type[Program[ViewT]]:
        return program_of(self.game)


class Program(Bot[ViewT]):
    """A level in one seat of one game; here, what it does in a game that nobody has told it of."""

    strongest: ClassVar[str] = "expert"
    """The last level of the game: one above it must measure stronger (`docs/ladder.md`)."""

    @classmethod
    def strongest_in(cls, game: AnyGame) -> str:  # noqa: ARG003
        """The same of a variant, in which a level may see no more than the one below it."""
        return cls.strongest

    def __init__(self, game: AnyGame, level: Level, seed: str, time: Time) -> None:
        super().__init__(game, seed)
        self.level = level
        self.pace = level.pace
        self.sight = level.sight(time, seed)

    def choose(self, view: ViewT) -> Move:
        """The laying with the most points that can be seen; without any, the first legal move.

        Where the turn may be ended, another laying must earn more than it usually costs.
        """
        moves = self.game.legal_moves(view)
        layings = [move for move in moves if isinstance(move, Lay)]
        if not layings or not isinstance(view, TurnView):
            return moves[0]
        names = dict.fromkeys(move.laying.tile for move in layings)
        points = {
            laying: earned.points for name in names for laying, earned in view.table.scored(name)
        }
        best = max(layings, key=lambda move: points.get(move.laying, 0))
        end = next((move for move in moves if isinstance(move, End)), None)
        costs = view.charge if isinstance(view, TargetView) else SECOND_DOMINO_CHARGE
        if end is not None and points.get(best.laying, 0) <= costs:
            return end
        return best

    @classmethod
    def takes(cls, view: ViewT, pace: float) -> float:  # noqa: ARG003
        """Seconds that a move takes somebody who sees `view`; `pace` is 1 for medium.

        In turns, a move should only be seen to happen. Where the quickest acts (rules 5 to 7), a
        level is a pace, too. These are means: whoever keeps the clock, a server or a simulation,
        lets chance decide who is next.
        """
        return A_MOVE


def program_of(game: Game[OptionsT, StateT, ViewT]) -> type[Program[ViewT]]:
    """What the levels of a game are made from: its own program, or the general one."""
    return own_program(game) or Program


def own_program(game: Game[OptionsT, StateT, ViewT]) -> type[Program[ViewT]] | None:
    """Its own one, or that of the game that it is a variant of."""
    return part(game, "program", Program, inherited=True)


def quickest(rates: Sequence[float], chance: float) -> int:
    """Who acts next of some who make so many moves a second; `chance` is from 0 to 1."""
    left = chance * sum(rates)
    for place, rate in enumerate(rates[:-1]):
        left -= rate
        if left < 0:
            return place
    return len(rates) - 1
