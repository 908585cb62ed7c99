"""What a learner observes of Gone (rules 4)."""

from __future__ import annotations

from typing import ClassVar

from ...adapters import observer
from ...adapters.observer import Fact, Facts
from .rules import GoneState


class Observer(observer.Observer):
    """There are no scores; the hands count."""

    slots: ClassVar[int] = 8
    others: ClassVar[tuple[str, ...]] = ("pass",)
    shared: ClassVar[dict[str, Fact]] = {"again": lambda view: view.again}
    each: ClassVar[dict[str, Facts]] = {}

    def standing(self, state: GoneState) -> list[int]:
        """As at the end, the dominoes in hand count against their owners."""
        return [-len(hand) for hand in state.hands]
