"""The cells of the table with their coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .glyphs import lettering, measure_lettering
from .markup import Element, element
from .outlines import HALF, UNIT, Command, Outline
from .palettes import Theme

_MAX_LINES = 60
"""The most lines in each direction: on a very large table, not every cell has its own."""

_TEXT, _TEXT_WIDTH = 17, 56
"""The height and maximum width of a coordinate, in units, if every cell has its line."""


class Box(NamedTuple):
    """The cells of a picture, without those at right and bottom."""

    left: int
    top: int
    right: int
    bottom: int


def grid_step(box: Box) -> int:
    """Choose the number of cells between lines: 1, 2, 5, 10, 20, 50, ..."""
    span = max(box.right - box.left, box.bottom - box.top)
    step = 1
    while span > _MAX_LINES * step:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


def draw_grid(box: Box, theme: Theme) -> Iterator[Element]:
    """Draw lines between the cells, and coordinates along the north and the west side.

    The coordinates are outside `box`, within half a cell and half a `grid_step` of cells.
    """
    step = grid_step(box)
    columns = range(-(-box.left // step) * step, box.right + 1, step)
    rows = range(-(-box.top // step) * step, box.bottom + 1, step)
    width, height = (box.right - box.left) * UNIT, (box.bottom - box.top) * UNIT
    lines: list[Command] = []
    for x in columns:
        lines += [("M", (x * UNIT, box.top * UNIT)), ("v", (height,))]
    for y in rows:
        lines += [("M", (box.left * UNIT, y * UNIT)), ("h", (width,))]
    d = Outline(tuple(lines))
    yield element("path", class_="grid", stroke=theme.grid, stroke_width=2 * step, d=d)
    outside = 36 * step
    for x in columns:
        if x < box.right:
            yield _coordinate(x, x * UNIT + HALF, box.top * UNIT - outside, step, theme)
    for y in rows:
        if y < box.bottom:
            yield _coordinate(y, box.left * UNIT - outside, y * UNIT + HALF, step, theme)


def _coordinate(value: int, x: float, y: float, step: int, theme: Theme) -> Element:
    wide = measure_lettering(str(value), _TEXT)
    return lettering(str(value), x, y, step * _TEXT * min(1, _TEXT_WIDTH / wide), theme.text)
