"""What a turn earns and leaves, and why it is better, or worse, than another.

What it leaves is exact, each domino by itself. `words.py` makes sentences of the remarks. A remark
is only made if it is true of what was counted, and only if it speaks for the verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from ..core.notation import Laying
from ..core.points import SECOND_DOMINO_CHARGE, ClosedGroup, Earned, Turn
from ..kernel.table import Table

MIN_GROUP_SIZE = 4
"""The smallest group that is mentioned when another player may close it."""


class TurnPart(msgspec.Struct, frozen=True):
    """The points of one domino of a turn."""

    laying: Laying
    earned: Earned
    charge: int = 0


class Reply(msgspec.Struct, frozen=True):
    """The most that a single unseen domino earns on the table that a turn leaves."""

    points: int
    laying: Laying
    groups: tuple[ClosedGroup, ...]
    tiles: tuple[str, ...]
    """All dominoes that earn so much there."""


class Leaves(msgspec.Struct, frozen=True):
    """What a turn leaves to the next players, before they draw."""

    unseen: int
    """Dominoes that the player cannot see, in other hands or in the bag."""
    mean: float
    """The mean points of one of them, laid alone; 0 for one that cannot be laid."""
    reply: Reply | None
    """The most that one of them earns; None if none can be laid."""
    kept: str | None
    """The domino that stays in the hand."""
    kept_points: int
    """The points that it would earn on this table."""
    closers: dict[str, dict[int, int]]
    """By colour and size: how many unseen dominoes can close a group of so many discs or more."""

    def closing(self, colour: str, size: int) -> int:
        """How many unseen dominoes can close a group of this colour and size, or a larger one."""
        return self.closers.get(colour, {}).get(size, 0)


def split_turn(
    table: Table, layings: Sequence[Laying], charge: int = SECOND_DOMINO_CHARGE
) -> tuple[TurnPart, ...]:
    """The parts of a turn, one domino after the other."""
    after = table.copy()
    return tuple(
        [
            TurnPart(laying, after.lay(laying), charge if number else 0)
            for number, laying in enumerate(layings)
        ]
    )


def compute_leaves(table: Table, hand: Sequence[str], turn: Turn) -> Leaves:
    """Compute what a turn with this hand leaves on this table."""
    after = table.copy()
    for laying in turn.layings:
        after.lay(laying)
    seen = {laying.tile for laying in after.layings} | set(hand)
    unseen = [name for name in after.tiles.names if name not in seen]
    total = 0
    reply: Reply | None = None
    largest: Counter[tuple[str, int]] = Counter()
    for name in unseen:
        scored = after.scored(name)
        if not scored:
            continue
        laying, earned = scored[0]
        total += earned.points
        if reply is None or earned.points > reply.points:
            reply = Reply(earned.points, laying, earned.groups, (name,))
        elif earned.points == reply.points:
            reply = msgspec.structs.replace(reply, tiles=(*reply.tiles, name))
        sizes: dict[str, int] = {}
        for _, one in scored:
            for group in one.groups:
                sizes[group.colour] = max(group.size, sizes.get(group.colour, 0))
        largest.update(sizes.items())
    left = [name for name in hand if name not in {laying.tile for laying in turn.layings}]
    kept = left[0] if left else None
    own = after.scored(kept)[:1] if kept else []
    return Leaves(
        unseen=len(unseen),
        mean=round(total / len(unseen), 4) if unseen else 0.0,
        reply=reply,
        kept=kept,
        kept_points=own[0][1].points if own else 0,
        closers=_at_least(largest),
    )


def _at_least(largest: Counter[tuple[str, int]]) -> dict[str, dict[int, int]]:
    """From dominoes by the largest group they close to dominoes by the groups they can close."""
    found: dict[str, dict[int, int]] = {}
    for colour in sorted({colour for colour, _ in largest}):
        sizes = {size: count for (one, size), count in largest.items() if one == colour}
        found[colour] = {
            size: sum(count for other, count in sizes.items() if other >= size)
            for size in range(MIN_GROUP_SIZE, max(sizes) + 1)
        }
    return found


MIN_POINTS_DIFFERENCE = 0.25
"""The smallest mentioned difference in the average points of a domino of the next player."""

MIN_CLOSERS_DIFFERENCE = 0.25
"""The smallest relative difference of closing dominoes that is mentioned."""

MIN_KEPT_POINTS_DIFFERENCE = 3
"""The smallest mentioned difference in what the domino in the hand could earn."""

MIN_GOOD_POINTS = 8
"""Points that make a domino in the hand worth keeping."""

KEPT_SHARE = 0.33
"""The share of the points of the kept domino that it brings more than another (`lookahead.py`)."""

MIN_NAMED_DISCS = 2
"""Discs of the smallest group that is named; smaller ones are counted."""

MAX_NAMED_GROUPS = 2

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
    large = dict.fromkeys((one.colour, one.size) for one in closed if one.size >= MIN_NAMED_DISCS)
    named = list(large)[:MAX_NAMED_GROUPS]
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
    found = [*_compare_groups(one.leaves, other.leaves), *_compare_points(one.leaves, other.leaves)]
    speaking = [(abs(weight), remark) for weight, remark in found if (weight > 0) == better]
    return max(speaking, key=lambda pair: pair[0])[1] if speaking else None


def _compare_groups(one: Leaves, other: Leaves) -> list[tuple[float, Remark]]:
    """Groups that the next player can, or cannot, close; positive if that is good."""
    found = []
    for colour in sorted({*one.closers, *other.closers}):
        sizes = {*one.closers.get(colour, {}), *other.closers.get(colour, {})}
        for size in sorted(sizes):
            mine, theirs = one.closing(colour, size), other.closing(colour, size)
            weight = HAND * size * (theirs - mine) / max(one.unseen, 1)
            if abs(weight) < MIN_POINTS_DIFFERENCE or abs(
                theirs - mine
            ) < MIN_CLOSERS_DIFFERENCE * max(theirs, mine):
                continue
            values = {"colour": colour, "size": size, "dominoes": mine, "instead": theirs}
            if mine < theirs:
                text = "closes_fewer" if mine else "closes_none"
            else:
                text = "closes_more" if theirs else "closes_some"
            found.append((weight, Remark(text, values)))
    return found


def _compare_points(one: Leaves, other: Leaves) -> list[tuple[float, Remark]]:
    """Differences in what a domino of the next player, and the kept one, can earn."""
    found = []
    weight = HAND * (other.mean - one.mean) / 2
    if abs(other.mean - one.mean) >= MIN_POINTS_DIFFERENCE:
        values = {"mean": round(one.mean, 1), "instead": round(other.mean, 1)}
        if values["mean"] != values["instead"]:
            found.append((weight, Remark("earns_on_average", values)))
    if one.kept and not other.kept and one.kept_points >= MIN_GOOD_POINTS:
        found.append((KEPT_SHARE, Remark("keeps_good", {"points": one.kept_points})))
    elif one.kept and other.kept and one.kept != other.kept:
        more = one.kept_points - other.kept_points
        if abs(more) >= MIN_KEPT_POINTS_DIFFERENCE:
            values = {"points": one.kept_points, "instead": other.kept_points}
            found.append((KEPT_SHARE * more, Remark("keeps", values)))
    return found
