"""Does the expert choose better if it expects of itself more than the most points next time?

    python -m benchmarks.judged_on --positions 40

Positions as in `limit.py`. The eight most promising turns are played on for four turns with dealt
dominoes, once with the most points for everybody, once with an own next turn that minds what it
leaves. Each way chooses a turn; both choices are then measured by other deals, the own next
turn minding what it leaves. Means in points more than medium's turn, with 95 % intervals.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from random import Random
from statistics import mean
from typing import Any, NamedTuple

from rich.progress import track

from benchmarks.limit import show, situations
from dalapapa.bots.bot import shuffle
from dalapapa.bots.lookahead import (
    NEW_HAND_POINTS,
    NEXT_TURN_SHARE,
    REPLY_SHARE,
    TAKEN_SHARE,
    Prospect,
    list_promising,
)
from dalapapa.core.points import Turn
from dalapapa.games.turns import HAND
from dalapapa.kernel.lookup import lookup_of
from dalapapa.kernel.outlook import Outlook
from dalapapa.kernel.table import Table

CANDIDATES = 8
LOOKED_AT = 40
"""Turns of the own next ones that are judged."""
SACRIFICE = 4
"""In points, of a turn that is judged."""

Policy = Callable[[Table, list[str]], Turn | None]


class Deal(NamedTuple):
    """The opponent's dominoes, and what is drawn after each turn."""

    theirs: list[str]
    drawn: list[list[str]]


def choose_richest(table: Table, hand: list[str]) -> Turn | None:
    """The most points now."""
    return table.best_turn(hand)


def choose_by_judgement(table: Table, hand: list[str]) -> Turn | None:
    """The most points, what it leaves to both counted as the expert judges it, in points."""
    turns = table.best_turns(hand, LOOKED_AT)
    for name in hand:
        turns += [Turn((one,), earned.points) for one, earned in table.scored(name)]
    if not turns:
        return None
    turns.sort(key=lambda turn: -turn.points)
    near = [turn for turn in turns if turn.points > turns[0].points - SACRIFICE]
    different = {frozenset(turn.layings): turn for turn in reversed(near[:LOOKED_AT])}
    index = lookup_of(table.tiles).index
    outlook = Outlook(table, 2, 1, [index[name] for name in hand])

    def worth(turn: Turn) -> float:
        laid = {laying.tile for laying in turn.layings}
        kept = [index[name] for name in hand if name not in laid]
        _, beside, expected = outlook.leaves(turn.layings, kept)
        next_own = (
            NEXT_TURN_SHARE * beside - TAKEN_SHARE * expected + (0.0 if kept else NEW_HAND_POINTS)
        )
        return turn.points + next_own - REPLY_SHARE * expected

    return max(different.values(), key=worth)


RICHEST, MINDFUL = "the most points", "minding what it leaves"
THEIRS_AND_OWN: dict[str, tuple[Policy, ...]] = {
    RICHEST: (choose_richest, choose_richest, choose_richest, choose_richest),
    MINDFUL: (choose_richest, choose_by_judgement, choose_richest, choose_richest),
}
"""How the turns after the first are chosen: the opponent's, the own, and once more."""


def lead(view: Any, turn: Turn, deal: Deal, policies: Sequence[Policy]) -> int:
    """What the player is ahead by after a turn and those that follow it."""
    table = view.table.copy()
    hands = [list(deal.theirs), list(view.hand)]
    total = 0
    for number, drawn in enumerate(deal.drawn):
        own = number % 2 == 0
        hand = hands[own]
        made = turn if number == 0 else policies[number - 1](table, hand)
        if made is None:
            continue
        total += made.points if own else -made.points
        for laying in made.layings:
            table.lay(laying)
            hand.remove(laying.tile)
        hand += drawn[: HAND - len(hand)]
    return total


def deals(unseen: list[str], count: int, rng: Random) -> list[Deal]:
    found = []
    for _ in range(count):
        pool = shuffle(unseen, rng)
        pairs = [pool[place : place + HAND] for place in range(0, 6 * HAND, HAND)]
        found.append(Deal(pairs[0], pairs[1:]))
    return found


def worth(view: Any, turn: Turn, title: str, some: list[Deal]) -> float:
    """The mean lead after a turn, played on in one of the ways."""
    return mean(lead(view, turn, deal, THEIRS_AND_OWN[title]) for deal in some)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument(
        "--deals", type=int, default=300, help="deals to choose by, and as many to measure"
    )
    parser.add_argument("--seed", default="judged on")
    arguments = parser.parse_args()
    gains: dict[str, list[float]] = {}
    found = situations(arguments.seed)
    for number in track(range(arguments.positions), "positions"):
        view, _ = next(found)
        rng = Random(f"{arguments.seed}/{number}")
        prospect = Prospect(view, rng)
        names = {place: name for name, place in prospect.index.items()}
        unseen = [names[place] for place in prospect.outlook.unseen]
        turns = sorted(list_promising(view), key=lambda turn: -prospect.judge(turn))[:CANDIDATES]
        to_choose, to_measure = (deals(unseen, arguments.deals, rng) for _ in range(2))

        medium = worth(view, view.table.best_turn(view.hand), MINDFUL, to_measure)
        gained = {}
        for title in THEIRS_AND_OWN:
            values = [worth(view, turn, title, to_choose) for turn in turns]
            chosen = turns[values.index(max(values))]
            gained[title] = worth(view, chosen, MINDFUL, to_measure) - medium
        gained["difference"] = gained[MINDFUL] - gained[RICHEST]
        for title, gain in gained.items():
            gains.setdefault(title, []).append(gain)
    show("own next turn", gains)


if __name__ == "__main__":
    main()
