"""Games by others: packages register them in the entry-point group `dalapapa.games`.

    [project.entry-points."dalapapa.games"]
    three = "three_dominoes:GAME"

Each is tried before it is listed. One that is broken is left out with a sentence in the log, so
that it harms nobody who plays something else.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Collection
from importlib.metadata import EntryPoint, entry_points

import msgspec

from .bag import filled
from .game import AnyGame, Game, View
from .plain import plain

GROUP = "dalapapa.games"

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,29}")
"""Of a game: part of addresses and file names."""

MAX_SEATS = 10

logger = logging.getLogger("dalapapa")


def installed(taken: Collection[str]) -> dict[str, AnyGame]:
    """The games of installed packages that work, by name; a name that is taken stays so."""
    found: dict[str, AnyGame] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda one: (one.name, one.value)):
        try:
            game = _tried(point)
            if game.name in taken or game.name in found:
                raise ValueError(f"there is a game called {game.name} already")
        except Exception as error:
            told = str(error).partition("\n")[0] or "no reason told"
            why = f"{type(error).__name__}: {told}"
            logger.warning("The game %s (%s) is left out: %s", point.name, point.value, why)
        else:
            found[game.name] = game
    return found


def _tried(point: EntryPoint) -> AnyGame:
    """The game that an entry point names, if it can be begun and looked at."""
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
        bag = filled(game.tiles(options).names, "trial")
        state = game.start(players, options, bag).state
        game.outcome(state)
        for viewer in (None, *game.actors(state)):
            msgspec.json.encode(plain(game.view(state, viewer)))
    return game
