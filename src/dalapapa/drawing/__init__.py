"""Pictures of dominoes and tables, as SVG and PNG.

`draw` draws a position; `Style` is its look, and `Marks` are the things to point at. `draw_face`
and `draw_tile` draw single dominoes; `to_png` makes bitmaps. This package knows no rules.

`outlines.py` has outlines as values and `domino.py` the parts of a domino: SVG, PDF and the
client's data are all written from them. Text is drawn with our own strokes (`glyphs.py`), so that
pictures need no font; `resvg-py` turns SVG into PNG, because it is one wheel without system
libraries.
"""

from .domino import draw_face as draw_face
from .domino import draw_tile as draw_tile
from .domino import find_clashes as find_clashes
from .marks import GroupMark as GroupMark
from .marks import Marks as Marks
from .marks import mark_sizes as mark_sizes
from .palettes import PALETTES as PALETTES
from .png import to_png as to_png
from .style import Style as Style
from .svg import draw as draw
