"""The exact best turn with one or two dominoes.

Like `table.py`, this is ordinary Python that the build compiles with the types of
`best_turn.pxd`. `Table.best_turn` calls it.
"""

from __future__ import annotations

from array import array

from ..core.points import Turn
from .lookup import FRONT_COUNT, Lookup
from .table import Table, register_searches

NO_POINTS = -1000
"""Less than the points of any turn."""

_IDLE: list[TurnSearch] = []
"""Searches to use again: making one costs as much as using it."""


def search(table: Table, hand: list[int], charge: int) -> Turn | None:
    """Find the best turn with one or two tiles, given in the order of their names."""
    if not hand or min(hand) < 0 or max(hand) >= table.lookup.count:
        raise ValueError("A hand must be one or two numbers of tiles.")
    idle = _IDLE.pop() if _IDLE else TurnSearch()
    idle.prepare(table)
    idle.charge = charge
    idle.run(hand[0], hand[1] if len(hand) == 2 else -1)
    turn = None
    if idle.best_points > NO_POINTS:
        layings = [table._laying_of(idle.best_first)]
        if idle.best_second >= 0:
            layings.append(table._laying_of(idle.best_second))
        turn = Turn(tuple(layings), idle.best_points)
    _IDLE.append(idle)
    return turn


def all_points(table: Table, tile: int) -> list[tuple[int, int]]:
    """List the key and the points of every legal laying of a tile that is not on the table."""
    if not table.placed:
        # No contact, but a centre that meets no half-disc of its colour is a closed group.
        keys = [table._key_of(8 * tile + turn, 0) for turn in range(8)]
        return [(key, table.earned(table._laying_of(key)).points) for key in keys]
    idle = _IDLE.pop() if _IDLE else TurnSearch()
    idle.prepare(table)
    layings = idle.list_one(tile)
    _IDLE.append(idle)
    return layings


register_searches(search, all_points)


class TurnSearch:
    """The search for the best turn with one or two dominoes, on a private copy of a table.

    A pair of empty cells that a domino could cover is scanned once for both dominoes and all
    their poses. Layings of the first domino are tried one after the other; of the second,
    those next to the first are looked at again, and all others keep the points they had unless
    the first domino changed a group or a half-disc that they depend on.
    """

    table: Table
    """A private copy."""
    charge: int
    """The points that the second domino costs: set before `run`."""

    def __init__(self) -> None:
        self.near_cells: array[int] = array("i", bytes(4 * 8))
        self.met: array[int] = array("i", bytes(4 * 16))
        self.met_part: array[int] = array("i", bytes(4 * 16))
        self.part_discs: array[int] = array("i", bytes(4 * 8))
        self.most_pairs: int = 0

    def prepare(self, table: Table) -> None:
        """Copy a table to search on, and make space for its pairs of cells."""
        if (
            self.most_pairs
            and self.table.lookup is table.lookup
            and self.table.torus is table.torus
        ):
            self.table._become(table)
        else:
            self.table = table.copy()
            self.lookup: Lookup = table.lookup
            self.near: array[int] = array("i", bytes(4 * table.size * table.size))
        self.restart()

    def restart(self) -> None:
        """TurnSearch again on the private copy, on which dominoes may have been laid."""
        pairs = 4 * self.table.mem[self.table.counters_at + FRONT_COUNT]
        if pairs > self.most_pairs:
            self._make_room(2 * pairs)
        self.pair_count: int = 0
        self.best_points: int = NO_POINTS
        self.best_first: int = -1
        self.best_second: int = -1

    def _make_room(self, pairs: int) -> None:
        """Make lists for so many pairs of cells, with four poses for each of two tiles."""
        self.most_pairs = pairs
        self.cell_groups: array[int] = array("Q", bytes(8 * (pairs + 1)))
        self.cell_halves: array[int] = array("Q", bytes(8 * (pairs + 1)))
        self.cell_edges: array[int] = array("Q", bytes(8 * (pairs + 1)))
        self.cell_reach: array[int] = array("i", bytes(4 * (pairs + 1)))
        self.pair_first: array[int] = array("i", bytes(4 * pairs))
        self.pair_second: array[int] = array("i", bytes(4 * pairs))
        self.pair_upright: array[int] = array("i", bytes(4 * pairs))
        self.pair_need: array[int] = array("q", bytes(8 * pairs))
        self.pair_mask: array[int] = array("i", bytes(4 * pairs))
        self.pair_groups: array[int] = array("Q", bytes(8 * pairs))
        self.pair_halves: array[int] = array("Q", bytes(8 * pairs))
        self.pair_edges: array[int] = array("Q", bytes(8 * pairs))
        self.most: int = 4 * pairs
        self.pose: array[int] = array("i", bytes(8 * self.most))
        self.pair: array[int] = array("i", bytes(8 * self.most))
        self.points: array[int] = array("i", bytes(8 * self.most))
        self.parts: array[int] = array("q", bytes(16 * self.most))

    def run(self, one: int, other: int) -> None:
        """Find the best turn with tile `one` and, unless it is -1, tile `other`."""
        self._scan()
        ones = self._list(one, 0)
        if other >= 0:
            others = self._list(other, self.most)
            self._try_pairs(0, ones, other, self.most, others, False)
            # The rest: the second tile first, and the first one touching only that.
            self._try_pairs(self.most, others, one, 0, 0, True)

    def list_one(self, tile: int) -> list[tuple[int, int]]:
        """List every laying of one tile, as its key and its points."""
        self._scan()
        listed = []
        for number in range(self._list(tile, 0)):
            pose, pair = self.pose[number], self.pair[number]
            cell = self.pair_second[pair] if pose & 2 else self.pair_first[pair]
            listed.append((self.table._key_of(pose, cell), self.points[number]))
        return listed

    def _offer(self, points: int, pose: int, cell: int, pose2: int, cell2: int) -> None:
        """Keep a turn if it is better, or equal and earlier by its text."""
        if points < self.best_points:
            return
        first = self.table._key_of(pose, cell)
        second = self.table._key_of(pose2, cell2) if pose2 >= 0 else -1
        if (
            points > self.best_points
            or first < self.best_first
            or (first == self.best_first and second < self.best_second)
        ):
            self.best_points = points
            self.best_first = first
            self.best_second = second

    def _scan(self) -> None:
        """List every pair of empty cells with a contact, and the groups that its points depend
        on."""
        table = self.table
        count = table.mem[table.counters_at + FRONT_COUNT]
        for place in range(count):
            self._note_surroundings(place + 1, table.mem[table.front_at + place])
        for place in range(count):
            here = table.mem[table.front_at + place]
            for direction in range(4):
                near = table._partner_of(here, direction)
                if near >= 0:
                    self._add_pair(here, near, direction)

    def _add_pair(self, here: int, near: int, direction: int) -> None:
        pair = self.pair_count
        forward = direction == 1 or direction == 2
        self.pair_first[pair] = here if forward else near
        self.pair_second[pair] = near if forward else here
        self.pair_upright[pair] = direction & 1 ^ 1
        self.pair_need[pair] = self.table._need_of(here, near, direction)
        self.pair_mask[pair] = _mask(self.pair_need[pair], self.pair_upright[pair])
        one = self.table.mem[self.table.where_at + here]
        other = self.table.mem[self.table.where_at + near]
        self.pair_groups[pair] = self.cell_groups[one] | self.cell_groups[other]
        self.pair_halves[pair] = self.cell_halves[one] | self.cell_halves[other]
        self.pair_edges[pair] = self.cell_edges[one] | self.cell_edges[other]
        self.pair_count += 1

    def _note_surroundings(self, place: int, cell: int) -> None:
        """Collect what a laying on a frontier cell depends on, and which edges it fills.

        Groups, half-discs and edges as sets of hashed bits: a collision costs time, never
        exactness. `reach` is the size of all groups behind the contacts: no laying can close
        more on this cell, besides its own discs.
        """
        table = self.table
        bit = self.lookup.one
        groups = halves = edges = 0
        reach = 0
        for direction in range(4):
            colour = table.mem[table.need_at + cell] >> 4 * direction & 15
            if not colour:
                continue
            edges |= bit << (table.torus.edge[4 * cell + direction] & 63)
            old = table.torus.step[4 * cell + direction]
            sides = table.mem[table.side_at + old]
            for quarter in range(1, 4, 2):
                across = (direction + quarter) & 3
                if sides >> 4 * across & 15 == colour:
                    near = table.torus.edge[4 * old + across]
                    if table.mem[table.side_at + table.torus.step[4 * old + across]]:
                        group = table.mem[table.group_at + near]
                        groups |= bit << (group & 63)
                        reach += table.mem[table.size_at + group]
                    else:
                        halves |= bit << (near & 63)
        self.cell_groups[place] = groups
        self.cell_halves[place] = halves
        self.cell_edges[place] = edges
        self.cell_reach[place] = reach

    def _list(self, tile: int, start: int) -> int:
        """List and offer every laying of one tile, and return their number."""
        lookup = self.lookup
        count = start
        for pair in range(self.pair_count):
            need = self.pair_need[pair]
            upright = self.pair_upright[pair]
            for turn in range(4):
                pose = 8 * tile + 2 * turn + upright
                if need & ~lookup.fit[pose]:
                    continue
                parts = lookup.parts[
                    lookup.pattern[pose >> 2] << 6 | _turned_mask(self.pair_mask[pair], turn)
                ]
                first, second = self.pair_first[pair], self.pair_second[pair]
                points = lookup.disc_points[lookup.popcount[self.pair_mask[pair]]]
                if parts:
                    points += self._group_points(parts, first, second, upright, turn)
                self.pose[count] = pose
                self.pair[count] = pair
                self.points[count] = points
                self.parts[count] = parts
                count += 1
                self._offer(points, pose, second if turn & 1 else first, -1, 0)
        return count - start

    def _try_pairs(
        self, start: int, count: int, other: int, far: int, far_count: int, leaning: bool
    ) -> None:
        """Lay each of the listed layings, and after it the tile `other`.

        `far` and `far_count` tell where the layings of `other` are listed that may lie apart.
        With `leaning`, only layings that need the first domino to be legal are tried: all
        others have been met in the other order.
        """
        table = self.table
        lookup = self.lookup
        for number in range(start, start + count):
            pose = self.pose[number]
            pair = self.pair[number]
            cell = self.pair_second[pair] if pose & 2 else self.pair_first[pair]
            discs = lookup.popcount[self.pair_mask[pair]]
            so_far = self.points[number] - self.charge
            near_count = self._mark_near(self.pair_first[pair], self.pair_second[pair])
            table._cover(pose, cell)
            for other_number in range(far, far + far_count):
                points = self.points[other_number]
                pair2 = self.pair[other_number]
                shared = self.parts[other_number] and (
                    self.pair_groups[pair2] & self.pair_groups[pair]
                    or self.pair_halves[pair2] & self.pair_edges[pair]
                )
                if not shared and so_far + points < self.best_points:
                    continue
                first, second = self.pair_first[pair2], self.pair_second[pair2]
                if self.near[first] or self.near[second]:
                    continue
                pose2 = self.pose[other_number]
                if shared:
                    points = lookup.disc_points[lookup.popcount[self.pair_mask[pair2]]]
                    points += self._group_points(
                        self.parts[other_number], first, second, pose2 & 1, pose2 >> 1 & 3
                    )
                if so_far + points >= self.best_points:
                    self._offer(so_far + points, pose, cell, pose2, second if pose2 & 2 else first)
            reach = self._open_sizes()
            for place in range(near_count):
                self._try_near(
                    self.near_cells[place], other, pose, cell, so_far, discs, reach, leaning
                )
            table._unplace()
            self._unmark_near(near_count, self.pair_first[pair], self.pair_second[pair])

    def _mark_near(self, first: int, second: int) -> int:
        """Mark two empty cells, list the empty cells around them, and return their number.

        A mark is what the cell asks for now, plus 1.
        """
        table = self.table
        count = 0
        self.near[first] = self.near[second] = 1
        for half in range(2):
            cell = second if half else first
            for direction in range(4):
                near = table.torus.step[4 * cell + direction]
                if not table.mem[table.side_at + near] and not self.near[near]:
                    self.near[near] = table.mem[table.need_at + near] + 1
                    self.near_cells[count] = near
                    count += 1
        return count

    def _unmark_near(self, count: int, first: int, second: int) -> None:
        self.near[first] = self.near[second] = 0
        for place in range(count):
            self.near[self.near_cells[place]] = 0

    def _open_sizes(self) -> int:
        """Return the size of all open groups with a disc of the last domino."""
        table = self.table
        sizes = 0
        for number in range(table.fresh_count):
            group = table.mem[table.group_at + table.torus.edge[table.fresh[number]]]
            if table.mem[table.open_at + group]:
                known = False
                for earlier in range(number):
                    edge = table.torus.edge[table.fresh[earlier]]
                    if table.mem[table.group_at + edge] == group:
                        known = True
                        break
                if not known:
                    sizes += table.mem[table.size_at + group]
        return sizes

    def _try_near(
        self, here: int, other: int, pose: int, cell: int, so_far: int, discs: int, reach: int,
        leaning: bool,
    ) -> None:  # fmt: skip
        """Offer every laying of tile `other` on a cell beside the first domino.

        `discs` are the contacts of the first domino, `reach` is the size of its open groups. A
        pair of cells on which no domino could earn enough is not looked at.
        """
        table = self.table
        lookup = self.lookup
        need_here = table.mem[table.need_at + here]
        old_here = self.near[here] - 1
        for direction in range(4):
            beside = table.torus.step[4 * here + direction]
            if table.mem[table.side_at + beside]:
                continue
            forward = direction == 1 or direction == 2
            if self.near[beside] and not forward:
                continue  # The other cell lists this pair.
            first, second = (here, beside) if forward else (beside, here)
            need_beside = table.mem[table.need_at + beside]
            old_beside = self.near[beside] - 1 if self.near[beside] else need_beside
            if leaning and (old_here or old_beside):
                continue
            upright = direction & 1 ^ 1
            need = need_here | need_beside << 16 if forward else need_beside | need_here << 16
            mask = _mask(need, upright)
            own_discs = lookup.popcount[mask]
            other_order = 0
            if old_here or old_beside:
                # Legal without the first domino, so the order is free: the same groups close,
                # but the discs between the two count for the one that is laid last.
                old = old_here | old_beside << 16 if forward else old_beside | old_here << 16
                old_discs = lookup.popcount[_mask(old, upright)]
                shared = own_discs - old_discs
                other_order = lookup.disc_points[discs + shared] + lookup.disc_points[old_discs]
                other_order -= lookup.disc_points[discs] + lookup.disc_points[own_discs]
                if other_order < 0:
                    other_order = 0
            most = so_far + lookup.disc_points[own_discs] + own_discs + 1 + reach
            most += self.cell_reach[table.mem[table.where_at + here]]
            most += self.cell_reach[table.mem[table.where_at + beside]]
            if most + other_order < self.best_points:
                continue
            for turn in range(4):
                pose2 = 8 * other + 2 * turn + upright
                if need & ~lookup.fit[pose2]:
                    continue
                points = so_far + lookup.disc_points[own_discs] + other_order
                parts = lookup.parts[lookup.pattern[pose2 >> 2] << 6 | _turned_mask(mask, turn)]
                if parts:
                    points += self._group_points(parts, first, second, upright, turn)
                if points >= self.best_points:
                    cell2 = second if turn & 1 else first
                    if other_order:
                        self._offer(points, pose2, cell2, pose, cell)
                    else:
                        self._offer(points, pose, cell, pose2, cell2)

    def _group_points(self, parts: int, first: int, second: int, upright: int, turn: int) -> int:
        """Return the points of the groups that a laying would close.

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
                direction = (self.lookup.slot_direction[place] + upright) & 3
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
                self.part_discs[part_count] = self.lookup.popcount[part]
                part_count += 1
            else:
                count = start
        return self._closing_points(count, part_count) if part_count else 0

    def _closing_points(self, count: int, part_count: int) -> int:
        """Return the points of the parts whose old groups all close (`met`: old group, part)."""
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


def _mask(need: int, upright: int) -> int:
    """Return the slots of a domino, laid from west or north, that would make contact."""
    some = need | need >> 1
    some |= some >> 2
    if upright:
        return (
            (some & 1)
            | (some >> 3 & 2)
            | (some >> 18 & 4)
            | (some >> 21 & 8)
            | (some >> 24 & 16)
            | (some >> 7 & 32)
        )
    return (
        (some >> 12 & 1)
        | (some << 1 & 2)
        | (some >> 14 & 4)
        | (some >> 17 & 8)
        | (some >> 20 & 16)
        | (some >> 3 & 32)
    )


def _turned_mask(mask: int, turn: int) -> int:
    """Turn a mask of contacts by 180 degrees or not, as the domino lies."""
    return (mask << 3 | mask >> 3) & 63 if turn & 1 else mask
