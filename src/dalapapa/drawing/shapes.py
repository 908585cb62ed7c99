"""The discs: rounds, squares and octagons, whole and in halves, and what links them.

Discs sit on the middles of unit edges and their neighbours lie diagonally, 0.71 cells
away. Squares therefore stand on a corner: so turned they tile the plane, and octagons
touch along a side. All shapes leave a thin gap to a neighbour of another colour; a
*link* bridges it between neighbours of one colour, so that a group is one body. A link
never leaves its cell, so the links are part of the face of a domino.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt, tan
from typing import NamedTuple

from .paths import UNIT, Point, polygon, xy

GAP = 1.3
"""Units between the edge of a cell and the wood of its domino; half a hairline."""

_APOTHEM = UNIT / sqrt(8)
"""Half the way from a disc to its neighbour."""

_UNDER = 2
"""How far a straight link reaches under its discs: a mere touch would show as a seam."""


class Shape(NamedTuple):
    """Outlines around their own origin, in units (see `paths.place`)."""

    disc: str
    """A whole disc, around its centre."""
    half: str
    """The half-disc on the north edge of a cell, around the middle of that edge."""
    link: str
    """Between the discs on the north and the east edge, around the cell's centre."""
    corner: float = 7
    """Radius of the corners of the domino."""


def _rounds() -> Shape:
    radius = 33.2
    width = sqrt(radius**2 - GAP**2)
    disc = f"M{-radius} 0A{radius} 1 1 {radius} 0A{radius} 1 1 {-radius} 0Z"
    half = f"M{-width:.4f} {GAP}A{radius} 0 0 {width:.4f} {GAP}Z"
    # The link leaves both circles along their tangents, like two drops that flow together.
    angle = pi / 7
    from_axis, along = radius * sin(angle), radius * cos(angle)
    waist = from_axis - (_APOTHEM - along) / tan(angle)
    inner = _APOTHEM - along
    a, b = _beside(-inner, from_axis), _beside(inner, from_axis)
    c, d = _beside(inner, -from_axis), _beside(-inner, -from_axis)
    link = f"M{xy(a)}Q{xy(_beside(0, waist))} {xy(b)}L{xy(c)}Q{xy(_beside(0, -waist))} {xy(d)}Z"
    return Shape(disc, half, link)


def _beside(along: float, across: float) -> Point:
    """A point near the middle between the north and the east disc of a cell.

    `along` runs from the north disc to the east disc, `across` outwards to the corner.
    """
    return (
        UNIT / 4 + (along + across) / sqrt(2),
        -UNIT / 4 + (along - across) / sqrt(2),
    )


def _squares() -> Shape:
    reach = 47.4
    side = reach / sqrt(2)
    corners = [(0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0)]
    half = [(GAP - reach, GAP), (reach - GAP, GAP), (0.0, reach)]
    # The link ends in the very corner of the wood: four of a colour leave no dark speck.
    depth = _APOTHEM - side + _UNDER
    tip = _APOTHEM - GAP * sqrt(2) - 0.3
    ends = [(-depth, -side), (-depth, tip - depth), (0, tip), (depth, tip - depth), (depth, -side)]
    link = polygon([_beside(*end) for end in ends])
    return Shape(polygon(corners), polygon(half), link, corner=2)


def _octagons() -> Shape:
    apothem = 33.4
    small = apothem * tan(pi / 8)
    corners = [(small, -apothem), (apothem, -small), (apothem, small), (small, apothem)]
    corners += [(-x, -y) for x, y in corners]
    half = [(-apothem, GAP), (apothem, GAP), *corners[2:4], (-small, apothem), (-apothem, small)]
    depth = _APOTHEM - apothem + _UNDER
    ends = [(-depth, -small), (-depth, small), (depth, small), (depth, -small)]
    link = polygon([_beside(*end) for end in ends])
    return Shape(polygon(corners), polygon(half), link)


SHAPES = {"rounds": _rounds(), "squares": _squares(), "octagons": _octagons()}
