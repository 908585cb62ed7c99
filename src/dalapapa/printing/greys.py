"""Converts everything but dominoes to greys, for printers with black ink only."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from ..drawing.palettes import luminance
from .sheet import Item, Path, Sheet, Text


def convert_to_greys(sheet: Sheet) -> Sheet:
    """Convert a sheet to greys; dominoes have their own grey look (`designs.look`)."""
    return replace(sheet, items=tuple(map(_convert_item, sheet.items)))


def _convert_item(item: Item) -> Item:
    if isinstance(item, Text):
        return replace(item, fill=_to_grey(item.fill))
    if isinstance(item, Path):
        fill, stroke = (colour and _to_grey(colour) for colour in (item.fill, item.stroke))
        return replace(item, fill=fill, stroke=stroke)
    return item


@cache
def _to_grey(colour: str) -> str:
    """Find the grey of the same brightness."""
    level = round(255 * luminance(colour) ** (1 / 2.2))
    return f"#{level:02x}{level:02x}{level:02x}"
