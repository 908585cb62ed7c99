"""The table: the one implementation of laying, contacts, groups and points (rules 0).

This file is ordinary Python. `table.pxd` beside it gives the same names C types, and the
build compiles both with Cython; without a compiler the file runs as it is. Tests run the
compiled and the interpreted table and compare them.

How it works
------------
The plane is rolled up into a torus of `size` x `size` cells, a power of two that doubles
before the layout could meet itself, so the board has no limit. Everything that a laying
changes lies in one block of integers, `mem`, and every write is logged: taking back is
exact, and copying a table is copying the block. Regions of the block, by cell:

* side: the colours of a covered cell's four sides, one-hot in four bits for each direction
  (the inner side carries the central disc); 0 while the cell is empty;
* need: the colours that the half-discs around an empty cell ask for, in the same form;
* front, where: the empty cells with a need (the frontier), and each cell's place in it;

and by unit edge (twice the cell, plus 0 for its north or 1 for its west edge):

* group: the group of a complete disc; next: the discs of a group as a ring;

and by group: its size, and open, the number of its meetings with a half-disc of its colour
(0: closed). Last, which dominoes are used, and a few counters.

Because a need and a face have the same form, a domino fits where `need & ~face` is 0, and
the cost of everything depends on the frontier, never on the number of dominoes.
"""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import permutations
from typing import overload

from ..core import geometry
from ..core.errors import BadInput, BadSet, DalapapaError, FrozenTable, IllegalLaying
from ..core.layout import Layout, check_form
from ..core.notation import Laying, parse_position, print_position, shortened
from ..core.points import SECOND_DOMINO_CHARGE, ClosedGroup, Earned, Group, Turn
from ..core.tiles import COLOURS, STANDARD, Tile, TileSet, standard
from .lookup import (
    COUNTERS,
    FRONT_COUNT,
    GROUP_COUNT,
    MAX_X,
    MAX_Y,
    MIN_X,
    MIN_Y,
    ROOM,
    lookup_of,
    torus_of,
)

if __name__ == "dalapapa.kernel.table" and __file__.endswith(".py"):
    warnings.warn(
        "The table of dalapapa is not compiled and will be slow: install it again on a machine"
        " with a C compiler.",
        RuntimeWarning,
        stacklevel=2,
    )

FIRST_SIZE = 32
"""Cells along the torus at first: most games never need more."""


Position = str | Iterable[Laying | str]
"""A position as callers give it: its text, or its layings (a table is an iterable of them)."""


class Table:
    """Dominoes on a table: lay them, take them back, and ask what is legal and what it earns.

    >>> table = Table("PRYGB+0@0,0")
    >>> table.lay("BBGYR-0@0,-1").points
    6
    >>> print(table)
    PRYGB+0@0,0 BBGYR-0@0,-1

    `position` is text, layings, another table, or a set of dominoes for an empty table. `tiles` is
    the set, or the name of a standard one: the 120 without it. Wherever a laying is asked for, its
    text will do. Whatever is refused raises an error of `dalapapa.core.errors` and changes nothing.

    A table is a sequence of its layings: `len(table)`, `for laying in table`, `table[-1]`;
    `"PRYGB" in table` tells whether that domino lies there. `str(table)` is the position.

    A table belongs to one thread. Give other threads and processes a `copy()`, or pickle it. A
    frozen table (the one of a game's state or view) can only be asked and copied, so that it may
    be shared.
    """

    def __init__(
        self, position: Position | TileSet = (), tiles: TileSet | str | None = None
    ) -> None:
        if isinstance(position, TileSet):
            if tiles is not None:
                raise BadInput("A table has one set of dominoes: give it as tiles=.", "bad_table")
            tiles = position
            position = ()
        self._tiles = _set_of(tiles, position)
        self.lookup = lookup_of(self._tiles)
        self.placed: list[Laying] = []
        self._frozen = False
        self._resting = False
        self._lending = False
        self._reset(FIRST_SIZE)
        for number, laying in enumerate(_layings_of(position), start=1):
            try:
                self.lay(laying)
            except DalapapaError as error:
                raise type(error)(f"Laying {number}: {error}", error.code) from None

    @staticmethod
    def parse(text: str, tiles: TileSet | str | None = None) -> Table:
        """The table of a position's text; an error names the laying and its number."""
        return Table(_text(text), tiles)

    # -- what players and programs ask ---------------------------------------------------

    @property
    def tiles(self) -> TileSet:
        """The set of dominoes."""
        return self._tiles

    @property
    def layings(self) -> tuple[Laying, ...]:
        """The layings in the order in which they were made."""
        return tuple(self.placed)

    @property
    def frozen(self) -> bool:
        """Whether the table belongs to a state and can no longer change."""
        return self._frozen

    def freeze(self) -> Table:
        """Refuse all further laying and taking back; there is no way to undo this."""
        self._frozen = True
        self._forget_log()
        return self

    @property
    def resting(self) -> bool:
        """Whether it has given its memory back (`rest`)."""
        return self._resting

    @property
    def free(self) -> tuple[str, ...]:
        """The dominoes of the set that are not on the table, in the set's order."""
        laid = {laying.tile for laying in self.placed}
        return tuple([name for name in self.tiles.names if name not in laid])

    def rest(self) -> None:
        """Give the memory of a frozen table back; it is rebuilt when it is needed."""
        if self._frozen:
            self._resting = True
            self.block = self.mem = array("i")

    def _wake(self) -> None:
        self._resting = False
        self._rebuild(self.size)
        self._forget_log()

    def _forget_log(self) -> None:
        """Nothing will be taken back any more."""
        self.log_block = self.log = array("i")
        self.log_top = self.log_depth = 0

    def __copy__(self) -> Table:
        return self._same()

    def __deepcopy__(self, memo: object) -> Table:
        return self._same()

    def _same(self) -> Table:
        return self.copy().freeze() if self._frozen else self.copy()

    def __reduce__(self) -> tuple[Callable[..., Table], tuple[object, ...]]:
        return _restored, (self.tiles, self.layings, self._frozen)

    def __len__(self) -> int:
        return len(self.placed)

    def __iter__(self) -> Iterator[Laying]:
        return iter(self.layings)

    def __getitem__(self, index: int) -> Laying:
        return self.placed[index]

    def __contains__(self, what: object) -> bool:
        """Whether a laying (a value or text), or the domino of a name, is on the table."""
        if isinstance(what, Tile):
            what = what.name
        if isinstance(what, str):
            return any(what in (laying.tile, str(laying)) for laying in self.placed)
        return what in self.placed

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self.tiles == other.tiles and self.layings == other.layings

    __hash__ = None  # type: ignore[assignment]  # A table changes.

    def __dir__(self) -> list[str]:
        return dir(type(self))  # Without fields, so that it is the same compiled or not.

    def __str__(self) -> str:
        return print_position(self.placed)

    def __repr__(self) -> str:
        if self.tiles == standard():
            return f"Table({str(self)!r})"
        name = next((name for name in STANDARD if self.tiles == standard(name)), None)
        return f"Table({str(self)!r}, tiles={(name or self.tiles)!r})"

    def _repr_svg_(self) -> str:
        """The table as a picture, which notebooks show."""
        from ..drawing import draw

        return draw(self.layings, self.tiles)

    def text(self) -> str:
        """The table in plain text: a letter for each disc, a small one for a half-disc.

        Cells are four letters wide and two lines high, with their x above and their y on the left.
        """
        from ..drawing.plain_text import draw_text

        return draw_text(self.layings, self.tiles)

    def copy(self) -> Table:
        """An independent table with the same layings, not frozen."""
        if self._resting:
            self._wake()
        return self._with_block(self.block[:])

    def _with_block(self, block: array[int]) -> Table:
        """A table with the same layings, not frozen, in a block with the same content."""
        table = Table.__new__(Table)
        table._tiles = self._tiles
        table.lookup = self.lookup
        table.placed = self.placed[:]
        table._frozen = False
        table._resting = False
        table._lending = False
        table.torus = self.torus
        table.block = block
        table._attach()
        return table

    def lend(self) -> None:
        """Let the next table that `followed` makes have the memory of this one, which then rests.

        For who goes on to what follows and looks back seldom: copying is most of the work.
        """
        self._lending = True

    def followed(self, laying: Laying | str) -> tuple[Table, Earned]:
        """A frozen table with a domino more, and what that earns; this one stays as it is."""
        laying = _laying(laying)
        if self._lending and self._frozen:
            self._check(laying)  # Whatever is refused changes nothing. It also wakes the table.
            table = self._with_block(self.block)
            self.rest()
        else:
            table = self.copy()
        earned = table.lay(laying)
        return table.freeze(), earned

    def _roomy(self, dominoes: int) -> Table:
        """A copy on which so many more can be placed before its torus is too small."""
        table = self.copy()
        room = ROOM + 2 * dominoes
        counters = table.counters_at
        width = table.mem[counters + MAX_X] - table.mem[counters + MIN_X]
        height = table.mem[counters + MAX_Y] - table.mem[counters + MIN_Y]
        while max(width, height) + room >= table.size:
            table._rebuild(2 * table.size)
        return table

    def _become(self, other: Table) -> None:
        """Be a copy of another table of the same set and size, in the memory of this one."""
        if other._resting:
            other._wake()
        self.mem[:] = other.mem
        self.placed = other.placed[:]
        self.log_top = self.log_depth = 0

    def lay(self, laying: Laying | str) -> Earned:
        """Lay a domino; what it earns, in parts.

        Raises `IllegalLaying` (or `UnknownDomino`, `MalformedLaying`) and changes nothing.
        """
        if self._frozen:
            raise FrozenTable("This table belongs to a state: copy it before you lay.")
        laying = _laying(laying)
        pose = self._check(laying)
        self._place(pose, self._cell(laying.x, laying.y))
        self.placed.append(laying)
        earned = self._fresh_earned()
        counters = self.counters_at
        if (
            self.mem[counters + MAX_X] - self.mem[counters + MIN_X] >= self.size - ROOM
            or self.mem[counters + MAX_Y] - self.mem[counters + MIN_Y] >= self.size - ROOM
        ):
            self._rebuild(2 * self.size)
        return earned

    def take_back(self) -> Laying:
        """Take the last domino back; the laying that it was."""
        if self._frozen:
            raise FrozenTable("This table belongs to a state: copy it before you take back.")
        if not self.placed:
            raise IllegalLaying("The table is empty: there is nothing to take back.", "empty")
        laying = self.placed.pop()
        if self.log_depth:
            self._unplace()
        else:  # The log does not reach back before a copy.
            self._rebuild(self.size)
        return laying

    def check(self, laying: Laying | str) -> None:
        """Raise `IllegalLaying` with the reason if `laying` is not legal now."""
        self._check(_laying(laying))

    def is_legal(self, laying: Laying | str) -> bool:
        """Whether a laying is legal now; what is no laying at all is not."""
        try:
            self.check(laying)
        except DalapapaError:
            return False
        return True

    def earned(self, laying: Laying | str) -> Earned:
        """What a legal laying would earn, in parts, without laying it."""
        return self.copy().lay(laying)

    def can_lay(self, name: str) -> bool:
        """Whether a domino has any legal laying."""
        return bool(self._keys(name, True))

    def legal(self, name: str | None = None) -> list[Laying]:
        """Every legal laying of a domino, in the order of their text; without a name, of all."""
        if name is None:
            keys = [key for one in self.free for key in self._keys(one, False)]
        else:
            keys = self._keys(name, False)
        keys.sort()
        return [self._laying_of(key) for key in keys]

    def _keys(self, name: object, one_will_do: bool) -> list[int]:
        """The legal layings of a domino as keys, or only one of them."""
        tile = self._free_tile(name)
        keys: list[int] = []
        if not self.placed:
            keys = [self._key_of(8 * tile + turn, 0) for turn in range(8)]
        for place in range(self.mem[self.counters_at + FRONT_COUNT]):
            here = self.mem[self.front_at + place]
            for direction in range(4):
                near = self._partner_of(here, direction)
                if near >= 0:
                    need = self._need_of(here, near, direction)
                    for turn in range(4):
                        pose = _pose(tile, turn, direction)
                        if not need & ~self.lookup.fit[pose]:
                            keys.append(self._key_of(pose, _first(here, near, direction, turn)))
                            if one_will_do:
                                return keys
        return keys

    def scored(self, name: str | None = None) -> list[tuple[Laying, Earned]]:
        """As `legal`, each with what it earns: most points first."""
        table = self.copy()
        found = []
        for laying in self.legal(name):
            found.append((laying, table.lay(laying)))
            table.take_back()
        found.sort(key=lambda pair: -pair[1].points)
        return found

    def groups(self) -> list[Group]:
        """All groups, open and closed: the largest first, then by their first disc."""
        if self._resting:
            self._wake()
        discs: dict[int, list[geometry.Disc]] = {}
        colours: dict[int, str] = {}
        for laying in self.placed:
            face = self.tiles[laying.tile].face(laying.side)
            sides = [(*laying.cells[0], geometry.turned(geometry.EAST, laying.rotation))]
            sides += [
                geometry.slot_side(laying.x, laying.y, laying.rotation, slot) for slot in range(6)
            ]
            for place, (x, y, direction) in enumerate(sides):
                cell = self._cell(x, y)
                if self.mem[self.side_at + self.torus.step[4 * cell + direction]]:
                    group = self.mem[self.group_at + self.torus.edge[4 * cell + direction]]
                    disc = geometry.edge(x, y, direction)
                    if disc not in discs.setdefault(group, []):
                        discs[group].append(disc)
                    colours[group] = face[place]
        found = [
            Group(colours[group], tuple(sorted(members)), not self.mem[self.open_at + group])
            for group, members in discs.items()
        ]
        found.sort(key=lambda group: (-group.size, group.discs))
        return found

    @overload
    def best(self, hand: str | Iterable[str], *, charge: int = ...) -> Turn | None: ...

    @overload
    def best(self, hand: str | Iterable[str], top: int, *, charge: int = ...) -> list[Turn]: ...

    def best(
        self,
        hand: str | Iterable[str],
        top: int | None = None,
        *,
        charge: int = SECOND_DOMINO_CHARGE,
    ) -> Turn | list[Turn] | None:
        """The best classic turn with one or two dominoes, exactly; None if nothing can be laid.

        The hand is names, or text with names. With `top`, a list of that many best turns.
        `charge` is what a second domino costs.
        """
        names = _names(hand)
        if top is None:
            return self.best_turn(names, charge)
        if type(top) is not int or top < 1:
            raise BadInput(f"The number of turns is at least 1, not {top!r}.", "bad_count")
        return self.best_turns(names, top, charge)

    def best_turns(
        self, hand: Sequence[str], top: int, charge: int = SECOND_DOMINO_CHARGE
    ) -> list[Turn]:
        """The `top` best turns with one or two dominoes, by looking at every one.

        Most points first, less the charge for a second domino; turns of equal worth in the order
        of their text.
        """
        self._check_hand(hand)
        found = nsmallest(max(top, 0), self._all_turns(hand, charge))
        return [
            Turn(tuple([self._laying_of(key) for key in keys if key >= 0]), -points)
            for points, *keys in found
        ]

    def _all_turns(self, hand: Sequence[str], charge: int) -> Iterator[tuple[int, int, int]]:
        """Every turn as minus its points and the keys of its layings (-1: no second one).

        Such triples sort from the best turn on, equal ones by their text.
        """
        from .best_turn import all_points  # It builds on the table.

        table = self.copy()
        for order in permutations(hand) if hand else ():
            for key, points in all_points(table, self.lookup.index[order[0]]):
                yield -points, key, -1
                if len(order) == 2:
                    table.lay(self._laying_of(key))
                    for second, more in all_points(table, self.lookup.index[order[1]]):
                        yield charge - points - more, key, second
                    table.take_back()

    def best_turn(self, hand: Sequence[str], charge: int = SECOND_DOMINO_CHARGE) -> Turn | None:
        """The best turn with one or two dominoes in any order, exactly; the second is charged.

        The same as the first of `best_turns`, found faster: a second domino that neither
        touches the first nor shares a group with it earns what it earned before, and such a
        pair is worth the same in either order.
        """
        self._check_hand(hand)
        if not hand:
            return None
        if not self.placed:
            best = self.best_turns(hand, 1, charge)
            return best[0] if best else None
        from .best_turn import search  # It builds on the table.

        return search(self, [self.lookup.index[name] for name in sorted(hand)], charge)

    # -- checks ------------------------------------------------------------------------------

    def _free_tile(self, name: object) -> int:
        """The number of a domino that is not on the table."""
        if self._resting:
            self._wake()
        tile: int = self.lookup.index.get(name, -1) if isinstance(name, str) else -1
        if tile < 0:
            if isinstance(name, Tile):
                return self._free_tile(name.name)
            raise self.tiles.unknown(name)
        if self.mem[self.used_at + tile]:
            raise IllegalLaying(f"{name} lies on the table already.", "already_laid")
        return tile

    def _check_hand(self, hand: Sequence[str]) -> None:
        if len(hand) > 2 or len({*map(str, hand)}) != len(hand):
            raise BadInput("A hand is one or two different dominoes.", "bad_hand")
        for name in hand:
            self._free_tile(name)

    def _check(self, laying: Laying) -> int:
        """The pose of a legal laying; raises with the reason otherwise."""
        try:
            tile = self._free_tile(laying.tile)
        except DalapapaError as error:
            raise type(error)(f"{laying}: {error}", error.code) from None
        check_form(laying)
        pose = 8 * tile + 4 * (laying.side == "-") + laying.rotation
        if not self.placed:
            if laying.x != 0 or laying.y != 0:
                raise IllegalLaying(
                    f"{laying}: the first domino of a table lies with its first half on cell 0,0.",
                    "not_at_origin",
                )
            return pose
        counters = self.counters_at
        if (
            self.mem[counters + MIN_X] - 2 <= laying.x <= self.mem[counters + MAX_X] + 2
            and self.mem[counters + MIN_Y] - 2 <= laying.y <= self.mem[counters + MAX_Y] + 2
        ):
            first = self._cell(laying.x, laying.y)
            second = self.torus.step[4 * first + ((laying.rotation + 1) & 3)]
            if not self.mem[self.side_at + first] and not self.mem[self.side_at + second]:
                need = self._need_of(first, second, (laying.rotation + 1) & 3)
                if need and not need & ~self.lookup.fit[pose]:
                    return pose
        raise self._refusal(laying)

    def _refusal(self, laying: Laying) -> IllegalLaying:
        """Why a laying is not legal: slow, exact, and written for people."""
        try:
            Layout(self.tiles, None, self.placed).lay(laying)
        except IllegalLaying as error:
            return error
        return IllegalLaying(f"{laying}: it touches no domino on the table.", "no_contact")

    # -- the block -----------------------------------------------------------------------------

    def _reset(self, size: int) -> None:
        """An empty table on a torus of `size` x `size` cells."""
        self.torus = torus_of(size)
        integers = 8 * size * size + 2 * (4 * self.lookup.count + 8) + self.lookup.count + COUNTERS
        self.block = array("i", bytes(4 * integers))
        self._attach()

    def _attach(self) -> None:
        """Find the regions of the block; start with an empty log."""
        self.size = self.torus.size
        cells = self.size * self.size
        self.mem = self.block
        self.shift = self.size.bit_length() - 1
        self.mask = self.size - 1
        self.need_at = 0
        self.side_at = cells
        self.where_at = 2 * cells
        self.front_at = 3 * cells
        self.group_at = 4 * cells
        self.next_at = 6 * cells
        self.size_at = 8 * cells
        self.open_at = self.size_at + 4 * self.lookup.count + 8
        self.used_at = self.open_at + 4 * self.lookup.count + 8
        self.counters_at = self.used_at + self.lookup.count
        self.log_block = array("i", bytes(4 * 512))  # It grows where many are laid.
        self.log = self.log_block
        self.log_top = 0
        self.log_depth = 0
        self.fresh = array("i", bytes(4 * 8))
        self.fresh_count = 0

    def _rebuild(self, size: int) -> None:
        """The same layings from scratch, on a torus of `size` x `size` cells."""
        self._reset(size)
        for laying in self.placed:
            pose = 8 * self.lookup.index[laying.tile] + 4 * (laying.side == "-") + laying.rotation
            self._place(pose, self._cell(laying.x, laying.y))

    def _write(self, at: int, value: int) -> None:
        """Set one integer of the block, and remember what it was."""
        self.log[self.log_top] = at
        self.log[self.log_top + 1] = self.mem[at]
        self.log_top += 2
        self.mem[at] = value

    # -- cells, edges and pairs of cells ----------------------------------------------------------

    def _cell(self, x: int, y: int) -> int:
        return (y & self.mask) << self.shift | (x & self.mask)

    def _partner_of(self, here: int, direction: int) -> int:
        """The cell beside a frontier cell, or -1 if it is covered.

        Also -1 for a frontier cell to the north or west: that pair is met from there.
        """
        near = self.torus.step[4 * here + direction]
        if self.mem[self.side_at + near]:
            return -1
        if (direction == 0 or direction == 3) and self.mem[self.where_at + near]:
            return -1
        return near

    def _need_of(self, here: int, near: int, direction: int) -> int:
        """What a pair of empty cells asks for, the western or northern cell first."""
        west = self.mem[self.need_at + here]
        east = self.mem[self.need_at + near]
        if direction == 0 or direction == 3:
            west, east = east, west
        return west | east << 16

    def _key_of(self, pose: int, first: int) -> int:
        """A number for a laying that sorts like its text."""
        counters = self.counters_at
        west = self.mem[counters + MIN_X] - 4
        north = self.mem[counters + MIN_Y] - 4
        x = west + ((first - west) & self.mask)
        y = north + (((first >> self.shift) - north) & self.mask)
        reach = self.lookup.reach
        return (pose << 12 | self.lookup.rank[x + reach]) << 12 | self.lookup.rank[y + reach]

    def _laying_of(self, key: int) -> Laying:
        """The laying of a key."""
        pose = key >> 24
        return Laying(
            self.lookup.names[pose >> 3],
            "-" if pose & 4 else "+",
            pose & 3,
            self.lookup.coordinate[key >> 12 & 4095],
            self.lookup.coordinate[key & 4095],
        )

    # -- laying and taking back -------------------------------------------------------------------

    def _place(self, pose: int, first: int) -> None:
        """Lay a domino that fits, and move the frontier."""
        self._cover(pose, first)
        second = self.torus.step[4 * first + ((pose + 1) & 3)]
        self.log_top -= 1
        start = self.log[self.log_top]
        self._write(self.used_at + (pose >> 3), 1)
        self._stretch(first)
        self._stretch(second)
        self._leave_front(first)
        self._leave_front(second)
        for direction in range(4):
            self._join_front(self.torus.step[4 * first + direction])
            self._join_front(self.torus.step[4 * second + direction])
        self.log[self.log_top] = start
        self.log_top += 1

    def _cover(self, pose: int, first: int) -> None:
        """Lay a domino that fits, but leave the frontier as it was: enough for a search.

        `fresh` lists the new discs, each as four times its cell plus the direction; the
        centre is the last. `_unplace` takes back either kind of laying.
        """
        counters = self.counters_at
        second = self.torus.step[4 * first + ((pose + 1) & 3)]
        room = 2 * (256 + 16 * self.mem[counters + GROUP_COUNT])
        if self.log_top + room > len(self.log):
            self.log_block = self.log_block + array("i", bytes(4 * (len(self.log) + room)))
            self.log = self.log_block
        start = self.log_top
        self._write(self.side_at + first, self.lookup.first[pose])
        self._write(self.side_at + second, self.lookup.second[pose])
        self.fresh_count = 0
        for quarter in range(3):
            self._meet(first, (pose + 2 + quarter) & 3)
            self._meet(second, (pose + quarter) & 3)
        self.fresh[self.fresh_count] = first << 2 | ((pose + 1) & 3)
        self.fresh_count += 1
        for number in range(self.fresh_count):
            self._found_group(self.fresh[number])
        for number in range(self.fresh_count):
            self._join_groups(self.fresh[number], number == self.fresh_count - 1)
        self.log[self.log_top] = start
        self.log_top += 1
        self.log_depth += 1

    def _unplace(self) -> None:
        """Take back the last domino, write by write."""
        self.log_top -= 1
        start = self.log[self.log_top]
        while self.log_top > start:
            self.log_top -= 2
            self.mem[self.log[self.log_top]] = self.log[self.log_top + 1]
        self.log_depth -= 1

    def _meet(self, cell: int, direction: int) -> None:
        """One outer side of a new domino: a contact, or a new need next door."""
        other = self.torus.step[4 * cell + direction]
        if self.mem[self.side_at + other]:
            self.fresh[self.fresh_count] = cell << 2 | direction
            self.fresh_count += 1
        else:
            colour = self.mem[self.side_at + cell] >> 4 * direction & 15
            at = self.need_at + other
            self._write(at, self.mem[at] | colour << 4 * (direction ^ 2))

    def _join_front(self, cell: int) -> None:
        """Put an empty cell next to a new domino into the frontier."""
        if not self.mem[self.side_at + cell] and not self.mem[self.where_at + cell]:
            count = self.mem[self.counters_at + FRONT_COUNT]
            self._write(self.front_at + count, cell)
            self._write(self.where_at + cell, count + 1)
            self._write(self.counters_at + FRONT_COUNT, count + 1)

    def _leave_front(self, cell: int) -> None:
        """Take a cell out of the frontier: the last one moves to its place."""
        place = self.mem[self.where_at + cell]
        if place:
            count = self.mem[self.counters_at + FRONT_COUNT]
            last = self.mem[self.front_at + count - 1]
            self._write(self.front_at + place - 1, last)
            self._write(self.where_at + last, place)
            self._write(self.where_at + cell, 0)
            self._write(self.counters_at + FRONT_COUNT, count - 1)

    def _stretch(self, cell: int) -> None:
        """Widen the bounds of the layout to a cell next to it."""
        counters = self.counters_at
        west = self.mem[counters + MIN_X] - 4
        north = self.mem[counters + MIN_Y] - 4
        x = west + ((cell - west) & self.mask)
        y = north + (((cell >> self.shift) - north) & self.mask)
        if x < self.mem[counters + MIN_X]:
            self._write(counters + MIN_X, x)
        if x > self.mem[counters + MAX_X]:
            self._write(counters + MAX_X, x)
        if y < self.mem[counters + MIN_Y]:
            self._write(counters + MIN_Y, y)
        if y > self.mem[counters + MAX_Y]:
            self._write(counters + MAX_Y, y)

    def _found_group(self, side: int) -> None:
        """A new disc is first a group of its own."""
        edge = self.torus.edge[side]
        group = self.mem[self.counters_at + GROUP_COUNT] + 1
        self._write(self.counters_at + GROUP_COUNT, group)
        self._write(self.group_at + edge, group)
        self._write(self.next_at + edge, edge)
        self._write(self.size_at + group, 1)
        self._write(self.open_at + group, 0)

    def _join_groups(self, side: int, centre: bool) -> None:
        """Join a new disc with its neighbours, and count the half-discs it meets."""
        cell, direction = side >> 2, side & 3
        edge = self.torus.edge[4 * cell + direction]
        colour = self.mem[self.side_at + cell] >> 4 * direction & 15
        for behind in range(2):
            if behind:
                cell = self.torus.step[4 * cell + direction]
            for quarter in range(1, 4, 2):
                across = (direction + quarter) & 3
                if self.mem[self.side_at + cell] >> 4 * across & 15 != colour:
                    continue
                if not self.mem[self.side_at + self.torus.step[4 * cell + across]]:
                    at = self.open_at + self.mem[self.group_at + edge]
                    self._write(at, self.mem[at] + 1)
                    continue
                near = self.torus.edge[4 * cell + across]
                if behind and not centre:
                    # An old disc: until now it met a half-disc where the new disc is.
                    at = self.open_at + self.mem[self.group_at + near]
                    self._write(at, self.mem[at] - 1)
                self._merge(edge, near)

    def _merge(self, edge: int, near: int) -> None:
        """Make one group of the groups of two discs: the larger one keeps its number."""
        kept = self.mem[self.group_at + edge]
        gone = self.mem[self.group_at + near]
        if kept == gone:
            return
        if self.mem[self.size_at + kept] < self.mem[self.size_at + gone]:
            kept, gone = gone, kept
            edge, near = near, edge
        disc = near
        while True:
            self._write(self.group_at + disc, kept)
            disc = self.mem[self.next_at + disc]
            if disc == near:
                break
        after = self.mem[self.next_at + edge]
        self._write(self.next_at + edge, self.mem[self.next_at + near])
        self._write(self.next_at + near, after)
        size = self.mem[self.size_at + kept] + self.mem[self.size_at + gone]
        self._write(self.size_at + kept, size)
        meetings = self.mem[self.open_at + kept] + self.mem[self.open_at + gone]
        self._write(self.open_at + kept, meetings)

    def _fresh_earned(self) -> Earned:
        """What the domino laid last earns: its contacts, and the groups it closed."""
        closed: dict[int, ClosedGroup] = {}
        for number in range(self.fresh_count):
            cell, direction = self.fresh[number] >> 2, self.fresh[number] & 3
            group = self.mem[self.group_at + self.torus.edge[4 * cell + direction]]
            if not self.mem[self.open_at + group] and group not in closed:
                bit = self.mem[self.side_at + cell] >> 4 * direction & 15
                colour = COLOURS[bit.bit_length() - 1]
                closed[group] = ClosedGroup(colour, self.mem[self.size_at + group])
        groups = list(closed.values())
        if len(groups) > 1:
            groups.sort(key=lambda group: (-group.size, group.colour))
        return Earned(self.fresh_count - 1, tuple(groups))


def _laying(given: object) -> Laying:
    """A laying, or the one that a text writes."""
    return given if isinstance(given, Laying) else Laying.parse(given)


def _layings_of(position: object) -> Iterable[Laying]:
    """The layings of a position that may be text or values."""
    if isinstance(position, str):
        return parse_position(position)
    if isinstance(position, Table):
        return position.layings
    if isinstance(position, bytes) or not isinstance(position, Iterable):
        raise BadInput(
            f"{shortened(position)} is not a position: that is text, or a list of layings.",
            "bad_table",
        )
    return map(_laying, position)


def _text(text: object) -> str:
    if not isinstance(text, str):
        raise BadInput(f"A position is text, not {shortened(text)}.", "bad_table")
    return text


def _set_of(tiles: object, position: object) -> TileSet:
    """A set, or the standard one of a name; without either, that of a table, or the 120."""
    if tiles is None:
        return position.tiles if isinstance(position, Table) else standard()
    if isinstance(tiles, TileSet):
        return tiles
    if isinstance(tiles, str):
        return standard(tiles)
    raise BadSet(f"A set of dominoes is a TileSet, 120 or 72, not {shortened(tiles)}.")


def _names(hand: object) -> list[str]:
    """The dominoes of a hand."""
    if isinstance(hand, str):
        return hand.replace(",", " ").split()
    if isinstance(hand, Iterable) and not isinstance(hand, bytes):
        return [one.name if isinstance(one, Tile) else one for one in hand]
    raise BadInput(f"A hand is one or two different dominoes, not {shortened(hand)}.", "bad_hand")


def _restored(tiles: TileSet, layings: tuple[Laying, ...], frozen: bool) -> Table:
    """A table from its pickle."""
    table = Table(layings, tiles)
    return table.freeze() if frozen else table


def _pose(tile: int, turn: int, direction: int) -> int:
    """The four poses (turn 0 to 3) of a tile on a pair of cells.

    A pair that lies from west to east takes rotations 0 and 2, from north to south 1 and 3.
    """
    return 8 * tile + 2 * turn + (direction & 1 ^ 1)


def _first(here: int, near: int, direction: int, turn: int) -> int:
    """The cell of the first half, for a pose of `_pose`."""
    forward = direction == 1 or direction == 2
    return here if forward == (turn & 1 == 0) else near
