"""What a learner observes, made from a view in the plainest way: the kernel must write the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dalapapa.adapters.actions import find_cell
from dalapapa.adapters.observer import EACH, SHARED, Observer
from dalapapa.core.geometry import EAST, SLOTS, WEST, Disc, second_cell, slot_side, turn_direction
from dalapapa.core.tiles import COLOURS, TileSet

LARGEST = 32767


def observation(
    observer: Observer[Any, Any], view: Any, tiles: TileSet, size: int
) -> dict[str, NDArray[Any]]:
    """All arrays but the points."""
    return {
        "board": board(observer, view, tiles, size),
        "hand": hand(observer, view, tiles),
        "unseen": unseen(view, tiles),
        "facts": facts(observer, view),
    }


def facts(observer: Observer[Any, Any], view: Any) -> NDArray[np.int16]:
    found = [int(read(view)) for read in (*SHARED.values(), *observer.shared.values())]
    for seat in clockwise(view):
        found += [int(observe(view, seat)) for observe in (*EACH.values(), *observer.each.values())]
    return np.array(np.clip(found, -LARGEST, LARGEST), np.int16)


def clockwise(view: Any) -> list[int]:
    players = len(view.hand_counts)
    return [(view.player + step) % players for step in range(players)]


def hand(observer: Observer[Any, Any], view: Any, tiles: TileSet) -> NDArray[np.int8]:
    found = np.zeros((observer.slots, 2, 7, len(COLOURS)), np.int8)
    for slot, name in enumerate(view.hand[: len(found)]):
        for side, face in enumerate((tiles[name].recto, tiles[name].verso)):
            for place, colour in enumerate(face):
                found[slot, side, place, COLOURS.index(colour)] = 1
    return found.reshape(len(found), -1)


def unseen(view: Any, tiles: TileSet) -> NDArray[np.int8]:
    seen = {laying.tile for laying in view.table.layings}.union(view.hand)
    return np.array([name not in seen for name in tiles.names], np.int8)


def middle(view: Any, size: int) -> tuple[int, int]:
    """The first column and the first row of the window."""
    cells = [cell for laying in view.table.layings for cell in laying.cells] or [(0, 0)]
    columns, rows = zip(*cells, strict=True)
    left = (min(columns) + max(columns) + 1 - size) // 2
    return left, (min(rows) + max(rows) + 1 - size) // 2


def board(observer: Observer[Any, Any], view: Any, tiles: TileSet, size: int) -> NDArray[np.int8]:
    planes = np.zeros((22 + 2 * observer.marking, size, size), np.int8)
    left, top = middle(view, size)

    def paint(plane: int, x: int, y: int, value: int) -> None:
        if 0 <= x - left < size and 0 <= y - top < size:
            planes[plane, y - top, x - left] = value

    for laying in view.table.layings:
        face, rotation = tiles[laying.tile].face(laying.side), laying.rotation
        one, two = (laying.x, laying.y), second_cell(laying.x, laying.y, rotation)
        paint(0, *one, 1)
        paint(0, *two, 1)
        sides = [
            (*one, turn_direction(EAST, rotation), face[0]),
            (*two, turn_direction(WEST, rotation), face[0]),
        ]
        sides += [
            (*slot_side(laying.x, laying.y, rotation, slot), face[slot + 1])
            for slot in range(len(SLOTS))
        ]
        for x, y, direction, colour in sides:
            paint(1 + 4 * direction + COLOURS.index(colour), x, y, 1)
    for laying in observer.turn(view):
        for cell in laying.cells:
            paint(17, *cell, 1)
    order = clockwise(view)
    whose: dict[Disc, int] = {m.disc: order.index(m.player) + 1 for m in observer.marks(view)}
    for group in view.table.groups():
        owner = max([whose.get(disc, 0) for disc in group.discs])
        for disc in group.discs:
            cell, side = find_cell(disc)
            paint(18 + side, *cell, min(group.size, 127))
            paint(20 + side, *cell, group.closed)
            if owner:
                paint(22 + side, *cell, owner)
    return planes
