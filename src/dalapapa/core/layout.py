"""Dominoes on cells: which layings fit, and a sentence why others do not.

This is all that the frames of rules 5 and 6 need: there, a domino may lie anywhere inside and need
not touch another one. The table of the kernel, which is fast and counts points, calls this module
for the sentences of its refusals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from . import geometry
from .errors import IllegalLaying, MalformedLaying, UnknownDomino
from .geometry import Cell, Disc
from .notation import Laying, Side
from .tiles import COLOUR_NAMES, TileSet


class Layout:
    """The layings on a plane. `inside` are the cells of a frame; None is the whole plane.

    Where a frame may lie in several places, `frames` are its cells in each: all layings must be in
    one of them. `inside` are the cells of all.
    """

    def __init__(
        self,
        tiles: TileSet,
        inside: Collection[Cell] | None,
        layings: Iterable[Laying] = (),
        frames: Sequence[Collection[Cell]] = (),
    ) -> None:
        self.tiles = tiles
        self.inside = inside
        self.frames = frames
        self.owners: dict[Cell, str] = {}
        self.shown: dict[Disc, tuple[str, str, str]] = {}
        """For each edge with a half-disc: the domino, the name of its slot and its colour."""
        for laying in layings:
            self.lay(laying)

    def lay(self, laying: Laying) -> int:
        """Lay a domino and return the number of its contacts; refuse what does not fit."""
        if laying.tile not in self.tiles:
            unknown = self.tiles.unknown(laying.tile)
            raise UnknownDomino(f"{laying}: {unknown}", unknown.code, **unknown.values)
        face = self.tiles[laying.tile].face(laying.side)
        check_form(laying)
        for x, y in laying.cells:
            if self.inside is not None and (x, y) not in self.inside:
                raise IllegalLaying(
                    f"{laying}: cell {x},{y} is outside the frame.", "outside_frame"
                )
            if (x, y) in self.owners:
                raise IllegalLaying(
                    f"{laying}: {self.owners[x, y]} already covers cell {x},{y}.", "overlap"
                )
        if not self._is_in_a_frame(*laying.cells):
            raise IllegalLaying(
                f"{laying}: with it, the dominoes do not fit into the frame in any place.",
                "outside_frame",
            )
        fresh = {}
        for slot, name in enumerate(geometry.SLOTS):
            x, y, direction = geometry.slot_side(laying.x, laying.y, laying.rotation, slot)
            edge, colour = geometry.edge(x, y, direction), face[slot + 1]
            if edge not in self.shown:
                fresh[edge] = laying.tile, name, colour
                continue
            tile, its_name, its_colour = self.shown[edge]
            if its_colour != colour:
                raise IllegalLaying(
                    f"{laying}: its {COLOUR_NAMES[colour]} half-disc {name}"
                    f" (the {geometry.DIRECTION_NAMES[direction]} of cell {x},{y}) clashes"
                    f" with the {COLOUR_NAMES[its_colour]} half-disc {its_name} of {tile}.",
                    "clash",
                )
        self.shown.update(fresh)
        for cell in laying.cells:
            self.owners[cell] = laying.tile
        return len(geometry.SLOTS) - len(fresh)

    def _is_in_a_frame(self, one: Cell, other: Cell) -> bool:
        """Whether one of several frames has both cells."""
        return not self.frames or any(one in frame and other in frame for frame in self.frames)

    def legal(self, names: Iterable[str]) -> list[Laying]:
        """List every legal laying of the dominoes in a frame, in a stable order."""
        sides: tuple[Side, Side] = ("+", "-")
        poses = [(name, side, self.tiles[name].face(side)) for name in names for side in sides]
        found = []
        for needs, places in self._places().items():
            for name, side, face in poses:
                for slot, colour in needs:
                    if face[slot + 1] != colour:
                        break
                else:
                    found += [Laying(name, side, rotation, x, y) for x, y, rotation in places]
        return found

    def _places(self) -> dict[tuple[tuple[int, str], ...], list[tuple[int, int, int]]]:
        """Group the free places (first cell and rotation) by the colours required there."""
        places: dict[tuple[tuple[int, str], ...], list[tuple[int, int, int]]] = {}
        empty = sorted(cell for cell in self.inside or () if cell not in self.owners)
        free = set(empty)
        for x, y in empty:
            for rotation in range(4):
                second = geometry.second_cell(x, y, rotation)
                if second not in free or not self._is_in_a_frame((x, y), second):
                    continue
                needs = []
                for slot in range(len(geometry.SLOTS)):
                    edge = geometry.edge(*geometry.slot_side(x, y, rotation, slot))
                    if edge in self.shown:
                        needs.append((slot, self.shown[edge][2]))
                places.setdefault(tuple(needs), []).append((x, y, rotation))
        return places


def check_form(laying: Laying) -> None:
    """Refuse a laying with an invalid face, rotation or cell."""
    if (
        laying.side not in ("+", "-")
        or not type(laying.rotation) is type(laying.x) is type(laying.y) is int
        or not 0 <= laying.rotation <= 3
    ):
        raise MalformedLaying(
            f"{laying} is not a laying: it needs a face (+ or -), a rotation from 0 to 3, and"
            " a cell."
        )
