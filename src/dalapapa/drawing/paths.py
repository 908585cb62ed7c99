"""SVG paths as compact text: numbers, local outlines placed on the table, polygons.

One cell is 100 units wide; cell 0,0 has its north-west corner at the origin of the
picture, x grows east and y south, so a disc address times 50 is its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

UNIT = 100
"""Picture units to one cell."""

HALF = UNIT // 2

Point = tuple[float, float]

_COMMAND = re.compile(r"([MLQAZ])([^MLQAZ]*)")


def number(value: float) -> str:
    """`value` to a hundredth of a unit, in as few characters as possible."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    if text.startswith(("0.", "-0.")):
        text = text.replace("0.", ".", 1)
    return "0" if text in ("-0", "") else text


def numbers(*values: float) -> str:
    """Several numbers, separated by a space only where a reader needs one."""
    text = ""
    for value in values:
        digits = number(value)
        text += digits if not text or digits.startswith("-") else " " + digits
    return text


def place(outline: str, x: float, y: float, scale: float = 1, quarter: int = 0) -> str:
    """Path data of a local `outline`, moved to x, y.

    An outline is path text of the absolute commands M L Q A Z around its own origin; arcs
    have one radius (`A r large sweep x y`). It is turned by `quarter` quarter-turns
    clockwise and scaled first.
    """
    left, top, rest = _relative(outline, scale, quarter % 4)
    return f"M{numbers(x + left, y + top)}{rest}"


@lru_cache(maxsize=4096)
def _relative(outline: str, scale: float, quarter: int) -> tuple[float, float, str]:
    """The first point of an outline, and everything after it in relative commands."""

    def turned(x: float, y: float) -> Point:
        for _ in range(quarter):
            x, y = -y, x
        return x * scale, y * scale

    first: Point | None = None
    start = here = (0.0, 0.0)
    text = ""
    for letter, arguments in _COMMAND.findall(outline):
        values = [float(word) for word in arguments.split()]
        if letter == "Z":
            text += "z"
            here = start
            continue
        head: tuple[float, ...] = ()
        if letter == "A":
            radius, large, sweep, *values = values
            head = (radius * scale, radius * scale, 0, large, sweep)
        points = [turned(*values[i : i + 2]) for i in range(0, len(values), 2)]
        offsets = [c for px, py in points for c in (px - here[0], py - here[1])]
        here = points[-1]
        if letter == "M":
            start = here
            if first is None:
                first = here
                continue
        text += letter.lower() + numbers(*head, *offsets)
    assert first is not None, "an outline begins with M"
    return *first, text


def xy(point: Point) -> str:
    """A point as part of an outline."""
    return f"{point[0]:.4f} {point[1]:.4f}"


def polygon(points: Sequence[Point]) -> str:
    """A closed outline through `points`."""
    return "M" + "L".join(map(xy, points)) + "Z"


def rounded(points: Sequence[Point], radius: float, corner: str = "round") -> str:
    """A closed outline through `points` with its corners cut back by `radius` units.

    `corner` says what joins the cut ends: a curve (`round`) or a straight line (`cut`).
    A corner never takes more than half of a side.
    """
    text = ""
    for before, (x, y), after in zip(
        (points[-1], *points), points, (*points[1:], points[0]), strict=False
    ):
        ends = []
        for ox, oy in (before, after):
            length = ((ox - x) ** 2 + (oy - y) ** 2) ** 0.5
            part = min(radius / length, 0.5)
            ends.append(f"{x + (ox - x) * part:.4f} {y + (oy - y) * part:.4f}")
        join = f"Q{x:.4f} {y:.4f} " if corner == "round" else "L"
        text += f"{'L' if text else 'M'}{ends[0]}{join}{ends[1]}"
    return text + "Z"
