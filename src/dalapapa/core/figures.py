"""Figures: the shapes of frames (rules 5). A shape has no place: its cells begin at 0,0.

A figure is written as `WxH` for a rectangle, by its name, or as rows of `x` (a cell) and `.` (none)
with `/` between them: `.xx./xxxx/.xx.`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from .errors import BadInput
from .geometry import STEPS, Cell
from .notation import shorten

MAX_SIDE = 60
"""The most cells of a figure in a row or column, where it is written in rows."""

NAMED_FIGURES = {
    "cross": "..xx../..xx../xxxxxx/xxxxxx/..xx../..xx..",
    "staircase": "xx....../xxxx..../xxxxxx../xxxxxxxx",
    "ring": "xxxxx/xxxxx/xx.xx/xxxxx/xxxxx",
    "heart": "xx..xx/xxxxxx/xxxxxx/.xxxx./..xx..",
}
"""The figures that have a name. Ten of each take no more than the 120 dominoes of the set."""


class FrameFigure(frozenset[Cell]):
    """The cells of a shape; the smallest x and the smallest y are 0."""

    __slots__ = ()

    @property
    def size(self) -> tuple[int, int]:
        """The cells from west to east and from north to south."""
        return 1 + max(x for x, _ in self), 1 + max(y for _, y in self)

    @property
    def is_rectangle(self) -> bool:
        width, height = self.size
        return len(self) == width * height

    def __str__(self) -> str:
        width, height = self.size
        if self.is_rectangle:
            return f"{width}x{height}"
        return "/".join(
            "".join("x" if (x, y) in self else "." for x in range(width)) for y in range(height)
        )


def make_rectangle(width: int, height: int) -> FrameFigure:
    """The cells x 0 to width - 1, y 0 to height - 1."""
    return FrameFigure((x, y) for y in range(height) for x in range(width))


@lru_cache(maxsize=64)
def read_figure(text: str) -> FrameFigure:
    """The figure that a text describes; refuses everything else with one sentence."""
    rows = NAMED_FIGURES.get(text, text)
    if size := re.fullmatch(r"([0-9]{1,3})x([0-9]{1,3})", rows):
        width, height = int(size[1]), int(size[2])
        if not width * height:
            raise BadInput("A figure must have at least one cell.", "bad_figure")
        return make_rectangle(width, height)
    if not re.fullmatch(r"[x./]+", rows) or "x" not in rows:
        raise BadInput(
            f"A figure must be {', '.join(NAMED_FIGURES)}, a size such as 4x6, or rows such as"
            f" .xx./xxxx, not {shorten(text)}.",
            "bad_figure",
        )
    cells = [
        (x, y) for y, row in enumerate(rows.split("/")) for x, sign in enumerate(row) if sign == "x"
    ]
    west, north = min(x for x, _ in cells), min(y for _, y in cells)
    figure = FrameFigure((x - west, y - north) for x, y in cells)
    if max(figure.size) > MAX_SIDE:
        raise BadInput(
            f"A figure can have at most {MAX_SIDE} cells in a row or column.", "bad_figure"
        )
    return figure


def shift(cells: Iterable[Cell], dx: int, dy: int) -> frozenset[Cell]:
    """The cells, moved by so many to the east and to the south."""
    return frozenset((x + dx, y + dy) for x, y in cells)


def find_places(figure: FrameFigure, covered: Collection[Cell]) -> tuple[frozenset[Cell], ...]:
    """Where a figure can lie so that it contains all these cells: its cells there.

    In reading order of the places. Without covered cells there is no end of them: then only
    the one at 0,0 is listed.
    """
    if not covered:
        return (figure,)
    x, y = next(iter(covered))
    moves = sorted(((x - cell[0], y - cell[1]) for cell in figure), key=lambda move: move[::-1])
    places = (shift(figure, dx, dy) for dx, dy in moves)
    return tuple([place for place in places if place.issuperset(covered)])


def can_be_tiled(cells: Collection[Cell]) -> bool:
    """Whether dominoes of any colours could cover all these cells.

    Cells are matched in pairs, black with white; a cell left over looks for a chain of pairs to
    turn.
    """
    free = cells if isinstance(cells, set | frozenset) else set(cells)
    partner: dict[Cell, Cell] = {}
    for start in sorted(free):
        if sum(start) % 2 or start in partner:
            continue
        came: dict[Cell, Cell] = {}
        todo = [start]
        end = None
        while todo and end is None:
            here = todo.pop()
            for dx, dy in STEPS:
                near = here[0] + dx, here[1] + dy
                if near in free and near not in came:
                    came[near] = here
                    if near not in partner:
                        end = near
                        break
                    todo.append(partner[near])
        if end is None:
            return False
        while end is not None:
            here = came[end]
            before = partner.get(here)
            partner[here], partner[end] = end, here
            end = before
    return len(partner) == len(free)
