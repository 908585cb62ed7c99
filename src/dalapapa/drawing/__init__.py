"""Pictures of dominoes and tables, as SVG and PNG.

`draw` makes a document from a position; `Style` says how it looks and `Marks` what it
points at. `draw_face` and `draw_tile` show single dominoes; `to_png` makes bitmaps.
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
