"""The rules of the games, and the registry that finds them by name.

To add a game `NAME`, make a folder `games/NAME/` with `rules.py` (options, state, view, moves) and
put its class into `REGISTRY` below. Add a part only where the game differs, and name it in the
table of that part:

* `bot.py`: how bots play it. `class NameBot(LevelBot[...])`, named in `games/bots.py`.
* `reviewer.py`: how the coach reviews it. `class NameReviewer(...)`, named in `games/reviewers.py`.
* `observer.py`: what learning programs see. `class NameObserver(...)`, named in
  `games/observers.py`.

Without a bot, a game has the bots `random` and `greedy`; without the other parts, reviews and
environments are refused. A game of another package names its parts in `Game.parts`
(`docs/extending.md`). Rules never import a part: bots, coach and adapters are layers above them.
"""

from collections.abc import Iterable
from functools import cache

import msgspec

from ..core.errors import BadOptions
from ..core.notation import shorten, suggest
from ..core.options import Option
from . import game as base
from .alex.rules import Alex
from .arlequin.rules import Arlequin
from .auction.rules import Auction
from .classic.rules import Classic
from .conquest.rules import Conquest
from .dalapapa72.rules import Dalapapa72
from .game import AnyGame, Game
from .gone.rules import Gone
from .installed import load_installed
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
"""Our games by name, in the order of the rules."""


LOADED: dict[str, AnyGame] = {}
"""Games of packages that a worker process has loaded one by one: it needs no other package."""


DEFAULT = "classic"
"""The game that is played if none is named. The others build on it, or on its points."""


def find_game(name: str) -> AnyGame:
    """The game of that name, one of ours or of an installed package."""
    game = REGISTRY.get(name) or LOADED.get(name) or list_games().get(name)
    if game is None:
        raise make_unknown_game(name, list_games())
    return game


def make_unknown_game(name: str, known: Iterable[str]) -> BadOptions:
    """The refusal of a name that is not among the known ones."""
    names = list(known)
    return BadOptions(
        f"There is no game called {shorten(name)}: choose one of {', '.join(names)}."
        f"{suggest(name, names)}",
        "unknown_game",
    )


base.find_game = find_game


@cache
def list_games() -> dict[str, AnyGame]:
    """Our games, then those of installed packages, by name."""
    return REGISTRY | load_installed(REGISTRY)


class Entry(msgspec.Struct, frozen=True):
    """A game in a menu."""

    name: str
    players: tuple[int, int]
    """The smallest and the largest number of players."""
    options: tuple[Option, ...]


def list_entries() -> tuple[Entry, ...]:
    """All games with their options."""
    return tuple(map(make_entry, list_games().values()))


def make_entry(game: AnyGame) -> Entry:
    """The entry of a game in a menu."""
    return Entry(game.name, (game.seats[0], game.seats[-1]), game.menu())


__all__ = [
    "DEFAULT",
    "LOADED",
    "REGISTRY",
    "AnyGame",
    "Entry",
    "Game",
    "find_game",
    "list_entries",
    "list_games",
    "make_entry",
    "make_unknown_game",
]
