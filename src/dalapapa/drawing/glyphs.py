"""Our own stroke font, so that pictures never depend on the fonts of a machine.

Glyphs are strokes in a box 4 wide and 6 high. Lower-case letters are small capitals.
"""

from __future__ import annotations

from functools import cache

from .markup import Element, element
from .outlines import Outline, parse_outline

_STROKES = {
    "0": "M2 0Q4 0 4 3Q4 6 2 6Q0 6 0 3Q0 0 2 0Z",
    "1": "M0.8 1.3L2.4 0L2.4 6",
    "2": "M0.2 1.5Q0.4 0 2 0Q3.8 0 3.8 1.6Q3.8 2.7 2.4 3.9L0 6L4 6",
    "3": "M0.3 0.9Q0.9 0 2 0Q3.7 0 3.7 1.4Q3.7 2.8 1.8 2.8Q4 2.8 4 4.4Q4 6 2 6Q0.7 6 0.1 5",
    "4": "M3 6L3 0L0 4.2L4 4.2",
    "5": "M3.6 0L0.7 0L0.4 2.7Q1.1 2.2 2 2.2Q4 2.2 4 4.1Q4 6 1.9 6Q0.7 6 0.1 5.2",
    "6": "M3.4 0.5Q2.9 0 2.2 0Q0 0 0 3.6Q0 6 2.1 6Q4 6 4 4.2Q4 2.5 2.2 2.5Q0.4 2.5 0 3.9",
    "7": "M0 0L4 0L1.4 6",
    "8": "M2 2.8Q0.3 2.8 0.3 1.4Q0.3 0 2 0Q3.7 0 3.7 1.4Q3.7 2.8 2 2.8Q0 2.8 0 4.4"
    "Q0 6 2 6Q4 6 4 4.4Q4 2.8 2 2.8Z",
    "9": "M0.6 5.5Q1.1 6 1.8 6Q4 6 4 2.4Q4 0 1.9 0Q0 0 0 1.8Q0 3.5 1.8 3.5Q3.6 3.5 4 2.1",
    "A": "M0 6L2 0L4 6M0.7 4L3.3 4",
    "B": "M0 0L0 6L2.2 6Q4 6 4 4.4Q4 2.8 2.2 2.8L0 2.8M2.2 2.8Q3.7 2.8 3.7 1.4Q3.7 0 2 0L0 0",
    "C": "M3.9 1.2Q3.3 0 2.1 0Q0 0 0 3Q0 6 2.1 6Q3.3 6 3.9 4.8",
    "D": "M0 0L0 6L1.7 6Q4 6 4 3Q4 0 1.7 0Z",
    "E": "M3.7 0L0 0L0 6L3.7 6M0 2.9L3 2.9",
    "F": "M3.7 0L0 0L0 6M0 2.9L3 2.9",
    "G": "M3.9 1.2Q3.3 0 2.1 0Q0 0 0 3Q0 6 2.1 6Q4 6 4 3.3L2.4 3.3",
    "H": "M0 0L0 6M4 0L4 6M0 2.9L4 2.9",
    "I": "M2 0L2 6M1 0L3 0M1 6L3 6",
    "J": "M3.2 0L3.2 4.2Q3.2 6 1.7 6Q0.3 6 0.2 4.6",
    "K": "M0 0L0 6M3.9 0L0 3.7M1.4 2.4L4 6",
    "L": "M0 0L0 6L3.7 6",
    "M": "M0 6L0 0L2 3.6L4 0L4 6",
    "N": "M0 6L0 0L4 6L4 0",
    "O": "M2 0Q4.2 0 4.2 3Q4.2 6 2 6Q-0.2 6 -0.2 3Q-0.2 0 2 0Z",
    "P": "M0 6L0 0L2.1 0Q4 0 4 1.7Q4 3.4 2.1 3.4L0 3.4",
    "Q": "M2 0Q4.2 0 4.2 3Q4.2 6 2 6Q-0.2 6 -0.2 3Q-0.2 0 2 0ZM2.6 4.4L4.2 6.4",
    "R": "M0 6L0 0L2.1 0Q4 0 4 1.7Q4 3.3 2.1 3.3L0 3.3M2 3.3L4 6",
    "S": "M3.8 1.1Q3.2 0 2 0Q0.2 0 0.2 1.5Q0.2 2.6 2 2.9Q4 3.2 4 4.5Q4 6 2 6Q0.6 6 0 4.8",
    "T": "M0 0L4 0M2 0L2 6",
    "U": "M0 0L0 3.9Q0 6 2 6Q4 6 4 3.9L4 0",
    "V": "M0 0L2 6L4 0",
    "W": "M0 0L1 6L2 2.2L3 6L4 0",
    "X": "M0 0L4 6M4 0L0 6",
    "Y": "M0 0L2 3L4 0M2 3L2 6",
    "Z": "M0 0L4 0L0 6L4 6",
    "+": "M0.4 3.2L3.6 3.2M2 1.6L2 4.8",
    "-": "M0.6 3.2L3.4 3.2",
    ",": "M2.1 5.5L1.3 7",
    "@": "M2.9 4.1Q2.5 4.5 2 4.5Q1 4.5 1 3.1Q1 1.7 2 1.7Q3 1.7 3 3L3 3.7Q3.1 4.5 3.6 4.5"
    "Q4.3 4.5 4.3 3Q4.3 0.2 2 0.2Q-0.3 0.2 -0.3 3.1Q-0.3 6 2 6Q2.9 6 3.5 5.6",
    ".": "M2 5.8L2 6",
    "/": "M0.4 6.4L3.6 -0.4",
    " ": "",
}

_UNKNOWN = "M0.4 0L3.6 0L3.6 6L0.4 6Z"

_WIDTH, _HEIGHT, _ADVANCE, _SMALL = 4, 6, 5.7, 0.78

LETTERS = frozenset(_STROKES) | frozenset("abcdefghijklmnopqrstuvwxyz")
"""All characters of the font."""

_PEN = 0.9 / _HEIGHT
"""The width of the pen for text of height 1."""

ROUND = {"stroke_linecap": "round", "stroke_linejoin": "round"}
"""The attributes of a line with round ends and corners."""


def measure_lettering(text: str, height: float) -> float:
    """Measure `text` in units when its capitals are `height` units high."""
    advances = sum(_ADVANCE * (_SMALL if c.islower() else 1) for c in text)
    return max(advances - (_ADVANCE - _WIDTH), 0) * height / _HEIGHT


def lettering(text: str, x: float, y: float, height: float, colour: str) -> Element:
    """Draw text without a background, centred on x, y."""
    return element(
        "path", class_="text", fill="none", stroke=colour, **ROUND, stroke_width=height * _PEN,
        d=write_strokes(text, x, y, height),
    )  # fmt: skip


def write_strokes(text: str, x: float, y: float, height: float) -> Outline:
    """Write `text` centred on x, y as an outline to stroke.

    A character that the font does not have is an empty box.
    """
    scale = height / _HEIGHT
    pen = x - measure_lettering(text, height) / 2
    strokes = Outline()
    for character in text:
        size = scale * (_SMALL if character.islower() else 1)
        outline = _glyph(character.upper())
        if outline.commands:
            strokes += outline.place(pen, y + height / 2 - _HEIGHT * size, size)
        pen += _ADVANCE * size
    return strokes


@cache
def _glyph(character: str) -> Outline:
    return parse_outline(_STROKES.get(character, _UNKNOWN))
