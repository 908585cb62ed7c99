"""The five levels of every game, a gentler one, and the base class of bots that have them."""

from __future__ import annotations

from random import Random
from typing import ClassVar

import msgspec

from ..core.points import SECOND_DOMINO_CHARGE
from ..games.game import AnyGame, ViewT
from ..games.moves import End, Lay, Move
from ..games.turns import TargetView, TurnView
from .bot import MoveBot, Time
from .lookahead import Lookahead
from .perception import BeginnersSight, Oversight, Perception


class Level(msgspec.Struct, frozen=True):
    """How well a bot plays."""

    name: str
    pace: float
    """How quick it is in games in which the quickest acts."""
    eye: float
    """The chance to notice a turn at a glance, where everyone looks for the best (rules 7)."""
    oversight: Oversight | None = None
    ahead: float = 0.0
    """The share of its time for a turn that it spends on looking ahead."""
    detour: float = 0.0
    """The chance to try a wrong domino in a frame (rules 5 and 6)."""
    worth_a_marker: int = 3
    """The smallest territory, in cells, that it spends a marker on (rules 8)."""
    blind: float = 0.0
    """The chance to lay any domino that fits, without comparing, as small children do."""

    def sight(self, time: Time, seed: str) -> Perception:
        """What a bot of this level sees of the layings that are possible."""
        if self.oversight is not None:
            return BeginnersSight(self.oversight, Random(seed))
        if self.ahead:
            return Lookahead(time, self.ahead, Random(seed))
        return Perception()


NOVICE = Oversight(disc=0.18, closing=0.4, second=0.4, slip=0.12)
EASY = Oversight(disc=0.45, closing=0.7, second=0.75, slip=0.04)
MEDIUM = Level("medium", pace=1.0, eye=0.28)
LEVELS = {
    level.name: level
    for level in (
        Level("novice", pace=0.6, eye=0.06, oversight=NOVICE, detour=0.2),
        Level("easy", pace=0.78, eye=0.18, oversight=EASY, detour=0.1),
        MEDIUM,
        Level("strong", pace=1.33, eye=0.45, ahead=0.1, worth_a_marker=2),
        Level("expert", pace=1.75, eye=0.62, ahead=1.0, worth_a_marker=1),
    )
}
"""The levels, from the weakest to the strongest."""

CHILD = Level("child", pace=0.45, eye=0.03, oversight=NOVICE, detour=0.3, blind=0.99)
"""A gentler level for games of small children: it wins half of its games against `random`."""

GENTLE_LEVELS = {CHILD.name: CHILD}
"""The levels below `LEVELS`, which only some games have (`LevelBot.gentler`)."""

BOT_NAMES = ("random", "greedy", *LEVELS)
"""The names of our bots: `random` for tests, `greedy` as the first name of medium, the levels."""


class LevelBot(MoveBot[ViewT]):
    """A level in one seat of one game. This class plays games that have no bot of their own."""

    gentler: ClassVar[tuple[str, ...]] = ()
    """The names of levels below novice that the game has."""
    strongest: ClassVar[str] = "expert"
    """The last level of the game: one above it must measure stronger (`docs/ladder.md`)."""

    @classmethod
    def strongest_in(cls, game: AnyGame) -> str:  # noqa: ARG003
        """The last level of a variant, in which a level may see no more than the one below it."""
        return cls.strongest

    def __init__(self, game: AnyGame, level: Level, seed: str, time: Time) -> None:
        super().__init__(game, seed)
        self.level = level
        self.pace: float = level.pace
        self.sight: Perception = level.sight(time, seed)

    def choose(self, view: ViewT) -> Move:
        """Choose the laying that earns most, or the first legal move if there is no laying.

        Where the turn may be ended, another laying must earn more than it costs.
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
        charge = view.charge if isinstance(view, TargetView) else SECOND_DOMINO_CHARGE
        if end is not None and points.get(best.laying, 0) <= charge:
            return end
        return best
