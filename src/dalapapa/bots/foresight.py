"""Looks beyond the own turn: what the others, and oneself, will make of the table it leaves.

Each promising turn is played on with dominoes dealt from those the player cannot see, until
everybody has had a turn, and the chance to win from there is what it is worth. All turns meet
the same deals; the worse half is dropped again and again, so that time is spent where the
choice is close.
"""

from __future__ import annotations

from array import array
from collections import Counter
from math import inf
from random import Random
from time import perf_counter
from typing import Any

from ..games.classic import HAND
from ..notation import Laying
from ..outlook import Outlook
from ..points import SECOND_DOMINO_CHARGE, Turn
from .bot import Time
from .chances import chance
from .sight import ENDS, Sight

NOBODY = -1
"""In a deal: no domino, because the bag is empty (`outlook.py`)."""

MOST_TURNS = 16
"""Turns that are compared."""

SACRIFICE = 4
"""A turn that brings so many points less than the best one has never been worth it."""

TURNS_A_SECOND = 8000
"""Turns that are played on in a second, on a full table of a slow machine."""

SECOND_SHARE = 0.3
"""Of the time of a turn, for the second domino: the first was chosen with it in mind."""

DOUBT = 15
"""Deals after which half of a difference between two tables is believed: tables differ by about
half a point, single deals by more than two."""


class Foresight(Sight):
    """Sees everything, and thinks ahead for some time.

    The work is counted, not timed, so that the same seed gives the same choice; only where a
    machine is far slower than expected does the clock end it.
    """

    def __init__(self, time: Time, share: float, chance: Random) -> None:
        self.time = time
        self.share = share
        self.chance = chance

    def turn(self, view: Any) -> Turn | None:
        """The turn with the best chance to win."""
        turns = promising(view)
        if len(turns) < 2:
            return super().turn(view)
        share = self.share * (SECOND_SHARE if view.turn else 1 - SECOND_SHARE)
        work = int(self.time.seconds * share * TURNS_A_SECOND)
        deadline = perf_counter() + share * self.time.seconds if self.time.clocked else inf
        return _compared(Prospect(view, self.chance), turns, work, deadline)


def promising(view: Any) -> list[Turn]:
    """The turns worth a second look, most points first; ending counts as one, if it can be."""
    if view.phase == "setup":
        return _starts(view)
    turns = view.table.best_turns(view.hand, 4 * MOST_TURNS)
    if view.turn:
        turns = [Turn(turn.layings, turn.points - SECOND_DOMINO_CHARGE) for turn in turns]
        turns.append(ENDS)
        turns.sort(key=lambda turn: -turn.points)
    # The same dominoes in another order leave the same table.
    tables: dict[frozenset[Laying], Turn] = {}
    for turn in turns:
        if turn.points > turns[0].points - SACRIFICE:
            tables.setdefault(frozenset(turn.layings), turn)
    return list(tables.values())[:MOST_TURNS]


def _starts(view: Any) -> list[Turn]:
    """The layings of whoever completes the starting position, which earn nothing (rules 1)."""
    if view.viewer != _last(view) or not len(view.table):
        return []
    layings = [laying for name in view.hand for laying in view.table.legal(name)]
    return [Turn((laying,), 0) for laying in layings]


def _last(view: Any) -> int:
    """The seat that ends a round."""
    seat: int = (view.options.first - 1) % len(view.scores)
    return seat


def _compared(prospect: Prospect, turns: list[Turn], work: int, deadline: float) -> Turn:
    """The best of some turns, by playing on about `work` turns."""
    rounds = (len(turns) - 1).bit_length()
    plain = [prospect.won(turn.points, ()) for turn in turns]
    left = dict.fromkeys(range(len(turns)), 0.0)
    """For each turn still compared: how much better than by its points alone the deals ended."""
    dealt = 0
    for _ in range(rounds):
        deals = max(work // (rounds * prospect.turns * len(left)), 1)
        dealt += deals
        hands = prospect.deals(deals)
        for number in left:
            left[number] += prospect.value(turns[number], hands) - deals * plain[number]
            if perf_counter() > deadline:
                return turns[_ranked(plain, left, dealt)[0]]
        best = _ranked(plain, left, dealt)
        left = {number: left[number] for number in best[: (len(best) + 1) // 2]}
    return turns[next(iter(left))]


def _ranked(plain: list[float], left: dict[int, float], dealt: int) -> list[int]:
    """The best first. Few deals say little, so that points count for more then."""
    return sorted(left, key=lambda number: -plain[number] - left[number] / (dealt + DOUBT))


class Prospect:
    """What the turns of one player lead to, as far as that player can know."""

    def __init__(self, view: Any, chance: Random) -> None:
        self.view = view
        self.chance = chance
        self.players = len(view.scores)
        self.kit = view.table.kit
        known = {laying.tile for laying in view.table.layings} | set(view.hand)
        self.unseen = [number for number, name in enumerate(self.kit.names) if name not in known]
        # Once the bag is empty, everything is played to the end.
        self.turns = self.players * (1 if view.bag_count else HAND)
        self.outlook = Outlook(view.table, self.players, self.turns)
        self.order = [(view.viewer + 1 + number) % self.players for number in range(self.players)]

    def deals(self, count: int) -> array[int]:
        """Hands for the others, and draws for all, from what the player cannot see.

        One shuffle serves as many deals as it can: so every domino comes about equally often.
        """
        counts = [
            HAND if self.view.phase == "setup" else self.view.hand_counts[seat]
            for seat in self.order[:-1]
        ]
        drawn = min(len(self.unseen) - sum(counts), HAND * self.turns)
        dealt = array("i")
        pool: list[int] = []
        for _ in range(count):
            if len(pool) < sum(counts) + drawn:
                pool = self._shuffled()
            for size in counts:
                dealt.extend(pool[:size] + [NOBODY] * (HAND - size))
                del pool[:size]
            dealt.extend(pool[:drawn] + [NOBODY] * (HAND * self.turns - drawn))
            del pool[:drawn]
        return dealt

    def _shuffled(self) -> list[int]:
        keys = [self.chance.random() for _ in self.unseen]
        return [number for _, number in sorted(zip(keys, self.unseen, strict=True))]

    def value(self, turn: Turn, deals: array[int]) -> float:
        """The chances to win after a turn, added up over the deals."""
        laid = {laying.tile for laying in turn.layings}
        kept = [self.kit.index[name] for name in self.view.hand if name not in laid]
        played = self.outlook.play(turn.layings, kept, deals)
        lines = Counter(
            zip(*[played[number :: self.turns] for number in range(self.turns)], strict=True)
        )
        return sum(times * self.won(turn.points, line) for line, times in lines.items())

    def won(self, points: int, line: tuple[int, ...]) -> float:
        """The chance to win if this turn and those after it bring these points."""
        view = self.view
        needs = [view.options.target - score for score in view.scores]
        last = _last(view)
        seat = view.viewer
        for number, more in enumerate((points, *line)):
            seat = (view.viewer + number) % self.players
            needs[seat] -= more
            if seat == last and min(needs) <= 0:
                return _share(needs, view.viewer)
        if line and not view.bag_count:
            return _share(needs, view.viewer)
        ahead = [(seat + 1 + number) % self.players for number in range(self.players)]
        still = ahead.index(last) + 1
        return chance(tuple([needs[one] for one in ahead]), still, ahead.index(view.viewer))


def _share(needs: list[int], player: int) -> float:
    """The share of a victory when the game is over: equal scores share it."""
    least = min(needs)
    return 1 / needs.count(least) if needs[player] == least else 0.0
