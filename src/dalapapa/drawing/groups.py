"""The outline of a group: one line that hugs its discs.

Every disc has a square, standing on its corner, that reaches half-way to its neighbours. These
squares tile the plane, so a group is a polyomino on a turned grid, and its outline is that of the
polyomino.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from ..core.geometry import Disc
from .outlines import HALF, UNIT, Outline, Point, round_corners

_SIDE = UNIT / sqrt(2)

# The sides of a square, clockwise: from this corner, to that corner, and the neighbour beyond.
_SIDES = (
    ((-1, -1), (1, -1), (0, -2)),
    ((1, -1), (1, 1), (2, 0)),
    ((1, 1), (-1, 1), (0, 2)),
    ((-1, 1), (-1, -1), (-2, 0)),
)

_CORNERS = {"rounds": (_SIDE / 2, "round"), "squares": (7.0, "round"), "octagons": (20.7, "cut")}


def group_outline(discs: Iterable[Disc], shape: str, grow: float = 0) -> Outline:
    """Draw a line around `discs` and their holes, `grow` units outside the squares.

    Discs that are not neighbours get separate outlines.
    """
    radius, corner = _CORNERS[shape]
    loops = (_on_table(loop, grow) for loop in _loops(discs))
    return sum((round_corners(loop, radius, corner).place(0, 0) for loop in loops), Outline())


def _loops(discs: Iterable[Disc]) -> list[list[Disc]]:
    """List the corners of the boundary of a group on the turned grid, for each loop.

    Squares have even places on that grid, their corners odd ones. The group is on the right of
    every loop.
    """
    # Turned by an eighth, neighbours of a disc are those two to the left, right, up, down.
    squares = {(x + y - 1, y - x + 1) for x, y in discs}
    ends: dict[Disc, list[Disc]] = {}
    for u, v in sorted(squares):
        for (au, av), (bu, bv), (du, dv) in _SIDES:
            if (u + du, v + dv) not in squares:
                ends.setdefault((u + au, v + av), []).append((u + bu, v + bv))
    loops = []
    left = {(start, end): None for start in ends for end in ends[start]}
    while left:
        start, end = first = next(iter(left))
        loop = []
        while True:
            del left[start, end]
            loop.append(end)
            # Where two squares meet at a corner only, turning right stays with the same square.
            right = (end[0] - (end[1] - start[1]), end[1] + (end[0] - start[0]))
            start, end = end, right if right in ends[end] else ends[end][0]
            if (start, end) == first:
                break
        loops.append(loop)
    return loops


def _on_table(loop: list[Disc], grow: float) -> list[Point]:
    """Convert the corners of a loop to picture units, and move them outwards."""
    points = []
    for before, here, after in zip((loop[-1], *loop), loop, (*loop[1:], loop[0]), strict=False):
        come = ((here[0] - before[0]) // 2, (here[1] - before[1]) // 2)
        go = ((after[0] - here[0]) // 2, (after[1] - here[1]) // 2)
        if come == go:
            continue
        # Outwards is left of both sides that meet here; one grid step is half a side.
        step = 2 * grow / _SIDE
        u = here[0] + step * (come[1] + go[1])
        v = here[1] - step * (come[0] + go[0])
        points.append(((u - v + 2) / 2 * HALF, (u + v) / 2 * HALF))
    return points
