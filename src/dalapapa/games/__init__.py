"""The games: each a folder that says what differs, all found through the registry."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TypeVar

import msgspec

from ..core.errors import BadOptions
from ..core.notation import shortened
from ..core.options import Option
from .alex.rules import Alex
from .arlequin.rules import Arlequin
from .auction.rules import Auction
from .classic import Classic
from .conquest.rules import Conquest
from .dalapapa72.rules import Dalapapa72
from .game import AnyGame, Game
from .gone.rules import Gone
from .installed import Guarded, installed
from .puzzle.rules import Puzzle

REGISTRY: dict[str, AnyGame] = {
    game.name: game
    for game in (
        Classic(),
        Auction(),
        Conquest(),
        Gone(),
        Puzzle(),
        Arlequin(),
        Alex(),
        Dalapapa72(),
    )
}
"""Our games by name, in the order of the rules. What is about each of them iterates over it."""


DEFAULT = "classic"
"""The game that is meant where none is named; the others build on it, or on its points."""


def find(name: str) -> AnyGame:
    """The game of a name, ours or anybody's."""
    game = REGISTRY.get(name) or every().get(name)
    if game is None:
        known = ", ".join(every())
        raise BadOptions(
            f"There is no game called {shortened(name)}: known are {known}.", "unknown_game"
        )
    return game


@cache
def every() -> dict[str, AnyGame]:
    """Our games, and then those that installed packages register (`installed.py`)."""
    return REGISTRY | installed(REGISTRY)


T = TypeVar("T")


def part(game: AnyGame, module: str, kind: type[T], inherited: bool = False) -> type[T] | None:
    """What a higher floor knows of a game, or None if that is nothing.

    It is the class in the module of that name beside the game's rules that is called as `kind`
    is, and made from it: `games/alex/program.py` has a `Program`. Imported when it is asked for.
    With `inherited`, one that has none has that of the game that it is made from.
    """
    for base in type(game).__mro__ if inherited else (type(game),):
        found: object = getattr(_module(base, module), kind.__name__, None)
        if isinstance(found, type) and issubclass(found, kind):
            return found
    return None


@cache
def _module(game: type, name: str) -> ModuleType | None:
    """The module of that name beside a game's rules."""
    package = game.__module__.rpartition(".")[0]
    if not package or find_spec(f"{package}.{name}") is None:
        return None
    return import_module(f"{package}.{name}")


class Entry(msgspec.Struct, frozen=True):
    """What a menu says about a game."""

    name: str
    players: tuple[int, int]
    """The least and the greatest number."""
    options: tuple[Option, ...]


def catalogue() -> tuple[Entry, ...]:
    """All games with their options, for menus, commands and docs; without those that hung."""
    return tuple(
        Entry(game.name, (game.seats[0], game.seats[-1]), game.menu())
        for game in every().values()
        if not (isinstance(game, Guarded) and game.hung)
    )


__all__ = ["DEFAULT", "REGISTRY", "AnyGame", "Entry", "Game", "catalogue", "every", "find", "part"]
