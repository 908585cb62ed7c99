"""How a bot plays Gone (rules 4): most discs now, or the laying that empties the hand first.

Levels that look ahead deal the unseen dominoes and play the game to its end, all players laying
for most discs. They choose the laying that wins most often.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from time import perf_counter

from ...bots.bot import shuffle
from ...bots.levels import CHILD, LevelBot
from ...bots.lookahead import Lookahead
from ...core.geometry import STEPS, Cell
from ...core.notation import Laying
from ...kernel.table import Table
from ..moves import Lay, Move, Pass
from .rules import LAYS_AGAIN, GoneView

MAX_TRIED_LAYINGS = 16
"""Layings that are played on."""

PLAYED_GAMES_PER_S = 1600
"""Games played on per second, to be divided by the players, on a slow machine."""

FIRST_SHARE = 0.7
FURTHER_SHARE = 0.1
"""Shares of the time of a turn for its first laying and for each further one."""

HAND_DOMINO_VALUE = 0.02
"""The value of each domino fewer than the others at the end, beside winning."""

MAX_LAYINGS = 200
"""No game is longer."""


class GoneBot(LevelBot[GoneView]):
    """Makes as many discs as possible: fewer dominoes to draw, and more turns."""

    # Ten times as many games played on won no more often: 45 of 100 against strong.
    strongest = "strong"
    gentler = (CHILD.name,)

    def choose(self, view: GoneView) -> Move:
        player, sight = view.player, self.sight
        if self.level.blind and self.rng.random() < self.level.blind:
            moves = self.game.legal_moves(view)
            return moves[int(self.rng.random() * len(moves))]
        if isinstance(sight, Lookahead):
            return _look_ahead(view, player, sight)
        best: tuple[int, Laying] | None = None
        for name in view.hand:
            for laying, earned in sight.layings(view.table, name):
                if best is None or earned.contacts > best[0]:
                    best = earned.contacts, laying
        return Pass(player) if best is None else Lay(player, best[1])


def _look_ahead(view: GoneView, player: int, sight: Lookahead) -> Move:
    """The laying that wins most games, of those with the most discs that count."""
    place = Place(view.table)
    layings = place.layings(view.hand)
    if not layings:
        return Pass(player)
    counted = {laying: min(place.discs(laying), LAYS_AGAIN) for laying in layings}
    most = max(counted.values())
    worth = {one: place.prospects(view.hand, one) for one in layings if counted[one] == most}
    left = sorted(worth, key=lambda one: -worth[one])[:MAX_TRIED_LAYINGS]
    share = sight.share * (FURTHER_SHARE if view.again else FIRST_SHARE)
    deadline = perf_counter() + share * sight.time.seconds if sight.time.clocked else inf
    trials = Trials(view, player, sight.rng)
    rounds = (len(left) - 1).bit_length()
    won = dict.fromkeys(left, 0.0)
    for _ in range(rounds):
        games = int(share * sight.time.seconds * trials.a_second) // (rounds * len(left))
        for deal in [trials.deal() for _ in range(max(games, 1))]:
            for one in left:
                won[one] += trials.play(one, deal)
            if perf_counter() > deadline:
                return Lay(player, max(left, key=lambda one: won[one]))
        left.sort(key=lambda one: -won[one])
        del left[(len(left) + 1) // 2 :]
    return Lay(player, left[0])


class Place:
    """A table, and how many discs a domino would make on it."""

    def __init__(self, table: Table, touching: dict[Cell, int] | None = None) -> None:
        self.table = table
        self.touching: dict[Cell, int] = {}
        """For each cell, the number of covered cells beside it."""
        if touching is not None:
            self.touching = touching.copy()
        else:
            for laying in table.layings:
                self._touch(laying)

    def _touch(self, laying: Laying) -> None:
        for x, y in laying.cells:
            for dx, dy in STEPS:
                beside = x + dx, y + dy
                self.touching[beside] = self.touching.get(beside, 0) + 1

    def copy(self) -> Place:
        return Place(self.table.copy(), self.touching)

    def lay(self, laying: Laying) -> None:
        self.table.lay(laying)
        self._touch(laying)

    def discs(self, laying: Laying) -> int:
        """The discs of a laying: each covered cell beside the domino makes one (rules 0)."""
        one, other = laying.cells
        return self.touching.get(one, 0) + self.touching.get(other, 0)

    def layings(self, hand: Sequence[str]) -> list[Laying]:
        return [laying for name in hand for laying in self.table.legal(name)]

    def best(self, hand: Sequence[str]) -> tuple[int, Laying | None]:
        """The laying with the most discs, and their number."""
        most, best = 0, None
        for name in hand:
            for laying in self.table.legal(name):
                discs = self.discs(laying)
                if discs > most:
                    most, best = discs, laying
        return most, best

    def prospects(self, hand: Sequence[str], laying: Laying) -> int:
        """The sum of the discs that the other dominoes in hand could make after a laying."""
        after = self.copy()
        after.lay(laying)
        return sum(min(after.best([name])[0], LAYS_AGAIN) for name in hand if name != laying.tile)


class Trials:
    """Games from here to their end, in which the unseen dominoes are dealt."""

    def __init__(self, view: GoneView, player: int, rng: Random) -> None:
        self.view = view
        self.player = player
        self.rng = rng
        self.place: Place = Place(view.table)
        self.a_second: float = PLAYED_GAMES_PER_S / len(view.hand_counts)
        seen = {*view.hand, *(laying.tile for laying in view.table.layings)}
        self.unseen: list[str] = [name for name in view.table.tiles.names if name not in seen]

    def deal(self) -> tuple[list[list[str]], list[str]]:
        """Deal hands for all players, and the bag."""
        left = shuffle(self.unseen, self.rng)
        hands = []
        for seat, count in enumerate(self.view.hand_counts):
            if seat == self.player:
                hands.append(list(self.view.hand))
            else:
                hands.append(left[:count])
                del left[:count]
        return hands, left

    def play(self, laying: Laying, deal: tuple[list[list[str]], list[str]]) -> float:
        """Whether this laying won with this deal, and a little for the hands left."""
        hands, bag = [hand[:] for hand in deal[0]], deal[1][::-1]
        place, seat = self.place.copy(), self.player
        next_one: Laying | None = laying
        most = place.discs(laying)
        stuck = 0
        for _ in range(MAX_LAYINGS):
            hand = hands[seat]
            if next_one is not None:
                stuck = 0
                place.lay(next_one)
                hand.remove(next_one.tile)
            if most <= 1 and bag:
                hand.append(bag.pop())
                stuck = 0
            elif next_one is None:
                stuck += 1
            if not hand or stuck == len(hands):
                break
            if most < LAYS_AGAIN:
                seat = (seat + 1) % len(hands)
            most, next_one = place.best(hands[seat])
        counts = [len(hand) for hand in hands]
        mine, least = counts[self.player], min(counts)
        others = min(count for number, count in enumerate(counts) if number != self.player)
        share = 1 / counts.count(least) if mine == least else 0.0
        return share + HAND_DOMINO_VALUE * (others - mine)
