"""What a learner observes of Conquest (rules 3), and how it marks groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ...adapters.observer import SCORES, Fact, Facts, OnDisc
from ..classic import observe
from .rules import ConquestView


class Observer(observe.Observer):
    """The classic numbers, and the marks."""

    marking: ClassVar[bool] = True
    shared: ClassVar[dict[str, Fact]] = {**observe.CLASSIC, "marked": lambda view: view.marked}
    each: ClassVar[dict[str, Facts]] = {
        **SCORES,
        "marks_left": lambda view, seat: view.marks_left[seat],
    }

    def marks(self, view: ConquestView) -> Sequence[OnDisc]:
        return view.marks
