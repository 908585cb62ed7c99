"""Advice, reviews and turns as the structs of the JSON API (`docs/coach.md`)."""

from __future__ import annotations

from typing import Literal, cast

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from ..bots.estimate import Estimate
from ..core.points import ClosedGroup, Turn
from ..texts import Language
from .advice import Advice, RatedTurn, Situation
from .aftermath import Leaves, Reply, TurnPart
from .reviewer import Pace, PlayedTurn, Review, Reviewed, Summary, Unit
from .words import check_language, explain


class BestTurn(msgspec.Struct):
    """Layings in order, and their points less the charge for the second."""

    layings: list[str]
    points: int


class EstimateForm(msgspec.Struct):
    """A number: exact, or the mean of samples with its 95% interval."""

    value: float
    low: float
    high: float
    samples: int
    exact: bool


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
    next: EstimateForm


class CoachTurn(BestTurn):
    """A turn with what it earns in parts, what it leaves, and why."""

    parts: list[CoachPart]
    leaves: CoachLeaves
    chance: EstimateForm
    why: str


class CoachAdvice(msgspec.Struct):
    """The best turns, the best chance to win first."""

    situation: Situation
    language: Language
    turns: list[CoachTurn]


# -- reviews ---------------------------------------------------------------------------------


class ReplayTurn(msgspec.Struct, kw_only=True):
    """A turn, a round of Alex or a laying of Gone and 72, compared with the best possible.

    Points are discs in Gone, cells in 72; only Alex has `announced`.
    """

    player: int | None
    first: int
    last: int
    layings: list[str]
    points: int
    best: BestTurn | None
    lost: int
    announced: int | UnsetType = UNSET


class BetterTurn(BestTurn):
    """What would have been better, and the chance to win after it (classic)."""

    chance: EstimateForm | None


class ReviewTurn(msgspec.Struct, kw_only=True):
    """A turn compared with what would have been better, given what its player could know."""

    number: int
    player: int | None
    first: int
    last: int
    layings: list[str]
    points: int
    best: BestTurn | None
    lost: int
    announced: int | UnsetType = UNSET
    chance: EstimateForm | None
    better: BetterTurn | None
    lost_chance: EstimateForm | None
    why: str


class ReviewPlayer(msgspec.Struct):
    """How a player did; only races have a `pace`."""

    name: str
    turns: int
    best_turns: int
    lost: int
    pace: Pace | UnsetType = UNSET


class ReviewMoment(msgspec.Struct):
    """Every player's chance after so many moves, as a spectator can know; in races, how full."""

    position: int
    chances: list[EstimateForm]


class CoachReview(msgspec.Struct):
    """A finished game as the coach sees it."""

    game: str
    language: Language
    unit: Unit
    measure: Literal["chance", "full"]
    players: list[ReviewPlayer]
    curve: list[ReviewMoment]
    turns: list[ReviewTurn]
    missed: list[int]
    winners: list[int]


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
        [_encode_player(player) for player in review.players],
        [
            ReviewMoment(moment.position, [_encode_estimate(chance) for chance in moment.chances])
            for moment in review.curve
        ],
        [_encode_reviewed(turn, language) for turn in review.turns],
        list(review.missed),
        list(review.winners),
    )


def encode_played(turn: PlayedTurn) -> ReplayTurn:
    """A turn that was played."""
    return ReplayTurn(
        player=turn.player,
        first=turn.first,
        last=turn.last,
        layings=_encode_layings(turn),
        points=turn.points,
        best=encode_turn(turn.best),
        lost=turn.lost,
        announced=UNSET if turn.announced is None else turn.announced,
    )


def encode_turn(turn: Turn | None) -> BestTurn | None:
    """The layings and points of a turn."""
    return None if turn is None else BestTurn(_encode_layings(turn), turn.points)


def _encode_layings(turn: Turn | PlayedTurn) -> list[str]:
    return [str(laying) for laying in turn.layings]


def _encode_estimate(estimate: Estimate) -> EstimateForm:
    return EstimateForm(
        estimate.value, estimate.low, estimate.high, estimate.samples, estimate.exact
    )


def _encode_optional(estimate: Estimate | None) -> EstimateForm | None:
    return None if estimate is None else _encode_estimate(estimate)


def _encode_option(option: RatedTurn, language: str) -> CoachTurn:
    judged = option.judged
    return CoachTurn(
        _encode_layings(judged.turn),
        judged.turn.points,
        [_encode_part(part) for part in judged.parts],
        _encode_leaves(judged.leaves, option.next),
        _encode_estimate(option.chance),
        explain(option.remarks, language),
    )


def _encode_part(part: TurnPart) -> CoachPart:
    earned = part.earned
    return CoachPart(
        str(part.laying),
        earned.contacts,
        earned.disc_points,
        list(earned.groups),
        earned.group_points,
        earned.points,
        part.charge,
    )


def _encode_leaves(leaves: Leaves, next_turn: Estimate) -> CoachLeaves:
    return CoachLeaves(
        leaves.unseen,
        leaves.mean,
        _encode_reply(leaves.reply),
        leaves.kept,
        leaves.kept_points,
        _encode_estimate(next_turn),
    )


def _encode_reply(reply: Reply | None) -> CoachReply | None:
    if reply is None:
        return None
    return CoachReply(reply.points, str(reply.laying), list(reply.groups), list(reply.tiles))


def _encode_player(player: Summary) -> ReviewPlayer:
    pace = UNSET if player.pace is None else player.pace
    return ReviewPlayer(player.name, player.turns, player.best_turns, player.lost, pace)


def _encode_reviewed(turn: Reviewed, language: str) -> ReviewTurn:
    better = turn.better
    return ReviewTurn(
        number=turn.number,
        **asdict(encode_played(turn.played)),
        chance=_encode_optional(turn.chance),
        better=None
        if better is None
        else BetterTurn(
            _encode_layings(better), better.points, _encode_optional(turn.better_chance)
        ),
        lost_chance=_encode_optional(turn.lost_chance),
        why=explain(turn.remarks, language),
    )
