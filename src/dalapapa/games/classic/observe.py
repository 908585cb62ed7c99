"""What a learner observes of the classic game (rules 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from ...adapters import observer
from ...adapters.observer import Fact
from ...notation import Laying
from ...points import SECOND_DOMINO_CHARGE
from ..turns import HAND

CLASSIC: dict[str, Fact] = {
    "target": lambda view: view.options.target,
    "turn": lambda view: len(view.turn),
    "last_round": lambda view: view.last_round,
}


class Observer(observer.Observer):
    """Of the classic game, and of those that build on it."""

    slots: ClassVar[int] = HAND
    shared: ClassVar[dict[str, Fact]] = CLASSIC

    def turn(self, view: Any) -> Sequence[Laying]:
        return [laid.laying for laid in view.turn]

    def charge(self, view: Any) -> int:
        return SECOND_DOMINO_CHARGE if view.turn else 0
