"""Pictures of dominoes and tables, as SVG and PNG.

`draw` draws a position; `Style` is its look, and `Marks` are the things to point at. `draw_face`
and `draw_tile` draw single dominoes; `to_png` makes bitmaps. This package knows no rules.

`outlines.py` has outlines as values and `domino.py` the parts of a domino: SVG, PDF and the
client's data are all written from them. Text is drawn with our own strokes (`glyphs.py`), so that
pictures need no font; `resvg-py` turns SVG into PNG, because it is one wheel without system
libraries.
"""

from .domino import draw_face, draw_tile, find_clashes
from .marks import GroupMark, Marks
from .palettes import PALETTES
from .png import to_png
from .style import Style
from .svg import draw

__all__ = [
    "PALETTES",
    "GroupMark",
    "Marks",
    "Style",
    "draw",
    "draw_face",
    "draw_tile",
    "find_clashes",
    "to_png",
]
