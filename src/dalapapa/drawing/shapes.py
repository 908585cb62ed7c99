"""The discs: rounds, squares and octagons, whole and in halves, what links them, and symbols.

Discs sit on the middles of unit edges and their neighbours lie diagonally, 0.71 cells
away. Squares therefore stand on a corner: so turned they tile the plane, and octagons
touch along a side. All shapes leave a thin gap to a neighbour of another colour; a
*link* bridges it between neighbours of one colour, so that a group is one body. A link
never leaves its cell, so the links are part of the face of a domino.

Every colour has a symbol, so that colour itself is never needed: a flame, a sun, a leaf and a ring
of water. Solid, crossed, slanted and hollow, they stay apart even when a few pixels wide.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt, tan
from typing import NamedTuple

from .outlines import UNIT, Outline, Point, drawn, through

GAP = 1.3
"""Units between the edge of a cell and the wood of its domino; half a hairline."""

_APOTHEM = UNIT / sqrt(8)
"""Half the way from a disc to its neighbour."""

_UNDER = 2
"""How far a straight link reaches under its discs: a mere touch would show as a seam."""


class Shape(NamedTuple):
    """Outlines around their own origin, in units."""

    disc: Outline
    """A whole disc, around its centre."""
    half: Outline
    """The half-disc on the north edge of a cell, around the middle of that edge."""
    link: Outline
    """Between the discs on the north and the east edge, around the cell's centre."""
    corner: float = 7
    """Radius of the corners of the domino."""


def _rounds() -> Shape:
    radius = 33.2
    width = round(sqrt(radius**2 - GAP**2), 4)
    disc = Outline((
        ("M", (-radius, 0)),
        ("A", (radius, radius, 0, 1, 1, radius, 0)),
        ("A", (radius, radius, 0, 1, 1, -radius, 0)),
        ("Z", ()),
    ))  # fmt: skip
    arc = (radius, radius, 0, 0, 0, width, GAP)
    half = Outline((("M", (-width, GAP)), ("A", arc), ("Z", ())))
    # The link leaves both circles along their tangents, like two drops that flow together.
    angle = pi / 7
    from_axis, along = radius * sin(angle), radius * cos(angle)
    waist = from_axis - (_APOTHEM - along) / tan(angle)
    inner = _APOTHEM - along
    a, b = _beside(-inner, from_axis), _beside(inner, from_axis)
    c, d = _beside(inner, -from_axis), _beside(-inner, -from_axis)
    near, far = (*_beside(0, waist), *b), (*_beside(0, -waist), *d)
    link = Outline((("M", a), ("Q", near), ("L", c), ("Q", far), ("Z", ())))
    return Shape(disc, half, link)


def _beside(along: float, across: float) -> Point:
    """A point near the middle between the north and the east disc of a cell.

    `along` runs from the north disc to the east disc, `across` outwards to the corner.
    """
    x, y = UNIT / 4 + (along + across) / sqrt(2), -UNIT / 4 + (along - across) / sqrt(2)
    return round(x, 4), round(y, 4)


def _squares() -> Shape:
    reach = 47.4
    side = reach / sqrt(2)
    corners = [(0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0)]
    half = [(GAP - reach, GAP), (reach - GAP, GAP), (0.0, reach)]
    # The link ends in the very corner of the wood: four of a colour leave no dark speck.
    depth = _APOTHEM - side + _UNDER
    tip = _APOTHEM - GAP * sqrt(2) - 0.3
    ends = [(-depth, -side), (-depth, tip - depth), (0, tip), (depth, tip - depth), (depth, -side)]
    link = through([_beside(*end) for end in ends])
    return Shape(through(corners), through(half), link, corner=2)


def _octagons() -> Shape:
    apothem = 33.4
    small = round(apothem * tan(pi / 8), 4)
    corners = [(small, -apothem), (apothem, -small), (apothem, small), (small, apothem)]
    corners += [(-x, -y) for x, y in corners]
    half = [(-apothem, GAP), (apothem, GAP), *corners[2:4], (-small, apothem), (-apothem, small)]
    depth = _APOTHEM - apothem + _UNDER
    ends = [(-depth, -small), (-depth, small), (depth, small), (depth, -small)]
    link = through([_beside(*end) for end in ends])
    return Shape(through(corners), through(half), link)


SHAPES = {"rounds": _rounds(), "squares": _squares(), "octagons": _octagons()}

SYMBOLS = {
    "R": drawn("M0 -1.08L1.04 0.76L-1.04 0.76Z"),
    "Y": drawn(
        "M-0.31 -1L0.31 -1L0.31 -0.31L1 -0.31L1 0.31L0.31 0.31L0.31 1L-0.31 1L-0.31 0.31"
        "L-1 0.31L-1 -0.31L-0.31 -0.31Z"
    ),
    "G": drawn("M-0.94 0.94A1.5 1.5 0 0 1 0.94 -0.94A1.5 1.5 0 0 1 -0.94 0.94Z"),
    # The inner circle runs the other way round, which makes it a hole without a fill rule.
    "B": drawn(
        "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0ZM-0.5 0A0.5 0.5 0 1 0 0.5 0A0.5 0.5 0 1 0 -0.5 0Z"
    ),
}
"""Of radius 1, upright; by colour letter."""
