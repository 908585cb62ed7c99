"""Sheets as values: the items of a page, in millimetres from its upper left corner.

`pdf.py` and `svg.py` write them; tests read them.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from ..core.notation import Side
from ..drawing.outlines import Segments, move_segments

Font = Literal["reading", "strong", "display"]
Anchor = Literal["start", "middle", "end"]

BLACK, WHITE, GREY, RED = "#000000", "#ffffff", "#666666", "#e00000"

ACCENT = "#1d6b52"
"""The colour of headings and numbered steps, as on the screen (`tokens.css`)."""

CAPITAL = 0.7
"""The height of capitals and digits, in parts of the font size. To centre a line, put its baseline
half of this below the middle."""

POINT = 25.4 / 72
"""A typographic point in millimetres."""


def short(digits: str) -> str:
    """Remove zeros from the end of a formatted number."""
    text = digits.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Paper(msgspec.Struct, frozen=True):
    """A page in millimetres, upright."""

    name: str
    width: float
    height: float

    @property
    def half(self) -> Paper:
        """Half a sheet, upright: A5 for A4."""
        return Paper(f"half {self.name}", self.height / 2, self.width)

    @property
    def across(self) -> Paper:
        """The sheet in landscape."""
        return Paper(self.name, self.height, self.width)


PAPERS = {"a4": Paper("A4", 210, 297), "letter": Paper("Letter", 215.9, 279.4)}

MARGIN = 8.0
"""The safe margin, in millimetres: every printer prints the area inside it."""


class Path(msgspec.Struct, frozen=True):
    """A shape, filled or stroked or both. Colours are `#rrggbb`."""

    segments: Segments
    fill: str | None = None
    stroke: str | None = None
    width: float = 0
    dash: tuple[float, ...] = ()
    round: bool = False
    """Round ends and corners of a stroke."""

    def move(self, x: float, y: float, scale: float = 1) -> Path:
        """Scale the path, then move it."""
        segments = move_segments(self.segments, x, y, scale)
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
    """Quarter-turns clockwise around x, y."""

    def move(self, x: float, y: float, scale: float = 1) -> Text:
        """Scale the text, then move it."""
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

    def move(self, x: float, y: float, scale: float = 1) -> Piece:
        """Scale the domino, then move it."""
        return replace(self, x=self.x * scale + x, y=self.y * scale + y, cell=self.cell * scale)


Item = Path | Text | Piece


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """The look of printed dominoes."""

    shape: str
    paints: dict[str, str]
    body: str
    symbols: bool = False
    hollow: bool = False
    """Whether discs are rings, for the low-ink version."""
    names: bool = False


class Sheet(msgspec.Struct, frozen=True):
    """One side of a sheet of paper."""

    title: str
    width: float
    height: float
    items: tuple[Item, ...]
    look: Look | None = None
    entries: tuple[str, ...] = ()
    """Its entries in the outline of the file; the title if empty."""
