"""The games as menus list them."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from ...bots import list_levels
from ...games import REGISTRY, AnyGame, Entry, make_entry
from ...games.game_texts import FALLBACK, GameTexts, choose_language
from ...texts import Language
from ..workers.packages import Packages
from ..workers.remote_games import RemoteGame


class ProgramEntry(msgspec.Struct, frozen=True):
    """A bot of another package in a menu."""

    name: str
    title: str
    description: str


class GameEntry(Entry, frozen=True, omit_defaults=True):
    """A game in a menu; games of other packages bring their title and description."""

    programs: tuple[str, ...]
    title: str = ""
    description: str = ""
    guests: tuple[ProgramEntry, ...] = ()
    """Bots of other packages; their strength has not been measured."""
    charge: int | UnsetType = UNSET
    """The cost of each domino after the first, unless options change it; only for games of other
    packages in which turns earn points."""


async def list_game_entries(packages: Packages) -> list[GameEntry]:
    """All games that work, with their options and bots."""
    listed = [
        describe_own_game(game, await _list_guests(packages, game.name))
        for game in REGISTRY.values()
    ]
    for remote in await packages.list_games():
        described = remote.description
        if described.bots_failure:  # No table can be made; the log names the game.
            continue
        texts = choose_language(described.texts, FALLBACK)
        listed.append(
            GameEntry(
                described.name,
                described.seats,
                described.menu,
                described.levels,
                texts.title or described.name.replace("_", " ").capitalize(),
                texts.description or described.description,
                await _list_guests(packages, described.name),
                UNSET if described.charge is None else described.charge,
            )
        )
    return listed


async def find_game_texts(packages: Packages, name: str, language: Language) -> GameTexts:
    """The texts of a game of a package for a reader; our games have none, clients know them."""
    game = await packages.find(name)
    texts = game.description.texts if isinstance(game, RemoteGame) else {}
    return choose_language(texts, language)


def describe_own_game(game: AnyGame, guests: tuple[ProgramEntry, ...] = ()) -> GameEntry:
    """One of our games, with the bots of other packages that play it."""
    entry = make_entry(game)
    return GameEntry(entry.name, entry.players, entry.options, list_levels(game), guests=guests)


async def _list_guests(packages: Packages, game: str) -> tuple[ProgramEntry, ...]:
    """The bots of other packages that play a game."""
    bots = [bot.description for bot in await packages.list_bots(game)]
    return tuple([ProgramEntry(bot.name, bot.title, bot.description) for bot in bots])
