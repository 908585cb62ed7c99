"""The rules of laying and of classic points once more, as plainly as possible.

Everything is computed again from the list of layings, each time, straight from rules 0 and 1
and from `docs/tiles.md`. Slow on purpose: it is what the table is compared with. It has its own
geometry too (coordinates turned about the middle of the first half), so that an error in
`geometry.py` shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from dalapapa.core.notation import Laying, Side
from dalapapa.core.tiles import TileSet

Point = tuple[int, int]

# A domino at rotation 0, in half-cell units from the middle of its first half.
SECOND_HALF = (2, 0)
CENTRE = (1, 0)
HALF_DISCS = ((-1, 0), (0, -1), (2, -1), (3, 0), (2, 1), (0, 1))  # W NW NE E SE SW

SIDES: tuple[Side, Side] = ("+", "-")


@dataclass(frozen=True)
class NaiveGroup:
    colour: str
    discs: frozenset[Point]
    closed: bool


@dataclass(frozen=True)
class NaiveEarned:
    contacts: int
    groups: tuple[NaiveGroup, ...]
    """The groups that it closed, in no particular order."""

    @property
    def points(self) -> int:
        disc_points = self.contacts + max(0, self.contacts - 2)
        return disc_points + sum(len(group.discs) for group in self.groups)

    @property
    def sizes(self) -> list[tuple[str, int]]:
        """Colour and size of each closed group, sorted."""
        return sorted((group.colour, len(group.discs)) for group in self.groups)


@dataclass
class Picture:
    """What one sees on the table: covered cells, half-discs and complete discs."""

    names: set[str] = field(default_factory=set)
    cells: set[Point] = field(default_factory=set)
    """Middles of the covered cells, in half-cell units (both numbers odd)."""
    half_discs: dict[Point, str] = field(default_factory=dict)
    discs: dict[Point, str] = field(default_factory=dict)


@cache
def turn(point: Point, rotation: int) -> Point:
    """A point turned clockwise about 0,0 (x grows east, y grows south)."""
    x, y = point
    for _ in range(rotation):
        x, y = -y, x
    return x, y


def placed(laying: Laying, point: Point) -> Point:
    """Where a point of the domino at rotation 0 comes to lie."""
    x, y = turn(point, laying.rotation)
    return 2 * laying.x + 1 + x, 2 * laying.y + 1 + y


def cells_of(laying: Laying) -> tuple[Point, Point]:
    """Middles of both cells, in half-cell units."""
    return placed(laying, (0, 0)), placed(laying, SECOND_HALF)


def face_up(laying: Laying, tiles: TileSet) -> str:
    tile = tiles.by_name[laying.tile]
    return tile.recto if laying.side == "+" else tile.verso


def half_discs_of(laying: Laying, tiles: TileSet) -> list[tuple[Point, str]]:
    """Address and colour of the six half-discs."""
    face = face_up(laying, tiles)
    return [(placed(laying, HALF_DISCS[i]), face[1 + i]) for i in range(6)]


def centre_of(laying: Laying, tiles: TileSet) -> tuple[Point, str]:
    return placed(laying, CENTRE), face_up(laying, tiles)[0]


@cache
def neighbours_of(disc: Point) -> frozenset[Point]:
    """The other edges of the two cells at this edge, without the opposite ones."""
    x, y = disc
    found = set()
    vertical = x % 2 == 0
    two_cells = [(x - 1, y), (x + 1, y)] if vertical else [(x, y - 1), (x, y + 1)]
    for cx, cy in two_cells:
        for edge in [(cx - 1, cy), (cx + 1, cy), (cx, cy - 1), (cx, cy + 1)]:
            opposite = (2 * cx - x, 2 * cy - y)
            if edge not in (disc, opposite):
                found.add(edge)
    return frozenset(found)


def picture(tiles: TileSet, layings: Iterable[Laying]) -> Picture:
    """The table after these layings, which are taken to be legal."""
    seen = Picture()
    for laying in layings:
        seen.names.add(laying.tile)
        seen.cells.update(cells_of(laying))
        centre, colour = centre_of(laying, tiles)
        seen.discs[centre] = colour
        for point, colour in half_discs_of(laying, tiles):
            if point in seen.half_discs:
                assert seen.half_discs[point] == colour
                seen.discs[point] = seen.half_discs.pop(point)
            else:
                assert point not in seen.discs
                seen.half_discs[point] = colour
    return seen


def groups_on(seen: Picture) -> list[NaiveGroup]:
    """All groups, open and closed, found by flooding."""
    groups = []
    left = set(seen.discs)
    while left:
        first = left.pop()
        colour = seen.discs[first]
        members = {first}
        todo = [first]
        closed = True
        while todo:
            for neighbour in neighbours_of(todo.pop()):
                if seen.half_discs.get(neighbour) == colour:
                    closed = False
                if neighbour in left and seen.discs[neighbour] == colour:
                    left.remove(neighbour)
                    members.add(neighbour)
                    todo.append(neighbour)
        groups.append(NaiveGroup(colour, frozenset(members), closed))
    return groups


def groups(tiles: TileSet, layings: Iterable[Laying]) -> list[NaiveGroup]:
    return groups_on(picture(tiles, layings))


def contacts(tiles: TileSet, seen: Picture, laying: Laying) -> list[tuple[str, str]]:
    """The pairs of colours that meet: on the table, and on the domino."""
    return [
        (seen.half_discs[point], colour)
        for point, colour in half_discs_of(laying, tiles)
        if point in seen.half_discs
    ]


def reasons(tiles: TileSet, seen: Picture, laying: Laying) -> set[str]:
    """Codes of all reasons to refuse a laying; without any, it is legal."""
    if laying.tile not in tiles.by_name:
        return {"unknown_domino"}
    found = set()
    if laying.tile in seen.names:
        found.add("already_laid")
    if not seen.cells:
        if (laying.x, laying.y) != (0, 0):
            found.add("not_at_origin")
        return found
    if any(cell in seen.cells for cell in cells_of(laying)):
        found.add("overlap")
        return found
    meetings = contacts(tiles, seen, laying)
    if not meetings:
        found.add("no_contact")
    if any(on_table != on_domino for on_table, on_domino in meetings):
        found.add("clash")
    return found


def cells_around(seen: Picture) -> set[Point]:
    """Every cell x, y on which the first half of a domino in contact could lie."""
    if not seen.cells:
        return {(0, 0)}
    near = range(-2, 3)
    return {
        (mx // 2 + dx, my // 2 + dy)
        for mx, my in seen.cells
        for dx in near
        for dy in near
        if abs(dx) + abs(dy) <= 2 and (mx + 2 * dx, my + 2 * dy) not in seen.cells
    }


def legal_on(tiles: TileSet, seen: Picture, name: str) -> list[Laying]:
    """Every legal laying of a domino, in order of the text."""
    tries = (
        Laying(name, side, rotation, x, y)
        for x, y in cells_around(seen)
        for side in SIDES
        for rotation in range(4)
    )
    return sorted((one for one in tries if not reasons(tiles, seen, one)), key=str)


def legal(tiles: TileSet, layings: Iterable[Laying], name: str) -> list[Laying]:
    return legal_on(tiles, picture(tiles, layings), name)


def earned(tiles: TileSet, layings: Sequence[Laying], laying: Laying) -> NaiveEarned:
    """What a legal laying earns: contacts, and groups closed after it and not before."""
    before = picture(tiles, layings)
    closed_before = {group for group in groups_on(before) if group.closed}
    after = groups(tiles, [*layings, laying])
    closed_now = tuple(g for g in after if g.closed and g not in closed_before)
    return NaiveEarned(len(contacts(tiles, before, laying)), closed_now)


def turns(
    tiles: TileSet, layings: Sequence[Laying], hand: Sequence[str], charge: int = 4
) -> list[tuple[int, list[str]]]:
    """Every classic turn, best first: points net of the charge, and texts of the layings."""
    found: list[tuple[int, list[str]]] = []
    for first_name in hand:
        for first in legal(tiles, layings, first_name):
            points = earned(tiles, layings, first).points
            found.append((points, [str(first)]))
            then = [*layings, first]
            for second_name in hand:
                if second_name == first_name:
                    continue
                for second in legal(tiles, then, second_name):
                    more = earned(tiles, then, second).points - charge
                    found.append((points + more, [str(first), str(second)]))
    return sorted(found, key=lambda turn: (-turn[0], turn[1]))
