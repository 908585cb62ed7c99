"""The exact end of a classic game of two players: the bag is empty, so everything is known.

Like `table.py`, this is ordinary Python that the build compiles with the types of `ending.pxd`.
Both play for the lead, which is to play for victory: no lead is better than a larger one, and
nothing is left to chance (rules 1, and 0 for passing).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from ..core.notation import Laying
from ..core.points import SECOND_DOMINO_CHARGE
from .best_turn import TurnSearch
from .table import Table

HAND = 2
NO_TILE = -1
"""In place of a laid domino."""
BOTH = 3
"""Both players have passed since the last laying."""
INFINITE = 10_000
"""More than any lead."""


class Ending:
    """The rest of a game for the player to move, 0, and the other one, 1.

    `needs` are their points to the target, `last` is who of them ends a round. Positions are
    counted: after `budget` of them nothing is exact any more, and `spent` says so.
    """

    def __init__(
        self,
        table: Table,
        hands: Sequence[Sequence[int]],
        needs: Sequence[int],
        last: int,
        budget: int,
        charge: int = SECOND_DOMINO_CHARGE,
    ) -> None:
        self.search: TurnSearch = TurnSearch()
        self.search.prepare(table._roomy(2 * HAND))
        self.hands: array[int] = array("i", [NO_TILE] * (2 * HAND))
        self.left: int = 0
        for player in range(2):
            for place, tile in enumerate(hands[player]):
                self.hands[HAND * player + place] = tile
                self.left += 1
        self.needs: array[int] = array("i", needs)
        self.last = last
        self.budget: int = budget
        self.charge = charge

    @property
    def spent(self) -> bool:
        """Whether the budget was too small, so that results of `worth` are not exact."""
        return self.budget < 0

    def worth(self, turn: Sequence[Laying], points: int, least: int) -> int:
        """Return the lead that player 0 gains by a turn with `points` and the rest of the game.

        Exact if it is more than `least`; otherwise only known to be no more than that.
        """
        table = self.search.table
        for laying in turn:
            pose = table._check(laying)
            self._lay(pose, table._cell(laying.x, laying.y), 0)
        self.needs[0] -= points
        found = points + self._over(0, 0, least - points, INFINITE)
        self.needs[0] += points
        for laying in reversed(turn):
            self._take_back(table.lookup.index[laying.tile], 0)
        return found

    def _lay(self, pose: int, cell: int, player: int) -> None:
        at = HAND * player
        self.hands[at if self.hands[at] == pose >> 3 else at + 1] = NO_TILE
        self.left -= 1
        self.search.table._place(pose, cell)

    def _take_back(self, tile: int, player: int) -> None:
        at = HAND * player
        self.hands[at if self.hands[at] == NO_TILE else at + 1] = tile
        self.left += 1
        self.search.table._unplace()

    def _over(self, player: int, passed: int, least: int, most: int) -> int:
        """Return what a player gains on the other one after their own turn."""
        if player == self.last and (self.needs[0] <= 0 or self.needs[1] <= 0):
            return 0
        if not self.left or passed == BOTH:
            return 0
        return -self._turn(1 - player, passed, -most, -least)

    def _turn(self, player: int, passed: int, least: int, most: int) -> int:
        """Return what a player gains on the other one from their own turn on."""
        layings = self._layings(player)
        if not layings:
            return self._over(player, passed | 1 << player, least, most)
        if self.left == 1:
            return int(layings[0] >> 40)
        return self._best_of(layings, player, False, -INFINITE, least, most)

    def _first_laid(self, player: int, least: int, most: int) -> int:
        """Do the same after the first domino of a turn: end it, or lay the other one, too."""
        best = self._over(player, 0, least, most)
        if best >= most:
            return best
        return self._best_of(self._layings(player), player, True, best, least, most)

    def _best_of(
        self, layings: list[int], player: int, second: bool, best: int, least: int, most: int
    ) -> int:
        """Return the best of the layings, or the best so far; a second one ends the turn."""
        charge = self.charge if second else 0
        for key in layings:
            points = (key >> 40) - charge
            pose = key >> 24 & 0xFFFF
            self._lay(pose, key & 0xFFFFFF, player)
            self.needs[player] -= points
            floor = (best if best > least else least) - points
            if second:
                found = points + self._over(player, 0, floor, most - points)
            else:
                found = points + self._first_laid(player, floor, most - points)
            self.needs[player] += points
            self._take_back(pose >> 3, player)
            if found > best:
                best = found
            if best >= most or self.budget < 0:
                break
        return best

    def _layings(self, player: int) -> list[int]:
        """List the layings of a hand, most points first: points, pose and cell in one number."""
        found: list[int] = []
        search = self.search
        self.budget -= 1
        scanned = False
        for place in range(HAND * player, HAND * player + HAND):
            tile = self.hands[place]
            if tile == NO_TILE:
                continue
            if not scanned:
                search.restart()
                search._scan()
                scanned = True
            for number in range(search._list(tile, 0)):
                pose, pair = search.pose[number], search.pair[number]
                cell = search.pair_second[pair] if pose & 2 else search.pair_first[pair]
                key = search.points[number]
                found.append((key << 16 | pose) << 24 | cell)  # A C int has 32 bits.
        found.sort(reverse=True)
        return found
