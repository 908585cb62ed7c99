"""Why one turn is better, or worse, than another: remarks that `words.py` makes sentences of.

A remark is only made if it is true of what was counted, and only if it speaks for the verdict.
"""

from __future__ import annotations

from typing import Any

import msgspec

from ..core.points import Turn
from .aftermath import Leaves, TurnPart

WORTH_A_WORD = 0.25
"""Points that a domino of the next player earns more or less, on average, before it is said."""

OF_CLOSERS = 0.25
"""The smallest relative difference of closing dominoes that is mentioned."""

KEPT_WORTH_A_WORD = 3
"""Points that the domino in the hand could earn more or less, before it is said."""

GOOD = 8
"""Points that a domino in the hand could earn, to be worth keeping."""

OF_KEPT = 0.33
"""The share of the points of the kept domino that it brings more than another (`lookahead.py`)."""

SMALLEST_NAMED = 2
"""Discs of a group that is named; of others it is said how many there are."""

MAX_NAMED = 2

HAND = 2
"""Dominoes with which the next player may close a group."""


class Remark(msgspec.Struct, frozen=True):
    """Something to say: the name of its text, and what to fill in."""

    text: str
    values: dict[str, Any] = {}
    then: Remark | None = None
    """The second half of the sentence, if any."""
    but: bool = False
    """Whether the second half is joined by "but", as an objection."""


class Judged(msgspec.Struct, frozen=True):
    """A turn with what it earns and leaves."""

    turn: Turn
    parts: tuple[TurnPart, ...]
    leaves: Leaves


def describe_parts(parts: tuple[TurnPart, ...]) -> Remark:
    """Describe what a turn does."""
    closed = [group for part in parts for group in part.earned.groups]
    closed.sort(key=lambda group: (-group.size, group.colour))
    # Of two alike, one is named.
    large = dict.fromkeys((one.colour, one.size) for one in closed if one.size >= SMALLEST_NAMED)
    named = list(large)[:MAX_NAMED]
    values: dict[str, Any] = {"groups": named, "more": len(closed) - len(named)}
    if len(parts) == 2:
        values |= {"points": parts[1].earned.points, "charge": parts[1].charge}
        return Remark("both_closing" if closed else "both", values)
    if closed:
        return Remark("closes", values)
    return Remark("makes_discs", {"discs": sum(part.earned.contacts for part in parts)})


def compare_turns(
    one: Judged, other: Judged, better: bool | None, bag: int, over: bool = False
) -> Remark:
    """Say what makes a turn better or worse than another one; `bag` dominoes can be drawn.

    `better` is None if playing on does not decide it. If the game is `over` with either turn,
    it does not matter what they leave.
    """
    more = one.turn.points - other.turn.points
    text = "points_more" if more > 0 else "points_less" if more else "points_equal"
    points = {"points": abs(more)}
    if better is None:
        as_often = Remark("changes_nothing" if over else "wins_as_often")
        return Remark(text, points, as_often, but=more != 0)
    reason = None if over else _reason(one, other, better)
    if not (reason or over) and better and bag > 1 and len(one.parts) > len(other.parts):
        reason = Remark("draws_two")
    if reason is None:
        if more and (more > 0) == better:
            return Remark(text, points)
        reason = Remark("wins_more" if better else "wins_less")
    # Points that speak for the verdict are joined by "and", others by "but".
    but = not better if more == 0 else (more > 0) != better
    return Remark(text, points, reason, but)


def _reason(one: Judged, other: Judged, better: bool) -> Remark | None:
    """The weightiest difference in what two turns leave that speaks for the verdict."""
    found = [*_of_groups(one.leaves, other.leaves), *_of_points(one.leaves, other.leaves)]
    speaking = [(abs(weight), remark) for weight, remark in found if (weight > 0) == better]
    return max(speaking, key=lambda pair: pair[0])[1] if speaking else None


def _of_groups(one: Leaves, other: Leaves) -> list[tuple[float, Remark]]:
    """Groups that the next player can, or cannot, close; positive if that is good."""
    found = []
    for colour in sorted({*one.closers, *other.closers}):
        sizes = {*one.closers.get(colour, {}), *other.closers.get(colour, {})}
        for size in sorted(sizes):
            mine, theirs = one.closing(colour, size), other.closing(colour, size)
            weight = HAND * size * (theirs - mine) / max(one.unseen, 1)
            if abs(weight) < WORTH_A_WORD or abs(theirs - mine) < OF_CLOSERS * max(theirs, mine):
                continue
            values = {"colour": colour, "size": size, "dominoes": mine, "instead": theirs}
            if mine < theirs:
                text = "closes_fewer" if mine else "closes_none"
            else:
                text = "closes_more" if theirs else "closes_some"
            found.append((weight, Remark(text, values)))
    return found


def _of_points(one: Leaves, other: Leaves) -> list[tuple[float, Remark]]:
    """Differences in what a domino of the next player, and the kept one, can earn."""
    found = []
    weight = HAND * (other.mean - one.mean) / 2
    if abs(other.mean - one.mean) >= WORTH_A_WORD:
        values = {"mean": round(one.mean, 1), "instead": round(other.mean, 1)}
        if values["mean"] != values["instead"]:
            found.append((weight, Remark("earns_on_average", values)))
    if one.kept and not other.kept and one.kept_points >= GOOD:
        found.append((OF_KEPT, Remark("keeps_good", {"points": one.kept_points})))
    elif one.kept and other.kept and one.kept != other.kept:
        more = one.kept_points - other.kept_points
        if abs(more) >= KEPT_WORTH_A_WORD:
            values = {"points": one.kept_points, "instead": other.kept_points}
            found.append((OF_KEPT * more, Remark("keeps", values)))
    return found
