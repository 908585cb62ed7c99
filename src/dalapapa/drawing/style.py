"""How a picture looks: the choices a caller makes, checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from ..core.errors import BadOptions
from ..core.notation import shortened
from .palettes import PALETTES, PIECES, THEMES, Palette
from .shapes import SHAPES, Shape

SMALLEST_CELL, LARGEST_CELL = 4, 400
"""Bounds of `Style.cell`, in pixels."""


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
    """Width of a cell in pixels."""
    names: bool = False
    """Write its name on every domino."""
    numbers: bool = False
    """Write on every domino when it was laid, from 1."""
    grid: bool = False
    """Draw the cells of the table with their coordinates."""

    def __post_init__(self) -> None:
        _known("shape", self.shape, SHAPES)
        _known("palette", self.palette, PALETTES)
        _known("theme", self.theme, THEMES)
        _known("pieces", self.pieces, PIECES)
        # A bool is an int to Python, and a NaN fails both comparisons.
        number = isinstance(self.cell, int | float) and not isinstance(self.cell, bool)
        if not number or not SMALLEST_CELL <= self.cell <= LARGEST_CELL:
            raise BadOptions(
                f"The size of a cell is {SMALLEST_CELL} to {LARGEST_CELL} pixels,"
                f" not {shortened(str(self.cell))}.",
                "bad_cell_size",
            )
        for switch in ("symbols", "names", "numbers", "grid"):
            if not isinstance(getattr(self, switch), bool):
                raise BadOptions(f"The style's {switch} is either on or off.", "bad_switch")

    @property
    def discs(self) -> Shape:
        """The outlines of discs and links."""
        return SHAPES[self.shape]

    @property
    def colours(self) -> Palette:
        """The paints of the four colours."""
        return PALETTES[self.palette]

    @property
    def has_symbols(self) -> bool:
        """Whether symbols are drawn, by wish or because the palette needs them."""
        return self.symbols or self.colours.needs_symbols


def _known(what: str, name: object, names: Iterable[str]) -> None:
    if name not in list(names):
        raise BadOptions(
            f"There is no {what} {shortened(str(name))}: it is one of {', '.join(names)}.",
            f"unknown_{what}",
        )


PLAIN = Style()
"""The look when nothing is chosen."""
