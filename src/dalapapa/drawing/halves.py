"""Where the half-discs of layings lie, and which of them meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..geometry import SLOTS, Disc, edge, slot_side
from ..notation import Laying
from ..tiles import TileSet


def halves(laying: Laying, face: str) -> Iterator[tuple[Disc, int, str]]:
    """The six half-discs of a laying: address, direction in which it looks, colour."""
    for slot in range(len(SLOTS)):
        x, y, direction = slot_side(laying.x, laying.y, laying.rotation, slot)
        yield edge(x, y, direction), direction, face[1 + slot]


def centre(laying: Laying) -> Disc:
    """Address of the central disc of a laying."""
    (x, y), (other_x, other_y) = laying.cells
    return x + other_x + 1, y + other_y + 1


def half_colours(layings: Iterable[Laying], tiles: TileSet) -> dict[Disc, list[str]]:
    """For every edge with half-discs, their colours in the order of laying."""
    colours: dict[Disc, list[str]] = {}
    for laying in layings:
        for disc, _, colour in halves(laying, tiles[laying.tile].face(laying.side)):
            colours.setdefault(disc, []).append(colour)
    return colours


def find_clashes(layings: Iterable[Laying], tiles: TileSet) -> tuple[Disc, ...]:
    """Addresses, ascending, where half-discs of different colours meet."""
    return tuple(
        sorted(disc for disc, found in half_colours(layings, tiles).items() if len(set(found)) > 1)
    )
