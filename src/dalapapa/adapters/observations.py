"""Arrays from a view: what a learning program sees, which is what a person in its seat sees.

Players are told as seen from the viewer, who is always the first; the others follow clockwise.
`docs/adapters.md` lists every plane and fact.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO

from ..drawing import draw, to_png
from ..extras import require
from ..games.turns import TurnView
from ..geometry import EAST, SLOTS, WEST, Disc, second_cell, slot_side, turned
from ..kernel.table import Table
from ..tiles import COLOURS, TileSet
from .actions import Window, cell_of
from .observer import EACH, SHARED, Observer, StateT, ViewT

try:
    import numpy as np
    from numpy.typing import NDArray
    from PIL import Image
except ModuleNotFoundError:
    require("rl")
    raise

SIDE = 512
"""Pixels of a frame, always as many: films need that."""

FACE = 7
"""Colours of a face."""

LAID, SIDES, TURN, GROUP, CLOSED, MARKED = 0, 1, 17, 18, 20, 22
"""The first planes of each kind: `SIDES` has 16, the last three 2 each (east, south)."""

MOST = np.iinfo(np.int8).max
BIGGEST = np.iinfo(np.int16).max


def plane_count(observer: Observer[StateT, ViewT]) -> int:
    """Planes of the board."""
    return MARKED + 2 * observer.marking


def facts(observer: Observer[StateT, ViewT], view: ViewT) -> NDArray[np.int16]:
    """The numbers of a view, in the order of `Observer.facts`."""
    found = [int(read(view)) for read in (*SHARED.values(), *observer.shared.values())]
    for seat in clockwise(view):
        found += [int(tell(view, seat)) for tell in (*EACH.values(), *observer.each.values())]
    return np.array(np.clip(found, -BIGGEST, BIGGEST), np.int16)


def clockwise(view: TurnView) -> list[int]:
    """All seats, the viewer first."""
    players = len(view.hand_counts)
    return [(view.player + step) % players for step in range(players)]


def hand(observer: Observer[StateT, ViewT], view: ViewT, tiles: TileSet) -> NDArray[np.int8]:
    """For each slot of the hand, the colours of recto and verso, one of four set for each."""
    found = np.zeros((observer.slots, 2, FACE, len(COLOURS)), np.int8)
    for slot, name in enumerate(view.hand[: len(found)]):
        for side, face in enumerate((tiles[name].recto, tiles[name].verso)):
            for place, colour in enumerate(face):
                found[slot, side, place, COLOURS.index(colour)] = 1
    return found.reshape(len(found), -1)


def unseen(view: TurnView, tiles: TileSet) -> NDArray[np.int8]:
    """For each domino of the set: whether it is in the bag or in another hand."""
    seen = {laying.tile for laying in view.table.layings}.union(view.hand)
    return np.array([name not in seen for name in tiles.names], np.int8)


def board(
    observer: Observer[StateT, ViewT], view: ViewT, tiles: TileSet, size: int
) -> NDArray[np.int8]:
    """The planes of the window."""
    planes = np.zeros((plane_count(observer), size, size), np.int8)
    window = Window(view.table, size)
    places: list[int] = []
    for laying in view.table.layings:
        painted = _painted(tiles[laying.tile].face(laying.side), laying.rotation)
        left, top = laying.x - window.left, laying.y - window.top
        for dx, dy, plane in painted:
            x, y = left + dx, top + dy
            if 0 <= x < size and 0 <= y < size:
                places.append((plane * size + y) * size + x)
    planes.reshape(-1)[places] = 1
    for laying in observer.turn(view):
        for cell in laying.cells:
            if (place := window.place(cell)) is not None:
                planes[TURN][place] = 1
    whose = _marks(observer, view)
    for group in view.table.groups():
        owner = max([whose.get(disc, 0) for disc in group.discs]) if whose else 0
        for disc in group.discs:
            cell, side = cell_of(disc)
            if (place := window.place(cell)) is not None:
                planes[GROUP + side][place] = min(group.size, MOST)
                planes[CLOSED + side][place] = group.closed
                if owner:
                    planes[MARKED + side][place] = owner
    return planes


def _marks(observer: Observer[StateT, ViewT], view: ViewT) -> dict[Disc, int]:
    """Whose mark is on a disc: 1 for the viewer, 2 for the next one clockwise, and so on."""
    order = clockwise(view)
    return {mark.disc: order.index(mark.player) + 1 for mark in observer.marks(view)}


@cache
def _painted(face: str, rotation: int) -> tuple[tuple[int, int, int], ...]:
    """What a domino sets: x and y from its first cell, and the plane.

    The side between its two cells has the colour of the centre.
    """
    one, two = (0, 0), second_cell(0, 0, rotation)
    sides = [(*one, turned(EAST, rotation), face[0]), (*two, turned(WEST, rotation), face[0])]
    sides += [(*slot_side(0, 0, rotation, slot), face[slot + 1]) for slot in range(len(SLOTS))]
    found = [(x, y, SIDES + 4 * direction + COLOURS.index(c)) for x, y, direction, c in sides]
    return (*one, LAID), (*two, LAID), *found


def picture(table: Table) -> NDArray[np.uint8]:
    """The layout in the middle of a square, as large as it can be."""
    with Image.open(BytesIO(to_png(draw(table.layings, table.tiles)))) as image:
        drawn = image.convert("RGB")
    drawn.thumbnail((SIDE, SIDE))
    frame = Image.new("RGB", (SIDE, SIDE), drawn.getpixel((0, 0)))  # The cloth.
    frame.paste(drawn, ((SIDE - drawn.width) // 2, (SIDE - drawn.height) // 2))
    return np.array(frame)
