"""What a turn leaves: how the next players go on, each with the best turn of a dealt hand.

Like `table.py`, this is ordinary Python that the build compiles with the types of
`outlook.pxd`. It knows the turn of the classic game and nothing of targets or winning:
`bots/race.py` makes chances of its points.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from .best_turn import Search
from .kit import MAX_X, MAX_Y, MIN_X, MIN_Y, ROOM
from .notation import Laying
from .table import Table

HAND = 2
NOBODY = -1
"""In a deal: no domino, because the bag is empty."""


class Outlook:
    """Plays turns on from one table, on a private copy.

    A deal is a row of tile numbers: the hands of the other players in the order of play, then
    what is drawn after the first turn, after the second and so on. Each place has a fixed
    purpose, so that two turns can be compared by the same chance.
    """

    def __init__(self, table: Table, players: int, turns: int) -> None:
        self.players = players
        self.turns = turns
        self.stride = HAND * (players - 1 + turns)
        self.hands = array("i", bytes(4 * HAND * players))
        self.search = Search()
        self._prepare(table)

    def _prepare(self, table: Table) -> None:
        """Search on a copy whose torus has room for all turns."""
        room = ROOM + 2 * HAND * (self.turns + 1)
        counters = table.counters_at
        width = table.mem[counters + MAX_X] - table.mem[counters + MIN_X]
        height = table.mem[counters + MAX_Y] - table.mem[counters + MIN_Y]
        table = table.copy()
        while max(width, height) + room >= table.size:
            table._rebuild(2 * table.size)
        self.search.prepare(table)

    def play(self, turn: Sequence[Laying], kept: Sequence[int], deals: array[int]) -> array[int]:
        """The points of the turns after `turn`, for each of the deals.

        `kept` are the tiles that the player of `turn` did not lay.
        """
        table = self.search.table
        for laying in turn:
            pose = table._check(laying)
            table.place(pose, table._cell(laying.x, laying.y))
        count = len(deals) // self.stride
        found = array("i", bytes(4 * count * self.turns))
        one = kept[0] if kept else NOBODY
        other = kept[1] if len(kept) > 1 else NOBODY
        self._play_all(deals, found, count, one, other)
        for _ in turn:
            table.unplace()
        return found

    def _play_all(
        self, deals: array[int], found: array[int], count: int, one: int, other: int
    ) -> None:
        table = self.search.table
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
                laid += self._turn(player)
                if self.search.best_first >= 0:
                    found[deal * self.turns + number] = self.search.best_points
                if number + 1 < self.turns:
                    self._draw(player, deals, start + HAND * (number + 1))
            for _ in range(laid):
                table.unplace()

    def _draw(self, player: int, deals: array[int], start: int) -> None:
        """Draw back up to two."""
        for place in range(HAND):
            if self.hands[HAND * player + place] == NOBODY:
                self.hands[HAND * player + place] = deals[start]
                start += 1

    def _turn(self, player: int) -> int:
        """Lay the best turn of a player; how many dominoes that is."""
        search = self.search
        at = HAND * player
        one, other = self.hands[at], self.hands[at + 1]
        if one > other:
            one, other = other, one
        search.restart()
        if one == NOBODY:
            one, other = other, NOBODY
        if one == NOBODY:
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
        table.place(
            pose,
            table._cell(table.kit.coordinate[key >> 12 & 4095], table.kit.coordinate[key & 4095]),
        )
        self.hands[at if self.hands[at] == tile else at + 1] = NOBODY
