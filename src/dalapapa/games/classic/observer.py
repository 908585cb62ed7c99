"""What a learning program observes of the classic game (rules 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...adapters.observer import CHANCE, SCORES, EpisodeRequest, Fact, Facts, Observer
from ...core.notation import Laying
from ...kernel.episode import Episode, EpisodeArrays
from ...kernel.episode_points import ClassicEpisode, ClassicTerms
from ..turns import HAND
from .rules import ClassicOptions, ClassicState, ClassicView, StateT, ViewT

CLASSIC: dict[str, Fact[ClassicView]] = {
    "target": lambda view: view.options.target,
    "turn": lambda view: len(view.turn),
    "last_round": lambda view: view.last_round,
}


class PointsObserver(Observer[StateT, ViewT]):
    """Observes games that build on the classic one."""

    slots: int = HAND
    shared: Mapping[str, Fact[ViewT]] = CLASSIC
    each: Mapping[str, Facts[ViewT]] = SCORES

    def turn(self, view: ViewT) -> Sequence[Laying]:
        return [laid.laying for laid in view.turn]

    def charge(self, view: ViewT) -> int:
        return view.charge

    def standing(self, state: StateT) -> list[int]:
        return list(state.scores)


class ClassicObserver(PointsObserver[ClassicState, ClassicView]):
    """Observes the classic game."""

    def episode(self, asked: EpisodeRequest, rows: EpisodeArrays) -> Episode:
        terms = make_terms(asked.options)
        return ClassicEpisode(asked.tiles, self.terms(asked), asked.window, rows, CHANCE, terms)


def make_terms(options: ClassicOptions) -> ClassicTerms:
    """The options for the kernel."""
    return ClassicTerms(options.target, options.first, options.hand, options.charge)
