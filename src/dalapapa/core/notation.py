"""Layings and positions as text, both ways (`docs/notation.md`).

This module checks only the form of the text. The table checks whether a laying is legal, and the
set whether its domino exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

import msgspec

from .errors import MalformedLaying
from .geometry import Cell, second_cell

Side = Literal["+", "-"]

_LAYING = re.compile(
    r"([A-Za-z0-9]{1,20})([+-])([0-3])@(0|-?[1-9][0-9]{0,5}),(0|-?[1-9][0-9]{0,5})"
)


class Laying(msgspec.Struct, frozen=True):
    """One domino on the table: `PRYGB+0@0,0`.

    `side` is the face that is up, recto `+` or verso `-`; `rotation` counts quarter-turns
    clockwise; x, y is the cell of the first half.
    """

    tile: str
    side: Side
    rotation: int
    x: int
    y: int

    def __str__(self) -> str:
        return f"{self.tile}{self.side}{self.rotation}@{self.x},{self.y}"

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """The cells of the first and of the second half."""
        return (self.x, self.y), second_cell(self.x, self.y, self.rotation)

    @staticmethod
    def parse(text: object) -> Laying:
        """Read a laying from text; the inverse of `str`."""
        match = _LAYING.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise MalformedLaying(
                f"{shorten(text)} is not a laying: write it like PRYGB+0@0,0 (domino, face"
                " + or -, rotation 0 to 3, cell x,y)."
            )
        tile, side, rotation, x, y = match.groups()
        return Laying(tile, side, int(rotation), int(x), int(y))  # type: ignore[arg-type]


def shorten(given: object, max_length: int = 40) -> str:
    """Quote a value for an error message, and cut it if it is long."""
    if not isinstance(given, str):
        text = ascii(given)
        return text if len(text) <= max_length else text[: max_length - 3] + "..."
    return repr(given if len(given) <= max_length else given[: max_length - 3] + "...")


def suggest(name: str, known: Iterable[str]) -> str:
    """Return a question that names what a misspelt name may mean, such as " Did you mean 'x'?"."""
    from difflib import get_close_matches  # On first use: only wrong names need it.

    similar = " or ".join(map(repr, sorted(get_close_matches(name, list(known)))))
    return f" Did you mean {similar}?" if similar else ""


def parse_position(text: str) -> list[Laying]:
    """Read the layings of a position, in order. An error names the number of the bad one."""
    layings = []
    for number, word in enumerate(text.split(), start=1):
        try:
            layings.append(Laying.parse(word))
        except MalformedLaying as error:
            raise error.at_laying(number) from None
    return layings


def print_position(layings: list[Laying] | tuple[Laying, ...]) -> str:
    """Write a position as text; the inverse of `parse_position`."""
    return " ".join(map(str, layings))
