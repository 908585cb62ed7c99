"""The games: each a folder that says what differs, all found through the registry."""

import msgspec

from ..errors import BadOptions
from ..notation import shortened
from .alex import Alex
from .arlequin import Arlequin
from .auction import Auction
from .classic import Classic
from .conquest import Conquest
from .dalapapa72 import Dalapapa72
from .game import Game
from .gone import Gone
from .options import Option, options_of
from .puzzle import Puzzle

REGISTRY: dict[str, Game] = {
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
"""Every game by name, in the order of the rules. All that is about every game iterates over it."""


def find(name: str) -> Game:
    """The game of a name."""
    try:
        return REGISTRY[name]
    except KeyError:
        known = ", ".join(REGISTRY)
        raise BadOptions(
            f"There is no game called {shortened(name)}: known are {known}.", "unknown_game"
        ) from None


class Entry(msgspec.Struct, frozen=True):
    """What a menu says about a game."""

    name: str
    players: tuple[int, int]
    """The least and the greatest number."""
    options: tuple[Option, ...]


def catalogue() -> tuple[Entry, ...]:
    """All games with their options, for menus, commands and docs."""
    return tuple(
        Entry(game.name, (game.seats[0], game.seats[-1]), options_of(game.options))
        for game in REGISTRY.values()
    )


__all__ = ["REGISTRY", "Entry", "Game", "catalogue", "find"]
