"""The shapes of discs: rounds, squares and octagons, with half-discs, links and symbols.

Discs are on the middles of unit edges, and their neighbours are diagonal, 0.71 cells away. Squares
therefore stand on a corner, so that they tile the plane; octagons touch along a side. All shapes
leave a thin gap to a neighbour of another colour. A *link* closes it between neighbours of one
colour, so that a group is one body. A link never leaves its cell, so the links are part of the face
of a domino.

Every colour has a symbol, for people who cannot distinguish colours: a flame, a sun, a leaf and a
ring of water. They are solid, crossed, slanted and hollow, so that they differ even when a few
pixels wide.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt, tan
from typing import NamedTuple

from .outlines import UNIT, Outline, Point, connect, parse_outline

GAP = 1.3
"""The units between the edge of a cell and the wood of its domino: half a hairline."""

_APOTHEM = UNIT / sqrt(8)
"""Half the way from a disc to its neighbour."""

_LINK_OVERLAP = 2
"""The units that a straight link reaches under its discs; without overlap, a seam would be
visible."""


class Shape(NamedTuple):
    """Outlines around their own origin, in units."""

    disc: Outline
    """A whole disc, around its centre."""
    half: Outline
    """The half-disc on the north edge of a cell, around the middle of that edge."""
    link: Outline
    """The link between the discs on the north and the east edge, around the cell's centre."""
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
    """Return a point near the middle between the north and the east disc of a cell.

    `along` runs from the north disc to the east disc, `across` outwards to the corner.
    """
    x, y = UNIT / 4 + (along + across) / sqrt(2), -UNIT / 4 + (along - across) / sqrt(2)
    return round(x, 4), round(y, 4)


def _squares() -> Shape:
    reach = 47.4
    side = reach / sqrt(2)
    corners = [(0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0)]
    half = [(GAP - reach, GAP), (reach - GAP, GAP), (0.0, reach)]
    # The link ends in the corner of the wood: four discs of a colour leave no dark spot.
    depth = _APOTHEM - side + _LINK_OVERLAP
    tip = _APOTHEM - GAP * sqrt(2) - 0.3
    ends = [(-depth, -side), (-depth, tip - depth), (0, tip), (depth, tip - depth), (depth, -side)]
    link = connect([_beside(*end) for end in ends])
    return Shape(connect(corners), connect(half), link, corner=2)


def _octagons() -> Shape:
    apothem = 33.4
    small = round(apothem * tan(pi / 8), 4)
    corners = [(small, -apothem), (apothem, -small), (apothem, small), (small, apothem)]
    corners += [(-x, -y) for x, y in corners]
    half = [(-apothem, GAP), (apothem, GAP), *corners[2:4], (-small, apothem), (-apothem, small)]
    depth = _APOTHEM - apothem + _LINK_OVERLAP
    ends = [(-depth, -small), (-depth, small), (depth, small), (depth, -small)]
    link = connect([_beside(*end) for end in ends])
    return Shape(connect(corners), connect(half), link)


SHAPES = {"rounds": _rounds(), "squares": _squares(), "octagons": _octagons()}

SYMBOLS = {
    "R": parse_outline("M0 -1.08L1.04 0.76L-1.04 0.76Z"),
    "Y": parse_outline(
        "M-0.31 -1L0.31 -1L0.31 -0.31L1 -0.31L1 0.31L0.31 0.31L0.31 1L-0.31 1L-0.31 0.31"
        "L-1 0.31L-1 -0.31L-0.31 -0.31Z"
    ),
    "G": parse_outline("M-0.94 0.94A1.5 1.5 0 0 1 0.94 -0.94A1.5 1.5 0 0 1 -0.94 0.94Z"),
    # The inner circle has the opposite direction, so that it is a hole without a fill rule.
    "B": parse_outline(
        "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0ZM-0.5 0A0.5 0.5 0 1 0 0.5 0A0.5 0.5 0 1 0 -0.5 0Z"
    ),
}
"""The symbol of each colour, upright, with radius 1."""
