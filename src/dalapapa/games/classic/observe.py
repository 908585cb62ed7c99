"""What a learner observes of the classic game (rules 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeVar

from ...adapters import observer
from ...adapters.observer import SCORES, Fact, Facts
from ...notation import Laying
from ..turns import HAND
from .rules import ClassicState, ClassicView

StateT = TypeVar("StateT", bound=ClassicState)
ViewT = TypeVar("ViewT", bound=ClassicView)

CLASSIC: dict[str, Fact[ClassicView]] = {
    "target": lambda view: view.options.target,
    "turn": lambda view: len(view.turn),
    "last_round": lambda view: view.last_round,
}


class ClassicObserver(observer.Observer[StateT, ViewT]):
    """Of the classic game, and of those that build on it."""

    slots: ClassVar[int] = HAND
    shared: Mapping[str, Fact[ViewT]] = CLASSIC
    each: Mapping[str, Facts[ViewT]] = SCORES

    def turn(self, view: ViewT) -> Sequence[Laying]:
        return [laid.laying for laid in view.turn]

    def charge(self, view: ViewT) -> int:
        return view.charge

    def standing(self, state: StateT) -> list[int]:
        return list(state.scores)


class Observer(ClassicObserver[ClassicState, ClassicView]):
    """Of the classic game itself."""
