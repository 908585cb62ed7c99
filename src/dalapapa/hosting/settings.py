"""The settings of an online table: what its players agree on when it is set up."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ..core.errors import BadOptions
from ..core.notation import shorten
from ..core.tiles import TileSet
from ..games import find_game

MAX_CUSTOM_DOMINOES = 120
"""Dominoes of a custom set at a new table, as many as the box has: every message and every state
contains the set. Existing tables keep their sets of any size."""

MAX_SETTINGS_BYTES = 16_000
"""Bytes of a table's settings, which every message contains: enough for a custom set."""


class SeatPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who a seat is for: a person, or the bot of that name."""

    program: str | None = None


class Clock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time that players have in games with turns.

    `turn`: the seconds for each turn. `bank`: the seconds for the whole game, and `increment` more
    after each turn. When they are over, a bot plays the turn.
    """

    kind: Literal["none", "turn", "bank"] = "none"
    seconds: Annotated[int, Meta(ge=5, le=7 * 86_400)] = 60
    increment: Annotated[int, Meta(ge=0, le=3600)] = 0


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, weakref=True):
    """The settings of a table. They never change."""

    game: str
    seats: tuple[SeatPlan, ...]
    options: dict[str, Any] = {}
    visibility: Literal["public", "private"] = "private"
    """A public table is listed in the lobby; a private one is found by its link."""
    spectators: Literal["none", "public", "all"] = "public"
    """What spectators see: nothing, what all players see, or all hands.

    Spectators are anonymous: with `all`, players may look, too."""
    clock: Clock = Clock()
    pace: Annotated[int, Meta(ge=0, le=10_000)] = 700
    """Milliseconds that a bot takes for a move, so that people can follow."""
    aids: Literal["all", "places", "none"] = "all"
    """What a page may show before a move: places and points, only places, or nothing."""
    hands: Literal["own", "open"] = "own"
    """Whose dominoes a player sees: their own, or those of all players."""
    absence: Annotated[int, Meta(ge=0, le=86_400)] = 0
    """Seconds that the table waits for an absent player before the others may let a bot play;
    0: forever, as at tables that are older than this setting."""
    # New tables have other defaults (`http/routes/tables.py`); these are for the replay of tables
    # that are older than the settings.
    countdown: Annotated[int, Meta(ge=0, le=60)] = 0
    """Seconds until a race begins, once all seats are taken."""
    hints: Literal["yes", "alone", "no"] = "yes"
    """Whether the solver helps in a race: always, only a player who plays alone, or never."""


def find_tiles(settings: Settings) -> TileSet:
    """The dominoes that a table with these settings is played with."""
    game = find_game(settings.game)
    return game.tiles(game.parse_options(settings.options))


def check_set_size(settings: Settings) -> None:
    """Refuse a custom set with more dominoes than the box has."""
    chosen = settings.options.get("set")
    if isinstance(chosen, list | tuple) and len(chosen) > MAX_CUSTOM_DOMINOES:
        raise BadOptions(
            f"A custom set at an online table has at most {MAX_CUSTOM_DOMINOES} dominoes, and this"
            f" one has {len(chosen)}: leave some out.",
            "set_too_large",
        )


def check_bots(settings: Settings, known: Collection[str]) -> None:
    """Refuse bots that are not among those of the game."""
    for plan in settings.seats:
        if plan.program is not None and plan.program not in known:
            raise BadOptions(f"There is no bot called {shorten(plan.program)}.", "unknown_bot")


def read_settings(data: object) -> Settings:
    """Settings from plain data; refuses everything else with one sentence."""
    try:
        settings = msgspec.convert(data, Settings)
        check_set_size(settings)
        size = len(msgspec.json.encode(settings))
    except (msgspec.ValidationError, UnicodeEncodeError, RecursionError) as error:
        reason = error if isinstance(error, msgspec.ValidationError) else "it is not plain text"
        raise BadOptions(f"Cannot set up this table: {reason}.", "bad_settings") from None
    if size > MAX_SETTINGS_BYTES:
        raise BadOptions(
            "The options are too long for the messages of a table: shorten them.", "bad_settings"
        )
    return settings
