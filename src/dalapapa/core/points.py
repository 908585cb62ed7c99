"""Points in parts: of a laying, of a turn, and the groups on the table (rules 0).

The screen, records and tests all read these values, which need no kernel.
"""

from __future__ import annotations

from typing import Any

import msgspec

from .geometry import Cell, Disc, find_cells
from .notation import Laying
from .tiles import COLOUR_NAMES

SECOND_DOMINO_CHARGE = 4
"""Points that the second domino of a turn costs (rules 1, Turn)."""

MAX_CHARGE = 1000
"""The largest charge that a search accepts."""

DISC_POINTS = (0, 1, 2, 4, 6, 8, 10)
"""The points for 0 to 6 contacts: 1 for each, and 1 more from the third on (rules 0)."""


class ClosedGroup(msgspec.Struct, frozen=True, order=True):
    """A group that a laying has just closed: one point for each of its discs."""

    colour: str
    size: int


class Earned(msgspec.Struct, frozen=True):
    """The points of one laid domino, before any charge."""

    contacts: int
    groups: tuple[ClosedGroup, ...]
    """The groups that it closed, largest first."""

    @property
    def disc_points(self) -> int:
        """The points for contacts: 1 each, and 1 more from the third on."""
        return DISC_POINTS[self.contacts]

    @property
    def group_points(self) -> int:
        """The points for closed groups: 1 for each of their discs."""
        return sum(group.size for group in self.groups)

    @property
    def points(self) -> int:
        """All points, before any charge."""
        return self.disc_points + self.group_points

    def __str__(self) -> str:
        parts = [f"{self.disc_points} for {self.contacts} contact{'s' * (self.contacts != 1)}"]
        parts += [f"{group.size} for a {COLOUR_NAMES[group.colour]} group" for group in self.groups]
        return f"{_points(self.points)}: {', '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        """Return the parts in the public form of `docs/command-line.md`."""
        return {
            "contacts": self.contacts,
            "disc_points": self.disc_points,
            "groups": [{"colour": group.colour, "size": group.size} for group in self.groups],
            "group_points": self.group_points,
            "points": self.points,
        }


class Group(msgspec.Struct, frozen=True):
    """Connected discs of one colour. A closed group never changes again."""

    colour: str
    discs: tuple[Disc, ...]
    """Addresses as in `geometry`, ascending."""
    closed: bool

    @property
    def size(self) -> int:
        """The number of its discs."""
        return len(self.discs)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that its discs lie on, ascending: each disc on two."""
        return tuple(sorted({cell for disc in self.discs for cell in find_cells(disc)}))

    def to_json(self) -> dict[str, Any]:
        """Return the group in the public form of `docs/command-line.md`."""
        return {
            "colour": self.colour,
            "size": self.size,
            "closed": self.closed,
            "discs": [list(disc) for disc in self.discs],
        }


class Turn(msgspec.Struct, frozen=True):
    """One or two layings in order, and their points net of the charge for the second."""

    layings: tuple[Laying, ...]
    points: int

    def __str__(self) -> str:
        return f"{' '.join(map(str, self.layings))} for {_points(self.points)}"

    def to_json(self) -> dict[str, Any]:
        """Return the turn in the public form of `docs/command-line.md`."""
        return {"layings": [str(laying) for laying in self.layings], "points": self.points}


def _points(points: int) -> str:
    return f"{points} point{'s' * (abs(points) != 1)}"
