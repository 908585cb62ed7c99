"""What a learning program observes of the classic game (rules 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from ...adapters.observer import SCORES, EpisodeRequest, Fact, Facts, Observer
from ...core.notation import Laying
from ...kernel.episode import Episode, EpisodeArrays, Terms
from ..bag import shuffle_by_seed
from ..turns import HAND
from .rules import ClassicOptions, ClassicState, ClassicView, StateT, ViewT

CLASSIC: dict[str, Fact[ClassicView]] = {
    "target": lambda view: view.options.target,
    "turn": lambda view: len(view.turn),
    "last_round": lambda view: view.last_round,
}


class PointsObserver(Observer[StateT, ViewT]):
    """Observes games that build on the classic one."""

    slots: ClassVar[int] = HAND
    shared: Mapping[str, Fact[ViewT]] = CLASSIC
    each: Mapping[str, Facts[ViewT]] = SCORES

    def turn(self, view: ViewT) -> Sequence[Laying]:
        return [laid.laying for laid in view.turn]

    def charge(self, view: ViewT) -> int:
        return view.charge

    def standing(self, state: StateT) -> list[int]:
        return list(state.scores)


class ClassicObserver(PointsObserver[ClassicState, ClassicView]):
    """Observes the classic game, which the kernel can play."""

    def episode(self, asked: EpisodeRequest, rows: EpisodeArrays) -> Episode:
        options: ClassicOptions = asked.options
        terms = Terms(
            players=asked.players,
            target=options.target,
            first=options.first,
            hand=options.hand,
            charge=options.charge,
            limit=asked.limit,
            by_score=asked.by_score,
        )
        return Episode(asked.tiles, terms, asked.window, rows, shuffle_by_seed)
