"""Bots of other packages, registered in the entry-point group `dalapapa.bots`.

    [project.entry-points."dalapapa.bots"]
    magpie = "magpie:Magpie"

Each is tried before it is listed. A broken one is left out, and a sentence in the log names it.
A bot that fails at a table (an exception or an illegal move) loses that move: the least move that
the rules allow is made instead, and the log names the bot.

The library and the command line call a bot directly, without a time limit: Ctrl+C ends a bot that
never moves. A server asks it in worker processes, with a time limit (`server/workers/bots.py`).
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.metadata import EntryPoint
from inspect import isabstract
from typing import Any

from ..core.interrupts import Terminated
from ..games import REGISTRY, list_games
from ..games.game import AnyGame, View, ViewT
from ..games.installed import NAME, format_error, list_points, load_working, log_left_out
from ..games.moves import Decline, End, GiveUp, Lay, Move, NoMore, Pass
from .bot import Bot, MoveBot, Time, read_choice
from .levels import BOT_NAMES

ENTRY_POINT_GROUP = "dalapapa.bots"

PEOPLE = ("you", "link", "guest", "alone")
"""Names that menus use for people."""

LEAST_MOVES = (End, Decline, NoMore, Pass)
"""Moves that do nothing."""

logger: logging.Logger = logging.getLogger("dalapapa")


class RegisteredBot:
    """A bot that a package registers."""

    def __init__(self, point: EntryPoint, kind: type[Bot[Any]]) -> None:
        self.name: str = point.name
        self.where: str = point.value
        self.kind = kind
        self.failures: int = 0
        """The moves that it has lost in this process."""

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.name.replace("_", " ").capitalize()

    @property
    def description(self) -> str:
        """Its package's description, in one line."""
        return (self.kind.__doc__ or "").strip().partition("\n")[0]

    def plays(self, game: AnyGame) -> bool:
        """Whether it is for this game."""
        return not self.kind.games or game.name in self.kind.games

    def make(self, game: AnyGame, seed: str, time: Time) -> Bot[Any]:
        """Make it for a seat; it knows its time already in `__init__`."""
        bot = self.kind.__new__(self.kind, game, seed)  # type: ignore[call-arg]
        bot.time = time
        bot.__init__(game, seed)  # type: ignore[misc]
        return bot

    def log_failure(self, error: BaseException) -> None:
        """Log why it lost a move: the first time with the traceback, then only numbers."""
        self.failures += 1
        if self.failures == 1:
            log_failed_bot(self.name, self.where, format_error(error), error)
        elif str(self.failures).strip("0") == "1":
            why = f"{format_error(error)} (failure {self.failures} in this process)"
            log_failed_bot(self.name, self.where, why)


def log_failed_bot(name: str, where: str, why: str, error: BaseException | None = None) -> None:
    """Log why a bot lost a move, with the traceback of an error."""
    logger.warning(
        "The bot %s (%s) failed: %s. It gets a default move instead.",
        name, where, why.rstrip("."), exc_info=error,
    )  # fmt: skip


@cache
def load_registered() -> dict[str, RegisteredBot]:
    """The bots of installed packages that can be made, by name."""
    return load_working(ENTRY_POINT_GROUP, "bot", try_bot)


@cache
def find_registered(name: str) -> RegisteredBot | None:
    """The bot of that name; packages with other bots are not imported."""
    for point in list_points(ENTRY_POINT_GROUP):
        if point.name == name:
            try:
                return try_bot(point)
            except (Exception, SystemExit) as error:
                log_left_out("bot", point, format_error(error))
    return None


def try_bot(point: EntryPoint) -> RegisteredBot:
    """Load the bot that an entry point names, and make it for a game."""
    if not NAME.fullmatch(point.name):
        raise ValueError("its name must consist of lower-case letters, digits, - and _")
    if point.name in BOT_NAMES or point.name in PEOPLE:
        raise ValueError(f"another bot is called {point.name}")
    kind = point.load()
    if not (isinstance(kind, type) and issubclass(kind, Bot)):
        raise TypeError("it must be a subclass of Bot")
    if isabstract(kind):
        raise TypeError("it must define choose(view)")
    if not (isinstance(kind.games, tuple) and all(isinstance(name, str) for name in kind.games)):
        raise TypeError("its games must be a tuple of names")
    if type(kind.pace) not in (int, float) or not 0.1 <= kind.pace <= 10:
        raise TypeError("its pace must be a number from 0.1 to 10")
    entry = RegisteredBot(point, kind)
    ours = filter(entry.plays, REGISTRY.values())
    game = next(ours, None) or next(filter(entry.plays, list_games().values()), None)
    if game is not None:
        entry.make(game, "trial", Time())
    return entry


def list_offered(game: AnyGame) -> list[RegisteredBot]:
    """The bots of other packages that play a game."""
    return [entry for entry in load_registered().values() if entry.plays(game)]


class InstalledBot(MoveBot[ViewT]):
    """A bot of another package in a seat. It is made when it is first asked for a move."""

    def __init__(
        self, entry: RegisteredBot, game: AnyGame, seed: str, time: Time | None = None
    ) -> None:
        super().__init__(game, seed)
        self.entry = entry
        self.time: Time = time or Time()
        self.pace: float = entry.kind.pace
        self.failures: int = 0
        """The moves that it has lost, because it failed."""
        self._bot: Bot[Any] | None = None

    def choose(self, view: ViewT) -> Move:
        move = self._ask(view)
        return choose_least(self.game, view) if move is None else move

    def _ask(self, view: ViewT) -> Move | None:
        """Its move if that is legal; None, with a line in the log, if it has failed."""
        try:
            if self._bot is None:
                self._bot = self.entry.make(self.game, self.seed, self.time)
            move = read_choice(self._bot.choose(view), self.game, view)
            legal = _list_legal(self.game, view, move)
            if move not in legal:
                raise ValueError(f"the move {move} is illegal")
            return legal[legal.index(move)]  # Its own may be of classes of its package.
        except Terminated:
            raise
        except (Exception, SystemExit) as error:
            self.failures += 1
            self.entry.log_failure(error)
        return None


def _list_legal(game: AnyGame, view: View, move: Move) -> list[Move]:
    """The legal moves among which a move must be: those of one domino, where it is laid."""
    if isinstance(move, Lay):
        game.check_laying(move)
        return game.legal_layings(view, move.laying.tile)
    return game.legal_moves(view)


def choose_least(game: AnyGame, view: View, given_up: bool = False) -> Move:
    """Do nothing where the rules allow it, else make the first legal move.

    A bot that is given up leaves a race, which is a move there.
    """
    moves = game.legal_moves(view)
    for kind in (GiveUp, *LEAST_MOVES) if given_up else LEAST_MOVES:
        for move in moves:
            if isinstance(move, kind):
                return move
    return moves[0]
