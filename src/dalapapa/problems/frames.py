"""Frame problems: a frame, exactly the dominoes that fill it, and one solution up to symmetry.

Two layouts are the same up to symmetry if a rotation or reflection that maps the frame onto itself
maps one picture onto the other. Turned by a half-turn, every layout is another layout of the same
dominoes, since no face looks the same from both ends; in a square frame, turned by a quarter-turn,
too. A reflection shows a column or an arrow as itself and every other face as one of another domino
(the recto of PRYGB as the verso of PGBRY): it makes a solution only of a stock that holds each
domino with its mirror image. Nothing of this is assumed: the solver lists every solution, and their
pictures are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import count

import msgspec

from ..core import geometry
from ..core.geometry import Cell, Disc
from ..core.notation import Laying, Side
from ..core.tiles import standard
from ..games.bag import shuffle_by_seed
from ..kernel.solver import Frame, solve
from .seeded import make_attempt_seed, randbelow

FRAME_SIZES = ((3, 2), (4, 3), (4, 4), (6, 4), (6, 6))
"""Columns and rows of the frame, by grade."""

GIVEN = (0, 0, 0, 1, 2)
"""Dominoes that lie in the frame already, by grade: large frames have many solutions without."""

MAX_IMAGES = 8
"""A square has eight symmetries, another rectangle four."""

MAX_STEPS = 150
"""Dominoes tried in a frame before it is started again."""

Picture = frozenset[tuple[Disc, str]]
"""The colours by address; small letters on central discs, which show how a domino lies."""


class FrameProblem(msgspec.Struct, frozen=True):
    """A frame to fill."""

    grade: int
    seed: str
    size: tuple[int, int]
    """Columns and rows: the cells x 0 to columns - 1, y 0 to rows - 1."""
    tiles: tuple[str, ...]
    """The dominoes that fill it, with those that lie there, in the order of their names."""
    position: tuple[Laying, ...]
    """The layings that are already in the frame."""
    solution: tuple[Laying, ...]
    """In the reading order of the cells, with the dominoes that lie there."""

    def is_solved_by(self, layings: Sequence[Laying]) -> bool:
        """Whether these fill the rest of the frame; refuses layings that do not fit there."""
        laid = (*self.position, *layings)
        # Without a budget it only refuses wrong layings.
        solve(Frame.rectangle(*self.size), standard(), self.tiles, laid, budget=0)
        return len(laid) == len(self.tiles)


def make_frame_problem(grade: int, seed: str) -> FrameProblem:
    """The problem of a grade and a seed; about one layout in fifteen has no other solution."""
    start = make_attempt_seed("frame", grade, seed)
    tries = (_try_attempt(grade, seed, f"{start}/{attempt}") for attempt in count())
    return next(found for found in tries if found is not None)


def _try_attempt(grade: int, seed: str, attempt: str) -> FrameProblem | None:
    """The problem of an attempt, if it has exactly one solution."""
    size = FRAME_SIZES[grade - 1]
    layout = _fill_frame(size, attempt)
    if layout is None:
        return None
    tiles = tuple(sorted(laying.tile for laying in layout))
    by_chance = sorted(layout, key=lambda one: sha256(f"{attempt}/given/{one}".encode()).digest())
    position = tuple(by_chance[: GIVEN[grade - 1]])
    if not is_unique(size, tiles, position):
        return None
    return FrameProblem(grade, seed, size, tiles, position, layout)


def is_unique(size: tuple[int, int], tiles: Sequence[str], position: Sequence[Laying] = ()) -> bool:
    """Whether a frame has exactly one solution up to symmetry: exact, by all its solutions."""
    found = solve(Frame.rectangle(*size), standard(), tiles, position, count=MAX_IMAGES + 1)
    if not 1 <= len(found.solutions) <= MAX_IMAGES:
        return False
    first, *others = [map_colours(layout) for layout in found.solutions]
    return set(others) <= list_images(first, size)


def map_colours(layout: Iterable[Laying]) -> Picture:
    """The colour of every disc and half-disc, by its address."""
    seen = set()
    for laying in layout:
        face = standard()[laying.tile].face(laying.side)
        x, y, rotation = laying.x, laying.y, laying.rotation
        centre = geometry.edge(x, y, geometry.turn_direction(geometry.EAST, rotation))
        seen.add((centre, face[0].lower()))
        seen |= set(zip(geometry.half_discs(x, y, rotation), face[1:], strict=True))
    return frozenset(seen)


def list_images(picture: Picture, size: tuple[int, int]) -> set[Picture]:
    """The picture under every symmetry of its frame, itself among them."""
    width, height = 2 * size[0], 2 * size[1]  # Addresses count half-cells.
    found = {picture}
    todo = [picture]
    while todo:
        seen = todo.pop()
        moved = [
            frozenset(((width - x, y), colour) for (x, y), colour in seen),
            frozenset(((x, height - y), colour) for (x, y), colour in seen),
        ]
        if width == height:
            moved.append(frozenset(((y, x), colour) for (x, y), colour in seen))
        todo += [one for one in moved if one not in found]
        found.update(moved)
    return found


def _fill_frame(size: tuple[int, int], seed: str) -> tuple[Laying, ...] | None:
    """A layout of dominoes of the set by chance, in reading order; None if it takes too long."""
    tiles = standard()
    sides: tuple[Side, Side] = ("+", "-")
    faces = [
        (name, side, tiles[name].face(side))
        for name in shuffle_by_seed(tiles.names, seed, 0)
        for side in sides
    ]
    filling = _Filling(size, seed, faces)
    return tuple(filling.layings) if filling.fill() else None


class _Filling:
    """Covers the first empty cell repeatedly, and backtracks."""

    def __init__(
        self, size: tuple[int, int], seed: str, faces: list[tuple[str, Side, str]]
    ) -> None:
        columns, rows = size
        self.seed = seed
        self.faces = faces
        self.empty = [(x, y) for y in range(rows) for x in range(columns)]
        self.shown: dict[Disc, str] = {}
        self.layings: list[Laying] = []
        self.steps = 0

    def fill(self) -> bool:
        """Fill the empty cells; False if that failed or took too many steps."""
        if not self.empty:
            return True
        cell = x, y = self.empty[0]
        lying = randbelow(f"{self.seed}/way/{len(self.layings)}", 2)
        for rotation in (lying, 1 - lying):
            other = geometry.second_cell(x, y, rotation)
            if other not in self.empty:
                continue
            self.empty = [one for one in self.empty if one not in (cell, other)]
            for at, turned in ((cell, rotation), (other, rotation + 2)):
                if self._cover(at, turned):
                    return True
            self.empty = sorted([*self.empty, cell, other], key=lambda one: (one[1], one[0]))
        return False

    def _cover(self, at: Cell, rotation: int) -> bool:
        """Try every domino on two cells, in one direction, and go on after it."""
        edges = geometry.half_discs(*at, rotation)
        asked = [(slot + 1, self.shown[one]) for slot, one in enumerate(edges) if one in self.shown]
        fresh = [(slot + 1, one) for slot, one in enumerate(edges) if one not in self.shown]
        used = {laying.tile for laying in self.layings}
        for name, side, face in self.faces:
            if name in used or any(face[slot] != colour for slot, colour in asked):
                continue
            self.steps += 1
            if self.steps > MAX_STEPS:
                return False
            self.layings.append(Laying(name, side, rotation, *at))
            self.shown.update((one, face[slot]) for slot, one in fresh)
            if self.fill():
                return True
            self.layings.pop()
            for _, one in fresh:
                del self.shown[one]
        return False
