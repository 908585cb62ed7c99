"""Options: what players agree on beforehand, said in one place for each game.

A game's options are a struct whose fields carry their type, range, default and description.
Menus, the command line (`dalapapa games`, `simulate --option`) and `docs/games.md` are
made from what `options_of` reads there; `parse_options` refuses everything else.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import inspect

from ..errors import BadOptions
from ..notation import shortened
from ..tiles import STANDARD, TileSet, from_rows, standard

T = TypeVar("T", bound=msgspec.Struct)

Kind = Literal["number", "switch", "choice", "numbers", "texts", "set"]
"""`numbers` and `texts` are lists with one item for each player."""


class TileRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A domino of a set that is not one of the standard ones."""

    name: str
    recto: str
    verso: str


SetChoice = str | tuple[TileRow, ...]
"""In options: the name of a standard set, or all dominoes of another."""


def tile_set(choice: SetChoice) -> TileSet:
    """The set that options ask for."""
    if isinstance(choice, str):
        return standard(choice)
    rows = [(f"domino {n}", msgspec.to_builtins(row)) for n, row in enumerate(choice, start=1)]
    return from_rows("of this game", rows)


def set_choice(tiles: TileSet) -> SetChoice:
    """The inverse of `tile_set`."""
    for name in STANDARD:
        if tiles == standard(name):
            return name
    return tuple(TileRow(tile.name, tile.recto, tile.verso) for tile in tiles.tiles)


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to agree on, as a menu needs it."""

    name: str
    kind: Kind
    default: Any
    description: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str | int, ...] = ()
    optional: bool = False
    """None is allowed: the game decides."""

    @property
    def allowed(self) -> str:
        """What may be chosen, in words."""
        numbers = f"{self.least} to {self.most}"
        words = {
            "number": numbers,
            "switch": "true or false",
            "choice": " or ".join(map(str, self.choices)),
            "numbers": f"{numbers}, one for each player",
            "texts": "one for each player",
            "set": "120, 72, or a set of one's own",
        }[self.kind]
        return f"{words}, or null" if self.optional else words


@cache
def options_of(kind: type[msgspec.Struct]) -> tuple[Option, ...]:
    """The options that a struct declares, in its order."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    return tuple([_option(field) for field in info.fields])


def parse_options(game: str, kind: type[T], data: Any) -> T:
    """Options from plain data; what is missing has its default."""
    known = {option.name: option for option in options_of(kind)}
    for name in data if isinstance(data, dict) else ():
        if name not in known:
            raise BadOptions(
                f"{game} has no option {shortened(str(name))}; it has {', '.join(known)}.",
                "unknown_option",
            )
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        where = re.search(r"\$\.(\w+)", str(error))
        option = known.get(where[1]) if where else None
        if option is None or "$.set[" in str(error):
            raise BadOptions(f"Options of {game}: {error}.") from None
        raise BadOptions(
            f"The option {option.name} of {game} is {option.allowed},"
            f" not {_told(data[option.name])}.",
            f"bad_{option.name}",
        ) from None


def _told(value: Any) -> str:
    """A wrong value as JSON, cut if long."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 40 else text[:37] + "..."


def _option(field: inspect.Field) -> Option:
    description = ""
    shape = field.type
    if isinstance(shape, inspect.Metadata):
        description = (shape.extra_json_schema or {}).get("description", "")
        shape = shape.type
    optional = False
    if isinstance(shape, inspect.UnionType) and shape.includes_none:
        optional = True
        shape = next(kind for kind in shape.types if not isinstance(kind, inspect.NoneType))
    kind: Kind
    limits: inspect.IntType | None = None
    choices: tuple[str | int, ...] = ()
    match shape:
        case inspect.IntType():
            kind, limits = "number", shape
        case inspect.BoolType():
            kind = "switch"
        case inspect.LiteralType(values=values):
            kind, choices = "choice", tuple(v for v in values if isinstance(v, str | int))
        case inspect.VarTupleType(item_type=inspect.IntType() as item):
            kind, limits = "numbers", item
        case inspect.VarTupleType():
            kind = "texts"
        case _:
            kind = "set"
    return Option(
        field.encode_name,
        kind,
        field.default,
        description,
        limits.ge if limits else None,
        limits.le if limits else None,
        choices,
        optional,
    )
