"""Points in parts: what a laying earned, which groups there are, what a turn is worth.

These breakdowns are what the screen, the record and the tests all read (rules 0).
"""

from __future__ import annotations

from typing import Any

import msgspec

from .geometry import Disc
from .notation import Laying

SECOND_DOMINO_CHARGE = 4
"""Points that the second domino of a turn costs (rules 1, Turn)."""

DISC_POINTS = (0, 1, 2, 4, 6, 8, 10)
"""Disc points for 0 to 6 contacts: 1 for each, and 1 more from the third on (rules 0)."""


class ClosedGroup(msgspec.Struct, frozen=True, order=True):
    """A group that a laying has just closed: one point for each of its discs."""

    colour: str
    size: int


class Earned(msgspec.Struct, frozen=True):
    """What one laid domino earns, before any charge."""

    contacts: int
    groups: tuple[ClosedGroup, ...]
    """The groups it closed, largest first."""

    @property
    def disc_points(self) -> int:
        return DISC_POINTS[self.contacts]

    @property
    def group_points(self) -> int:
        return sum(group.size for group in self.groups)

    @property
    def points(self) -> int:
        return self.disc_points + self.group_points

    def to_json(self) -> dict[str, Any]:
        """The parts in the public form of `docs/notation.md`."""
        return {
            "contacts": self.contacts,
            "disc_points": self.disc_points,
            "groups": [{"colour": group.colour, "size": group.size} for group in self.groups],
            "group_points": self.group_points,
            "points": self.points,
        }


class Group(msgspec.Struct, frozen=True):
    """Discs of one colour that hang together. A closed group never changes again."""

    colour: str
    discs: tuple[Disc, ...]
    """Addresses as in `geometry`, ascending."""
    closed: bool

    @property
    def size(self) -> int:
        return len(self.discs)

    def to_json(self) -> dict[str, Any]:
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

    def to_json(self) -> dict[str, Any]:
        return {"layings": [str(laying) for laying in self.layings], "points": self.points}
