"""What a learning program observes of Conquest (rules 3), and how it marks groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...adapters.observer import CHANCE, SCORES, EpisodeRequest, Fact, Facts
from ...kernel.episode import Episode, EpisodeArrays
from ...kernel.episode_points import ConquestEpisode
from ..classic.observer import CLASSIC, PointsObserver, make_terms
from ..game import PlacedMark
from .rules import MARKS, ConquestState, ConquestView


class ConquestObserver(PointsObserver[ConquestState, ConquestView]):
    """The classic numbers, and the marks."""

    marking: bool = True
    shared: Mapping[str, Fact[ConquestView]] = {**CLASSIC, "marked": lambda view: view.marked}
    each: Mapping[str, Facts[ConquestView]] = {
        **SCORES,
        "marks_left": lambda view, seat: view.marks_left[seat],
    }

    def marks(self, view: ConquestView) -> Sequence[PlacedMark]:
        return view.marks

    def episode(self, asked: EpisodeRequest, rows: EpisodeArrays) -> Episode:
        form, terms = self.terms(asked, MARKS * asked.players), make_terms(asked.options)
        return ConquestEpisode(
            asked.tiles, form, asked.window, rows, CHANCE, terms, asked.options.finish_round
        )
