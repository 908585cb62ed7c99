"""Palettes: the four paints for R, Y, G and B, and all other colours.

The letters are the same in every palette: in `original`, R Y G B look red, orange, green and brown,
as in the author's first edition.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import msgspec


class Palette(msgspec.Struct, frozen=True):
    """Four paints as `#rrggbb`, by colour letter."""

    paints: dict[str, str]
    suits: tuple[str, ...] = ()
    """The deficiencies of colour vision with which all four are easy to distinguish (tested)."""
    needs_symbols: bool = False
    """Whether the paints alone are hard to distinguish, so that symbols are always drawn."""


class Pieces(msgspec.Struct, frozen=True):
    """The wood of the dominoes."""

    body: str
    rim: str
    """The thin bright or dark edge of a domino."""
    seam: str
    """The colour between two dominoes that touch."""


class Theme(msgspec.Struct, frozen=True):
    """The table under the dominoes."""

    cloth: str
    grid: str
    text: str


def _paints(red: str, yellow: str, green: str, blue: str) -> dict[str, str]:
    return {"R": red, "Y": yellow, "G": green, "B": blue}


PaletteName = Literal["classic", "original", "red-green", "blue-yellow", "grey"]

PALETTES: dict[str, Palette] = {
    "classic": Palette(_paints("#e0352f", "#ffca28", "#3cae4c", "#2b7de9")),
    "original": Palette(_paints("#e02b2b", "#ffa51f", "#4cb050", "#85543a")),
    "red-green": Palette(
        _paints("#c62f3e", "#fbd53a", "#6fe0cc", "#1f5fd0"),
        ("protanopia", "deuteranopia", "tritanopia"),
    ),
    "blue-yellow": Palette(_paints("#cf2a3a", "#fbe27a", "#22c3b0", "#5140dc"), ("tritanopia",)),
    "grey": Palette(_paints("#4e4e4e", "#c9c9c9", "#a0a0a0", "#767676"), needs_symbols=True),
}

PIECES = {
    "black": Pieces(body="#22211f", rim="#3d3a36", seam="#0c0b0a"),
    "white": Pieces(body="#fbf8f1", rim="#fffefb", seam="#a89f8d"),
}

SEATS = ("#6a2fb8", "#8c4f08", "#01818d", "#48213a", "#cf1c81",
         "#746955", "#a90dfe", "#750622", "#72146f", "#c032b4")  # fmt: skip
"""The colours of players, which differ from those of discs. The client uses the same
(`base.css`)."""

THEMES = {
    "light": Theme(cloth="#e9e2d3", grid="#cfc5b0", text="#6b6251"),
    "dark": Theme(cloth="#1d3a33", grid="#2f5248", text="#9dbcb0"),
}

_DARK_INK, _LIGHT_INK = "#14120f", "#ffffff"


@cache
def ink(paint: str) -> str:
    """Choose the ink of a symbol on `paint`: light if the contrast is 3 to 1 or more, else dark."""
    # WCAG 2 defines the contrast, and requires 3 to 1 for a meaningful sign.
    return _LIGHT_INK if 1.05 / (luminance(paint) + 0.05) >= 3 else _DARK_INK


def luminance(paint: str) -> float:
    """Compute the relative luminance of `#rrggbb`, from 0 (black) to 1 (white)."""
    channels = (int(paint[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
