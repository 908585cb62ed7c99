"""Programs by others: packages register them in the entry-point group `dalapapa.bots`.

    [project.entry-points."dalapapa.bots"]
    magpie = "magpie:Magpie"

Each is looked at before it is listed; one that is broken is left out with a sentence in the log.
One that fails at a table (an exception, a move that is not legal, thinking that does not end) has
lost that move: the least one that the rules allow is made in its place, and the log names it.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.metadata import EntryPoint
from inspect import isabstract
from typing import Any

from ..core.errors import BrokenGame
from ..core.time_limit import TookTooLong, time_limit
from ..games import every
from ..games.game import AnyGame, View, ViewT
from ..games.installed import NAME, SECONDS, reason, working
from ..games.moves import AnyMove, Decline, End, GiveUp, Lay, Move, NoMore, Pass
from .bot import Bot

GROUP = "dalapapa.bots"

PEOPLE = ("you", "link", "guest", "alone")
"""What menus call those who are no programs."""

LEAST = (End, Decline, NoMore, Pass)
"""What a player does who does nothing."""

logger = logging.getLogger("dalapapa")


class Registered:
    """A program that a package registers."""

    def __init__(self, point: EntryPoint, kind: type[Bot[Any]]) -> None:
        self.name = point.name
        self.where = point.value
        self.kind = kind
        self.hung = False
        """Whether it took too long: it kept others waiting, and is not asked again."""

    @property
    def title(self) -> str:
        """What people call it."""
        return self.name.replace("_", " ").capitalize()

    @property
    def description(self) -> str:
        """What its package says of it, in a line."""
        return (self.kind.__doc__ or "").strip().partition("\n")[0]

    def plays(self, game: AnyGame) -> bool:
        """Whether it is for this game."""
        return not self.kind.games or game.name in self.kind.games

    def give_up(self, why: str) -> None:
        """Ask it no more: it leaves the menus, and where it plays, the least is done for it."""
        self.hung = True
        self.failed(why)

    def failed(self, why: str) -> None:
        """For whoever keeps the machine."""
        logger.warning(
            "The program %s (%s) has failed: %s. The least move is made for it.",
            self.name, self.where, why,
        )  # fmt: skip


@cache
def registered() -> dict[str, Registered]:
    """The programs of installed packages that can be made, by name."""
    return working(GROUP, "program", _looked_at)


def _looked_at(point: EntryPoint) -> Registered:
    """The program that an entry point names, if it can be made for a game."""
    from .levels import BOTS  # They, too, are asked for by name.

    if not NAME.fullmatch(point.name):
        raise ValueError("its name is not of small letters, digits, - and _")
    if point.name in BOTS or point.name in PEOPLE:
        raise ValueError(f"there is a program called {point.name} already")
    kind = point.load()
    if not (isinstance(kind, type) and issubclass(kind, Bot)):
        raise TypeError("it is no class made from Bot")
    if isabstract(kind):
        raise TypeError("it has no choose(view)")
    if not (isinstance(kind.games, tuple) and all(isinstance(name, str) for name in kind.games)):
        raise TypeError("its games are not a tuple of names")
    if type(kind.pace) not in (int, float) or not 0.1 <= kind.pace <= 10:
        raise TypeError("its pace is not a number from 0.1 to 10")
    one = Registered(point, kind)
    for game in every().values():
        if one.plays(game):
            kind(game, "trial")
            break
    return one


def offered(game: AnyGame) -> list[Registered]:
    """The programs by others that play a game; without those that took too long."""
    return [one for one in registered().values() if one.plays(game) and not one.hung]


class Guest(Bot[ViewT]):
    """Such a program in a seat. It is made when it is first asked, not where others wait."""

    def __init__(self, own: Registered, game: AnyGame, seed: str) -> None:
        super().__init__(game, seed)
        self.own = own
        self.pace = own.kind.pace
        self._bot: Bot[Any] | None = None

    def choose(self, view: ViewT) -> Move:
        move = None if self.own.hung else self._asked(view)
        return least_move(self.game, view, self.own.hung) if move is None else move

    def _asked(self, view: ViewT) -> Move | None:
        """Its move if that is legal; None if it has failed, which the log is told."""
        try:
            with time_limit(SECONDS):
                if self._bot is None:
                    self._bot = self.own.kind(self.game, self.seed)
                move = self._bot.choose(view)
                if not isinstance(move, AnyMove):
                    raise TypeError(f"it gives {type(move).__name__} for a move")
                if move not in _legal(self.game, view, move):
                    raise ValueError(f"{move} is not legal")
                return move
        except BrokenGame:
            raise
        except TookTooLong as error:
            self.own.give_up(reason(error))
        except (Exception, SystemExit) as error:
            self.own.failed(reason(error))
        return None


def _legal(game: AnyGame, view: View, move: Move) -> list[Move]:
    """The legal moves among which a move must be: few, where there may be many."""
    if isinstance(move, Lay):
        game.check_laying(move)
        return game.legal_layings(view, move.laying.tile)
    return game.legal_moves(view)


def least_move(game: AnyGame, view: View, given_up: bool) -> Move:
    """To do nothing where the rules allow it, else the first legal move.

    Whoever is given up leaves a race, in which that is a move.
    """
    moves = game.legal_moves(view)
    for kind in (GiveUp, *LEAST) if given_up else LEAST:
        for move in moves:
            if isinstance(move, kind):
                return move
    return moves[0]
