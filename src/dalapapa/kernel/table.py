"""The table: the one implementation of laying, contacts, groups and points (rules 0).

How it works
------------
The cells are kept on a torus of `size` x `size` cells, a power of two that doubles before the
layout could meet itself: a layout of n dominoes is never wider than 2n cells, so the board has no
limit, and a typical game fits into 32 x 32 cells. Everything that a laying changes is in one block
of integers, `mem`, and every write is logged: taking back is exact, and copying a table is copying
the block. A server rarely looks back, so there a new state takes over the block of the state before
it (`lend`, `followed`), which is rebuilt from its layings on demand. Regions of the block, by cell:

* side: the colours of a covered cell's four sides, one-hot in four bits for each direction
  (the inner side carries the central disc); 0 while the cell is empty;
* need: the colours that the half-discs around an empty cell ask for, in the same form;
* front, where: the empty cells with a need (the frontier), and each cell's place in it;

and by unit edge (twice the cell, plus 0 for its north or 1 for its west edge):

* group: the group of a complete disc; next: the discs of a group as a ring;

and by group: its size, and open, the number of its meetings with a half-disc of its colour (0:
closed). So groups are counted, not searched; merging renames the smaller group. The last regions
are the used dominoes, and a few counters.

A need and a face have the same form, so a domino fits where `need & ~face` is 0. The cost of every
question depends on the frontier, not on the number of dominoes.
"""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import permutations
from typing import ClassVar, overload

from ..core import geometry
from ..core.errors import BadInput, BadSet, DalapapaError, FrozenTable, IllegalLaying
from ..core.layout import Layout, check_form
from ..core.notation import Laying, parse_position, print_position, shorten
from ..core.points import MAX_CHARGE, SECOND_DOMINO_CHARGE, ClosedGroup, Earned, Group, Turn
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
    Lookup,
    Torus,
    lookup_of,
    torus_of,
)

if __name__ == "dalapapa.kernel.table" and __file__.endswith(".py"):
    warnings.warn(
        "Dalapapa's kernel is not compiled, so it is slow: install dalapapa again where"
        " there is a C compiler.",
        RuntimeWarning,
        stacklevel=2,
    )

FIRST_SIZE = 32
"""The first size of the torus, in cells: most games need no more."""


Position = str | Iterable[Laying | str]
"""A position: its text, or its layings (a table is an iterable of them)."""


_search: Callable[[Table, list[int], int], Turn | None]
_all_points: Callable[[Table, int], list[tuple[int, int]]]


def register_searches(
    search: Callable[[Table, list[int], int], Turn | None],
    all_points: Callable[[Table, int], list[tuple[int, int]]],
) -> None:
    """Connect the searches of `best_turn.py`, which imports this module, with the table."""
    global _search, _all_points
    _search, _all_points = search, all_points


class ClassSignature:
    """The signature of a class for `inspect`, which cannot read that of a compiled one."""

    def __init__(self, like: Callable[..., None]) -> None:
        self.like = like

    def __get__(self, _instance: object, _owner: object) -> object:
        from inspect import signature  # On first use: it loads slowly.

        return signature(self.like)


def _like_table(position: Position | TileSet = (), tiles: TileSet | str | None = None) -> None:
    """Has the arguments of `Table`."""


class Table:
    """Dominoes on a table: lay them, take them back, and ask what is legal and what it earns.

    >>> table = Table("PRYGB+0@0,0")
    >>> table.lay("BBGYR-0@0,-1").points
    6
    >>> print(table)
    PRYGB+0@0,0 BBGYR-0@0,-1

    `position` is text, layings, another table, or a set of dominoes for an empty table. `tiles` is
    the set, or the name of a standard one; the default is 120. Arguments that are layings may also
    be texts. A refusal raises an error of `dalapapa.core.errors` and changes nothing.

    A table is a sequence of its layings: `len(table)`, `for laying in table`, `table[-1]`;
    `"PRYGB" in table` says whether that domino is on it. `str(table)` is the position.

    A table belongs to one thread. Give other threads and processes a `copy()`, or pickle it. A
    frozen table (the one of a game's state or view) never changes, so that threads may share it.
    """

    __signature__ = ClassSignature(_like_table)  # type: ClassSignature

    def __init__(
        self, position: Position | TileSet = (), tiles: TileSet | str | None = None
    ) -> None:
        if isinstance(position, TileSet):
            if tiles is not None:
                raise BadInput(
                    "A table has only one set of dominoes: pass it as tiles=.", "bad_table"
                )
            tiles = position
            position = ()
        self._tiles = _set_of(tiles, position)
        self.lookup: Lookup = lookup_of(self._tiles)
        self.placed: list[Laying] = []
        self._frozen = False
        self._resting = False
        self._lending = False
        self._reset(FIRST_SIZE)
        for number, laying in enumerate(_layings_of(position), start=1):
            try:
                self.lay(laying)
            except DalapapaError as error:
                raise error.at_laying(number) from None

    @staticmethod
    def parse(text: str, tiles: TileSet | str | None = None) -> Table:
        """Make the table of a position's text; an error names the laying and its number."""
        return Table(_text(text), tiles)

    # -- questions of players and bots ---------------------------------------------------

    @property
    def tiles(self) -> TileSet:
        """The set of dominoes."""
        return self._tiles

    @property
    def layings(self) -> tuple[Laying, ...]:
        """The layings in their order."""
        return tuple(self.placed)

    @property
    def frozen(self) -> bool:
        """Whether the table belongs to a state and can no longer change."""
        return self._frozen

    def freeze(self) -> Table:
        """Refuse all further changes, permanently."""
        self._frozen = True
        self._forget_log()
        return self

    @property
    def resting(self) -> bool:
        """Whether its memory is released (`rest`)."""
        return self._resting

    @property
    def free(self) -> tuple[str, ...]:
        """List the dominoes of the set that are not on the table, in the order of the set."""
        laid = {laying.tile for laying in self.placed}
        return tuple([name for name in self.tiles.names if name not in laid])

    def rest(self) -> None:
        """Release the memory of a frozen table; it is rebuilt on demand."""
        if self._frozen:
            self._resting = True
            self.block: array[int] = array("i")
            self.mem: array[int] = array("i")

    def _wake(self) -> None:
        self._resting = False
        self._rebuild(self.size)
        self._forget_log()

    def _forget_log(self) -> None:
        """Drop the log: nothing will be taken back."""
        self.log_block: array[int] = array("i")
        self.log: array[int] = array("i")
        self.log_top: int = 0
        self.log_depth: int = 0

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

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # A table changes.

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
        """Draw the table for notebooks."""
        from ..drawing import draw

        return draw(self.layings, self.tiles)

    def text(self) -> str:
        """Draw the table in plain text: a letter for each disc, lower case for a half-disc.

        Cells are four letters wide and two lines high, with their x above and their y on the left.
        """
        from ..drawing.plain_text import draw_text

        return draw_text(self.layings, self.tiles)

    def copy(self) -> Table:
        """Make an independent table with the same layings, not frozen."""
        if self._resting:
            self._wake()
        return self._with_block(self.block[:])

    def _with_block(self, block: array[int]) -> Table:
        """Make a table with the same layings, not frozen, and a copy of the block."""
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
        """Let the next table made by `followed` take over the memory of this one.

        For who goes on to what follows and looks back seldom: copying is most of the work.
        """
        self._lending = True

    def followed(self, laying: Laying | str) -> tuple[Table, Earned]:
        """Return a frozen table with one more domino, and its points; this table is unchanged."""
        laying = _laying(laying)
        if self._lending and self._frozen:
            self._check(laying)  # A refusal changes nothing. This also rebuilds the memory.
            table = self._with_block(self.block)
            self.rest()
        else:
            table = self.copy()
        earned = table.lay(laying)
        return table.freeze(), earned

    def _roomy(self, dominoes: int) -> Table:
        """Make a copy with space for so many more dominoes on its torus."""
        table = self.copy()
        room = ROOM + 2 * dominoes
        counters = table.counters_at
        width = table.mem[counters + MAX_X] - table.mem[counters + MIN_X]
        height = table.mem[counters + MAX_Y] - table.mem[counters + MIN_Y]
        while max(width, height) + room >= table.size:
            table._rebuild(2 * table.size)
        return table

    def _become(self, other: Table) -> None:
        """Copy another table of the same set and size into the memory of this one."""
        if other._resting:
            other._wake()
        self.mem[:] = other.mem
        self.placed = other.placed[:]
        self.log_top = self.log_depth = 0

    def lay(self, laying: Laying | str) -> Earned:
        """Lay a domino, and return its points in parts.

        Raises `IllegalLaying` (or `UnknownDomino`, `MalformedLaying`) and changes nothing.
        """
        if self._frozen:
            raise FrozenTable("This table is read-only: copy() it before you lay.")
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
        """Take the last domino back, and return its laying."""
        if self._frozen:
            raise FrozenTable("This table is read-only: copy() it before you take a domino back.")
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
        """Whether a laying is legal now; a malformed one is not."""
        try:
            self.check(laying)
        except DalapapaError:
            return False
        return True

    def earned(self, laying: Laying | str) -> Earned:
        """Return the points of a legal laying in parts, without laying it."""
        return self.copy().lay(laying)

    def can_lay(self, name: str) -> bool:
        """Whether a domino has any legal laying."""
        return bool(self._keys(name, True))

    def legal(self, name: str | None = None) -> list[Laying]:
        """List the legal layings of a domino, or of all, in the order of their text."""
        if name is None:
            keys = [key for one in self.free for key in self._keys(one, False)]
        else:
            keys = self._keys(name, False)
        keys.sort()
        return [self._laying_of(key) for key in keys]

    def _keys(self, name: object, one_will_do: bool) -> list[int]:
        """List the legal layings of a domino as keys, or only one of them."""
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
        """List legal layings with their points, most points first."""
        table = self.copy()
        found = []
        for laying in self.legal(name):
            found.append((laying, table.lay(laying)))
            table.take_back()
        found.sort(key=lambda pair: -pair[1].points)
        return found

    def groups(self) -> list[Group]:
        """List all groups, open and closed: the largest first, then by their first disc."""
        if self._resting:
            self._wake()
        discs: dict[int, list[geometry.Disc]] = {}
        colours: dict[int, str] = {}
        for laying in self.placed:
            face = self.tiles[laying.tile].face(laying.side)
            sides = [(*laying.cells[0], geometry.turn_direction(geometry.EAST, laying.rotation))]
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
        """Find the exact best classic turn with one or two dominoes; None if there is none.

        The hand is names, or text with names. With `top`, list so many best turns. `charge` are
        the points that a second domino costs.
        """
        names = _names(hand)
        if type(charge) is not int or not 0 <= charge <= MAX_CHARGE:
            raise BadInput(
                f"charge must be a whole number from 0 to {MAX_CHARGE}, not {shorten(charge)}.",
                "bad_charge",
            )
        if top is None:
            return self.best_turn(names, charge)
        if type(top) is not int or top < 1:
            raise BadInput(f"The number of turns must be at least 1, not {top!r}.", "bad_count")
        return self.best_turns(names, top, charge)

    def best_turns(
        self, hand: Sequence[str], top: int, charge: int = SECOND_DOMINO_CHARGE
    ) -> list[Turn]:
        """List the `top` best turns with one or two dominoes, by trying every turn.

        Most points first, less the charge for a second domino; turns of equal points in the order
        of their text.
        """
        self._check_hand(hand)
        found = nsmallest(max(top, 0), self._all_turns(hand, charge))
        return [
            Turn(tuple([self._laying_of(key) for key in keys if key >= 0]), -points)
            for points, *keys in found
        ]

    def _all_turns(self, hand: Sequence[str], charge: int) -> Iterator[tuple[int, int, int]]:
        """List every turn as minus its points and the keys of its layings (-1: no second one).

        These triples sort from the best turn, equal ones by their text.
        """
        table = self.copy()
        for order in permutations(hand) if hand else ():
            for key, points in _all_points(table, self.lookup.index[order[0]]):
                yield -points, key, -1
                if len(order) == 2:
                    table.lay(self._laying_of(key))
                    for second, more in _all_points(table, self.lookup.index[order[1]]):
                        yield charge - points - more, key, second
                    table.take_back()

    def best_turn(self, hand: Sequence[str], charge: int = SECOND_DOMINO_CHARGE) -> Turn | None:
        """Find the exact best turn with one or two dominoes in any order; the second is charged.

        This is the first of `best_turns`, but faster: a second domino that neither touches the
        first nor shares a group with it earns the same as before, and in either order.
        """
        self._check_hand(hand)
        if not hand:
            return None
        if not self.placed:
            best = self.best_turns(hand, 1, charge)
            return best[0] if best else None
        return _search(self, [self.lookup.index[name] for name in sorted(hand)], charge)

    # -- checks ------------------------------------------------------------------------------

    def _free_tile(self, name: object) -> int:
        """Return the number of a domino that is not on the table."""
        if self._resting:
            self._wake()
        tile: int = self.lookup.index.get(name, -1) if isinstance(name, str) else -1
        if tile < 0:
            if isinstance(name, Tile):
                return self._free_tile(name.name)
            raise self.tiles.unknown(name)
        if self.mem[self.used_at + tile]:
            raise IllegalLaying(f"{name} is already on the table.", "already_laid")
        return tile

    def _check_hand(self, hand: Sequence[str]) -> None:
        if len(hand) > 2 or len({*map(str, hand)}) != len(hand):
            raise BadInput("A hand must be one or two different dominoes.", "bad_hand")
        for name in hand:
            self._free_tile(name)

    def _check(self, laying: Laying) -> int:
        """Return the pose of a legal laying; raise with the reason otherwise."""
        try:
            tile = self._free_tile(laying.tile)
        except DalapapaError as error:
            raise type(error)(f"{laying}: {error}", error.code, **error.values) from None
        check_form(laying)
        pose = 8 * tile + 4 * (laying.side == "-") + laying.rotation
        if not self.placed:
            if laying.x != 0 or laying.y != 0:
                raise IllegalLaying(
                    f"{laying}: the first half of the first domino must lie on cell 0,0.",
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
        """Make the error that explains to people why a laying is illegal; this is slow."""
        try:
            Layout(self.tiles, None, self.placed).lay(laying)
        except IllegalLaying as error:
            return error
        return IllegalLaying(f"{laying}: a laying must touch a domino on the table.", "no_contact")

    # -- the block -----------------------------------------------------------------------------

    def _reset(self, size: int) -> None:
        """Start with an empty table on a torus of `size` x `size` cells."""
        self.torus: Torus = torus_of(size)
        integers = 8 * size * size + 2 * (4 * self.lookup.count + 8) + self.lookup.count + COUNTERS
        self.block = array("i", bytes(4 * integers))
        self._attach()

    def _attach(self) -> None:
        """Set the regions of the block, and start with an empty log."""
        self.size: int = self.torus.size
        cells = self.size * self.size
        self.mem = self.block
        self.shift: int = self.size.bit_length() - 1
        self.mask: int = self.size - 1
        self.need_at = 0
        self.side_at = cells
        self.where_at: int = 2 * cells
        self.front_at: int = 3 * cells
        self.group_at: int = 4 * cells
        self.next_at: int = 6 * cells
        self.size_at: int = 8 * cells
        self.open_at: int = self.size_at + 4 * self.lookup.count + 8
        self.used_at: int = self.open_at + 4 * self.lookup.count + 8
        self.counters_at: int = self.used_at + self.lookup.count
        self.log_block = array("i", bytes(4 * 512))  # It grows if necessary.
        self.log = self.log_block
        self.log_top = 0
        self.log_depth = 0
        self.fresh: array[int] = array("i", bytes(4 * 8))
        self.fresh_count: int = 0

    def _rebuild(self, size: int) -> None:
        """Lay the same layings again on a torus of `size` x `size` cells."""
        self._reset(size)
        for laying in self.placed:
            pose = 8 * self.lookup.index[laying.tile] + 4 * (laying.side == "-") + laying.rotation
            self._place(pose, self._cell(laying.x, laying.y))

    def _write(self, at: int, value: int) -> None:
        """Set one integer of the block, and log the old value."""
        self.log[self.log_top] = at
        self.log[self.log_top + 1] = self.mem[at]
        self.log_top += 2
        self.mem[at] = value

    # -- cells, edges and pairs of cells ----------------------------------------------------------

    def _cell(self, x: int, y: int) -> int:
        return (y & self.mask) << self.shift | (x & self.mask)

    def _partner_of(self, here: int, direction: int) -> int:
        """Return the cell beside a frontier cell, or -1 if it is covered.

        Also -1 for a frontier cell to the north or west: that pair is met from there.
        """
        near = self.torus.step[4 * here + direction]
        if self.mem[self.side_at + near]:
            return -1
        if (direction == 0 or direction == 3) and self.mem[self.where_at + near]:
            return -1
        return near

    def _need_of(self, here: int, near: int, direction: int) -> int:
        """Return the needs of a pair of empty cells, the western or northern cell first."""
        west = self.mem[self.need_at + here]
        east = self.mem[self.need_at + near]
        if direction == 0 or direction == 3:
            west, east = east, west
        return west | east << 16

    def _key_of(self, pose: int, first: int) -> int:
        """Return a number for a laying that sorts like its text."""
        counters = self.counters_at
        west = self.mem[counters + MIN_X] - 4
        north = self.mem[counters + MIN_Y] - 4
        x = west + ((first - west) & self.mask)
        y = north + (((first >> self.shift) - north) & self.mask)
        reach = self.lookup.reach
        return (pose << 12 | self.lookup.rank[x + reach]) << 12 | self.lookup.rank[y + reach]

    def _laying_of(self, key: int) -> Laying:
        """Return the laying of a key."""
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
        """Lay a domino that fits, but keep the frontier: enough for a search.

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
        """Process one outer side of a new domino: a contact, or a new need of its neighbour."""
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
        """Make a group of one new disc."""
        edge = self.torus.edge[side]
        group = self.mem[self.counters_at + GROUP_COUNT] + 1
        self._write(self.counters_at + GROUP_COUNT, group)
        self._write(self.group_at + edge, group)
        self._write(self.next_at + edge, edge)
        self._write(self.size_at + group, 1)
        self._write(self.open_at + group, 0)

    def _join_groups(self, side: int, centre: bool) -> None:
        """Join a new disc with its neighbours, and count the half-discs that it meets."""
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
                    # An old disc: it met a half-disc where the new disc is.
                    at = self.open_at + self.mem[self.group_at + near]
                    self._write(at, self.mem[at] - 1)
                self._merge(edge, near)

    def _merge(self, edge: int, near: int) -> None:
        """Merge the groups of two discs: the larger one keeps its number."""
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
        """Return the points of the last domino: its contacts, and the groups that it closed."""
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
    """Read a laying from a value or text."""
    return given if isinstance(given, Laying) else Laying.parse(given)


def _layings_of(position: object) -> Iterable[Laying]:
    """List the layings of a position from text or values."""
    if isinstance(position, str):
        return parse_position(position)
    if isinstance(position, Table):
        return position.layings
    if isinstance(position, bytes) or not isinstance(position, Iterable):
        raise BadInput(
            f"A position must be text or a list of layings, not {shorten(position)}.",
            "bad_table",
        )
    return map(_laying, position)


def _text(text: object) -> str:
    if not isinstance(text, str):
        raise BadInput(f"A position must be text, not {shorten(text)}.", "bad_table")
    return text


def _set_of(tiles: object, position: object) -> TileSet:
    """Choose the set: the given one, a standard one by name, that of a table, or the 120."""
    if tiles is None:
        return position.tiles if isinstance(position, Table) else standard()
    if isinstance(tiles, TileSet):
        return tiles
    if isinstance(tiles, str | int):
        return standard(tiles)
    raise BadSet(f"A set must be a TileSet, 120 or 72, not {shorten(tiles)}.")


def _names(hand: object) -> list[str]:
    """List the dominoes of a hand."""
    if isinstance(hand, str):
        return hand.replace(",", " ").split()
    if isinstance(hand, Iterable) and not isinstance(hand, bytes):
        return [one.name if isinstance(one, Tile) else one for one in hand]
    raise BadInput(
        f"A hand must be one or two different dominoes, not {shorten(hand)}.", "bad_hand"
    )


def _restored(tiles: TileSet, layings: tuple[Laying, ...], frozen: bool) -> Table:
    """Restore a table from its pickle."""
    table = Table(layings, tiles)
    return table.freeze() if frozen else table


def _pose(tile: int, turn: int, direction: int) -> int:
    """Return one of the four poses (turn 0 to 3) of a tile on a pair of cells.

    A pair that lies from west to east takes rotations 0 and 2, from north to south 1 and 3.
    """
    return 8 * tile + 2 * turn + (direction & 1 ^ 1)


def _first(here: int, near: int, direction: int, turn: int) -> int:
    """Return the cell of the first half, for a pose of `_pose`."""
    forward = direction == 1 or direction == 2
    return here if forward == (turn & 1 == 0) else near
