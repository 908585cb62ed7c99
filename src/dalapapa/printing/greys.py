"""For printers with black ink only: what is not a domino takes the grey of its colour."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from ..drawing.palettes import luminance
from .sheet import Item, Path, Sheet, Text


def in_greys(sheet: Sheet) -> Sheet:
    """The same sheet; dominoes have a look of their own for that (`designs.look`)."""
    return replace(sheet, items=tuple(map(_toned, sheet.items)))


def _toned(item: Item) -> Item:
    if isinstance(item, Text):
        return replace(item, fill=_tone(item.fill))
    if isinstance(item, Path):
        fill, stroke = (colour and _tone(colour) for colour in (item.fill, item.stroke))
        return replace(item, fill=fill, stroke=stroke)
    return item


@cache
def _tone(colour: str) -> str:
    """The grey that is as bright."""
    level = round(255 * luminance(colour) ** (1 / 2.2))
    return f"#{level:02x}{level:02x}{level:02x}"
