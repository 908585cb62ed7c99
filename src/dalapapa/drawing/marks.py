"""What a picture points at: groups, the last layings, clashes, ghosts, places."""

from __future__ import annotations

import msgspec

from ..errors import BadOptions
from ..geometry import Cell, Disc
from ..notation import Laying, shortened
from .glyphs import LETTERS

LONGEST_LABEL = 12
"""Characters of a group's label, at most."""


class GroupMark(msgspec.Struct, frozen=True):
    """A group to outline, with a label such as `A` or `7` on it (empty for none)."""

    discs: tuple[Disc, ...]
    label: str = ""


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """What to point at. A wrong value raises `BadOptions` (codes `bad_disc`, `bad_label`).

    Nothing is told by colour alone: groups differ by the dashes of their line and by
    their label, the last layings have a solid frame, ghosts a dashed one, places are
    dotted, and a clash carries a crossed badge.
    """

    groups: tuple[GroupMark, ...] = ()
    last: tuple[Laying, ...] = ()
    """Layings on the table to frame."""
    clashes: tuple[Disc, ...] = ()
    """Discs whose two halves disagree (see `find_clashes`)."""
    ghosts: tuple[Laying, ...] = ()
    """Layings that are only thought of, drawn translucent; they need not be legal."""
    places: tuple[Cell, ...] = ()
    """Cells that a domino in hand can reach."""

    def __post_init__(self) -> None:
        for disc in (*self.clashes, *(disc for group in self.groups for disc in group.discs)):
            if sum(disc) % 2 == 0:
                raise BadOptions(
                    f"There is no disc at {disc[0]},{disc[1]}: discs sit on the middles of"
                    " edges, where one of the two numbers is odd.",
                    "bad_disc",
                )
        for group in self.groups:
            if len(group.label) > LONGEST_LABEL or not LETTERS.issuperset(group.label):
                raise BadOptions(
                    f"The label {shortened(group.label)} cannot be written: it has at most"
                    f" {LONGEST_LABEL} letters, digits or signs of + - , @ . /",
                    "bad_label",
                )


UNMARKED = Marks()
"""Nothing to point at."""
