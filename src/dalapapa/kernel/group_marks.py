"""Marks that players put on groups, and the first disc of each group, by which it is marked.

Like `table.py`, this is ordinary Python that the build compiles with the types of
`group_marks.pxd`. The first disc is that of `Table.groups`. It is updated for the groups of each
new disc only, because no other groups change.
"""

from __future__ import annotations

from array import array

from .lookup import GROUP_COUNT, MAX_X, MAX_Y, MIN_X, MIN_Y
from .table import Table


class GroupMarks:
    """The marks of one table, in the order in which they were put."""

    def __init__(self, groups: int, marks: int) -> None:
        """Make space for so many groups and marks."""
        self.heads: array[int] = array("i", bytes(4 * groups))
        """The edge of the first disc of each group..."""
        self.head_x: array[int] = array("i", bytes(4 * groups))
        """... and its place. Groups that were merged into others keep old values."""
        self.head_y: array[int] = array("i", bytes(4 * groups))
        self.marked: array[int] = array("i", bytes(4 * groups))
        """How many marks lie on each group, after `tally`."""
        self.count: int = 0
        self.owners: array[int] = array("i", bytes(4 * marks))
        self.xs: array[int] = array("i", bytes(4 * marks))
        self.ys: array[int] = array("i", bytes(4 * marks))

    # -- groups ------------------------------------------------------------------------------

    def follow(self, table: Table) -> None:
        """Find the first discs of the groups of the last domino."""
        for number in range(table.fresh_count):
            edge = table.torus.edge[table.fresh[number]]
            group = table.mem[table.group_at + edge]
            self._restart(table, group, edge)
            disc = table.mem[table.next_at + edge]
            while disc != edge:
                self._compare(table, group, disc)
                disc = table.mem[table.next_at + disc]

    def read(self, table: Table) -> None:
        """Find the first discs of all groups: the table has moved to a larger torus."""
        counters = table.counters_at
        for group in range(1, table.mem[counters + GROUP_COUNT] + 1):
            self.heads[group] = -1
        for row in range(table.mem[counters + MIN_Y], table.mem[counters + MAX_Y] + 2):
            for column in range(table.mem[counters + MIN_X], table.mem[counters + MAX_X] + 2):
                cell = (row & table.mask) << table.shift | (column & table.mask)
                for kind in range(2):
                    edge = 2 * cell + kind
                    group = table.mem[table.group_at + edge]
                    if not group:
                        continue
                    if self.heads[group] < 0:
                        self._restart(table, group, edge)
                    else:
                        self._compare(table, group, edge)
        for group in range(1, table.mem[counters + GROUP_COUNT] + 1):
            if self.heads[group] < 0:
                self.heads[group] = 0  # It was merged into another: no disc is its own.

    def _restart(self, table: Table, group: int, edge: int) -> None:
        self.heads[group] = edge
        self.head_x[group] = self._x_of(table, edge)
        self.head_y[group] = self._y_of(table, edge)

    def _compare(self, table: Table, group: int, edge: int) -> None:
        """Make a disc the first one of its group if it comes earlier."""
        x = self._x_of(table, edge)
        if x > self.head_x[group]:
            return
        y = self._y_of(table, edge)
        if x < self.head_x[group] or y < self.head_y[group]:
            self.heads[group] = edge
            self.head_x[group] = x
            self.head_y[group] = y

    def _x_of(self, table: Table, edge: int) -> int:
        """Return the x of a disc, from its edge: the north (0) or the west (1) of a cell."""
        west = table.mem[table.counters_at + MIN_X] - 4
        return 2 * (west + (((edge >> 1) - west) & table.mask)) + 1 - (edge & 1)

    def _y_of(self, table: Table, edge: int) -> int:
        north = table.mem[table.counters_at + MIN_Y] - 4
        return 2 * (north + (((edge >> 1 >> table.shift) - north) & table.mask)) + (edge & 1)

    def is_group(self, table: Table, group: int) -> bool:
        """Whether a number still belongs to a group, and not to one that was merged."""
        return table.mem[table.group_at + self.heads[group]] == group

    def colour_of(self, table: Table, edge: int) -> int:
        """Return the colour of a disc, one-hot."""
        sides = table.mem[table.side_at + (edge >> 1)]
        return sides >> (12 if edge & 1 else 0) & 15

    # -- marks -------------------------------------------------------------------------------

    def put(self, owner: int, x: int, y: int) -> None:
        self.owners[self.count] = owner
        self.xs[self.count] = x
        self.ys[self.count] = y
        self.count += 1

    def edge_of(self, table: Table, number: int) -> int:
        """Return the edge of a mark's disc."""
        x, y = self.xs[number], self.ys[number]
        row, column, kind = (y >> 1, (x - 1) >> 1, 0) if x & 1 else ((y - 1) >> 1, x >> 1, 1)
        cell = (row & table.mask) << table.shift | (column & table.mask)
        return 2 * cell + kind

    def group_of(self, table: Table, number: int) -> int:
        """Return the group that a mark lies on."""
        return table.mem[table.group_at + self.edge_of(table, number)]

    def tally(self, table: Table) -> None:
        """Count the marks on each group."""
        for group in range(1, table.mem[table.counters_at + GROUP_COUNT] + 1):
            self.marked[group] = 0
        for number in range(self.count):
            self.marked[self.group_of(table, number)] += 1

    def remove_crowded(self, table: Table) -> None:
        """Remove the marks of groups that carry several (rules 3)."""
        if self.count < 2:
            return
        self.tally(table)
        kept = 0
        for number in range(self.count):
            if self.marked[self.group_of(table, number)] == 1:
                self.owners[kept] = self.owners[number]
                self.xs[kept] = self.xs[number]
                self.ys[kept] = self.ys[number]
                kept += 1
        self.count = kept
