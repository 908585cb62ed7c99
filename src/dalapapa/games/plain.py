"""Views and events as JSON data: the same form for sockets, replays and external programs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from ..core.notation import Laying, print_position
from ..kernel.table import Table
from .game import AnyGame, View

SCALARS = frozenset({type(None), bool, int, float, str})
"""Types that JSON has itself."""


def to_plain(value: Any) -> Any:
    """A value as JSON data: layings and tables as text, structs with their tag as `event`."""
    kind = type(value)
    if kind in SCALARS:
        return value
    if kind is tuple or kind is list:
        return [item if type(item) in SCALARS else to_plain(item) for item in value]
    if kind is Laying:
        return str(value)
    if isinstance(value, msgspec.Struct):
        tag = value.__struct_config__.tag
        shown: dict[Any, Any] = {} if tag is None else {"event": tag}
        for name in value.__struct_fields__:
            field = getattr(value, name)
            shown[name] = field if type(field) in SCALARS else to_plain(field)
        return shown
    if isinstance(value, Table):
        return print_position(value.layings)
    if isinstance(value, str | int | float | msgspec.Raw):
        return value
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    return [to_plain(item) for item in value]


def read_view(game: AnyGame, data: dict[str, Any]) -> View:
    """The inverse of `to_plain` for a view of this game, as a server has sent it."""
    options = game.parse_options(data["options"])
    tiles = game.tiles(options)

    def read_table(text: str) -> Table:
        return Table.parse(text, tiles).freeze()

    kind: type[View] = game.view_type
    hints = _fields(kind)
    # A newer server may send more fields.
    known = {name: value for name, value in data.items() if name in hints and name != "options"}
    shown = {name: _read(hints[name], value, read_table) for name, value in known.items()}
    view = kind(**{**shown, "options": options})
    return view.with_rules(game)


def _read(kind: Any, value: Any, read_table: Callable[[str], Table]) -> Any:
    """A value of a type, from the form that `to_plain` gives it."""
    if kind is Table:
        return read_table(value)
    if kind is Laying:
        return Laying.parse(value)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _read(inner[0], value, read_table)
    if origin in (Union, UnionType):
        others = [one for one in inner if one is not NoneType]
        return None if value is None else _read(others[0], value, read_table)
    if origin is tuple:
        kinds = [inner[0]] * len(value) if inner[-1] is ... else inner
        return tuple([_read(*pair, read_table) for pair in zip(kinds, value, strict=True)])
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        hints = _fields(kind)
        known = {name: one for name, one in value.items() if name in hints}
        return kind(**{name: _read(hints[name], one, read_table) for name, one in known.items()})
    return msgspec.convert(value, kind)


@cache
def _fields(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """The types of the fields of a struct."""
    return get_type_hints(kind)
