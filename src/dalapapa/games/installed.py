"""Games of other packages, registered in the entry-point group `dalapapa.games`.

    [project.entry-points."dalapapa.games"]
    three = "three_dominoes:GAME"

Each is tried before it is listed. A broken one is left out, and a sentence in the log names it, so
that other games are not affected. A game that breaks later (an exception that is no refusal, a
value of a wrong type, a call that takes too long) raises `BrokenGame`.
"""

from __future__ import annotations

import logging
import pickle
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol, TypeVar

import msgspec

from ..core.errors import BrokenGame, DalapapaError
from ..core.tiles import TileSet
from ..core.time_limit import TookTooLong, time_limit
from .bag import fill_bag
from .events import Outcome
from .game import AnyGame, Game, GameParts, State, Step, Timer, View
from .moves import AnyMove
from .plain import to_plain

ENTRY_POINT_GROUP = "dalapapa.games"

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")
"""A valid name of a game: it is part of addresses and file names."""

MAX_SEATS = 10

CALL_LIMIT_S = 5
"""The time limit of a call; games usually answer within milliseconds."""

logger = logging.getLogger("dalapapa")


class Named(Protocol):
    """A game, or a registered bot."""

    name: str


T = TypeVar("T", bound=Named)


def load_installed(taken: Collection[str]) -> dict[str, AnyGame]:
    """The games of installed packages that work, by name; a name that is taken stays so."""
    return load_working(ENTRY_POINT_GROUP, "game", _try_game, taken)


def load_working(
    group: str, what: str, try_entry: Callable[[EntryPoint], T], taken: Collection[str] = ()
) -> dict[str, T]:
    """Try the entry points of a group one by one; those that fail are left out and logged."""
    found: dict[str, T] = {}
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        try:
            with time_limit(2 * CALL_LIMIT_S):
                entry = try_entry(point)
            if entry.name in taken or entry.name in found:
                raise ValueError(f"there is a {what} called {entry.name} already")
        except (Exception, SystemExit, TookTooLong) as error:
            why = format_error(error)
            logger.warning("The %s %s (%s) is left out: %s", what, point.name, point.value, why)
        else:
            found[entry.name] = entry
    return found


def _try_game(point: EntryPoint) -> AnyGame:
    """Load the game that an entry point names, start it and view it."""
    game = point.load()
    if not isinstance(game, Game):
        raise TypeError("it is no Game")
    if not isinstance(game.name, str) or not NAME.fullmatch(game.name):
        raise TypeError("its name is not of small letters, digits, - and _")
    seats = game.seats
    if not isinstance(seats, range) or not seats or seats[0] < 1 or seats[-1] > MAX_SEATS:
        raise TypeError(f"its seats are not a range from 1 to {MAX_SEATS}")
    if not (isinstance(game.view_type, type) and issubclass(game.view_type, View)):
        raise TypeError("its view_type is no View")
    msgspec.json.encode(game.menu())
    options = game.parse_options({})
    for players in (seats[0], seats[-1]):
        bag = fill_bag(game.tiles(options).names, "trial")
        state = game.start(players, options, bag).state
        game.outcome(state)
        for viewer in (None, *game.actors(state)):
            msgspec.json.encode(to_plain(game.view(state, viewer)))
    return _add_guards(game)


def format_error(error: BaseException) -> str:
    """Describe an error of another package in one line."""
    if isinstance(error, TookTooLong):
        return "it takes too long"
    text = str(error).partition("\n")[0] or "no reason given"
    return f"{type(error).__name__}: {text}"


# -- during a game ---------------------------------------------------------------------------


class Guarded:
    """Marks the games of other packages, whose answers are checked."""

    is_installed = True
    hung = False
    """Whether a call took too long, so that the game is not called again."""


def is_hung(game: AnyGame) -> bool:
    """Whether a game took too long before, and is not called again."""
    return isinstance(game, Guarded) and game.hung


@contextmanager
def guard(game: AnyGame, what: str, seconds: float | None = None) -> Iterator[None]:
    """Limit calls of a game of another package: refusals pass, other errors are `BrokenGame`."""
    if not isinstance(game, Guarded):
        yield
        return
    if game.hung:
        raise report_broken(game, what, "it took too long before, and is not asked again")
    try:
        with time_limit(seconds or CALL_LIMIT_S):
            yield
    except DalapapaError:
        raise
    except (Exception, TookTooLong) as error:
        game.hung = isinstance(error, TookTooLong)
        raise report_broken(game, what, format_error(error)) from None


def report_broken(game: AnyGame, what: str, why: str) -> BrokenGame:
    """Log why a game is broken, for the operator; return the error for players."""
    package = type(game).__module__
    logger.warning("The game %s (%s) is broken: %s: %s", game.name, package, what, why)
    return BrokenGame(f"The game {game.name} is broken: it cannot be played on.")


def _is_step(answer: Any) -> bool:
    """Whether it is a step that can be stored and sent."""
    if not (isinstance(answer, Step) and isinstance(answer.state, State)):
        return False
    msgspec.json.encode(to_plain(answer.events))
    return isinstance(answer.events, tuple)


def _is_view(answer: Any) -> bool:
    """Whether it is a view that can be sent to viewers and to a worker."""
    msgspec.json.encode(to_plain(answer))
    pickle.dumps(answer)
    return isinstance(answer, View)


def _are_moves(answer: Any) -> bool:
    return isinstance(answer, list) and all(isinstance(move, AnyMove) for move in answer)


def _are_seats(answer: Any) -> bool:
    return isinstance(answer, tuple) and all(
        type(seat) is int and 0 <= seat < MAX_SEATS for seat in answer
    )


CHECKS: dict[str, Callable[[Any], bool]] = {
    "start": _is_step,
    "apply": _is_step,
    "view": _is_view,
    "legal_moves": _are_moves,
    "legal_layings": _are_moves,
    "actors": _are_seats,
    "next_actors": _are_seats,
    "clock_player": lambda answer: answer is None or _are_seats((answer,)),
    "timer": lambda answer: answer is None or isinstance(answer, Timer),
    "outcome": lambda answer: answer is None or isinstance(answer, Outcome),
    "tiles": lambda answer: isinstance(answer, TileSet),
    "thinking_time": lambda answer: type(answer) in (int, float) and answer > 0,
    "count_laid": lambda answer: type(answer) is int,
    "complete_options": lambda answer: isinstance(answer, dict),
    "anonymize": lambda answer: isinstance(answer, str),
    "parse_options": lambda answer: isinstance(answer, msgspec.Struct),
}
"""The methods that are called, and checks of their answers."""


def _add_guards(game: AnyGame) -> AnyGame:
    """Make the same game with a guard around each method."""
    kind = type(game)
    methods = {name: _add_guard(getattr(kind, name), name, check) for name, check in CHECKS.items()}
    parts = vars(kind).get("parts", GameParts())  # Of this class alone, as `find_part` asks.
    body = {"__module__": kind.__module__, "__doc__": kind.__doc__, "parts": parts, **methods}
    guarded: AnyGame = object.__new__(type(kind.__name__, (Guarded, kind), body))
    vars(guarded).update(vars(game))
    return guarded


def _add_guard(method: Callable[..., Any], name: str, check: Callable[[Any], bool]) -> Any:
    @wraps(method)
    def ask(game: AnyGame, *args: Any) -> Any:
        with guard(game, name):
            answer = method(game, *args)
            if not check(answer):
                raise TypeError(f"it gives {type(answer).__name__}")
            return answer

    return ask
