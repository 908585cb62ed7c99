"""A position in plain text, for terminals and screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from ..core.geometry import EAST, edge, turn_direction
from ..core.notation import Laying
from ..core.tiles import TileSet
from .domino import half_colours

EMPTY = "The table is empty."


def draw_text(layings: Sequence[Laying], tiles: TileSet) -> str:
    """Draw a letter for each disc: a capital for a whole disc, lower case for a half-disc.

    A cell is four letters wide and two lines high, with `+` at its corners. The numbers are x and
    y. Two different half-discs that meet, which no table allows, appear as `!`.
    """
    if not layings:
        return EMPTY
    signs: dict[tuple[int, int], str] = {}
    cells = [cell for laying in layings for cell in laying.cells]
    for x, y in cells:
        for corner in ((0, 0), (2, 0), (0, 2), (2, 2)):
            signs[2 * x + corner[0], 2 * y + corner[1]] = "+"
    for disc, colours in half_colours(layings, tiles).items():
        if len(colours) == 2:
            signs[disc] = colours[0] if colours[0] == colours[1] else "!"
        else:
            signs[disc] = colours[0].lower()
    for laying in layings:
        centre = edge(laying.x, laying.y, turn_direction(EAST, laying.rotation))
        signs[centre] = tiles[laying.tile].face(laying.side)[0]
    left, right = min(x for x, _ in cells), max(x for x, _ in cells)
    top, bottom = min(y for _, y in cells), max(y for _, y in cells)
    margin = max(len(str(top)), len(str(bottom)))
    lines = [" " * (margin + 2) + "".join(f"{x:^4}" for x in range(left, right + 1))]
    for row in range(2 * top, 2 * bottom + 3):
        label = str(row // 2) if row % 2 else ""
        marks = [signs.get((column, row), " ") for column in range(2 * left, 2 * right + 3)]
        lines.append(f"{label:>{margin}} " + " ".join(marks))
    return "\n".join(line.rstrip() for line in lines)
