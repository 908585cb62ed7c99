"""What a learning program observes of Dalapapa 72 (rules 8), and how it puts markers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...adapters.observer import CHANCE, SCORES, EpisodeRequest, Fact, Facts, Observer
from ...core.notation import Laying
from ...kernel.episode import Episode, EpisodeArrays
from ...kernel.episode_72 import Episode72, Terms72
from ..game import PlacedMark
from ..turns import HAND
from .rules import FIGURE, MARKERS, PREMIUM, REPLAY_PRICE, TOKENS, TOKENS_EACH, State72, View72


class Observer72(Observer[State72, View72]):
    """Tokens, markers, and the premium."""

    slots: int = FIGURE  # The dealer begins with three.
    others: tuple[str, ...] = ("end", "pass", "replay")
    marking: bool = True
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

    def episode(self, asked: EpisodeRequest, rows: EpisodeArrays) -> Episode:
        dealer, players = asked.options.dealer, asked.players
        terms = Terms72(
            dealer=-1 if dealer is None else dealer,
            hand=HAND,
            figure=FIGURE,
            reserve=TOKENS - TOKENS_EACH * players,
            tokens=TOKENS_EACH,
            replay_price=REPLAY_PRICE,
            premium=PREMIUM,
        )
        form = self.terms(asked, MARKERS[players] * players)
        return Episode72(asked.tiles, form, asked.window, rows, CHANCE, terms)
