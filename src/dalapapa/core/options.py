"""Options of games and of prints: declared once, for menus, commands, server and docs.

Options are a struct whose fields have a type, range, default and description. `options_of` lists
them for menus, the command line and the docs; `read_options` reads them from plain data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect

from .errors import BadOptions
from .notation import shorten

T = TypeVar("T", bound=msgspec.Struct)

Kind = Literal["number", "switch", "choice", "text", "pair", "numbers", "texts", "set"]
"""A `pair` is two numbers; `numbers` and `texts` are lists with one item for each player."""


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One option, as a menu needs it."""

    name: str
    kind: Kind
    default: Any
    description: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str | int, ...] = ()
    optional: bool = False
    """Whether None is allowed, which leaves the choice to the game."""
    of: tuple[str, ...] = ()
    """The prints that it applies to; empty for all."""
    default_of: Mapping[str, Any] = {}
    """The defaults of prints that differ from the general one."""
    omit_default: bool = False
    """Whether records leave it out at its default, as those made before it existed do."""

    @property
    def allowed(self) -> str:
        numbers = f"{self.least} to {self.most}"
        words = {
            "number": numbers,
            "switch": "true or false",
            "choice": " or ".join(map(str, self.choices)),
            "numbers": f"{numbers}, one for each player",
            "texts": f"{', '.join(map(str, self.choices))}: one for each player"
            if self.choices
            else "one for each player",
            "set": "120, 72, or a custom set",
        }.get(self.kind, f"a {self.kind}")
        return f"{words}, or null" if self.optional else words


@cache
def options_of(kind: type[msgspec.Struct]) -> tuple[Option, ...]:
    """List the options that a struct declares, in its order."""
    info = inspect.type_info(kind)
    if not isinstance(info, inspect.StructType):
        raise TypeError(f"{kind.__name__} must be a msgspec.Struct.")
    return tuple([_option(kind, field) for field in info.fields])


def read_options(
    kind: type[T],
    data: Any,
    unknown: Callable[[str, str], str],
    refusal: Callable[[Option | None, str], BadOptions],
) -> T:
    """Read options from plain data; missing ones have their defaults.

    `unknown` makes the sentence for an unknown name, from that name and the known ones. `refusal`
    makes the error for a wrong option, or for the whole; it also gets the message of msgspec.
    """
    known = {option.name: option for option in options_of(kind)}
    for name in data if isinstance(data, Mapping) else ():
        if name not in known:
            sentence = unknown(shorten(str(name)), ", ".join(known))
            raise BadOptions(sentence, "unknown_option")
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        where = re.search(r"\$\.(\w+)", str(error))
        raise refusal(known.get(where[1]) if where else None, str(error)) from None


def write_options(options: msgspec.Struct) -> dict[str, Any]:
    """Return options as plain data for a record, the inverse of `read_options`."""
    data: dict[str, Any] = _to_plain(options)
    for option in options_of(type(options)):
        # None is for older games, which do not have the option.
        if option.omit_default and data[option.name] in (_to_plain(option.default), None):
            del data[option.name]
    return data


def _to_plain(value: object) -> Any:
    """Return what JSON makes of a value."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _option(kind: type[msgspec.Struct], field: inspect.Field) -> Option:
    description, more = "", {}
    shape = field.type
    if isinstance(shape, inspect.Metadata):
        description = (shape.extra_json_schema or {}).get("description", "")
        more = shape.extra or {}
        shape = shape.type
    optional = isinstance(shape, inspect.UnionType) and shape.includes_none
    if isinstance(shape, inspect.UnionType) and optional:
        shape = next(kind for kind in shape.types if not isinstance(kind, inspect.NoneType))
    limits: inspect.Type | None = None
    choices: tuple[str | int, ...] = ()
    found: Kind
    match shape:
        case inspect.IntType() | inspect.FloatType():
            found, limits = "number", shape
        case inspect.BoolType():
            found = "switch"
        case inspect.StrType():
            found = "text"
        case inspect.LiteralType():
            found = "choice"
            choices = _choices(get_type_hints(kind, include_extras=True)[field.name])
        case inspect.TupleType(item_types=(item, *_)):
            found, limits = "pair", item
        case inspect.VarTupleType(item_type=inspect.IntType() as item):
            found, limits = "numbers", item
        case inspect.VarTupleType(item_type=inspect.LiteralType()):
            found = "texts"
            choices = _choices(get_type_hints(kind, include_extras=True)[field.name])
        case inspect.VarTupleType():
            found = "texts"
        case _:
            found = "set"
    least, most = (getattr(limits, end, None) for end in ("ge", "le"))
    # A text may have choices, too, besides all others.
    own = {"choices": choices, **more}
    return Option(
        field.encode_name, found, field.default, description, least, most, optional=optional, **own
    )


def _choices(hint: Any) -> tuple[str | int, ...]:
    """List the choices of a Literal in the declared order, which msgspec does not keep."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    return next((found for part in get_args(hint) if (found := _choices(part))), ())
