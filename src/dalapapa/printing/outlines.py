"""Outlines as segments in millimetres: the one form that PDF and SVG are written from.

A segment is a letter and its points: M and L have one, C (a cubic curve) three, Z none. Outlines of
`drawing` (absolute M L Q A Z, arcs with one radius) and the paths of its SVG are both read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import acos, ceil, copysign, cos, hypot, pi, sin, sqrt, tan

Point = tuple[float, float]
Segment = tuple[str, tuple[Point, ...]]
Segments = tuple[Segment, ...]

_WORD = re.compile(r"([A-Za-z])|(-?(?:\d+\.?\d*|\.\d+))")
_LOCAL_ARC = re.compile(r"A(\S+) (\S+) (\S+)")
_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "Q": 4, "C": 6, "A": 7, "Z": 0}


def trace(outline: str, x: float, y: float, scale: float = 1, quarter: int = 0) -> Segments:
    """An outline of `drawing`, scaled, turned by quarter-turns clockwise, and moved to x, y."""
    return moved(_local(outline, quarter % 4), x, y, scale)


@lru_cache(maxsize=256)
def _local(outline: str, quarter: int) -> Segments:
    segments = read_path(_LOCAL_ARC.sub(r"A\1 \1 0 \2 \3", outline))
    for _ in range(quarter):
        segments = tuple([(op, tuple([(-y, x) for x, y in points])) for op, points in segments])
    return segments


def moved(segments: Segments, x: float, y: float, scale: float = 1) -> Segments:
    """Segments scaled, then moved."""
    return tuple(
        [(op, tuple([(px * scale + x, py * scale + y) for px, py in pts])) for op, pts in segments]
    )


def rectangle(x: float, y: float, width: float, height: float, radius: float = 0) -> Segments:
    """A rectangle from its upper left corner, with round corners if there is a radius."""
    right, bottom = x + width, y + height
    if radius <= 0:
        return polygon([(x, y), (right, y), (right, bottom), (x, bottom)])
    r = min(radius, width / 2, height / 2)
    arc = f"A{r} {r} 0 0 1 "
    return read_path(
        f"M{x + r} {y}L{right - r} {y}{arc}{right} {y + r}L{right} {bottom - r}"
        f"{arc}{right - r} {bottom}L{x + r} {bottom}{arc}{x} {bottom - r}L{x} {y + r}"
        f"{arc}{x + r} {y}Z"
    )


def circle(x: float, y: float, radius: float) -> Segments:
    """A circle, from its west end."""
    return trace("M-1 0A1 1 1 1 0A1 1 1 -1 0Z", x, y, radius)


def polygon(points: Iterable[Point], closed: bool = True) -> Segments:
    """Straight lines through points."""
    first, *others = points
    lines = (("M", (first,)), *(("L", (point,)) for point in others))
    return (*lines, ("Z", ())) if closed else lines


def line(x1: float, y1: float, x2: float, y2: float) -> Segments:
    """One straight line."""
    return polygon([(x1, y1), (x2, y2)], closed=False)


def read_path(text: str) -> Segments:
    """The segments of SVG path data; a small letter is relative, as there."""
    found: list[Segment] = []
    here = start = (0.0, 0.0)
    for letter, values in _commands(text):
        base = here if letter.islower() else (0.0, 0.0)
        op = letter.upper()
        if op == "Z":
            found.append(("Z", ()))
            here = start
            continue
        if op in "HV":
            end = (values[0] + base[0], here[1]) if op == "H" else (here[0], values[0] + base[1])
            found.append(("L", (end,)))
        elif op == "A":
            end = values[5] + base[0], values[6] + base[1]
            found += [("C", curve) for curve in _arc(here, end, values[0], values[3], values[4])]
        else:
            points = [
                (values[i] + base[0], values[i + 1] + base[1]) for i in range(0, len(values), 2)
            ]
            if op == "Q":
                points = _raised(here, *points)
            found.append(("C" if op == "Q" else op, tuple(points)))
            end = points[-1]
        here = end
        if op == "M":
            start = here
    return tuple(found)


def _commands(text: str) -> Iterator[tuple[str, list[float]]]:
    """Commands with their numbers; repeated arguments repeat the command."""
    letter, values = "", list[float]()
    for word, number in _WORD.findall(text):
        if word:
            letter, values = word, []
            if word in "Zz":
                yield word, []
            continue
        values.append(float(number))
        if len(values) == _ARGUMENTS[letter.upper()]:
            yield letter, values
            values = []
            # After a move, further points are lines.
            letter = {"M": "L", "m": "l"}.get(letter, letter)


def _raised(start: Point, control: Point, end: Point) -> list[Point]:
    """A quadratic curve as a cubic one."""
    return [
        (start[0] + (control[0] - start[0]) * 2 / 3, start[1] + (control[1] - start[1]) * 2 / 3),
        (end[0] + (control[0] - end[0]) * 2 / 3, end[1] + (control[1] - end[1]) * 2 / 3),
        end,
    ]


def _arc(
    start: Point, end: Point, radius: float, large: float, sweep: float
) -> Iterator[tuple[Point, Point, Point]]:
    """An arc of a circle as cubic curves of at most a quarter each."""
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
