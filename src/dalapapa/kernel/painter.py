"""Writes what learning programs see of a table into arrays: the board, and the legal layings.

Like `table.py`, this is ordinary Python that the build compiles with the types of `painter.pxd`.
Arrays are handed in, flat and of one row for each game; nothing here knows who made them.
`docs/environments/index.md` explains the planes and the numbers.
"""

from __future__ import annotations

from array import array

from ..core.geometry import Disc
from .lookup import FRONT_COUNT, MAX_X, MAX_Y, MIN_X, MIN_Y
from .planes import CLOSED, GROUP, LAID, MARKED, MAX_CELL_VALUE, POSES, SIDES, TURN, NumberArray
from .table import Table

COVERED = 0xFFFF
"""An impossible need: a cell asks for at most one colour on a side."""


class Painter:
    """The window of one game: a square of `size` x `size` cells in the middle of the layout."""

    def __init__(
        self,
        size: int,
        board: NumberArray,
        mask: NumberArray,
        legal: NumberArray,
        points: NumberArray | None = None,
    ) -> None:
        """`legal` lists the numbers that are set in `mask`; `points` are their points."""
        self.size = size
        self.area: int = size * size
        self.planes: int = len(board) // self.area
        self.board = board
        self.mask = mask
        self.legal = legal
        self.points = points
        self.count: int = 0
        """The number of legal actions."""
        self.left: int = 0
        self.top: int = 0
        self.asks: array[int] = array("H")
        """The need of each cell of the torus, or that it is covered."""
        self.pairs: array[int] = array("i")
        """The pairs of cells that a domino could cover: twice the western or northern cell of
        each, plus 1 if they lie from north to south..."""
        self.needs: array[int] = array("q")
        """... what they ask for, western or northern cell first..."""
        self.pair_at: array[int] = array("i")
        """... where each pair is in these lists (from 1), or 0..."""
        self.pair_count: int = 0
        """... and how many there are. Looking for layings is reading these lists."""

    # -- needs of cells --------------------------------------------------------------

    def watch(self, table: Table) -> None:
        """Read the needs of the cells of a table."""
        cells = table.size * table.size
        if len(self.asks) != cells:
            self.asks = array("H", bytes(2 * cells))
            self.pairs = array("i", bytes(8 * cells))
            self.needs = array("q", bytes(16 * cells))
            self.pair_at = array("i", bytes(8 * cells))
        for cell in range(cells):
            self.asks[cell] = 0
        for pair in range(2 * cells):
            self.pair_at[pair] = 0
        self.pair_count = 0
        if table.mem[table.counters_at + FRONT_COUNT]:
            for cell in range(cells):
                if table.mem[table.side_at + cell]:
                    self.watch_cell(table, cell)

    def watch_cell(self, table: Table, cell: int) -> None:
        """Update the needs around a newly covered cell."""
        self.asks[cell] = COVERED
        for direction in range(4):
            near = table.torus.step[4 * cell + direction]
            if not table.mem[table.side_at + near]:
                self.asks[near] = table.mem[table.need_at + near]
        self._watch_pairs(table, cell)
        for direction in range(4):
            self._watch_pairs(table, table.torus.step[4 * cell + direction])

    def _watch_pairs(self, table: Table, cell: int) -> None:
        """Update the four pairs of a cell with another."""
        north, west = table.torus.step[4 * cell], table.torus.step[4 * cell + 3]
        self._watch_pair(2 * cell, cell, table.torus.step[4 * cell + 1])
        self._watch_pair(2 * cell + 1, cell, table.torus.step[4 * cell + 2])
        self._watch_pair(2 * west, west, cell)
        self._watch_pair(2 * north + 1, north, cell)

    def _watch_pair(self, pair: int, one: int, other: int) -> None:
        """Add a pair to the lists, or remove it: the last one moves to its place."""
        place = self.pair_at[pair]
        here, near = self.asks[one], self.asks[other]
        if here != COVERED and near != COVERED and (here or near):
            if not place:
                self.pair_count += 1
                place = self.pair_count
                self.pair_at[pair] = place
                self.pairs[place - 1] = pair
            self.needs[place - 1] = here | near << 16
        elif place:
            last = self.pair_count - 1
            self.pair_at[self.pairs[last]] = place
            self.pairs[place - 1] = self.pairs[last]
            self.needs[place - 1] = self.needs[last]
            self.pair_at[pair] = 0
            self.pair_count = last

    # -- the window --------------------------------------------------------------------------

    def centre(self, table: Table) -> bool:
        """Centre the window on the layout, and return whether it moved."""
        counters = table.counters_at
        across = table.mem[counters + MIN_X] + table.mem[counters + MAX_X] + 1 - self.size
        down = table.mem[counters + MIN_Y] + table.mem[counters + MAX_Y] + 1 - self.size
        moved = self.left != across >> 1 or self.top != down >> 1
        self.left = across >> 1
        self.top = down >> 1
        return moved

    def place_of(self, table: Table, cell: int) -> int:
        """Return the place of a cell in a plane, or -1 outside the window."""
        counters = table.counters_at
        west = table.mem[counters + MIN_X] - 4
        north = table.mem[counters + MIN_Y] - 4
        column = west + ((cell - west) & table.mask) - self.left
        row = north + (((cell >> table.shift) - north) & table.mask) - self.top
        return row * self.size + column if self._is_inside(column, row) else -1

    def _is_inside(self, column: int, row: int) -> bool:
        return (column >= 0) & (column < self.size) & (row >= 0) & (row < self.size)

    # -- the board ---------------------------------------------------------------------------

    def paint(self, table: Table) -> None:
        """Paint the whole layout, in a window around it."""
        self.centre(table)
        for at in range(self.planes * self.area):
            self.board[at] = 0
        counters = table.counters_at
        first_row = max(0, table.mem[counters + MIN_Y] - self.top)
        last_row = min(self.size - 1, table.mem[counters + MAX_Y] - self.top)
        first_column = max(0, table.mem[counters + MIN_X] - self.left)
        last_column = min(self.size - 1, table.mem[counters + MAX_X] - self.left)
        for row in range(first_row, last_row + 1):
            line = ((self.top + row) & table.mask) << table.shift
            for column in range(first_column, last_column + 1):
                cell = line | ((self.left + column) & table.mask)
                if table.mem[table.side_at + cell]:
                    place = row * self.size + column
                    self._paint_sides(table.mem[table.side_at + cell], place)
                    for side in range(2):
                        if table.mem[table.side_at + table.torus.step[4 * cell + 1 + side]]:
                            edge = table.torus.edge[4 * cell + 1 + side]
                            group = table.mem[table.group_at + edge]
                            self._paint_disc(table, group, place, side)

    def follow(self, table: Table) -> None:
        """Move the painted window after one more domino."""
        left, top = self.left, self.top
        moved = self.centre(table)
        shift = (self.top - top) * self.size + self.left - left
        counters, end = table.counters_at, self.planes * self.area
        if moved and (
            table.mem[counters + MAX_X] - table.mem[counters + MIN_X] >= self.size
            or table.mem[counters + MAX_Y] - table.mem[counters + MIN_Y] >= self.size
        ):
            self.paint(table)  # New parts come into the window.
        elif shift > 0:  # The cells between planes, or lines, are empty.
            self.board[: end - shift] = self.board[shift:]
            for at in range(end - shift, end):
                self.board[at] = 0
        elif shift < 0:
            self.board[-shift:] = self.board[: end + shift]
            for at in range(-shift):
                self.board[at] = 0

    def paint_cell(self, table: Table, cell: int) -> None:
        """Paint a newly covered cell, without its discs."""
        place = self.place_of(table, cell)
        if place >= 0:
            self._paint_sides(table.mem[table.side_at + cell], place)

    def _paint_sides(self, sides: int, place: int) -> None:
        self.board[LAID * self.area + place] = 1
        for bit in range(16):
            if sides >> bit & 1:
                self.board[(SIDES + bit) * self.area + place] = 1

    def _paint_disc(self, table: Table, group: int, place: int, side: int) -> None:
        size = table.mem[table.size_at + group]
        self.board[(GROUP + side) * self.area + place] = (
            size if size < MAX_CELL_VALUE else MAX_CELL_VALUE
        )
        self.board[(CLOSED + side) * self.area + place] = table.mem[table.open_at + group] == 0

    def paint_fresh(self, table: Table) -> None:
        """Paint the groups of the new discs: no other groups have changed."""
        for number in range(table.fresh_count):
            self.paint_ring(table, table.torus.edge[table.fresh[number]], 0)

    def paint_mark(self, table: Table, disc: Disc, owner: int) -> None:
        """Return the owner of the group of a disc; of several, the one with the highest number."""
        x, y = disc
        if x & 1:
            column, row, kind = (x - 1) >> 1, y >> 1, 0
        else:
            column, row, kind = x >> 1, (y - 1) >> 1, 1
        cell = (row & table.mask) << table.shift | (column & table.mask)
        self.paint_ring(table, 2 * cell + kind, owner)

    def clear_marks(self) -> None:
        """Remove all owners of groups."""
        for at in range(MARKED * self.area, self.planes * self.area):
            self.board[at] = 0

    def paint_ring(self, table: Table, edge: int, owner: int) -> None:
        """Paint all discs of a group: its size, or its owner."""
        group = table.mem[table.group_at + edge]
        disc = edge
        while True:
            # An edge is the north (0) or the west (1) of its cell; a plane has east and south.
            side = 1 - (disc & 1)
            place = self.place_of(table, table.torus.step[4 * (disc >> 1) + 3 * (disc & 1)])
            if place >= 0:
                at = (MARKED + side) * self.area + place
                if not owner:
                    self._paint_disc(table, group, place, side)
                elif self.board[at] < owner:
                    self.board[at] = owner
            disc = table.mem[table.next_at + disc]
            if disc == edge:
                break

    def paint_turn(self, x: int, y: int, value: int) -> None:
        """Paint whether a cell was covered in the current turn."""
        column, row = x - self.left, y - self.top
        if 0 <= column < self.size and 0 <= row < self.size:
            self.board[TURN * self.area + row * self.size + column] = value

    # -- legal actions -----------------------------------------------------------------------

    def forbid_all(self) -> None:
        """Mark no action as legal."""
        for number in range(self.count):
            self.mask[self.legal[number]] = 0
        if self.points is not None:
            for number in range(self.count):
                self.points[self.legal[number]] = 0
        self.count = 0

    def allow(self, number: int) -> None:
        """Mark an action as legal."""
        self.mask[number] = 1
        self.legal[self.count] = number
        self.count += 1

    def allow_layings(
        self,
        table: Table,
        hand: NumberArray,
        start: int,
        count: int,
        charge: int,
        several: bool = False,
    ) -> None:
        """Mark the layings of dominoes as legal: `count` of a list, from its place `start`.

        They are those of `Table.legal`, found for all dominoes at once, from the pairs that are
        watched; with `several`, only those with several contacts. With `points`, each is laid and
        taken back to see what it earns.
        """
        done = self.count
        if table.mem[table.counters_at + FRONT_COUNT]:
            self._list_layings(table, hand, start, count, several)
        else:
            place = self.place_of(table, 0)
            for plane in range(POSES * count):
                self.legal[self.count] = plane * self.area + place
                self.count += 1
        for number in range(done, self.count):
            self.mask[self.legal[number]] = 1
        if self.points is not None:
            for number in range(done, self.count):
                self._write_points(table, self.legal[number], hand, start, charge)

    def _list_layings(
        self, table: Table, hand: NumberArray, start: int, count: int, several: bool
    ) -> None:
        """Mark the layings on each pair of cells: even turns begin on its first cell.

        Each is written down, and counts only if it fits: that is quicker than to ask first.
        """
        fit, needs, pairs, legal = table.lookup.fit, self.needs, self.pairs, self.legal
        found = self.count
        side, area, mask, shift = self.size, self.area, table.mask, table.shift
        west = table.mem[table.counters_at + MIN_X] - 4
        north = table.mem[table.counters_at + MIN_Y] - 4
        for number in range(self.pair_count):
            need = needs[number]
            if several and not need & (need - 1):  # Each contact is one bit.
                continue
            cell = pairs[number] >> 1
            upright = pairs[number] & 1
            column = west + ((cell - west) & mask) - self.left
            row = north + (((cell >> shift) - north) & mask) - self.top
            even = row * side + column
            even_inside = (column >= 0) & (column < side) & (row >= 0) & (row < side)
            odd = even + (side if upright else 1)
            column += 1 - upright
            row += upright
            odd_inside = (column >= 0) & (column < side) & (row >= 0) & (row < side)
            for slot in range(count):
                pose = 8 * hand[start + slot] + upright
                plane = POSES * slot + upright
                for turn in range(0, POSES, 4):
                    fits = (need & ~fit[pose + turn]) == 0
                    legal[found] = (plane + turn) * area + even
                    found += fits & even_inside
                    fits = (need & ~fit[pose + turn + 2]) == 0
                    legal[found] = (plane + turn + 2) * area + odd
                    found += fits & odd_inside
        legal[found] = 0
        self.count = found

    def _write_points(
        self, table: Table, number: int, hand: NumberArray, start: int, charge: int
    ) -> None:
        place = number % self.area
        plane = number // self.area
        column = self.left + place % self.size
        row = self.top + place // self.size
        cell = (row & table.mask) << table.shift | (column & table.mask)
        table._cover(8 * hand[start + plane // POSES] + plane % POSES, cell)
        if self.points is not None:
            self.points[number] = self.fresh_points(table) - charge
        table._unplace()

    # -- points --------------------------------------------------------------------------------

    def fresh_points(self, table: Table) -> int:
        """Return the points of the last domino, before any charge (rules 0)."""
        points = table.lookup.disc_points[table.fresh_count - 1]
        for number in range(table.fresh_count):
            group = table.mem[table.group_at + table.torus.edge[table.fresh[number]]]
            if table.mem[table.open_at + group]:
                continue
            known = False
            for earlier in range(number):
                edge = table.torus.edge[table.fresh[earlier]]
                if table.mem[table.group_at + edge] == group:
                    known = True
            if not known:
                points += table.mem[table.size_at + group]
        return points
