"""Games of other packages, registered in the entry-point group `dalapapa.games`.

    [project.entry-points."dalapapa.games"]
    three = "three_dominoes:GAME"

Each is tried before it is listed. A broken one is left out, and a sentence in the log names it, so
that other games are not affected.

The library and the command line call such a game directly: its errors have their own tracebacks,
and Ctrl+C ends a call that never returns. A server never imports it: worker processes run it, with
time limits (`server/workers/packages.py`).
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Protocol, TypeVar

import msgspec

from ..core.errors import IllegalMove
from ..core.tiles import TileSet
from .bag import fill_bag
from .game import AnyGame, Game, View
from .game_texts import read_game_texts
from .moves import Move, check_declared, check_kinds
from .plain import to_plain

ENTRY_POINT_GROUP = "dalapapa.games"

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")
"""A valid name of a game: it is part of addresses and file names."""

MAX_SEATS = 10

logger: logging.Logger = logging.getLogger("dalapapa")


class Named(Protocol):
    """A game, or a registered bot."""

    name: str


T = TypeVar("T", bound=Named)


_policy = {"loads_all": True}


def load_only_on_request() -> None:
    """Load no package from now on, unless it is named: workers of a server need few of them."""
    _policy["loads_all"] = False


def load_installed(taken: Collection[str]) -> dict[str, AnyGame]:
    """The games of installed packages that work, by name; a name that is taken stays so."""
    return load_working(ENTRY_POINT_GROUP, "game", try_game, taken)


def list_points(group: str) -> list[EntryPoint]:
    """The entry points of a group in a fixed order; no package is imported."""
    return sorted(entry_points(group=group), key=lambda point: (point.name, point.value))


def load_working(
    group: str, what: str, try_entry: Callable[[EntryPoint], T], taken: Collection[str] = ()
) -> dict[str, T]:
    """Try the entry points of a group one by one; those that fail are left out and logged."""
    found: dict[str, T] = {}
    for point in list_points(group) if _policy["loads_all"] else ():
        try:
            entry = try_entry(point)
            check_name_is_free(what, entry.name, (*taken, *found))
        except (Exception, SystemExit) as error:
            log_left_out(what, point, format_error(error))
        else:
            found[entry.name] = entry
    return found


def check_name_is_free(what: str, name: str, taken: Collection[str]) -> None:
    """Refuse a second entry of one name."""
    if name in taken:
        raise ValueError(f"another {what} is called {name}")


def log_left_out(what: str, point: EntryPoint, why: str) -> None:
    """Log why a game or a bot is not listed."""
    logger.warning("Ignoring the %s %s (%s): %s", what, point.name, point.value, why)


def load_game(point: EntryPoint) -> AnyGame:
    """Load the game that an entry point names."""
    game = point.load()
    if not isinstance(game, Game):
        raise TypeError("it must be a Game")
    if not isinstance(game.name, str) or not NAME.fullmatch(game.name):
        raise TypeError("its name must consist of lower-case letters, digits, - and _")
    seats = game.seats
    if not isinstance(seats, range) or not seats or seats[0] < 1 or seats[-1] > MAX_SEATS:
        raise TypeError(f"its seats must be a range from 1 to {MAX_SEATS}")
    if not (isinstance(game.view_type, type) and issubclass(game.view_type, View)):
        raise TypeError("its view_type must be a subclass of View")
    check_kinds(game.move_types)
    return game


def try_game(point: EntryPoint) -> AnyGame:
    """Load the game that an entry point names, start it and view it."""
    game = load_game(point)
    msgspec.json.encode(game.menu())
    read_game_texts(game)
    options = game.parse_options({})
    for players in (game.seats[0], game.seats[-1]):
        tiles: TileSet = game.tiles(options)
        state = game.start(players, options, fill_bag(tiles.names, "trial")).state
        game.outcome(state)
        for viewer in (None, *game.actors(state)):
            view = game.view(state, viewer)
            msgspec.json.encode(to_plain(view))
            if viewer is not None and not game.many_moves:
                check_moves(game, game.legal_moves(view))
    return game


def check_moves(game: AnyGame, moves: Iterable[Move]) -> None:
    """Refuse moves that the game could not read back from a record."""
    for move in moves:
        try:
            check_declared(move, game.move_types)
        except IllegalMove as error:
            raise TypeError(str(error)) from None


def format_error(error: BaseException) -> str:
    """Describe an error of another package in one line."""
    text = str(error).partition("\n")[0] or "no reason given"
    return f"{type(error).__name__}: {text}"
