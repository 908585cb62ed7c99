"""Outlines as values, from which SVG, PDF and the browser's data are written.

In pictures one cell is 100 units wide. Cell 0,0 has its north-west corner at the origin; x grows
east and y south, so the place of a disc is its address times 50.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import acos, ceil, copysign, cos, hypot, pi, sin, sqrt, tan

import msgspec

UNIT = 100
"""Picture units to one cell."""

HALF = UNIT // 2

Point = tuple[float, float]
Command = tuple[str, tuple[float, ...]]
Segments = tuple[tuple[str, tuple[Point, ...]], ...]
"""An outline in its simplest form, for prints. A segment is a letter and its absolute points: M and
L have one point, C (a cubic curve) three, Z none."""


class Outline(msgspec.Struct, frozen=True, cache_hash=True):
    """Commands of SVG, M L H V Q A Z with their numbers; a lower-case letter is relative.

    Arcs belong to circles.
    """

    commands: tuple[Command, ...] = ()

    def __add__(self, other: Outline) -> Outline:
        return Outline(self.commands + other.commands)

    def place(self, x: float, y: float, scale: float = 1, quarter: int = 0) -> Outline:
        """Scale the outline, turn it by quarter-turns clockwise, and move it to x, y.

        Supports only absolute M L Q A Z. Coordinates are rounded to hundredths of a unit.
        """
        (left, top), steps = _relative(self, scale, quarter % 4)
        return Outline((("M", (round(x + left, 2), round(y + top, 2))), *steps))

    def to_svg(self) -> str:
        """Write path data, to a hundredth of a unit."""
        return "".join([letter + format_numbers(*values) for letter, values in self.commands])

    def segments(self) -> Segments:
        """Convert the outline to absolute lines and cubic curves."""
        found: list[tuple[str, tuple[Point, ...]]] = []
        here = start = (0.0, 0.0)
        for letter, values in self.commands:
            x, y = here if letter.islower() else (0.0, 0.0)
            match letter.upper():
                case "Z":
                    found.append(("Z", ()))
                    here = start
                    continue
                case "H":
                    here = values[0] + x, here[1]
                    found.append(("L", (here,)))
                    continue
                case "V":
                    here = here[0], values[0] + y
                    found.append(("L", (here,)))
                    continue
            end = values[-2] + x, values[-1] + y
            match letter.upper():
                case "A":
                    radius, _, _, large, sweep, *_ = values
                    found += [("C", curve) for curve in _arc(here, end, radius, large, sweep)]
                case "Q":
                    found.append(("C", _raise_degree(here, (values[0] + x, values[1] + y), end)))
                case op:
                    found.append((op, (end,)))
            here = end
            if letter in "Mm":
                start = here
        return tuple(found)


def parse_outline(text: str) -> Outline:
    """Parse path data of SVG that has a letter for every command."""
    commands = re.findall("([A-Za-z])([^A-Za-z]*)", text)
    return Outline(
        tuple([(letter, tuple(map(float, values.split()))) for letter, values in commands])
    )


def connect(points: Iterable[Point]) -> Outline:
    """Connect points by straight lines, and the last to the first."""
    first, *others = points
    return Outline((("M", first), *[("L", point) for point in others], ("Z", ())))


def round_corners(points: Sequence[Point], radius: float, corner: str = "round") -> Outline:
    """Make a closed outline through `points`, and cut its corners back by `radius` units.

    `corner` is the connection of the cut ends: a curve (`round`) or a straight line (`cut`). A
    corner uses at most half of a side.
    """
    commands: list[Command] = []
    for before, (x, y), after in zip(
        (points[-1], *points), points, (*points[1:], points[0]), strict=False
    ):
        ends = []
        for ox, oy in (before, after):
            length = ((ox - x) ** 2 + (oy - y) ** 2) ** 0.5
            part = min(radius / length, 0.5)
            ends.append((x + (ox - x) * part, y + (oy - y) * part))
        commands.append(("L" if commands else "M", ends[0]))
        commands.append(("Q", (x, y, *ends[1])) if corner == "round" else ("L", ends[1]))
    return Outline((*commands, ("Z", ())))


def format_number(value: float) -> str:
    """Write a number, rounded to hundredths, in as few characters as possible."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    if text.startswith(("0.", "-0.")):
        text = text.replace("0.", ".", 1)
    return "0" if text in ("-0", "") else text


@lru_cache(maxsize=4096)
def format_numbers(*values: float) -> str:
    """Write several numbers, separated by a space only where necessary."""
    text = ""
    for value in values:
        digits = format_number(value)
        text += digits if not text or digits.startswith("-") else " " + digits
    return text


@lru_cache(maxsize=4096)
def _relative(outline: Outline, scale: float, quarter: int) -> tuple[Point, tuple[Command, ...]]:
    """Return the first point of an outline, and the rest in relative commands."""

    def turn(x: float, y: float) -> Point:
        for _ in range(quarter):
            x, y = -y, x
        return x * scale, y * scale

    (_, (left, top)), *commands = outline.commands
    first = start = here = turn(left, top)
    steps: list[Command] = []
    for letter, values in commands:
        if letter == "Z":
            steps.append(("z", ()))
            here = start
            continue
        head: tuple[float, ...] = ()
        if letter == "A":
            radius, _, _, large, sweep, *values = values  # type: ignore[assignment]
            head = (radius * scale, radius * scale, 0, large, sweep)
        points = [turn(*values[i : i + 2]) for i in range(0, len(values), 2)]
        offsets = [c for px, py in points for c in (px - here[0], py - here[1])]
        here = points[-1]
        if letter == "M":
            start = here
        steps.append((letter.lower(), tuple([round(v, 2) for v in (*head, *offsets)])))
    return first, tuple(steps)


@lru_cache(maxsize=256)
def _turn(outline: Outline, quarter: int) -> Segments:
    segments = outline.segments()
    for _ in range(quarter):
        segments = tuple([(op, tuple([(-y, x) for x, y in points])) for op, points in segments])
    return segments


def trace(outline: Outline, x: float, y: float, scale: float = 1, quarter: int = 0) -> Segments:
    """Scale an outline, turn it by quarter-turns clockwise, move it to x, y: as segments."""
    return move_segments(_turn(outline, quarter % 4), x, y, scale)


def move_segments(segments: Segments, x: float, y: float, scale: float = 1) -> Segments:
    """Scale segments, then move them."""
    return tuple(
        [(op, tuple([(px * scale + x, py * scale + y) for px, py in pts])) for op, pts in segments]
    )


def rectangle(x: float, y: float, width: float, height: float, radius: float = 0) -> Segments:
    """Make a rectangle from its upper left corner, with round corners if there is a radius."""
    right, bottom = x + width, y + height
    if radius <= 0:
        return polygon([(x, y), (right, y), (right, bottom), (x, bottom)])
    r = min(radius, width / 2, height / 2)
    commands: list[Command] = [("M", (x + r, y))]
    for near, far in (
        ((right - r, y), (right, y + r)),
        ((right, bottom - r), (right - r, bottom)),
        ((x + r, bottom), (x, bottom - r)),
        ((x, y + r), (x + r, y)),
    ):
        commands += [("L", near), ("A", (r, r, 0, 0, 1, *far))]
    return Outline((*commands, ("Z", ()))).segments()


CIRCLE = parse_outline("M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z")
"""A circle of radius 1, from its west end."""


def circle(x: float, y: float, radius: float) -> Segments:
    """Make a circle around x, y."""
    return trace(CIRCLE, x, y, radius)


def polygon(points: Iterable[Point]) -> Segments:
    """Connect points by straight lines, and the last to the first."""
    return connect(points).segments()


def line(x1: float, y1: float, x2: float, y2: float) -> Segments:
    """Make one straight line."""
    return ("M", ((x1, y1),)), ("L", ((x2, y2),))


def _raise_degree(start: Point, control: Point, end: Point) -> tuple[Point, Point, Point]:
    """Convert a quadratic curve to a cubic one."""
    return (
        (start[0] + (control[0] - start[0]) * 2 / 3, start[1] + (control[1] - start[1]) * 2 / 3),
        (end[0] + (control[0] - end[0]) * 2 / 3, end[1] + (control[1] - end[1]) * 2 / 3),
        end,
    )


def _arc(
    start: Point, end: Point, radius: float, large: float, sweep: float
) -> Iterator[tuple[Point, Point, Point]]:
    """Convert an arc of a circle to cubic curves of at most a quarter each."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    chord = hypot(dx, dy)
    if not chord:
        return
    radius = max(radius, chord / 2)
    side = 1 if bool(large) != bool(sweep) else -1
    height = side * sqrt(max(radius**2 - chord**2 / 4, 0))
    x = (start[0] + end[0]) / 2 - height * dy / chord
    y = (start[1] + end[1]) / 2 + height * dx / chord
    from_x, from_y = (start[0] - x) / radius, (start[1] - y) / radius
    to_x, to_y = (end[0] - x) / radius, (end[1] - y) / radius
    turn = acos(max(-1.0, min(1.0, from_x * to_x + from_y * to_y)))
    turn = 2 * pi - turn if large and turn < pi else turn
    turn = copysign(turn, 1 if sweep else -1)
    steps = ceil(abs(turn) / (pi / 2) - 1e-9)
    part = turn / steps
    reach = 4 / 3 * tan(part / 4)
    for step in range(1, steps + 1):
        c, s = cos(part), sin(part)
        next_x, next_y = from_x * c - from_y * s, from_x * s + from_y * c
        last = end if step == steps else (x + radius * next_x, y + radius * next_y)
        yield (
            (x + radius * (from_x - reach * from_y), y + radius * (from_y + reach * from_x)),
            (x + radius * (next_x + reach * next_y), y + radius * (next_y - reach * next_x)),
            last,
        )
        from_x, from_y = next_x, next_y
