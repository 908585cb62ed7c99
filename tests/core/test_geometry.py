"""Cells, directions and the addresses of discs (`docs/tiles.md`, `docs/notation.md`)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dalapapa.core import geometry
from dalapapa.core.geometry import EAST, NORTH, SLOTS, SOUTH, WEST
from dalapapa.core.notation import Laying
from tests.support import naive

small = st.integers(-1000, 1000)
rotations = st.integers(0, 3)
directions = st.sampled_from([NORTH, EAST, SOUTH, WEST])


def test_x_grows_east_and_y_grows_south() -> None:
    assert geometry.STEPS[EAST] == (1, 0)
    assert geometry.STEPS[SOUTH] == (0, 1)
    assert geometry.STEPS[WEST] == (-1, 0)
    assert geometry.STEPS[NORTH] == (0, -1)
    assert geometry.DIRECTION_NAMES[NORTH] == "north"
    assert geometry.DIRECTION_NAMES[EAST] == "east"
    assert geometry.DIRECTION_NAMES[SOUTH] == "south"
    assert geometry.DIRECTION_NAMES[WEST] == "west"


def test_the_second_half_lies_east_south_west_north() -> None:
    assert [geometry.second_cell(0, 0, r) for r in range(4)] == [(1, 0), (0, 1), (-1, 0), (0, -1)]
    assert [geometry.second_cell(5, -7, r) for r in range(4)] == [
        (6, -7),
        (5, -6),
        (4, -7),
        (5, -8),
    ]


def test_the_address_of_an_edge_is_in_half_cells() -> None:
    assert geometry.edge(0, 0, EAST) == (2, 1)
    assert geometry.edge(0, 0, WEST) == (0, 1)
    assert geometry.edge(0, 0, NORTH) == (1, 0)
    assert geometry.edge(0, 0, SOUTH) == (1, 2)
    assert geometry.edge(-1, -1, WEST) == (-2, -1)


@pytest.mark.parametrize(
    ("rotation", "looks"),
    [
        (0, {"W": WEST, "NW": NORTH, "NE": NORTH, "E": EAST, "SE": SOUTH, "SW": SOUTH}),
        (1, {"W": NORTH, "NW": EAST, "NE": EAST, "E": SOUTH, "SE": WEST, "SW": WEST}),
        (2, {"W": EAST, "NW": SOUTH, "NE": SOUTH, "E": WEST, "SE": NORTH, "SW": NORTH}),
        (3, {"W": SOUTH, "NW": WEST, "NE": WEST, "E": NORTH, "SE": EAST, "SW": EAST}),
    ],
)
def test_the_face_turns_with_the_domino(rotation: int, looks: dict[str, int]) -> None:
    sides = [geometry.slot_side(0, 0, rotation, slot) for slot in range(6)]
    assert {name: side[2] for name, side in zip(SLOTS, sides, strict=True)} == looks
    first, second = (0, 0), geometry.second_cell(0, 0, rotation)
    assert [side[:2] for side in sides] == [first, first, second, second, second, first]


@given(direction=directions, rotation=rotations)
def test_four_quarter_turns_change_nothing(direction: int, rotation: int) -> None:
    turned = geometry.turn_direction(geometry.turn_direction(direction, rotation), 4 - rotation)
    assert turned == direction
    dx, dy = geometry.STEPS[direction]
    assert geometry.STEPS[geometry.turn_direction(direction, 1)] == (-dy, dx)


@given(x=small, y=small, rotation=rotations)
def test_a_half_turn_exchanges_the_halves(x: int, y: int, rotation: int) -> None:
    x2, y2 = geometry.second_cell(x, y, rotation)
    half_turn = (rotation + 2) % 4
    assert geometry.second_cell(x2, y2, half_turn) == (x, y)
    for slot in range(6):  # W<->E, NW<->SE, NE<->SW
        opposite = (slot + 3) % 6
        assert geometry.slot_side(x, y, rotation, slot) == geometry.slot_side(
            x2, y2, half_turn, opposite
        )


@given(x=small, y=small, rotation=rotations)
def test_discs_lie_where_turned_coordinates_say(x: int, y: int, rotation: int) -> None:
    laying = Laying("X", "+", rotation, x, y)
    addresses = [geometry.edge(*geometry.slot_side(x, y, rotation, slot)) for slot in range(6)]
    assert addresses == [naive.placed(laying, point) for point in naive.HALF_DISCS]
    middles = tuple((2 * cx + 1, 2 * cy + 1) for cx, cy in laying.cells)
    assert middles == naive.cells_of(laying)
    towards_second = geometry.turn_direction(EAST, rotation)
    assert geometry.edge(x, y, towards_second) == naive.placed(laying, naive.CENTRE)


@given(x=small, y=small, direction=directions)
def test_both_cells_at_an_edge_give_it_one_address(x: int, y: int, direction: int) -> None:
    dx, dy = geometry.STEPS[direction]
    back = geometry.turn_direction(direction, 2)
    assert geometry.edge(x, y, direction) == geometry.edge(x + dx, y + dy, back)


@given(x=small, y=small, direction=directions)
def test_neighbours_share_a_cell_and_a_corner(x: int, y: int, direction: int) -> None:
    disc = geometry.edge(x, y, direction)
    around = geometry.neighbours(disc)
    assert len(set(around)) == 4
    assert set(around) == naive.neighbours_of(disc)
    assert all(disc in geometry.neighbours(other) for other in around)
    left, right = geometry.turn_direction(direction, 3), geometry.turn_direction(direction, 1)
    assert geometry.edge(x, y, left) in around
    assert geometry.edge(x, y, right) in around
    assert geometry.edge(x, y, geometry.turn_direction(direction, 2)) not in around


def test_neighbours_on_one_face() -> None:
    named = {
        SLOTS[slot]: {SLOTS[other] for other in geometry.SLOT_NEIGHBOURS[slot]} for slot in range(6)
    }
    assert named == {
        "W": {"NW", "SW"},
        "NW": {"W"},
        "NE": {"E"},
        "E": {"NE", "SE"},
        "SE": {"E"},
        "SW": {"W"},
    }
    assert {SLOTS[slot] for slot in geometry.CENTRE_NEIGHBOURS} == {"NW", "NE", "SE", "SW"}


@given(x=small, y=small, rotation=rotations)
def test_the_neighbour_lists_agree_with_the_addresses(x: int, y: int, rotation: int) -> None:
    address = [geometry.edge(*geometry.slot_side(x, y, rotation, slot)) for slot in range(6)]
    centre = geometry.edge(x, y, geometry.turn_direction(EAST, rotation))
    for slot in range(6):
        inside = {i for i in range(6) if address[i] in geometry.neighbours(address[slot])}
        assert set(geometry.SLOT_NEIGHBOURS[slot]) == inside
        assert (slot in geometry.CENTRE_NEIGHBOURS) == (
            centre in geometry.neighbours(address[slot])
        )
