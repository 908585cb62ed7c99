"""The games as menus list them."""

from __future__ import annotations

from inspect import getdoc

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ...bots import list_levels
from ...bots.installed import list_offered
from ...core.errors import BrokenGame
from ...games import REGISTRY, Entry, find_game, list_entries
from ...games.installed import guard
from ...games.turns import TargetOptions


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


def list_game_entries() -> list[GameEntry]:
    """All games that work, with their options and bots."""
    listed = []
    for entry in list_entries():
        game = find_game(entry.name)
        guests = [ProgramEntry(one.name, one.title, one.description) for one in list_offered(game)]
        try:
            with guard(game, "its programs"):
                levels, options = list_levels(game), game.parse_options({})
        except BrokenGame:  # The log names it; the menu offers the other games.
            continue
        listing = GameEntry(entry.name, entry.players, entry.options, levels, guests=tuple(guests))
        if entry.name not in REGISTRY:
            if isinstance(options, TargetOptions):
                listing = replace(listing, charge=options.charge)
            title = entry.name.replace("_", " ").capitalize()
            description = (getdoc(game) or "").partition("\n")[0]
            listing = replace(listing, title=title, description=description)
        listed.append(listing)
    return listed
