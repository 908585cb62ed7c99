"""Advice, reviews and turns as the structs of the JSON API (`docs/coach.md`)."""

from __future__ import annotations

from typing import Literal, cast

import msgspec
from msgspec import convert

from ..bots.estimate import Estimate
from ..core.points import ClosedGroup, Turn
from ..games.plain import to_plain
from ..texts import Language
from .advice import Advice, RatedTurn, Situation
from .reviewer import PlayedTurn, Review, Reviewed, ReviewMoment, ReviewPlayer, Unit
from .words import check_language, explain


class BestTurn(msgspec.Struct):
    """Layings in order, and their points less the charge for the second."""

    layings: list[str]
    points: int


# -- advice ----------------------------------------------------------------------------------


class CoachPart(msgspec.Struct):
    """What one domino of a turn earns."""

    laying: str
    contacts: int
    disc_points: int
    groups: list[ClosedGroup]
    group_points: int
    points: int
    charge: int


class CoachReply(msgspec.Struct):
    """The most that a single unseen domino earns after a turn."""

    points: int
    laying: str
    groups: list[ClosedGroup]
    tiles: list[str]


class CoachLeaves(msgspec.Struct):
    """What a turn leaves; all of it exact except `next`, the next player's turn."""

    unseen: int
    mean: float
    reply: CoachReply | None
    kept: str | None
    kept_points: int
    next: Estimate


class CoachTurn(BestTurn):
    """A turn with what it earns in parts, what it leaves, and why."""

    parts: list[CoachPart]
    leaves: CoachLeaves
    chance: Estimate
    why: str


class CoachAdvice(msgspec.Struct):
    """The best turns, the best chance to win first."""

    situation: Situation
    language: Language
    turns: list[CoachTurn]


# -- reviews ---------------------------------------------------------------------------------


class ReplayTurn(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A turn, a round of Alex or a laying of Gone and 72, compared with the best possible.

    Points are discs in Gone, cells in 72; only Alex has `announced`. `stand_in`: a bot played it
    for a person.
    """

    player: int | None
    first: int
    last: int
    layings: list[str]
    points: int
    best: BestTurn | None
    lost: int
    announced: int | None = None
    stand_in: bool = False


class BetterTurn(BestTurn):
    """What would have been better, and the chance to win after it (classic)."""

    chance: Estimate | None


class ReviewTurn(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A turn compared with what would have been better, given what its player could know."""

    number: int
    player: int | None
    first: int
    last: int
    layings: list[str]
    points: int
    best: BestTurn | None
    lost: int
    announced: int | None = None
    stand_in: bool = False
    chance: Estimate | None
    better: BetterTurn | None
    lost_chance: Estimate | None
    why: str


class CoachReview(msgspec.Struct):
    """A finished game as the coach sees it."""

    game: str
    language: Language
    unit: Unit
    measure: Literal["chance", "full"]
    players: tuple[ReviewPlayer, ...]
    curve: tuple[ReviewMoment, ...]
    turns: list[ReviewTurn]
    missed: tuple[int, ...]
    winners: tuple[int, ...]


# -- encoders --------------------------------------------------------------------------------


def encode_advice(advice: Advice, language: str = "en") -> CoachAdvice:
    """Advice with sentences in a language."""
    check_language(language)
    turns = [_encode_option(option, language) for option in advice.options]
    return CoachAdvice(advice.situation, cast(Language, language), turns)


def encode_review(review: Review, language: str = "en") -> CoachReview:
    """A review with sentences in a language."""
    check_language(language)
    return CoachReview(
        review.game,
        cast(Language, language),
        review.unit,
        review.measure,
        review.players,
        review.curve,
        [_encode_reviewed(turn, language) for turn in review.turns],
        review.missed,
        review.winners,
    )


def encode_played(turn: PlayedTurn) -> ReplayTurn:
    """A turn that was played."""
    return convert(to_plain(turn), ReplayTurn)


def encode_turn(turn: Turn | None) -> BestTurn | None:
    """The layings and points of a turn."""
    return None if turn is None else convert(turn.to_json(), BestTurn)


def _encode_option(option: RatedTurn, language: str) -> CoachTurn:
    judged = option.judged
    parts = [
        {"laying": str(part.laying), **part.earned.to_json(), "charge": part.charge}
        for part in judged.parts
    ]
    data = {
        **judged.turn.to_json(),
        "parts": parts,
        "leaves": {**to_plain(judged.leaves), "next": option.next},
        "chance": option.chance,
        "why": explain(option.remarks, language),
    }
    return convert(data, CoachTurn)


def _encode_reviewed(turn: Reviewed, language: str) -> ReviewTurn:
    better = turn.better and {**turn.better.to_json(), "chance": turn.better_chance}
    data = {
        "number": turn.number,
        **to_plain(turn.played),
        "chance": turn.chance,
        "better": better,
        "lost_chance": turn.lost_chance,
        "why": explain(turn.remarks, language),
    }
    return convert(data, ReviewTurn)
