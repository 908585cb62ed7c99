"""What a table shows a learning program, written into arrays: the board, and the legal layings.

Like `table.py`, this is ordinary Python that the build compiles with the types of `painter.pxd`.
Arrays are handed in, flat and of one row for each game; nothing here knows who made them.
`docs/adapters.md` tells what the planes and the numbers mean.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from ..geometry import Disc
from .lookup import FRONT_COUNT, MAX_X, MAX_Y, MIN_X, MIN_Y
from .planes import CLOSED, GROUP, LAID, MARKED, MOST, POSES, SIDES, TURN
from .table import Table

Bytes = MutableSequence[int]
Integers = MutableSequence[int]


class Painter:
    """The window of one game: a square of `size` x `size` cells in the middle of the layout."""

    def __init__(
        self,
        size: int,
        board: Bytes,
        mask: Bytes,
        legal: Integers,
        points: Integers | None = None,
    ) -> None:
        """`legal` lists the numbers that `mask` has set; `points` tells what they earn."""
        self.size = size
        self.area = size * size
        self.planes = len(board) // self.area
        self.board = board
        self.mask = mask
        self.legal = legal
        self.points = points
        self.count = 0
        """How many actions are legal..."""
        self.layings = 0
        """... and how many layings, wherever they are."""
        self.left = self.top = 0

    # -- the window --------------------------------------------------------------------------

    def centre(self, table: Table) -> bool:
        """Put the window in the middle of the layout; whether it has moved."""
        counters = table.counters_at
        across = table.mem[counters + MIN_X] + table.mem[counters + MAX_X] + 1 - self.size
        down = table.mem[counters + MIN_Y] + table.mem[counters + MAX_Y] + 1 - self.size
        moved = self.left != across >> 1 or self.top != down >> 1
        self.left = across >> 1
        self.top = down >> 1
        return moved

    def place_of(self, table: Table, cell: int) -> int:
        """Where a cell of the torus is in a plane, or -1 outside the window."""
        counters = table.counters_at
        west = table.mem[counters + MIN_X] - 4
        north = table.mem[counters + MIN_Y] - 4
        column = west + ((cell - west) & table.mask) - self.left
        row = north + (((cell >> table.shift) - north) & table.mask) - self.top
        if column < 0 or column >= self.size or row < 0 or row >= self.size:
            return -1
        return row * self.size + column

    # -- the board ---------------------------------------------------------------------------

    def paint(self, table: Table) -> None:
        """The whole layout, in a window around it."""
        self.centre(table)
        for at in range(self.planes * self.area):
            self.board[at] = 0
        counters = table.counters_at
        for row in range(self.size):
            y = self.top + row
            if y < table.mem[counters + MIN_Y] or y > table.mem[counters + MAX_Y]:
                continue
            for column in range(self.size):
                x = self.left + column
                if x < table.mem[counters + MIN_X] or x > table.mem[counters + MAX_X]:
                    continue
                cell = (y & table.mask) << table.shift | (x & table.mask)
                if table.mem[table.side_at + cell]:
                    place = row * self.size + column
                    self._paint_sides(table.mem[table.side_at + cell], place)
                    for side in range(2):
                        if table.mem[table.side_at + table.torus.step[4 * cell + 1 + side]]:
                            edge = table.torus.edge[4 * cell + 1 + side]
                            self._paint_disc(table, table.mem[table.group_at + edge], place, side)

    def paint_cell(self, table: Table, cell: int) -> None:
        """A cell that was covered just now, without its discs."""
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
        self.board[(GROUP + side) * self.area + place] = size if size < MOST else MOST
        self.board[(CLOSED + side) * self.area + place] = table.mem[table.open_at + group] == 0

    def paint_fresh(self, table: Table) -> None:
        """The groups of the discs that the last laying made: no others have changed."""
        for number in range(table.fresh_count):
            self._paint_ring(table, table.torus.edge[table.fresh[number]], 0)

    def paint_mark(self, table: Table, disc: Disc, owner: int) -> None:
        """An owner of the group of a disc; of several, the last in number."""
        x, y = disc
        if x & 1:
            column, row, kind = (x - 1) >> 1, y >> 1, 0
        else:
            column, row, kind = x >> 1, (y - 1) >> 1, 1
        cell = (row & table.mask) << table.shift | (column & table.mask)
        self._paint_ring(table, 2 * cell + kind, owner)

    def _paint_ring(self, table: Table, edge: int, owner: int) -> None:
        """All discs of the group of one: its size, or whose it is."""
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
        """Whether a cell was covered in the turn under way."""
        column, row = x - self.left, y - self.top
        if 0 <= column < self.size and 0 <= row < self.size:
            self.board[TURN * self.area + row * self.size + column] = value

    # -- what is legal -----------------------------------------------------------------------

    def forbid_all(self) -> None:
        """No action is legal."""
        for number in range(self.count):
            self.mask[self.legal[number]] = 0
            if self.points is not None:
                self.points[self.legal[number]] = 0
        self.count = 0
        self.layings = 0

    def allow(self, number: int) -> None:
        """An action is legal."""
        self.mask[number] = 1
        self.legal[self.count] = number
        self.count += 1

    def allow_layings(self, table: Table, tile: int, slot: int, charge: int) -> None:
        """The layings of a domino in a slot of the hand are legal.

        With `points`, dominoes are laid and taken back to see what they earn.
        """
        first_plane = POSES * slot
        if not table.mem[table.counters_at + FRONT_COUNT]:
            for turn in range(POSES):
                self._allow_laying(table, 8 * tile + turn, 0, first_plane + turn, charge)
        for number in range(table.mem[table.counters_at + FRONT_COUNT]):
            here = table.mem[table.front_at + number]
            for direction in range(4):
                near = table.partner_of(here, direction)
                if near < 0:
                    continue
                need = table.need_of(here, near, direction)
                forward = direction == 1 or direction == 2
                pose = 8 * tile + (direction & 1 ^ 1)
                for turn in range(4):
                    if not need & ~table.lookup.fit[pose + 2 * turn]:
                        cell = here if forward == (turn & 1 == 0) else near
                        plane = first_plane + (pose + 2 * turn & 7)
                        self._allow_laying(table, pose + 2 * turn, cell, plane, charge)

    def _allow_laying(self, table: Table, pose: int, cell: int, plane: int, charge: int) -> None:
        self.layings += 1
        place = self.place_of(table, cell)
        if place >= 0:
            number = plane * self.area + place
            self.allow(number)
            if self.points is not None:
                table.cover(pose, cell)
                self.points[number] = self.fresh_points(table) - charge
                table.unplace()


    # -- points --------------------------------------------------------------------------------

    def fresh_points(self, table: Table) -> int:
        """What the domino that was laid last earns, before any charge (rules 0)."""
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
