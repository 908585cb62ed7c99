"""What a learning program observes of Gone (rules 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ...adapters.observer import Fact, Observer
from .rules import GoneState, GoneView


class GoneObserver(Observer[GoneState, GoneView]):
    """There are no scores; the hands count."""

    slots: ClassVar[int] = 8
    others: ClassVar[tuple[str, ...]] = ("pass",)
    shared: Mapping[str, Fact[GoneView]] = {"again": lambda view: view.again}

    def standing(self, state: GoneState) -> list[int]:
        """As at the end, the dominoes in hand count against their owners."""
        return [-len(hand) for hand in state.hands]
