"""The parts of a turn and what it leaves: exact, each domino by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

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
