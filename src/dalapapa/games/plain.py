"""Views and events as JSON data: the same form for sockets, replays and external programs."""

from __future__ import annotations

from typing import Any

import msgspec

from ..core.notation import Laying, print_position
from ..kernel.table import Table

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
