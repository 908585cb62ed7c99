"""The outlook after a turn: what hands can earn, and how the next players continue.

Like `table.py`, this is ordinary Python that the build compiles with the types of
`outlook.pxd`. It knows the turn of the classic game and nothing of targets or winning:
`bots/chances.py` makes chances of its points.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from ..core.notation import Laying
from ..core.points import SECOND_DOMINO_CHARGE
from .best_turn import TurnSearch
from .table import Table

HAND = 2
SIDES = 8
"""The sides of a pair of cells: four of each."""
COLOURS = 4
MAX_POINTS = 64
"""More than any domino has ever earned."""
NO_TILE = -1
"""In a deal: no domino, because the bag is empty."""


class Outlook:
    """Plays the turns after one table, on a private copy.

    A deal is a row of tile numbers: the hands of the other players in the order of play, then
    what is drawn after the first turn, after the second and so on. Each place has a fixed
    purpose, so that two turns can be compared by the same chance.
    """

    def __init__(
        self,
        table: Table,
        players: int,
        turns: int,
        hand: Sequence[int],
        charge: int = SECOND_DOMINO_CHARGE,
    ) -> None:
        self.players = players
        self.turns = turns
        self.stride: int = HAND * (players - 1 + turns)
        self.hands: array[int] = array("i", bytes(4 * HAND * players))
        self.search: TurnSearch = TurnSearch()
        self.search.prepare(table._roomy(HAND * (turns + 1)))
        self.search.charge = charge
        self._list_unseen(hand)

    def _list_unseen(self, hand: Sequence[int]) -> None:
        """Number the dominoes that are not on the table, and list their poses by colours.

        For each side of a pair of cells and each colour: the poses that show it there.
        """
        table = self.search.table
        lookup = table.lookup
        free = [tile for tile in range(lookup.count) if not table.mem[table.used_at + tile]]
        self.unseen: list[int] = [tile for tile in free if tile not in hand]
        lists: list[list[int]] = [[] for _ in range(2 * SIDES * COLOURS)]
        for tile in free:
            for pose in range(8 * tile, 8 * tile + 8):
                face = lookup.fit[pose]
                for side in range(SIDES):
                    colour = (face >> 4 * side & 15).bit_length() - 1
                    lists[((pose & 1) * SIDES + side) * COLOURS + colour].append(pose)
        starts = array("i", [0])
        ordered = array("i")
        for poses in lists:
            ordered.extend(poses)
            starts.append(len(ordered))
        self.starts = starts
        self.poses = ordered
        self.best: array[int] = array("i", bytes(4 * lookup.count))
        self.first: array[int] = array("i", bytes(4 * lookup.count))
        self.patterns: int = len(lookup.parts) // 64
        self.earned: array[int] = array("i", bytes(4 * 2 * self.patterns))
        self.often: array[int] = array("i", bytes(4 * MAX_POINTS))

    def leaves(self, turn: Sequence[Laying], kept: Sequence[int]) -> tuple[int, float, float]:
        """Estimate what the kept domino earns after a turn, and what it makes of the table beside
        an unseen one, and what an unseen hand does.

        Each domino alone is exact. Of two, the better one or both are laid, as if they were
        never in each other's way and never helped one another.
        """
        table = self.search.table
        for laying in turn:
            pose = table._check(laying)
            table._place(pose, table._cell(laying.x, laying.y))
        self._look_at_all()
        for _ in turn:
            table._unplace()
        most = 0
        for tile in kept:
            most = max(most, self.best[tile])
        expected = self._expected()
        beside = self._expected_beside(kept[0]) if kept else expected
        return most, beside, expected

    def _look_at_all(self) -> None:
        """Return the best laying of every domino that is not on the table; 0 if it has none."""
        search = self.search
        lookup = search.lookup
        search.restart()
        search._scan()
        for tile in range(lookup.count):
            self.best[tile] = 0
        for pair in range(search.pair_count):
            need = search.pair_need[pair]
            upright = search.pair_upright[pair]
            mask = search.pair_mask[pair]
            side = 0
            while not need >> 4 * side & 15:
                side += 1
            bits = need >> 4 * side & 15
            colour = 0
            while bits > 1:
                bits >>= 1
                colour += 1
            at = (upright * SIDES + side) * COLOURS + colour
            for number in range(2 * self.patterns):
                self.earned[number] = -1
            for place in range(self.starts[at], self.starts[at + 1]):
                pose = self.poses[place]
                if need & ~lookup.fit[pose]:
                    continue
                # The points depend only on the pattern of the face and on its rotation.
                turned = pose >> 1 & 1
                number = lookup.pattern[pose >> 2] << 1 | turned
                points = self.earned[number]
                if points < 0:
                    slots = (mask << 3 | mask >> 3) & 63 if turned else mask
                    parts = lookup.parts[lookup.pattern[pose >> 2] << 6 | slots]
                    points = lookup.disc_points[lookup.popcount[mask]]
                    if parts:
                        points += search._group_points(
                            parts,
                            search.pair_first[pair],
                            search.pair_second[pair],
                            upright,
                            turned,
                        )
                    self.earned[number] = points
                if points > self.best[pose >> 3]:
                    self.best[pose >> 3] = points

    def _expected(self) -> float:
        """Compute the mean best turn with two unseen dominoes, each laid alone."""
        for points in range(MAX_POINTS):
            self.often[points] = 0
        for tile in self.unseen:
            points = self.best[tile]
            self.often[points if points < MAX_POINTS else MAX_POINTS - 1] += 1
        charge = self.search.charge
        total = 0
        for one in range(MAX_POINTS):
            if self.often[one]:
                for other in range(MAX_POINTS):
                    points = one if one > other else other
                    if one + other - charge > points:
                        points = one + other - charge
                    total += points * self.often[one] * self.often[other]
        count = len(self.unseen)
        return total / (count * count) if count else 0.0

    def _expected_beside(self, kept: int) -> float:
        """Compute the mean best turn with a kept domino and an unseen one; after `_expected`."""
        one = self.best[kept]
        charge = self.search.charge
        total = 0
        for other in range(MAX_POINTS):
            points = one if one > other else other
            if one + other - charge > points:
                points = one + other - charge
            total += points * self.often[other]
        count = len(self.unseen)
        return total / count if count else 0.0

    def play(
        self, turn: Sequence[Laying], kept: Sequence[int], deals: array[int]
    ) -> tuple[array[int], array[float]]:
        """Return the points of the turns after `turn` for each of the deals, and the luck in them.

        `kept` are the tiles that the player of `turn` did not lay. Luck is how much better the
        dealt hands are than the mean of all hands, as `leaves` sees them, added up over
        the deals for each of the turns: what a comparison of two tables should not count.
        """
        table = self.search.table
        for laying in turn:
            pose = table._check(laying)
            table._place(pose, table._cell(laying.x, laying.y))
        count = len(deals) // self.stride
        found = array("i", bytes(4 * count * self.turns))
        one = kept[0] if kept else NO_TILE
        other = kept[1] if len(kept) > 1 else NO_TILE
        luck = array("d", bytes(8 * self.turns))
        self._play_all(deals, found, luck, count, one, other)
        for _ in turn:
            table._unplace()
        return found, luck

    def _play_all(
        self,
        deals: array[int],
        found: array[int],
        luck: array[float],
        count: int,
        one: int,
        other: int,
    ) -> None:
        table = self.search.table
        self._look_at_all()
        first_mean = self._expected()
        self.first[:] = self.best
        for deal in range(count):
            start = deal * self.stride
            self.hands[0] = one
            self.hands[1] = other
            for place in range(HAND, HAND * self.players):
                self.hands[place] = deals[start + place - HAND]
            start += HAND * (self.players - 1)
            self._draw(0, deals, start)
            laid = 0
            for number in range(self.turns):
                player = (number + 1) % self.players
                if number == 0:
                    luck[number] += self._worth(self.first, player) - first_mean
                else:
                    self._look_at_all()
                    mean = self._expected()
                    if number == self.players - 1 and one != NO_TILE:
                        mean = self._expected_beside(one)
                    luck[number] += self._worth(self.best, player) - mean
                laid += self._turn(player)
                if self.search.best_first >= 0:
                    found[deal * self.turns + number] = self.search.best_points
                if number + 1 < self.turns:
                    self._draw(player, deals, start + HAND * (number + 1))
            for _ in range(laid):
                table._unplace()

    def _worth(self, best: array[int], player: int) -> int:
        """Rate a hand by what each of its dominoes earns alone."""
        one, other = self.hands[HAND * player], self.hands[HAND * player + 1]
        earned = best[one] if one != NO_TILE else 0
        more = best[other] if other != NO_TILE else 0
        points = max(earned, more)
        return max(points, earned + more - self.search.charge)

    def _draw(self, player: int, deals: array[int], start: int) -> None:
        """Refill the hand to two dominoes."""
        for place in range(HAND):
            if self.hands[HAND * player + place] == NO_TILE:
                self.hands[HAND * player + place] = deals[start]
                start += 1

    def _turn(self, player: int) -> int:
        """Lay the best turn of a player, and return its number of dominoes."""
        search = self.search
        at = HAND * player
        one, other = self.hands[at], self.hands[at + 1]
        if one > other:
            one, other = other, one
        search.restart()
        if one == NO_TILE:
            one, other = other, NO_TILE
        if one == NO_TILE:
            return 0
        search.run(one, other)
        if search.best_first < 0:
            return 0
        self._lay(search.best_first, at)
        if search.best_second < 0:
            return 1
        self._lay(search.best_second, at)
        return 2

    def _lay(self, key: int, at: int) -> None:
        table = self.search.table
        pose = key >> 24
        tile = pose >> 3
        table._place(
            pose,
            table._cell(
                table.lookup.coordinate[key >> 12 & 4095], table.lookup.coordinate[key & 4095]
            ),
        )
        self.hands[at if self.hands[at] == tile else at + 1] = NO_TILE
