"""Pictures made of the game itself, for covers and the board: discs, lettered discs, a mosaic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from ..drawing.shapes import SHAPES
from ..kernel.solver import Frame, solve
from ..notation import Laying
from ..tiles import TileSet
from .dominoes import placed
from .outlines import rectangle, trace
from .pieces import ink, taken_apart
from .sheet import BLACK, WHITE, Item, Look, Path, Text

NAME = "DALAPAPA"

_LETTERS = {"D": "B", "A": "R", "L": "G", "P": "Y"}
"""Equal letters have equal colours, as equal half-discs do."""

_HOLLOW = 0.8
"""What is left white of a disc in the low-ink version."""

_PATIENCE = 200_000
"""Nodes of a search: far more than a mosaic of the standard sets needs."""


@cache
def _reach(shape: str) -> float:
    """From the middle of a disc to its furthest point to the right."""
    return max(x for _, points in trace(SHAPES[shape].disc, 0, 0) for x, _ in points)


def disc(look: Look, colour: str, x: float, y: float, radius: float) -> Iterator[Item]:
    """A disc in the shape of a design, as wide as a circle of this radius."""
    outline, scale = SHAPES[look.shape].disc, radius / _reach(look.shape)
    yield Path(trace(outline, x, y, scale), look.paints[colour])
    if look.hollow:
        yield Path(trace(outline, x, y, scale * _HOLLOW), look.body)


def written(look: Look, colour: str) -> str:
    """The colour of a sign on such a disc; yellow on white could not be read."""
    return BLACK if look.hollow else ink(look.paints[colour])


def wordmark(look: Look, middle: float, y: float, width: float) -> Iterator[Item]:
    """The name of the game, each letter on a disc; y is the middle of the row."""
    step = width / len(NAME)
    for number, letter in enumerate(NAME):
        x = middle - width / 2 + (number + 0.5) * step
        colour = _LETTERS[letter]
        yield from disc(look, colour, x, y, step * 0.48)
        size = step * 0.62
        yield Text(x, y + size * 0.355, letter, size, "bold", "middle", written(look, colour))


@cache
def _filled(tiles: TileSet, columns: int, rows: int) -> Sequence[Laying]:
    """Layings that fill a rectangle, or none for a set that cannot do it."""
    frame = Frame.rectangle(columns, rows)
    found = solve(
        frame, tiles, list(tiles.names), seed="cover", faces="recto", budget=_PATIENCE
    ).solutions
    return found[0] if found else ()


def mosaic(
    look: Look, tiles: TileSet, size: tuple[int, int], corner: tuple[float, float], cell: float
) -> Iterator[Item]:
    """A rectangle of so many cells, filled with dominoes of which every contact matches."""
    (columns, rows), (left, top) = size, corner
    layings = _filled(tiles, columns, rows)
    if layings and look.body != WHITE:
        yield Path(rectangle(left, top, columns * cell, rows * cell), look.body)
    for laying in layings:
        yield from taken_apart(placed(laying, tiles, left, top, cell), look)
