"""Cells, directions, quarter-turns, and where the discs of a domino sit.

x grows east, y grows south. A disc sits on the middle of a unit edge; its address is
in half-cell units from the corner of cell 0,0 (the east edge of cell 0,0 is `(2, 1)`).
"""

from __future__ import annotations

NORTH, EAST, SOUTH, WEST = range(4)
"""Directions, clockwise: a quarter-turn adds one."""

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""The neighbouring cell in each direction, as (dx, dy)."""

DIRECTION_NAMES = ("north", "east", "south", "west")

SLOTS = ("W", "NW", "NE", "E", "SE", "SW")
"""The six half-discs of a face, clockwise from the west end (without the centre)."""

SLOT_SIDES = ((0, WEST), (0, NORTH), (1, NORTH), (1, EAST), (1, SOUTH), (0, SOUTH))
"""For each slot at rotation 0: which half of the domino carries it, and its direction."""

SLOT_NEIGHBOURS = ((1, 5), (0,), (3,), (2, 4), (3,), (0,))
"""For each slot, the slots of the same face whose discs are its neighbours."""

CENTRE_NEIGHBOURS = (1, 2, 4, 5)
"""The slots whose discs are neighbours of the central disc."""

Cell = tuple[int, int]
Disc = tuple[int, int]


def turn_direction(direction: int, rotation: int) -> int:
    """Turn a direction by `rotation` quarter-turns clockwise."""
    return (direction + rotation) % 4


def second_cell(x: int, y: int, rotation: int) -> Cell:
    """Return the cell of a domino's second half; the first is on x, y."""
    dx, dy = STEPS[turn_direction(EAST, rotation)]
    return x + dx, y + dy


def edge(x: int, y: int, direction: int) -> Disc:
    """Return the address of the disc on one side of a cell."""
    dx, dy = STEPS[direction]
    return 2 * x + 1 + dx, 2 * y + 1 + dy


def find_cells(disc: Disc) -> tuple[Cell, Cell]:
    """Return the two cells that meet at a disc, the western or northern one first."""
    x, y = disc
    if x % 2 == 0:
        return (x // 2 - 1, y // 2), (x // 2, y // 2)
    return (x // 2, y // 2 - 1), (x // 2, y // 2)


def slot_side(x: int, y: int, rotation: int, slot: int) -> tuple[int, int, int]:
    """Return the cell (x, y) of the half-disc `slot`, and the direction that it faces."""
    half, direction = SLOT_SIDES[slot]
    if half:
        x, y = second_cell(x, y, rotation)
    return x, y, turn_direction(direction, rotation)


def half_discs(x: int, y: int, rotation: int) -> list[Disc]:
    """List the addresses of the six half-discs of a domino whose first half is on x, y."""
    return [edge(*slot_side(x, y, rotation, slot)) for slot in range(len(SLOTS))]


def neighbours(disc: Disc) -> tuple[Disc, Disc, Disc, Disc]:
    """List the four discs that meet `disc` at a corner of a common cell."""
    x, y = disc
    return (x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)
