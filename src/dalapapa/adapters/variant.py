"""What a learning program observes of a turn game that has no observer of its own.

That is a game of another package. Every number of its view is a fact, and moves of its own kinds
get the spare actions. A package may describe its game better (`GameParts.observer`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from ..core.notation import Laying
from ..games.game import AnyGame, PlacedMark
from ..games.turns import TurnState, TurnView
from .observer import Fact, Facts, Observer

MAX_SLOTS = 8
"""The dominoes of a hand that have actions, if the game does not say how many a hand has."""

SPARE_ACTIONS = 8
"""The actions for moves of other kinds, in the order of the legal moves."""


class VariantObserver(Observer[TurnState, TurnView]):
    """Observes any turn game."""

    def __init__(self, game: AnyGame) -> None:
        hand = getattr(game.options, "hand", None)  # A fixed number, or an option.
        self.slots: int = hand if isinstance(hand, int) else MAX_SLOTS
        spare = [f"other_{number}" for number in range(1, SPARE_ACTIONS + 1)]
        self.others: tuple[str, ...] = ("end", "pass", *spare)
        self.marking: bool = "marks" in game.view_type.__struct_fields__
        own = set(game.view_type.__struct_fields__) - set(TurnView.__struct_fields__)
        fields = {one.name: one.type for one in msgspec.structs.fields(game.view_type)}
        numbers = [name for name in fields if name in own and fields[name] in (int, bool)]
        lists = [name for name in fields if name in own and fields[name] == tuple[int, ...]]
        self.shared: Mapping[str, Fact[TurnView]] = {name: _Number(name) for name in numbers}
        self.each: Mapping[str, Facts[TurnView]] = {name: _NumberOf(name) for name in lists}

    def turn(self, view: TurnView) -> Sequence[Laying]:
        return [laid.laying for laid in getattr(view, "turn", None) or ()]

    def marks(self, view: TurnView) -> Sequence[PlacedMark]:
        return getattr(view, "marks", ())

    def charge(self, view: TurnView) -> int:
        return getattr(view, "charge", 0)

    def standing(self, state: TurnState) -> list[int]:
        scores: Sequence[int] | None = getattr(state, "scores", None)
        return [-len(hand) for hand in state.hands] if scores is None else list(scores)


class _Number:
    """Reads a number of a view; unlike a function in a function, it can be pickled."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, view: Any) -> int:
        return int(getattr(view, self.name))


class _NumberOf(_Number):
    """Reads a number that each player has."""

    def __call__(self, view: Any, seat: int = 0) -> int:
        return int(getattr(view, self.name)[seat])
