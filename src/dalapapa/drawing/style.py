"""The style of a picture: options with checks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from ..core.errors import BadOptions
from ..core.notation import shorten
from .palettes import PALETTES, PIECES, THEMES, Palette
from .shapes import SHAPES, Shape

MIN_CELL_PIXELS, MAX_CELL_PIXELS = 4, 400
"""The range of `Style.cell`."""


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """The look of the table and its dominoes. A wrong value raises `BadOptions`.

    Codes: `unknown_shape`, `unknown_palette`, `unknown_theme`, `unknown_pieces`,
    `bad_cell_size`, `bad_switch`.
    """

    shape: Literal["rounds", "squares", "octagons"] = "rounds"
    palette: str = "classic"
    """A name in `PALETTES`."""
    symbols: bool = False
    """Draw the symbol of its colour on every disc and half-disc."""
    theme: Literal["light", "dark"] = "light"
    """The table cloth."""
    pieces: Literal["black", "white"] = "black"
    """The wood of the dominoes."""
    cell: float = 48
    """The width of a cell in pixels."""
    names: bool = False
    """Write its name on every domino."""
    numbers: bool = False
    """Write its place in the order of laying on every domino, from 1."""
    grid: bool = False
    """Draw the cells of the table with their coordinates."""

    def __post_init__(self) -> None:
        _check_known("shape", self.shape, SHAPES)
        _check_known("palette", self.palette, PALETTES)
        _check_known("theme", self.theme, THEMES)
        _check_known("pieces", self.pieces, PIECES)
        # In Python, a bool is an int; NaN fails both comparisons.
        number = isinstance(self.cell, int | float) and not isinstance(self.cell, bool)
        if not number or not MIN_CELL_PIXELS <= self.cell <= MAX_CELL_PIXELS:
            raise BadOptions(
                f"The size of a cell must be from {MIN_CELL_PIXELS} to {MAX_CELL_PIXELS}"
                f" pixels, not {shorten(str(self.cell))}.",
                "bad_cell_size",
            )
        for switch in ("symbols", "names", "numbers", "grid"):
            if not isinstance(getattr(self, switch), bool):
                raise BadOptions(f"The style's {switch} must be on or off.", "bad_switch")

    @property
    def discs(self) -> Shape:
        return SHAPES[self.shape]

    @property
    def colours(self) -> Palette:
        return PALETTES[self.palette]

    @property
    def has_symbols(self) -> bool:
        """Whether to draw symbols, because the style asks for them or the palette needs them."""
        return self.symbols or self.colours.needs_symbols


def _check_known(what: str, name: object, names: Iterable[str]) -> None:
    if name not in list(names):
        raise BadOptions(
            f"There is no {what} {shorten(str(name))}: choose one of {', '.join(names)}.",
            f"unknown_{what}",
        )


PLAIN = Style()
