"""The best turn with one or two dominoes, exactly and fast.

Like `table.py`, this is ordinary Python that the build compiles with the types of
`best_turn.pxd`. `Table.best_turn` is the door to it.
"""

from __future__ import annotations

from array import array

from .kit import FRONT_COUNT
from .points import SECOND_DOMINO_CHARGE, Turn
from .table import Table

CHARGE = SECOND_DOMINO_CHARGE

NO_POINTS = -1000
"""Less than any turn can be worth."""


_IDLE: list[Search] = []
"""Searches that wait to be used again: making one costs as much as using it."""


def search(table: Table, hand: list[int]) -> Turn | None:
    """The best turn with one or two tiles, given in the order of their names."""
    try:
        found = _IDLE.pop()
    except IndexError:
        found = Search()
    found.prepare(table)
    found.run(hand[0], hand[1] if len(hand) == 2 else -1)
    turn = None
    if found.best_points > NO_POINTS:
        layings = [table.laying_of(found.best_first)]
        if found.best_second >= 0:
            layings.append(table.laying_of(found.best_second))
        turn = Turn(tuple(layings), found.best_points)
    _IDLE.append(found)
    return turn


class Search:
    """The search for the best turn with one or two dominoes, on a private copy of a table.

    A pair of empty cells that a domino could cover is scanned once for both dominoes and all
    their poses. Layings of the first domino are tried one after the other; of the second,
    those next to the first are looked at anew, and all others keep the points they had unless
    the first domino changed a group or a half-disc that they depend on.
    """

    table: Table
    """A private copy."""

    def __init__(self) -> None:
        self.near_cells = array("i", bytes(4 * 8))
        self.met = array("i", bytes(4 * 16))
        self.met_part = array("i", bytes(4 * 16))
        self.part_discs = array("i", bytes(4 * 8))
        self.most_pairs = 0

    def prepare(self, table: Table) -> None:
        """Copy a table to search on, and find room for its pairs of cells."""
        if self.most_pairs and self.table.kit is table.kit and self.table.torus is table.torus:
            self.table.become(table)
        else:
            self.table = table.copy()
            self.kit = table.kit
            self.near = array("i", bytes(4 * table.size * table.size))
        pairs = 4 * table.mem[table.counters_at + FRONT_COUNT]
        if pairs > self.most_pairs:
            self._make_room(2 * pairs)
        self.pair_count = 0
        self.best_points = NO_POINTS
        self.best_first = -1
        self.best_second = -1

    def _make_room(self, pairs: int) -> None:
        """Lists for so many pairs of cells, with four poses for each of two tiles."""
        self.most_pairs = pairs
        self.pair_first = array("i", bytes(4 * pairs))
        self.pair_second = array("i", bytes(4 * pairs))
        self.pair_upright = array("i", bytes(4 * pairs))
        self.pair_need = array("q", bytes(8 * pairs))
        self.pair_mask = array("i", bytes(4 * pairs))
        self.pair_groups = array("Q", bytes(8 * pairs))
        self.pair_halves = array("Q", bytes(8 * pairs))
        self.pair_edges = array("Q", bytes(8 * pairs))
        self.most = 4 * pairs
        self.pose = array("i", bytes(8 * self.most))
        self.pair = array("i", bytes(8 * self.most))
        self.points = array("i", bytes(8 * self.most))
        self.parts = array("q", bytes(16 * self.most))

    def run(self, one: int, other: int) -> None:
        """Find the best turn with tile `one` and, unless it is -1, tile `other`."""
        self._scan()
        ones = self._list(one, 0)
        if other >= 0:
            others = self._list(other, self.most)
            self._try_pairs(0, ones, other, self.most, others)
            # Far pairs are worth the same in either order: only near ones are left to try.
            self._try_pairs(self.most, others, one, 0, 0)

    def _offer(self, points: int, pose: int, cell: int, pose2: int, cell2: int) -> None:
        """Keep a turn if it is better, or as good and earlier by its text."""
        if points < self.best_points:
            return
        first = self.table.key_of(pose, cell)
        second = self.table.key_of(pose2, cell2) if pose2 >= 0 else -1
        if (
            points > self.best_points
            or first < self.best_first
            or (first == self.best_first and second < self.best_second)
        ):
            self.best_points = points
            self.best_first = first
            self.best_second = second

    def _scan(self) -> None:
        """List every pair of empty cells with a contact, and what it depends on."""
        table = self.table
        for place in range(table.mem[table.counters_at + FRONT_COUNT]):
            here = table.mem[table.front_at + place]
            for direction in range(4):
                near = table.partner_of(here, direction)
                if near >= 0:
                    count = self.pair_count
                    forward = direction == 1 or direction == 2
                    self.pair_first[count] = here if forward else near
                    self.pair_second[count] = near if forward else here
                    self.pair_upright[count] = direction & 1 ^ 1
                    self.pair_need[count] = table.need_of(here, near, direction)
                    self.pair_mask[count] = self._mask(
                        self.pair_need[count], self.pair_upright[count]
                    )
                    self._note_surroundings(count)
                    self.pair_count += 1

    def _mask(self, need: int, upright: int) -> int:
        """The slots of a domino, laid from west or north, that would make contact."""
        mask = 0
        for slot in range(6):
            direction = (self.kit.slot_direction[slot] + upright) & 3
            half = 16 if 2 <= slot <= 4 else 0
            if need >> (half + 4 * direction) & 15:
                mask |= 1 << slot
        return mask

    def _note_surroundings(self, count: int) -> None:
        """Which groups and half-discs the points on a pair depend on; which edges it fills.

        As sets of hashed bits: a collision costs time, never exactness.
        """
        table = self.table
        one = self.kit.one
        groups = halves = edges = 0
        upright = self.pair_upright[count]
        for slot in range(6):
            if not self.pair_mask[count] >> slot & 1:
                continue
            cell = self.pair_second[count] if 2 <= slot <= 4 else self.pair_first[count]
            direction = (self.kit.slot_direction[slot] + upright) & 3
            edges |= one << (table.torus.edge[4 * cell + direction] & 63)
            old = table.torus.step[4 * cell + direction]
            sides = table.mem[table.side_at + old]
            colour = sides >> 4 * (direction ^ 2) & 15
            for quarter in range(1, 4, 2):
                across = (direction + quarter) & 3
                if sides >> 4 * across & 15 == colour:
                    near = table.torus.edge[4 * old + across]
                    if table.mem[table.side_at + table.torus.step[4 * old + across]]:
                        groups |= one << (table.mem[table.group_at + near] & 63)
                    else:
                        halves |= one << (near & 63)
        self.pair_groups[count] = groups
        self.pair_halves[count] = halves
        self.pair_edges[count] = edges

    def _list(self, tile: int, start: int) -> int:
        """List and offer every laying of one tile; how many there are."""
        kit = self.kit
        count = start
        for pair in range(self.pair_count):
            need = self.pair_need[pair]
            upright = self.pair_upright[pair]
            for turn in range(4):
                pose = 8 * tile + 2 * turn + upright
                if need & ~kit.fit[pose]:
                    continue
                parts = kit.parts[
                    kit.pattern[pose >> 2] << 6 | _turned_mask(self.pair_mask[pair], turn)
                ]
                first, second = self.pair_first[pair], self.pair_second[pair]
                points = kit.disc_points[kit.popcount[self.pair_mask[pair]]]
                if parts:
                    points += self._group_points(parts, first, second, upright, turn)
                self.pose[count] = pose
                self.pair[count] = pair
                self.points[count] = points
                self.parts[count] = parts
                count += 1
                self._offer(points, pose, second if turn & 1 else first, -1, 0)
        return count - start

    def _try_pairs(self, start: int, count: int, other: int, far: int, far_count: int) -> None:
        """Lay each of the listed layings, and after it the tile `other`.

        `far` and `far_count` tell where the layings of `other` are listed that lie apart.
        """
        table = self.table
        kit = self.kit
        for number in range(start, start + count):
            pose = self.pose[number]
            pair = self.pair[number]
            cell = self.pair_second[pair] if pose & 2 else self.pair_first[pair]
            so_far = self.points[number] - CHARGE
            table.cover(pose, cell)
            near_count = self._mark_near(self.pair_first[pair], self.pair_second[pair])
            for other_number in range(far, far + far_count):
                pair2 = self.pair[other_number]
                first, second = self.pair_first[pair2], self.pair_second[pair2]
                if self.near[first] or self.near[second]:
                    continue
                points = self.points[other_number]
                pose2 = self.pose[other_number]
                if self.parts[other_number] and (
                    self.pair_groups[pair2] & self.pair_groups[pair]
                    or self.pair_halves[pair2] & self.pair_edges[pair]
                ):
                    points = kit.disc_points[
                        kit.popcount[self.pair_mask[pair2]]
                    ] + self._group_points(
                        self.parts[other_number], first, second, pose2 & 1, pose2 >> 1 & 3
                    )
                if so_far + points >= self.best_points:
                    self._offer(so_far + points, pose, cell, pose2, second if pose2 & 2 else first)
            for place in range(near_count):
                self._try_near(self.near_cells[place], other, pose, cell, so_far)
            self._unmark_near(near_count, self.pair_first[pair], self.pair_second[pair])
            table.unplace()

    def _mark_near(self, first: int, second: int) -> int:
        """Mark the cells of a laid domino and list the empty cells around it."""
        table = self.table
        count = 0
        for half in range(2):
            cell = second if half else first
            self.near[cell] = 1
            for direction in range(4):
                near = table.torus.step[4 * cell + direction]
                if not table.mem[table.side_at + near]:
                    self.near[near] = 1
                    self.near_cells[count] = near
                    count += 1
        return count

    def _unmark_near(self, count: int, first: int, second: int) -> None:
        self.near[first] = self.near[second] = 0
        for place in range(count):
            self.near[self.near_cells[place]] = 0

    def _try_near(self, here: int, other: int, pose: int, cell: int, so_far: int) -> None:
        """Offer every laying of tile `other` on a cell beside the first domino."""
        table = self.table
        kit = self.kit
        need_here = table.mem[table.need_at + here]
        for direction in range(4):
            beside = table.torus.step[4 * here + direction]
            if table.mem[table.side_at + beside]:
                continue
            forward = direction == 1 or direction == 2
            if self.near[beside] and not forward:
                continue  # Met from the other cell.
            first, second = (here, beside) if forward else (beside, here)
            west = need_here
            east = table.mem[table.need_at + beside]
            if not forward:
                west, east = east, west
            need = west | east << 16
            upright = direction & 1 ^ 1
            mask = -1
            for turn in range(4):
                pose2 = 8 * other + 2 * turn + upright
                if need & ~kit.fit[pose2]:
                    continue
                if mask < 0:
                    mask = self._mask(need, upright)
                points = so_far + kit.disc_points[kit.popcount[mask]]
                parts = kit.parts[kit.pattern[pose2 >> 2] << 6 | _turned_mask(mask, turn)]
                if parts:
                    points += self._group_points(parts, first, second, upright, turn)
                if points >= self.best_points:
                    self._offer(points, pose, cell, pose2, second if turn & 1 else first)

    def _group_points(self, parts: int, first: int, second: int, upright: int, turn: int) -> int:
        """Points of the groups that a laying would close.

        `first` is the western or northern cell. A part closes if no half-disc of its colour
        lies behind a contact of it, and if the old groups behind its contacts, together with
        the other parts that close with them, lose every half-disc they meet.
        """
        table = self.table
        count = part_count = 0
        while parts:
            part = parts & 127
            parts >>= 8
            start = count
            closes = 1
            for slot in range(6):
                if not part >> slot & 1:
                    continue
                place = slot
                if turn & 1:
                    place = slot + 3 if slot < 3 else slot - 3
                cell = second if 2 <= place <= 4 else first
                direction = (self.kit.slot_direction[place] + upright) & 3
                old = table.torus.step[4 * cell + direction]
                sides = table.mem[table.side_at + old]
                colour = sides >> 4 * (direction ^ 2) & 15
                for quarter in range(1, 4, 2):
                    across = (direction + quarter) & 3
                    if sides >> 4 * across & 15 == colour:
                        if not table.mem[table.side_at + table.torus.step[4 * old + across]]:
                            closes = 0
                            break
                        self.met[count] = table.mem[
                            table.group_at + table.torus.edge[4 * old + across]
                        ]
                        self.met_part[count] = part_count
                        count += 1
                if not closes:
                    break
            if closes:
                self.part_discs[part_count] = self.kit.popcount[part]
                part_count += 1
            else:
                count = start
        return self._closing_points(count, part_count) if part_count else 0

    def _closing_points(self, count: int, part_count: int) -> int:
        """Points of the parts whose old groups all close (`met`: old group, part)."""
        table = self.table
        again = count > 0
        while again:
            again = False
            for place in range(count):
                if not self.part_discs[self.met_part[place]]:
                    continue
                group = self.met[place]
                meetings = 0
                for also in range(count):
                    if self.met[also] == group and self.part_discs[self.met_part[also]]:
                        meetings += 1
                if meetings != table.mem[table.open_at + group]:
                    self.part_discs[self.met_part[place]] = 0
                    again = True
        points = 0
        for part in range(part_count):
            points += self.part_discs[part]
        for place in range(count):
            if self.part_discs[self.met_part[place]]:
                group = self.met[place]
                fresh = 1
                for also in range(place):
                    if self.met[also] == group:
                        fresh = 0
                        break
                if fresh:
                    points += table.mem[table.size_at + group]
        return points


def _turned_mask(mask: int, turn: int) -> int:
    """A mask of contacts as the domino itself sees it: turned by 180 degrees or not."""
    return (mask << 3 | mask >> 3) & 63 if turn & 1 else mask
