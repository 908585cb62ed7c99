"""Pictures of dominoes and tables, as SVG and PNG.

`draw` makes a document from a position; `Style` says how it looks and `Marks` what it
points at. `to_png` makes bitmaps.
"""

from .domino import find_clashes
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
    "find_clashes",
    "to_png",
]
