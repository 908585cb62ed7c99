"""Options of games: the sets of dominoes, and how a wrong option is refused."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from ..core.errors import BadOptions
from ..core.options import Option, read_options
from ..core.tiles import STANDARD, TileSet, from_rows, standard

T = TypeVar("T", bound=msgspec.Struct)

MAX_CUSTOM_SETS = 32
"""Custom sets that are cached: up to 150 kB each."""


class TileRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A domino of a custom set."""

    name: str
    recto: str
    verso: str


SetChoice = str | tuple[TileRow, ...]
"""In options: the name of a standard set, or all dominoes of a custom set."""


def resolve_set(choice: SetChoice) -> TileSet:
    """The set that an option names or lists."""
    return standard(choice) if isinstance(choice, str) else _make_custom_set(choice)


@lru_cache(MAX_CUSTOM_SETS)
def _make_custom_set(choice: tuple[TileRow, ...]) -> TileSet:
    """A custom set, cached because a table asks for it often."""
    rows = [(f"domino {n}", msgspec.to_builtins(row)) for n, row in enumerate(choice, start=1)]
    return from_rows("of this game", rows)


def to_set_choice(tiles: TileSet) -> SetChoice:
    """The inverse of `resolve_set`."""
    for name in STANDARD:
        if tiles == standard(name):
            return name
    return tuple(TileRow(tile.name, tile.recto, tile.verso) for tile in tiles.tiles)


def parse_options(game: str, kind: type[T], data: Any) -> T:
    """Read the options of a game from plain data; missing ones have their default."""

    def refusal(option: Option | None, error: str) -> BadOptions:
        if option is None or "$.set[" in error:
            return BadOptions(f"Options of {game}: {error}.")
        # As JSON, cut if long.
        text = msgspec.json.encode(data[option.name]).decode()
        text = text if len(text) <= 40 else text[:37] + "..."
        return BadOptions(
            f"The option {option.name} of {game} must be {option.allowed}, not {text}.",
            f"bad_{option.name}",
        )

    return read_options(
        kind,
        data,
        lambda name, names: f"{game} has no option {name}: its options are {names}.",
        refusal,
    )
