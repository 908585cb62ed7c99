"""What a learning program observes of Dalapapa 72 (rules 8), and how it puts markers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...adapters.observer import SCORES, Fact, Facts, Observer
from ...core.notation import Laying
from ..game import PlacedMark
from .rules import FIGURE, State72, View72


class Observer72(Observer[State72, View72]):
    """Tokens, markers, and the premium."""

    slots: ClassVar[int] = FIGURE  # The dealer begins with three.
    others: ClassVar[tuple[str, ...]] = ("end", "pass", "replay")
    marking: ClassVar[bool] = True
    shared: Mapping[str, Fact[View72]] = {
        "reserve": lambda view: view.reserve,
        "turn": lambda view: view.laid is not None,
        "last_turns": lambda view: view.last_turns or 0,
    }
    each: Mapping[str, Facts[View72]] = {
        **SCORES,
        "dealer": lambda view, seat: view.dealer == seat,
        "tokens": lambda view, seat: view.tokens[seat],
        "markers_left": lambda view, seat: view.markers_left[seat],
        "premium": lambda view, seat: view.premium == seat,
    }

    def turn(self, view: View72) -> Sequence[Laying]:
        return () if view.laid is None else (view.laid.laying,)

    def marks(self, view: View72) -> Sequence[PlacedMark]:
        return view.markers

    def standing(self, state: State72) -> list[int]:
        return list(state.scores)
