"""The small pieces of Dalapapa 72: 24 tokens, the premium and 38 markers, front and back."""

from __future__ import annotations

from collections.abc import Iterator

from .designs import tone
from .options import PrintOptions
from .outlines import Segments, circle, polygon, rectangle
from .page_parts import cut_lines
from .pieces import ink
from .sheet import BLACK, WHITE, Item, Path, Text
from .texts import say

TOKENS = 24
MARKERS = {
    "black": ("#1f1f1f", 12),
    "brown": ("#7d4a2a", 12),
    "beige": ("#e6d3ac", 8),
    "orange": ("#f08a1d", 6),
}
"""The markers of rules 8, in the author's colours and numbers."""

_TOKEN, _PREMIUM, _MARKER = 18.0, 36.0, 12.0
"""Sides in millimetres; a marker leaves its disc to be seen."""

_RIM = 0.5
"""White round a marker, where the cuts run: a black line is not seen on a black marker."""

_GOLD, _PALE, _VALUE = "#d9a521", "#f6e3a1", "#3b2c05"


def small_pieces(options: PrintOptions, bottom: float) -> Iterator[Item]:
    """All of them above the middle of the page, the lowest at `bottom`, and mirrored below it."""
    paper = options.format
    left, top = (paper.width - 8 * _TOKEN - 8 - _PREMIUM) / 2, bottom - 107
    places: list[tuple[float, float, float, str]] = [
        (left + number % 8 * _TOKEN, top + number // 8 * _TOKEN, _TOKEN, "token")
        for number in range(TOKENS)
    ]
    places.append((left + 8 * _TOKEN + 8, top + 9, _PREMIUM, "premium"))
    for row, (colour, (_, count)) in enumerate(MARKERS.items()):
        y = bottom - (4 - row) * _MARKER
        places += [(left + n * _MARKER, y, _MARKER, colour) for n in range(count)]
    boxes = []
    for x, y, side, kind in places:
        for at, turn in ((y, 0), (paper.height - y - side, 2)):
            boxes.append((x, at, x + side, at + side))
            middle = x + side / 2, at + side / 2
            if kind in MARKERS:
                yield from _marker(*middle, kind, options.ink)
            else:
                value = "5" if kind == "premium" else "1"
                label = say("premium", options.language) if kind == "premium" else ""
                yield from _coin(*middle, side, value, label, turn, options.ink)
    yield from cut_lines(boxes, paper.width, beyond=1.5)


def _coin(
    x: float, y: float, side: float, value: str, label: str, turn: int, mode: str
) -> Iterator[Item]:
    """A token or the premium: a coin with its value."""
    radius = side * 0.41
    gold = tone(_GOLD, mode)
    pale = WHITE if mode == "low" else tone(_PALE, mode)
    yield Path(circle(x, y, radius), WHITE if mode == "low" else gold, gold, 0.5)
    yield Path(circle(x, y, radius * 0.76), pale, gold, 0.4)
    size = radius * (0.95 if label else 1.0)
    down = -1 if turn else 1
    yield Text(
        x, y + down * (size * 0.36 - (1.5 if label else 0)), value, size, "bold", "middle",
        _VALUE if mode == "colour" else BLACK, turn,
    )  # fmt: skip
    if label:
        yield Text(x, y + down * radius * 0.52, label, 3.2, anchor="middle", turn=turn)


def _sign(kind: str, x: float, y: float) -> Iterator[Segments]:
    """A sign for each colour of the markers, so that the colour need not be seen."""
    if kind == "black":
        yield circle(x, y, 2)
    elif kind == "brown":
        yield rectangle(x - 1.8, y - 1.8, 3.6, 3.6)
    elif kind == "beige":
        yield polygon([(x, y - 2.6), (x + 2.6, y), (x, y + 2.6), (x - 2.6, y)])
    else:
        yield rectangle(x - 2, y - 2.2, 1.3, 4.4)
        yield rectangle(x + 0.7, y - 2.2, 1.3, 4.4)


def _marker(x: float, y: float, kind: str, mode: str) -> Iterator[Item]:
    """A marker: its colour in a white rim, and its sign."""
    colour = tone(MARKERS[kind][0], mode)
    side = _MARKER - 2 * _RIM
    if mode == "low":
        inner = side - 2.4
        yield Path(rectangle(x - inner / 2, y - inner / 2, inner, inner), stroke=colour, width=1.2)
    else:
        yield Path(rectangle(x - side / 2, y - side / 2, side, side), colour)
    for sign in _sign(kind, x, y):
        yield Path(sign, colour if mode == "low" else ink(colour))
