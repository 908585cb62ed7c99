"""Advice and reviews as JSON (`docs/coach.md`), with sentences in one language."""

from __future__ import annotations

from typing import Any

import msgspec

from ..bots.estimate import Estimate
from ..core.points import Turn
from ..games.plain import to_plain
from .advice import Advice, Option
from .reviewer import Review, Reviewed
from .words import check_language, explain


def advice_to_json(advice: Advice, language: str = "en") -> dict[str, Any]:
    """The public form of advice."""
    check_language(language)
    return {
        "situation": msgspec.to_builtins(advice.situation),
        "language": language,
        "turns": [_option(option, language) for option in advice.options],
    }


def _option(option: Option, language: str) -> dict[str, Any]:
    judged = option.judged
    leaves = to_plain(judged.leaves)
    del leaves["closers"]
    return {
        **judged.turn.to_json(),
        "parts": [part.to_json() for part in judged.parts],
        "leaves": {**leaves, "next": estimate(option.next)},
        "chance": estimate(option.chance),
        "why": explain(option.remarks, language),
    }


def estimate(one: Estimate) -> dict[str, Any]:
    """A number that says how sure it is."""
    return {**msgspec.to_builtins(one), "exact": one.exact}


def review_to_json(review: Review, language: str = "en") -> dict[str, Any]:
    """The public form of a review."""
    check_language(language)
    players = [msgspec.to_builtins(one) for one in review.players]
    for player in players:
        if player["pace"] is None:
            del player["pace"]
    return {
        "game": review.game,
        "language": language,
        "unit": review.unit,
        "measure": review.measure,
        "players": players,
        "curve": [
            {"position": moment.position, "chances": [estimate(one) for one in moment.chances]}
            for moment in review.curve
        ],
        "turns": [_reviewed(turn, language) for turn in review.turns],
        "missed": list(review.missed),
        "winners": list(review.winners),
    }


def _reviewed(turn: Reviewed, language: str) -> dict[str, Any]:
    return {
        "number": turn.number,
        **turn.played.to_json(),
        "chance": turn.chance and estimate(turn.chance),
        "better": _better(turn.better, turn.better_chance),
        "lost_chance": turn.lost_chance and estimate(turn.lost_chance),
        "why": explain(turn.remarks, language),
    }


def _better(turn: Turn | None, chance: Estimate | None) -> dict[str, Any] | None:
    if turn is None:
        return None
    return {**turn.to_json(), "chance": chance and estimate(chance)}
