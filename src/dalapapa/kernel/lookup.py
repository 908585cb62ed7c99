"""Tables computed in advance: faces and patterns of a set, and the torus of cells.

Like `table.py`, this is ordinary Python that the build compiles with the types of `lookup.pxd`.
"""

from __future__ import annotations

from array import array
from functools import cache, lru_cache

from ..core import geometry
from ..core.points import DISC_POINTS
from ..core.tiles import COLOURS, TileSet

# The places of the counters in their region of a table's block.
FRONT_COUNT = 0
GROUP_COUNT = 1
MIN_X = 2
MAX_X = 3
MIN_Y = 4
MAX_Y = 5
COUNTERS = 6

ROOM = 16
"""The free cells of the torus around the layout: two layings of a search in both directions."""


class Lookup:
    """The tables of a set; made once for each set.

    A pose is `8 * tile + 4 * side + rotation`, with tiles numbered in the order of their
    names, so that poses sort like the text of layings.
    """

    def __init__(self, tiles: TileSet) -> None:
        self.tiles = tiles
        self.names: list[str] = sorted(tiles.names)
        self.index: dict[str, int] = {name: number for number, name in enumerate(self.names)}
        self.count: int = len(self.names)
        first: list[int] = []
        second: list[int] = []
        fit: list[int] = []
        patterns: dict[tuple[int, ...], int] = {}
        pattern_of: list[int] = []
        for name in self.names:
            for side in "+-":
                face = tiles[name].face(side)
                key = tuple(face.index(colour) for colour in face)
                pattern_of.append(patterns.setdefault(key, len(patterns)))
                for rotation in range(4):
                    halves = _halves(face, rotation)
                    first.append(halves[0])
                    second.append(halves[1])
                    west, east = halves if rotation < 2 else halves[::-1]
                    fit.append(west | east << 16)
        self.first: array[int] = array("i", first)
        self.second: array[int] = array("i", second)
        self.fit: array[int] = array("q", fit)
        self.pattern: array[int] = array("i", pattern_of)
        self.parts: array[int] = array(
            "q", [_parts(key, mask) for key in patterns for mask in range(64)]
        )
        self.one = 1  # 64 bits in C, too.
        self.popcount: array[int] = array("i", [bin(mask).count("1") for mask in range(128)])
        self.disc_points: array[int] = array("i", DISC_POINTS)
        self.slot_direction: array[int] = array(
            "i", [direction for _, direction in geometry.SLOT_SIDES]
        )
        # Coordinates in the order of their text, which breaks ties between turns.
        self.reach: int = 2 * self.count + ROOM
        texts = sorted(range(-self.reach, self.reach + 1), key=str)
        self.coordinate: array[int] = array("i", texts)
        self.rank: array[int] = array("i", bytes(4 * len(texts)))
        for number, coordinate in enumerate(texts):
            self.rank[coordinate + self.reach] = number


def _halves(face: str, rotation: int) -> tuple[int, int]:
    """Return the sides of the first and second half of a laid face, one-hot by direction."""
    sides = [0, 0]
    for slot, (half, direction) in enumerate(geometry.SLOT_SIDES):
        bit = 1 << COLOURS.index(face[slot + 1])
        sides[half] |= bit << 4 * geometry.turn_direction(direction, rotation)
    centre = 1 << COLOURS.index(face[0])
    sides[0] |= centre << 4 * geometry.turn_direction(geometry.EAST, rotation)
    sides[1] |= centre << 4 * geometry.turn_direction(geometry.WEST, rotation)
    return sides[0], sides[1]


def _parts(key: tuple[int, ...], mask: int) -> int:
    """Find the new discs that are connected on the domino itself and meet no half-disc of it.

    `key` says which of the seven places of a face have equal colours; `mask` which of the
    six slots make contact. Each part is a byte: six bits of slots, and 64 for the centre.
    Only these parts can belong to a group that the laying closes.
    """
    neighbours = [list(slots) for slots in geometry.SLOT_NEIGHBOURS]
    for slot in geometry.CENTRE_NEIGHBOURS:
        neighbours[slot].append(6)
    neighbours.append(list(geometry.CENTRE_NEIGHBOURS))
    colour = [*key[1:], key[0]]
    discs = mask | 64
    parts = seen = 0
    for start in range(7):
        if discs & ~seen & 1 << start:
            part, is_open, todo = 1 << start, False, [start]
            while todo:
                here = todo.pop()
                for near in neighbours[here]:
                    if colour[near] == colour[here] and not part & 1 << near:
                        if discs & 1 << near:
                            part |= 1 << near
                            todo.append(near)
                        else:
                            is_open = True
            seen |= part
            if not is_open:
                parts = parts << 8 | part
    return parts


@lru_cache(maxsize=16)
def lookup_of(tiles: TileSet) -> Lookup:
    """Return the lookup of a set, made at its first use."""
    return Lookup(tiles)


class Torus:
    """A torus of `size` x `size` cells; `size` is a power of two.

    A cell is `size * y + x`. An edge is twice the cell, plus 0 for its north or 1 for its west.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        # The neighbouring cell, and the edge, of a side: `4 * cell + direction`.
        self.step: array[int] = array("i", bytes(16 * size * size))
        self.edge: array[int] = array("i", bytes(16 * size * size))
        self._fill()

    def _fill(self) -> None:
        # Typed, because a server must not block when a table grows to 512 cells.
        size = self.size
        for cell in range(size * size):
            y, x = cell // size, cell % size
            north, south = (y + size - 1) % size * size + x, (y + 1) % size * size + x
            east, west = y * size + (x + 1) % size, y * size + (x + size - 1) % size
            at = 4 * cell
            self.step[at] = north
            self.step[at + 1] = east
            self.step[at + 2] = south
            self.step[at + 3] = west
            self.edge[at] = 2 * cell
            self.edge[at + 1] = 2 * east + 1
            self.edge[at + 2] = 2 * south
            self.edge[at + 3] = 2 * cell + 1


@cache
def torus_of(size: int) -> Torus:
    """Return the torus of a size, made at its first use."""
    return Torus(size)
