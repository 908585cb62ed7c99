"""Marks of a picture: groups, the last layings, clashes, ghosts and places.

Every line is light on a slightly wider dark line, so that it is visible on black and on white wood,
on both cloths and on any paint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import sqrt

import msgspec

from ..core.errors import BadOptions
from ..core.geometry import Cell, Disc
from ..core.notation import Laying, shorten
from ..core.points import Group
from .domino import frame
from .glyphs import LETTERS, ROUND, lettering, measure_lettering
from .markup import Attribute, Element, element
from .outlines import HALF, UNIT, Outline, Point, round_corners
from .style import Style

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

    Every disc has a square, standing on its corner, that reaches half-way to its neighbours. These
    squares tile the plane, so a group is a polyomino on a turned grid, and its outline is that of
    the polyomino. Discs that are not neighbours get separate outlines.
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


MAX_LABEL_LENGTH = 12

_DARK, _LIGHT = "#14120f", "#ffffff"

_DASHES = ((), (14.0, 7.0), (2.0, 7.0), (16.0, 6.0, 2.0, 6.0), (7.0, 5.0))
"""The dashes of the marked groups, in a cycle."""


class GroupMark(msgspec.Struct, frozen=True):
    """A group to outline, with a label such as `A` or `7`, or an empty one."""

    discs: tuple[Disc, ...]
    label: str = ""


def mark_sizes(groups: Iterable[Group]) -> tuple[GroupMark, ...]:
    """Mark groups with their sizes."""
    return tuple(GroupMark(group.discs, str(group.size)) for group in groups)


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """The marks. A wrong value raises `BadOptions` (codes `bad_disc`, `bad_label`).

    No mark needs colours to be understood: groups differ by the dashes of their line and by their
    label, the last layings have a solid frame, ghosts a dashed one, places are dotted, and a clash
    has a crossed badge.
    """

    groups: tuple[GroupMark, ...] = ()
    last: tuple[Laying, ...] = ()
    """Layings on the table to frame."""
    clashes: tuple[Disc, ...] = ()
    """Discs whose two halves disagree (see `find_clashes`)."""
    ghosts: tuple[Laying, ...] = ()
    """Possible layings, drawn translucent; they need not be legal."""
    places: tuple[Cell, ...] = ()
    """Cells that a domino in hand can reach."""

    def __post_init__(self) -> None:
        for disc in (*self.clashes, *(disc for group in self.groups for disc in group.discs)):
            if sum(disc) % 2 == 0:
                raise BadOptions(
                    f"There is no disc at {disc[0]},{disc[1]}: a disc lies in the middle"
                    " of an edge, where one of the two numbers is odd.",
                    "bad_disc",
                )
        for group in self.groups:
            if len(group.label) > MAX_LABEL_LENGTH or not LETTERS.issuperset(group.label):
                raise BadOptions(
                    f"The label {shorten(group.label)} is invalid: use at most"
                    f" {MAX_LABEL_LENGTH} letters, digits and the signs + - , @ . /",
                    "bad_label",
                )


UNMARKED = Marks()


def _draw_cased(
    kind: str, tag: str, shape: dict[str, Attribute], width: float, dashes: tuple[float, ...] = ()
) -> Element:
    """Draw a shape as a light line on a dark one."""
    dashed: dict[str, Attribute] = {"stroke_dasharray": dashes} if dashes else {}
    return element(
        "g",
        element(tag, **shape, stroke=_DARK, stroke_width=width + 3.6),
        element(tag, **shape, stroke=_LIGHT, stroke_width=width, **dashed),
        class_=kind,
        fill="none",
        **ROUND,
    )


def last_frame(laying: Laying, style: Style) -> Element:
    """Draw the solid frame of a new laying."""
    return _draw_cased("last", "rect", frame(laying, style, 2), 4)


def ghost_frame(laying: Laying, style: Style) -> Element:
    """Draw the dashed frame of a possible laying."""
    return _draw_cased("ghost-frame", "rect", frame(laying, style, 0), 2.6, (9, 8))


def place_mark(cell: Cell, colour: str) -> Element:
    """Draw a dotted square on a cell within reach."""
    x, y = (c * UNIT for c in cell)
    square = element(
        "rect", x=x + 12, y=y + 12, width=76, height=76, rx=14, stroke_dasharray=(0, 9.5)
    )
    dot = element("circle", cx=x + HALF, cy=y + HALF, r=3.5, fill=colour, stroke="none")
    return element(
        "g", square, dot, class_="place", fill="none", stroke=colour, stroke_width=4, **ROUND
    )


def group_line(group: GroupMark, index: int, style: Style) -> Element:
    """Draw the line around a group; `index` counts the marked groups from 0."""
    d = group_outline(group.discs, style.shape, grow=-1)
    return _draw_cased("group", "path", {"d": d}, 3.4, _DASHES[index % len(_DASHES)])


def group_label(group: GroupMark) -> Iterator[Element]:
    """Draw the label of a group, if it has one, on the disc nearest to the group's middle."""
    if group.label and group.discs:
        count = len(group.discs)
        mean_x, mean_y = (sum(disc[i] for disc in group.discs) / count for i in (0, 1))
        x, y = min(group.discs, key=lambda d: ((d[0] - mean_x) ** 2 + (d[1] - mean_y) ** 2, d))
        yield badge(group.label, x * HALF, y * HALF, 22)


def badge(text: str, x: float, y: float, height: float) -> Element:
    """Draw text on a light pill, centred on x, y; it shrinks to fit on a cell."""
    height *= min(1, 0.8 * UNIT / measure_lettering(text, height))
    width = max(measure_lettering(text, height) + 0.9 * height, 1.8 * height)
    tall = 1.8 * height
    pill = element(
        "rect", x=x - width / 2, y=y - tall / 2, width=width, height=tall, rx=tall / 2,
        fill=_LIGHT, stroke=_DARK, stroke_width=2,
    )  # fmt: skip
    return element("g", pill, lettering(text, x, y, height, _DARK), class_="badge")


def clash_mark(disc: Disc) -> Element:
    """Draw a crossed badge on a disc whose halves disagree.

    It is small, so that the paints and symbols of both halves stay visible.
    """
    x, y = (c * HALF for c in disc)
    cross = Outline((("M", (x - 4, y - 4)), ("l", (8, 8)), ("m", (0, -8)), ("l", (-8, 8))))
    return element(
        "g",
        element("circle", cx=x, cy=y, r=10, fill=_LIGHT, stroke_width=2.5),
        element("path", stroke_width=3.6, d=cross),
        class_="clash",
        stroke=_DARK,
        **ROUND,
    )


def laying_badges(laying: Laying, number_text: str, name: str) -> Iterator[Element]:
    """Draw the number of a laying on its first half, its name on the second; both optional."""
    for text, (x, y) in zip((number_text, name), laying.cells, strict=True):
        if text:
            yield badge(text, x * UNIT + HALF, y * UNIT + HALF, 15)
