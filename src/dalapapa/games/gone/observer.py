"""What a learning program observes of Gone (rules 4)."""

from __future__ import annotations

from collections.abc import Mapping

from ...adapters.observer import CHANCE, EpisodeRequest, Fact, Observer
from ...kernel.episode import Episode, EpisodeArrays
from ...kernel.episode_gone import GoneEpisode, GoneTerms
from .rules import FIGURE, LAYS_AGAIN, GoneState, GoneView, count_first_hands, find_first


class GoneObserver(Observer[GoneState, GoneView]):
    """There are no scores; the hands count."""

    slots: int = 8
    others: tuple[str, ...] = ("pass",)
    shared: Mapping[str, Fact[GoneView]] = {"again": lambda view: view.again}

    def standing(self, state: GoneState) -> list[int]:
        """As at the end, the dominoes in hand count against their owners."""
        return [-len(hand) for hand in state.hands]

    def episode(self, asked: EpisodeRequest, rows: EpisodeArrays) -> Episode:
        counts = count_first_hands(asked.options, asked.players)
        terms = GoneTerms(find_first(asked.options), counts, FIGURE, LAYS_AGAIN)
        return GoneEpisode(asked.tiles, self.terms(asked), asked.window, rows, CHANCE, terms)
