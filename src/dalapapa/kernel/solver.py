"""Fills frames with dominoes (rules 5 and 6): finds layouts, or proves that there are none.

In a frame every contact must be equal; the border is free, and a domino need not touch
another one. Like `table.py`, this is ordinary Python that the build compiles with the types
of `solver.pxd`.

How it works
------------
A depth-first search. Each node picks an empty cell and tries every laying that covers it, so
each layout is found exactly once.

* *Needs.* Each empty cell knows the colours that its neighbours ask for, as four digits (0:
  nothing). Two cells make the key of their pair: six digits, one for each half-disc of a domino
  that covers both. Which dominoes can answer a key is precomputed as a set of bits; with the free
  dominoes, it shows what fits without a look at single dominoes.
* *Dead ends.* A cell that nothing can cover, or (when no domino may be left over) a domino that
  fits nowhere, ends a branch at once.
* *Order of cells.* The cell with the fewest answers is covered next, of equal ones the first along
  the short side of the frame.
* *Restarts.* The time varies by a factor of a hundred between orders of the dominoes. So besides
  one steady search, which would finally prove that there is no layout, a second search restarts in
  another order whenever it has not come near the end for some time.

Measured on the piles, neither saving versatile dominoes for the end nor favouring colours
shortened the search, and fixed limits for the restarts made it twice as long.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from ..core import geometry
from ..core.errors import BadInput, DalapapaError, IllegalLaying
from ..core.figures import can_be_tiled
from ..core.geometry import Cell
from ..core.layout import Layout
from ..core.notation import Laying
from ..core.tiles import COLOURS, MAX_DOMINOES, TileSet

MAX_CELLS = 2 * MAX_DOMINOES
"""The largest frame: as many cells as the largest set can cover."""

HINT_NODES = 2_000_000
"""The limit for a hint: under a second in a frame of 8 x 10."""

FIRST_RUN_NODES = 1024
"""The nodes of the steady search before the second one begins: enough for easy frames."""

NEAR_END_DOMINOES = 3
MIN_PATIENCE_NODES = 500
"""A search restarts after so many nodes in which more than `NEAR_END_DOMINOES` were always left.

This patience grows by a tenth with each restart.
"""

MAX_RUN_PATIENCE = 50
"""A search restarts in any case after so many times its patience."""

WORD = 60  # Dominoes in one word of bits: all arithmetic stays inside 64 bits with a sign.
KEYS = 15625  # Six digits of base 5.
NEEDS = 625
POSE_BITS = 11  # A choice is a pair of cells and, in these bits, a pose: 4 for each domino.
POSE_MASK = (1 << POSE_BITS) - 1
NODES_PER_POLL = 1024  # The nodes between two calls of `Stop`.

# How a run ends.
EXHAUSTED = 0
COUNT_REACHED = 1
PAUSED = 2
GAVE_UP = 3

# Constants for counting bits; as names, so that C sees integers of 64 bits.
ODD_BITS = 0x5555555555555555
ODD_PAIRS = 0x3333333333333333
ODD_NIBBLES = 0x0F0F0F0F0F0F0F0F

Faces = Literal["both", "recto"]
Stop = Callable[[int], bool]
"""Called regularly with the number of nodes so far; True ends the search."""


def carry_on(nodes: int) -> bool:  # noqa: ARG001
    """Never stop. The call also lets other threads run."""
    return False


class Solved(msgspec.Struct, frozen=True):
    """The result of a search."""

    solutions: tuple[tuple[Laying, ...], ...]
    """Each layout, including the given layings, in the reading order of their cells.

    Layouts are different when their layings are, as text: two dominoes with equal faces, or the
    two directions of a face that looks the same from both, count as different.
    """
    complete: bool
    """Whether the answer is final: as many layouts as requested, or all of them (perhaps none).

    False if the search was stopped, or its budget was too small.
    """
    nodes: int
    """The number of partial layouts tried."""
    exhausted: bool
    """Whether everything was tried, so that there are no other layouts than these."""


class Hint(msgspec.Struct, frozen=True):
    """Whether a partial layout can be completed, and how to continue."""

    outcome: Literal["lay", "impossible", "gave_up"]
    laying: Laying | None
    """The next laying, if the outcome is `lay`."""
    nodes: int


class Frame:
    """A set of cells to fill. Making one costs a little; it can be used for many searches."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        inside: set[Cell] = set()
        for place in cells:
            inside.add(place)
            if len(inside) > MAX_CELLS:
                raise BadInput(f"A frame can have at most {MAX_CELLS} cells.", "bad_frame")
        if not inside:
            raise BadInput("A frame must have at least one cell.", "bad_frame")
        width = max(x for x, _ in inside) - min(x for x, _ in inside)
        height = max(y for _, y in inside) - min(y for _, y in inside)
        # Along the short side; the north and west neighbours come first in both orders.
        self.cells: tuple[Cell, ...] = tuple(
            sorted(inside, key=_reading_order if width <= height else None)
        )
        self.number: dict[Cell, int] = {cell: number for number, cell in enumerate(self.cells)}
        outside = len(self.cells)
        self.cell_count: int = outside
        near = array("i")
        for x, y in self.cells:
            near.extend(self.number.get((x + dx, y + dy), outside) for dx, dy in geometry.STEPS)
        self.pair_of: dict[tuple[Cell, Cell], int] = {}
        pair_at = array("i", [-1]) * (4 * len(self.cells))
        first, second, upright = array("i"), array("i"), array("i")
        touch_cell, touch_power = array("i"), array("i")
        for cell, (x, y) in enumerate(self.cells):
            for turn in (0, 1):
                direction = geometry.turn_direction(geometry.EAST, turn)
                other = near[4 * cell + direction]
                if other == outside:
                    continue
                pair = len(first)
                self.pair_of[(x, y), self.cells[other]] = pair
                pair_at[4 * cell + direction] = pair_at[4 * other + (direction ^ 2)] = pair
                first.append(cell)
                second.append(other)
                upright.append(turn)
                for half, side in geometry.SLOT_SIDES:
                    looks = geometry.turn_direction(side, turn)
                    touch_cell.append(near[4 * (other if half else cell) + looks])
                    touch_power.append(5 ** (looks ^ 2))
        self.pair_count: int = len(first)
        self.near: array[int] = near
        self.pair_at: array[int] = pair_at
        self.pair_first: array[int] = first
        self.pair_second: array[int] = second
        self.pair_upright: array[int] = upright
        self.touch_cell: array[int] = touch_cell
        self.touch_power: array[int] = touch_power

    @staticmethod
    def rectangle(width: int, height: int) -> Frame:
        """The cells x 0 to width - 1, y 0 to height - 1."""
        if not 1 <= width * height <= MAX_CELLS or width < 1:
            raise BadInput(
                f"A frame must have 1 to {MAX_CELLS} cells, unlike {width} x {height}.", "bad_frame"
            )
        return _rectangle(width, height)

    def __len__(self) -> int:
        return self.cell_count

    def __repr__(self) -> str:
        return f"<Frame of {self.cell_count} cells>"


@lru_cache(maxsize=16)
def _rectangle(width: int, height: int) -> Frame:
    return Frame((x, y) for y in range(height) for x in range(width))


def _reading_order(cell: Cell) -> Cell:
    return cell[1], cell[0]


def solve(
    frame: Frame,
    tiles: TileSet,
    names: Sequence[str],
    position: Sequence[Laying] = (),
    *,
    faces: Faces = "both",
    count: int | None = 1,
    seed: str = "0",
    budget: int | None = None,
    stop: Stop = carry_on,
) -> Solved:
    """Fill a frame with the dominoes `names`, starting from `position`.

    A name may be given several times; if there are more dominoes than needed, the search
    chooses. `position` uses some of the dominoes. Up to `count` layouts are found, all of
    them if it is None. The same seed gives the same answer on any machine, unless `stop`
    ends the search; it gives up after `budget` nodes.
    """
    if count is not None and count < 1:
        raise BadInput(
            f"The number of layouts to find must be at least 1, not {count}.", "bad_count"
        )
    total = -1 if budget is None else max(budget, 0)
    stock, hopeful = _prepare(frame, tiles, names, position, faces)
    if not hopeful:
        return Solved((), True, 0, exhausted=True)
    kinds = list(stock)
    steady = _start(frame, tiles, stock, position, faces)
    solutions: list[tuple[Laying, ...]] = []
    known: dict[int, tuple[Cell, Laying]] = {}

    def add_new(found: list[array[int]]) -> None:
        places = range(len(solutions), len(found))
        solutions.extend([_layout(frame, kinds, found[place], known) for place in places])

    def poll(found: list[array[int]]) -> Stop:
        """`stop`, which may be a clock: so layouts, which take longer than the search, come first.

        Only one of the two searches finds any.
        """

        def add_and_stop(nodes: int) -> bool:
            add_new(found)
            return stop(nodes)

        return add_and_stop

    steady.wanted, steady.budget, steady.stop = count or 0, total, poll(steady.found)
    steady.arrange(_shuffled(kinds, f"{seed}/0"))
    ended = steady.run(-1, -1 if count is None else FIRST_RUN_NODES)
    found, nodes = steady.found, steady.nodes
    if ended == PAUSED:
        restless = _start(frame, tiles, stock, position, faces)
        restless.wanted, restless.stop = steady.wanted, poll(restless.found)
        patience, run = MIN_PATIENCE_NODES, 0
        # With a given position, a proof that nothing fits is as likely as a layout.
        share = 1 if position else 4
        while ended == PAUSED:
            run += 1
            restless.take_all()
            restless.arrange(_shuffled(kinds, f"{seed}/{run}"))
            restless.follow(steady, total)
            ended = restless.run(patience, restless.nodes + MAX_RUN_PATIENCE * patience)
            found = restless.found
            if ended == PAUSED:
                patience += patience // 10
                steady.follow(restless, total)
                ended = steady.run(-1, max(steady.nodes, restless.nodes // share))
                found = steady.found
        nodes = steady.nodes + restless.nodes
    add_new(found)
    return Solved(tuple(solutions), ended != GAVE_UP, nodes, exhausted=ended == EXHAUSTED)


def hint(
    frame: Frame,
    tiles: TileSet,
    names: Sequence[str],
    position: Sequence[Laying] = (),
    *,
    faces: Faces = "both",
    seed: str = "0",
    budget: int | None = HINT_NODES,
    stop: Stop = carry_on,
) -> Hint:
    """Find out whether a partial layout can be completed, and a next laying if so.

    The laying is one of a whole layout: the one with the most contacts, so that it belongs to
    what lies there already; of equal ones the first in reading order.
    """
    if 2 * len(position) == len(frame):
        _prepare(frame, tiles, names, position, faces)
        raise BadInput("The frame is full: there is nothing to lay.", "frame_full")
    solved = solve(
        frame, tiles, names, position, faces=faces, seed=seed, budget=budget, stop=stop
    )  # fmt: skip
    if not solved.solutions:
        return Hint("impossible" if solved.complete else "gave_up", None, solved.nodes)
    laid = set(position)
    covered = {cell for laying in position for cell in laying.cells}

    def contacts(laying: Laying) -> int:
        return sum(
            (x + dx, y + dy) in covered for x, y in laying.cells for dx, dy in geometry.STEPS
        )

    found = max((one for one in solved.solutions[0] if one not in laid), key=contacts)
    return Hint("lay", found, solved.nodes)


def _prepare(
    frame: Frame, tiles: TileSet, names: Sequence[str], position: Sequence[Laying], faces: Faces
) -> tuple[Counter[str], bool]:
    """Check the arguments; return the dominoes by name, and whether a search is needed."""
    if faces not in ("both", "recto"):
        raise BadInput(f"faces must be both or recto, not {faces!r}.", "bad_faces")
    stock = Counter(names)
    for name in stock:
        tiles[name]
    _check(frame, tiles, stock, position, "+-" if faces == "both" else "+")
    covered = {cell for laying in position for cell in laying.cells}
    # A search would meet two odd regions only after trying everything in the others.
    empty = {cell for cell in frame.cells if cell not in covered}
    return stock, 2 * len(names) >= len(frame) and can_be_tiled(empty)


def _start(
    frame: Frame, tiles: TileSet, stock: Counter[str], position: Sequence[Laying], faces: Faces
) -> FrameSearch:
    """Make a search with the position laid."""
    sides = "+-" if faces == "both" else "+"
    shown = [[tiles[name].face(side) for side in sides] for name in stock]
    search = FrameSearch(frame, shown, list(stock.values()))
    index = {name: kind for kind, name in enumerate(stock)}
    for laying in position:
        one, other = laying.cells
        turn = laying.rotation >> 1
        pair = frame.pair_of[(other, one) if turn else (one, other)]
        pose = 4 * index[laying.tile] + 2 * (laying.side == "-") + turn
        search.put_for_good(pair << POSE_BITS | pose)
    return search


def _check(
    frame: Frame, tiles: TileSet, stock: Counter[str], position: Sequence[Laying], sides: str
) -> None:
    """Refuse a position with a laying that is not legal in the frame."""
    layout = Layout(tiles, frame.number)
    used: Counter[str] = Counter()
    for number, laying in enumerate(position, start=1):
        try:
            used[laying.tile] += 1
            if laying.tile in tiles and used[laying.tile] > stock[laying.tile]:
                if laying.tile in stock:
                    raise IllegalLaying(
                        f"{laying}: this domino is already in the frame.", "already_laid"
                    )
                raise IllegalLaying(
                    f"{laying}: this domino is not among those for the frame.", "not_offered"
                )
            if laying.side == "-" and sides == "+":
                raise IllegalLaying(f"{laying}: the recto (+) must be up.", "wrong_face")
            layout.lay(laying)
        except DalapapaError as error:
            raise error.at_laying(number) from None


def _shuffled(kinds: list[str], seed: str) -> list[int]:
    """Shuffle the kinds by the seed, with the same result on every machine."""
    keys = [
        hashlib.sha256(f"{seed}/{name}".encode(errors="surrogatepass")).digest() for name in kinds
    ]
    return sorted(range(len(kinds)), key=keys.__getitem__)


def _layout(
    frame: Frame, kinds: list[str], choices: array[int], known: dict[int, tuple[Cell, Laying]]
) -> tuple[Laying, ...]:
    """List the layings of a solution, in the reading order of their cells.

    `known` are those of other solutions with their first cells in that order: many thousand
    layouts share a few thousand layings.
    """
    placed = []
    for choice in choices:
        if choice not in known:
            laying = _laying(frame, kinds, choice)
            known[choice] = min(map(_reading_order, laying.cells)), laying
        placed.append(known[choice])
    placed.sort()  # By cell: no two layings have the same.
    return tuple([laying for _, laying in placed])


def _laying(frame: Frame, kinds: list[str], choice: int) -> Laying:
    """Convert a choice of the search to a laying: a pair of cells, and in the low bits a pose."""
    pair, pose = choice >> POSE_BITS, choice & POSE_MASK
    turn = pose & 1
    cell = frame.pair_second[pair] if turn else frame.pair_first[pair]
    x, y = frame.cells[cell]
    rotation = int(frame.pair_upright[pair]) + 2 * turn
    return Laying(kinds[pose >> 2], "-" if pose & 2 else "+", rotation, x, y)


class FrameSearch:
    """One search: the state of the frame, the stack, and the solutions.

    A kind is a domino (of which there may be several). A pose is 4 times its kind, plus 2 for
    the verso, plus 1 if it is turned so that its first half lies east or south. The cell after
    the last one stands for everything outside; it is always covered.
    """

    def __init__(self, frame: Frame, faces: list[list[str]], counts: list[int]) -> None:
        self.frame = frame
        self.kind_count: int = len(faces)
        self.words: int = (self.kind_count + WORD - 1) // WORD
        self.pose_count: int = 2 * len(faces[0])
        self.target: int = frame.cell_count // 2
        self.exact: bool = sum(counts) == self.target
        digit, fit = array("i"), array("i")
        for shown in faces:
            for face in shown:
                for turn in (0, 1):
                    digits, fits = _pose(face, turn)
                    digit.extend(digits)
                    fit.append(fits)
            for _ in range(4 - self.pose_count):  # Each kind has space for two faces.
                digit.extend((0, 0, 0, 0, 0, 0))
                fit.append(0)
        self.digit: array[int] = digit
        self.fit: array[int] = fit
        self.need_of: array[int] = _needs()
        self.part: array[int] = _parts()
        cells, depths = frame.cell_count, self.target + 2
        self.need: array[int] = array("i", bytes(4 * (cells + 1)))
        self.covered: array[int] = array("i", [0] * cells + [1])
        # The empty cells as a ring, which begins and ends with the outside.
        self.after: array[int] = array("i", [*range(1, cells + 1), 0])
        self.before: array[int] = array("i", [cells, *range(cells)])
        self.east: array[int] = array("i", bytes(4 * cells))
        self.south: array[int] = array("i", bytes(4 * cells))
        self.left: array[int] = array("i", counts)
        self.kind_at: array[int] = array("i", bytes(4 * self.kind_count))
        self.place_of: array[int] = array("i", bytes(4 * self.kind_count))
        self.subset: array[int] = array("i", bytes(4 * 64))
        self.laid: array[int] = array("i", bytes(4 * depths))
        self.start: array[int] = array("i", bytes(4 * depths))
        self.at: array[int] = array("i", bytes(4 * depths))
        self.end: array[int] = array("i", bytes(4 * depths))
        # A node has at most four pairs of cells, each with every pose.
        self.choice: array[int] = array(
            "i", bytes(4 * 4 * self.pose_count * self.kind_count * depths)
        )
        self.masks: array[int] = array("q", [0])
        self.free: array[int] = array("q", bytes(8 * self.words))
        self.met: array[int] = array("q", bytes(8 * self.words))
        self.bit: array[int] = _bits()
        self.depth: int = 0
        self.base: int = 0
        self.nodes: int = 0
        self.elsewhere: int = 0
        self.budget: int = -1
        self.wanted = 1
        self.stop: Stop = carry_on
        self.found: list[array[int]] = []

    def arrange(self, kinds: list[int]) -> None:
        """Number the bits of the kinds in this order, in which the search tries them."""
        self.masks = array("q", bytes(8 * KEYS * self.words))
        self.free = array("q", bytes(8 * self.words))
        for place in range(self.kind_count):
            kind = kinds[place]
            word = place // WORD
            bit = self.bit[place % WORD]
            self.kind_at[place] = kind
            self.place_of[kind] = place
            if self.left[kind]:
                self.free[word] |= bit
            for pose in range(4 * kind, 4 * kind + self.pose_count):
                # The keys of all subsets of the six slots: all needs that it satisfies.
                power = size = 1
                for slot in range(6):
                    for number in range(size):
                        self.subset[size + number] = (
                            self.subset[number] + power * self.digit[6 * pose + slot]
                        )
                    power *= 5
                    size *= 2
                for number in range(64):
                    self.masks[self.subset[number] * self.words + word] |= bit

    def put_for_good(self, choice: int) -> None:
        """Lay a domino of the given position."""
        self.laid[self.depth] = choice
        self._put(choice)
        self.depth += 1
        self.base += 1

    def take_all(self) -> None:
        """Take back what the search has laid, to restart."""
        while self.depth > self.base:
            self.depth -= 1
            self._take(self.laid[self.depth])

    def follow(self, other: FrameSearch, total: int) -> None:
        """Count the nodes of another search into the budget of both (-1: no budget)."""
        self.elsewhere = other.nodes
        self.budget = -1 if total < 0 else total - other.nodes

    def run(self, patience: int, limit: int) -> int:
        """Continue the search to the end, or for some time while nothing is found (-1: no limit).

        `patience` are nodes without coming near the end, `limit` is a number of nodes in all.
        A search that paused can be run again, and goes on where it was.
        """
        near = self.target - NEAR_END_DOMINOES
        mark = self.nodes
        while True:
            if self.nodes == self.budget:
                return GAVE_UP
            if self.depth >= near:
                mark = self.nodes
            if not self.found and (self.nodes - mark == patience or self.nodes == limit):
                return PAUSED
            self.nodes += 1
            if self.nodes % NODES_PER_POLL == 0 and self.stop(self.nodes + self.elsewhere):
                return GAVE_UP
            self.at[self.depth] = self.end[self.depth] = self.start[self.depth]
            if self.depth == self.target:
                self._keep()
                if len(self.found) == self.wanted:
                    return COUNT_REACHED
            else:
                self._choose()
            while self.at[self.depth] == self.end[self.depth]:
                if self.depth == self.base:
                    return EXHAUSTED
                self.depth -= 1
                self._take(self.laid[self.depth])
            self.laid[self.depth] = self.choice[self.at[self.depth]]
            self.at[self.depth] += 1
            self._put(self.laid[self.depth])
            self.depth += 1

    def _keep(self) -> None:
        self.found.append(array("i", [self.laid[depth] for depth in range(self.target)]))

    def _choose(self) -> int:
        """Choose the empty cell to cover next and list its layings; none in a dead end."""
        frame = self.frame
        words = self.words
        for word in range(words):
            self.met[word] = 0
        best, least = 0, -1
        cell = self.after[frame.cell_count]
        while cell != frame.cell_count:
            # North and west come first: their pairs with this cell are counted already.
            many = self.east[cell] = self.south[cell] = 0
            near = frame.near[4 * cell + 1]
            if not self.covered[near]:
                key = self.part[self.need[cell]] + self.part[NEEDS + self.need[near]]
                many = self.east[cell] = self._count(key)
            near = frame.near[4 * cell + 2]
            if not self.covered[near]:
                key = self.part[2 * NEEDS + self.need[cell]]
                key += self.part[3 * NEEDS + self.need[near]]
                self.south[cell] = self._count(key)
                many += self.south[cell]
            near = frame.near[4 * cell]
            if not self.covered[near]:
                many += self.south[near]
            near = frame.near[4 * cell + 3]
            if not self.covered[near]:
                many += self.east[near]
            if not many:
                return 0
            if many < least or least < 0:
                best, least = cell, many
            cell = self.after[cell]
        if self.exact:
            for word in range(words):
                if self.met[word] != self.free[word]:
                    return 0
        self._list(best)
        return 0

    def _count(self, key: int) -> int:
        """Count the free kinds that fit the key of a pair, and mark them as usable."""
        number = 0
        key *= self.words
        for word in range(self.words):
            bits = self.masks[key + word] & self.free[word]
            self.met[word] |= bits
            number += _ones(bits)
        return number

    def _key(self, pair: int) -> int:
        """Return the needs of a pair of empty cells: a digit of base 5 for each slot."""
        upright = self.frame.pair_upright[pair]
        return (
            self.part[2 * NEEDS * upright + self.need[self.frame.pair_first[pair]]]
            + self.part[2 * NEEDS * upright + NEEDS + self.need[self.frame.pair_second[pair]]]
        )

    def _list(self, cell: int) -> None:
        """List every laying that covers an empty cell."""
        frame = self.frame
        top = self.start[self.depth]
        for step in range(4):
            side = 4 * cell + (step + self.depth & 3)  # No direction is always the first.
            if self.covered[frame.near[side]]:
                continue
            pair = frame.pair_at[side]
            key = self._key(pair)
            need = self.need_of[key]
            for word in range(self.words):
                bits = self.masks[key * self.words + word] & self.free[word]
                while bits:
                    low = bits & -bits
                    bits ^= low
                    pose = 4 * self.kind_at[WORD * word + _ones(low - 1)]
                    for turn in range(self.pose_count):
                        if not need & ~self.fit[pose + turn]:
                            self.choice[top] = pair << POSE_BITS | pose + turn
                            top += 1
        self.end[self.depth] = self.start[self.depth + 1] = top

    def _put(self, choice: int) -> None:
        frame = self.frame
        pair = choice >> POSE_BITS
        pose = choice & POSE_MASK
        kind = pose >> 2
        self.left[kind] -= 1
        if not self.left[kind]:
            place = self.place_of[kind]
            self.free[place // WORD] ^= self.bit[place % WORD]
        cell = frame.pair_first[pair]
        self.covered[cell] = 1
        self.after[self.before[cell]] = self.after[cell]
        self.before[self.after[cell]] = self.before[cell]
        cell = frame.pair_second[pair]
        self.covered[cell] = 1
        self.after[self.before[cell]] = self.after[cell]
        self.before[self.after[cell]] = self.before[cell]
        for slot in range(6):
            self.need[frame.touch_cell[6 * pair + slot]] += (
                self.digit[6 * pose + slot] * frame.touch_power[6 * pair + slot]
            )

    def _take(self, choice: int) -> None:
        """Undo `_put`, in the opposite order."""
        frame = self.frame
        pair = choice >> POSE_BITS
        pose = choice & POSE_MASK
        kind = pose >> 2
        for slot in range(6):
            self.need[frame.touch_cell[6 * pair + slot]] -= (
                self.digit[6 * pose + slot] * frame.touch_power[6 * pair + slot]
            )
        cell = frame.pair_second[pair]
        self.covered[cell] = 0
        self.after[self.before[cell]] = cell
        self.before[self.after[cell]] = cell
        cell = frame.pair_first[pair]
        self.covered[cell] = 0
        self.after[self.before[cell]] = cell
        self.before[self.after[cell]] = cell
        if not self.left[kind]:
            place = self.place_of[kind]
            self.free[place // WORD] ^= self.bit[place % WORD]
        self.left[kind] += 1


def _ones(bits: int) -> int:
    """Count the set bits."""
    x = bits - (bits >> 1 & ODD_BITS)
    x = (x & ODD_PAIRS) + (x >> 2 & ODD_PAIRS)
    x = x + (x >> 4) & ODD_NIBBLES
    x += x >> 8
    x += x >> 16
    x += x >> 32
    return x & 127


@lru_cache(maxsize=4 * MAX_DOMINOES)
def _pose(face: str, turn: int) -> tuple[tuple[int, ...], int]:
    """Return the six colours of a face as digits 1 to 4, and one-hot in four bits for each slot."""
    colours = [COLOURS.index(face[1 + (slot + 3 * turn) % 6]) for slot in range(6)]
    one_hot = sum(1 << colour + 4 * slot for slot, colour in enumerate(colours))
    return tuple(colour + 1 for colour in colours), one_hot


@lru_cache(maxsize=1)
def _bits() -> array[int]:
    bits = array("q")
    bit: int = 1
    for _ in range(WORD):
        bits.append(bit)
        bit *= 2
    return bits


@lru_cache(maxsize=1)
def _needs() -> array[int]:
    """List, for each key, its colours, one-hot in four bits for each slot."""
    needs = [0]
    for slot in range(6):
        asked = [0, *(1 << colour + 4 * slot for colour in range(4))]
        needs = [need | more for more in asked for need in needs]
    return array("i", needs)


@lru_cache(maxsize=1)
def _parts() -> array[int]:
    """List what the need of one cell adds to the key of a pair: by upright, half and need."""
    parts = array("i")
    for upright in (0, 1):
        for half in (0, 1):
            slots = [
                (5**slot, 5 ** geometry.turn_direction(side, upright))
                for slot, (its_half, side) in enumerate(geometry.SLOT_SIDES)
                if its_half == half
            ]
            parts.extend(
                sum(power * (need // place % 5) for power, place in slots) for need in range(NEEDS)
            )
    return parts
