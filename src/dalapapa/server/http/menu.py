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
    """What a menu says about a program by somebody else."""

    name: str
    title: str
    description: str


class GameEntry(Entry, frozen=True, omit_defaults=True):
    """What a menu says about a game; one by somebody else says itself what it is about."""

    programs: tuple[str, ...]
    title: str = ""
    description: str = ""
    guests: tuple[ProgramEntry, ...] = ()
    """Programs by others, whose strength nobody has measured."""
    charge: int | UnsetType = UNSET
    """Of a game by somebody else in which turns earn points: what each domino after the first
    costs, unless its options say otherwise."""


def list_games() -> list[GameEntry]:
    """The games as menus list them."""
    listed = []
    for entry in list_entries():
        game = find_game(entry.name)
        guests = [ProgramEntry(one.name, one.title, one.description) for one in list_offered(game)]
        try:
            with guard(game, "its programs"):
                levels, options = list_levels(game), game.parse_options({})
        except BrokenGame:  # The log names it; the other games are offered.
            continue
        told = GameEntry(entry.name, entry.players, entry.options, levels, guests=tuple(guests))
        if entry.name not in REGISTRY:
            if isinstance(options, TargetOptions):
                told = replace(told, charge=options.charge)
            title = entry.name.replace("_", " ").capitalize()
            told = replace(told, title=title, description=(getdoc(game) or "").partition("\n")[0])
        listed.append(told)
    return listed
