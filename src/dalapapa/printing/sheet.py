"""Sheets as data: what stands where on a page, in millimetres from its upper left corner.

Pure values. `pdf.py` and `svg.py` write them; tests read them.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from ..core.notation import Side
from ..drawing.outlines import Segments, moved

Font = Literal["reading", "strong", "display"]
Anchor = Literal["start", "middle", "end"]

BLACK, WHITE, GREY, RED = "#000000", "#ffffff", "#666666", "#e00000"

ACCENT = "#1d6b52"
"""Of headings and of the numbers of steps, as on the screen (`tokens.css`)."""

CAPITAL = 0.7
"""The height of capitals and figures, in parts of their size: a half of it below a middle they are
on it."""

POINT = 25.4 / 72
"""Millimetres of a typographic point."""


def short(digits: str) -> str:
    """A length as it was written, without zeros at its end."""
    text = digits.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Paper(msgspec.Struct, frozen=True):
    """A page in millimetres, upright."""

    name: str
    width: float
    height: float

    @property
    def half(self) -> Paper:
        """Half of it, upright: A5 of A4."""
        return Paper(f"half {self.name}", self.height / 2, self.width)

    @property
    def across(self) -> Paper:
        """The same, lying on its long side."""
        return Paper(self.name, self.height, self.width)


PAPERS = {"a4": Paper("A4", 210, 297), "letter": Paper("Letter", 215.9, 279.4)}

MARGIN = 8.0
"""The safe margin: every printer prints what is further inside."""


class Path(msgspec.Struct, frozen=True):
    """A shape, filled or stroked or both. Colours are `#rrggbb`."""

    segments: Segments
    fill: str | None = None
    stroke: str | None = None
    width: float = 0
    dash: tuple[float, ...] = ()
    round: bool = False
    """Round ends and corners of a stroke."""

    def moved(self, x: float, y: float, scale: float = 1) -> Path:
        """The path made larger or smaller, then moved."""
        segments = moved(self.segments, x, y, scale)
        dash = tuple(length * scale for length in self.dash)
        return replace(self, segments=segments, width=self.width * scale, dash=dash)


class Text(msgspec.Struct, frozen=True):
    """A line of text on its baseline; `size` in millimetres."""

    x: float
    y: float
    text: str
    size: float
    font: Font = "reading"
    anchor: Anchor = "start"
    fill: str = BLACK
    turn: int = 0
    """Quarter-turns clockwise, round x, y."""

    def moved(self, x: float, y: float, scale: float = 1) -> Text:
        """The text made larger or smaller, then moved."""
        return replace(self, x=self.x * scale + x, y=self.y * scale + y, size=self.size * scale)


class Piece(msgspec.Struct, frozen=True):
    """A domino around its centre x, y; `cell` is the side of one of its two squares."""

    tile: str
    side: Side
    face: str
    x: float
    y: float
    rotation: int
    """Quarter-turns clockwise."""
    cell: float

    def moved(self, x: float, y: float, scale: float = 1) -> Piece:
        """The domino made larger or smaller, then moved."""
        return replace(self, x=self.x * scale + x, y=self.y * scale + y, cell=self.cell * scale)


Item = Path | Text | Piece


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """How dominoes are printed."""

    shape: str
    paints: dict[str, str]
    body: str
    symbols: bool = False
    hollow: bool = False
    """Discs are rings: the low-ink version."""
    names: bool = False
    """Each domino carries its name."""


class Sheet(msgspec.Struct, frozen=True):
    """One side of a sheet of paper."""

    title: str
    width: float
    height: float
    items: tuple[Item, ...]
    look: Look | None = None
    """Of the pieces on it."""
    entries: tuple[str, ...] = ()
    """In the outline of the file, if not the title."""
