"""The bots by name, for each game.

A game has all levels if it has a bot: one of our games in `games/bots.py`, a game of another
package by `Game.parts`, a variant by inheritance. Every other game has `random` and `greedy`.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from ..core.errors import BadOptions
from ..core.notation import shorten, suggest
from ..games.game import AnyGame, Game, OptionsT, StateT, View, ViewT
from ..games.moves import Move
from ..games.parts import find_part
from .bot import MoveBot, Time
from .installed import InstalledBot, find_registered, list_offered
from .levels import BOT_NAMES, GENTLE_LEVELS, LEVELS, MEDIUM, Level, LevelBot

GENERAL = ("random", "greedy")
"""The bots of a game that has none of its own."""

MISSPELT_SIMILARITY = 0.82
"""How similar (`difflib`) a small-letter name must be to that of a bot to be taken for a slip."""

NICKNAMES = {
    "random": "Dado",
    "child": "Lou",
    "novice": "Pia",
    "easy": "Milo",
    "medium": "Nora",
    "greedy": "Nora",
    "strong": "Bruno",
    "expert": "Vera",
}
"""Names of the bots for people, in every language; records and protocol use the keys."""


class RandomBot(MoveBot[View]):
    """Chooses every legal move with the same probability."""

    def choose(self, view: View) -> Move:
        moves = self.game.legal_moves(view)
        # Random.random() is the only method whose sequence Python promises to keep.
        return moves[int(self.rng.random() * len(moves))]


Maker = Callable[[AnyGame, str, Time], MoveBot[Any]]
"""Makes a bot for a seat: from a game, a seed and the time for a turn."""


def _maker_for(level: Level) -> Maker:
    def make(game: AnyGame, seed: str, time: Time) -> MoveBot[Any]:
        kind = _find_bot_class(game) or LevelBot
        return kind(game, _limit_level(level, kind.strongest_in(game)), seed, time)

    return make


def _limit_level(level: Level, strongest: str) -> Level:
    """A level that a game does not have plays as its strongest one."""
    if level.name in GENTLE_LEVELS:
        return level
    names = list(LEVELS)
    return LEVELS[names[min(names.index(level.name), names.index(strongest))]]


BOTS: dict[str, Maker] = {
    "random": lambda game, seed, _: RandomBot(game, seed),
    "greedy": _maker_for(MEDIUM),
    **{name: _maker_for(level) for name, level in (GENTLE_LEVELS | LEVELS).items()},
}
"""All our bots, by `BOT_NAMES` and the names of gentler levels."""


def _find_bot_class(game: AnyGame) -> type[LevelBot[Any]] | None:
    """The bot of a game, or of the game that it is a variant of."""
    from ..games.bots import BOT_CLASSES  # On first use: these modules import this package.

    return find_part(game, "bot", LevelBot, BOT_CLASSES, inherited=True)


def format_bot_name(name: str) -> str:
    """A bot for people: "Pia (novice)"."""
    return f"{NICKNAMES[name]} ({name})" if name in NICKNAMES else name


def list_bots(game: AnyGame) -> tuple[str, ...]:
    """The bots that play a game: ours first, then those of installed packages."""
    return (*list_own_bots(game), *(entry.name for entry in list_offered(game)))


def list_own_bots(game: AnyGame) -> tuple[str, ...]:
    """The bots of a game without those of installed packages."""
    kind = _find_bot_class(game)
    return GENERAL if kind is None else (*GENERAL, *kind.gentler, *LEVELS)


def list_levels(game: AnyGame) -> tuple[str, ...]:
    """The bots of a game that differ in strength, from the weakest to the strongest."""
    kind = _find_bot_class(game)
    if kind is None:
        return GENERAL
    names = tuple(LEVELS)
    return (*kind.gentler, *names[: names.index(kind.strongest_in(game)) + 1])


def make_bot(
    name: str, game: Game[OptionsT, StateT, ViewT], seed: str, time: Time | None = None
) -> MoveBot[ViewT]:
    """Make the bot of that name for one seat of one game."""
    if name in list_own_bots(game):
        return BOTS[name](game, seed, time or Time())
    entry = find_registered(name)
    if entry is None or not entry.plays(game):
        raise make_unknown_bot(name, game)
    return InstalledBot(entry, game, seed, time or Time())


def make_unknown_bot(name: str, game: AnyGame) -> BadOptions:
    """The refusal of a name that no bot of a game has."""
    known = list_bots(game)
    return BadOptions(
        f"There is no bot called {shorten(name)}: choose one of {', '.join(known)}."
        f"{suggest(name, known)}",
        "unknown_bot",
    )


def is_misspelt(name: str, game: AnyGame) -> bool:
    """Whether a name is probably meant to be that of a bot, such as "medum" or "Medium"."""
    known = list_bots(game)
    if name in known:
        return False
    similar = get_close_matches(name, known, 1, MISSPELT_SIMILARITY)
    return name.lower() in (*known, *BOT_NAMES) or (name.islower() and bool(similar))
