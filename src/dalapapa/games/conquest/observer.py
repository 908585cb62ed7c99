"""What a learning program observes of Conquest (rules 3), and how it marks groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...adapters.observer import SCORES, Fact, Facts
from ..classic.observer import CLASSIC, PointsObserver
from ..game import PlacedMark
from .rules import ConquestState, ConquestView


class ConquestObserver(PointsObserver[ConquestState, ConquestView]):
    """The classic numbers, and the marks."""

    marking: ClassVar[bool] = True
    shared: Mapping[str, Fact[ConquestView]] = {**CLASSIC, "marked": lambda view: view.marked}
    each: Mapping[str, Facts[ConquestView]] = {
        **SCORES,
        "marks_left": lambda view, seat: view.marks_left[seat],
    }

    def marks(self, view: ConquestView) -> Sequence[PlacedMark]:
        return view.marks
