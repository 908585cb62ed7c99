"""Advice and reviews as JSON (`docs/coach.md`), with sentences in one language."""

from __future__ import annotations

from typing import Any

import msgspec

from ..bots.estimate import Estimate
from ..points import Turn
from .advice import Advice, Option
from .aftermath import Leaves
from .review import Review, Reviewed
from .words import check_language, why


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
    return {
        **judged.turn.to_json(),
        "parts": [part.to_json() for part in judged.parts],
        "leaves": {**_leaves(judged.leaves), "next": estimate(option.next)},
        "chance": estimate(option.chance),
        "why": why(option.remarks, language),
    }


def _leaves(leaves: Leaves) -> dict[str, Any]:
    reply = leaves.reply
    return {
        "unseen": leaves.unseen,
        "mean": leaves.mean,
        "reply": reply
        and {
            "points": reply.points,
            "laying": str(reply.laying),
            "groups": msgspec.to_builtins(reply.groups),
            "tiles": list(reply.tiles),
        },
        "kept": leaves.kept,
        "kept_points": leaves.kept_points,
    }


def estimate(one: Estimate) -> dict[str, Any]:
    """A number that says how sure it is."""
    return {
        "value": one.value,
        "low": one.low,
        "high": one.high,
        "samples": one.samples,
        "exact": one.exact,
    }


def review_to_json(review: Review, language: str = "en") -> dict[str, Any]:
    """The public form of a review."""
    check_language(language)
    players = []
    for one in review.players:
        player = msgspec.to_builtins(one)
        if one.pace is None:
            del player["pace"]
        players.append(player)
    return {
        "game": review.game,
        "language": language,
        "unit": review.unit,
        "measure": review.measure,
        "players": players,
        "curve": [
            {
                "position": moment.position,
                "chances": [estimate(one) for one in moment.chances],
            }
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
        "why": why(turn.remarks, language),
    }


def _better(turn: Turn | None, chance: Estimate | None) -> dict[str, Any] | None:
    if turn is None:
        return None
    return {**turn.to_json(), "chance": chance and estimate(chance)}
