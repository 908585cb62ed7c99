"""Numbers for moves: a fixed space of actions for each game, and their meaning in a view.

An action is a place in a plane, or one of the few moves without a place:

    (8 * slot + 4 * verso + rotation) planes: lay the domino of that slot of the hand
    2 planes in games with marks: mark the disc on the east, or on the south, of a cell
    end, pass and the others that the game has, one number each
    in games of other packages, spare numbers for moves of their own kinds

A plane is a window of cells around the middle of the layout. Moves without a number, outside of it
or with the ninth domino of a hand, cannot be chosen. The last action, `elsewhere`, makes the first
legal move when no other action is legal, so that a game never gets stuck.
"""

from __future__ import annotations

from array import array
from typing import Generic

from ..core.geometry import Cell, Disc, find_cells
from ..core.notation import Laying
from ..games.moves import Lay, Mark, Move
from ..kernel.painter import Painter
from ..kernel.planes import POSES
from ..kernel.table import Table
from .observer import Observer, StateT, ViewT

ELSEWHERE = "elsewhere"


class Window:
    """The cells that are shown and can be chosen: a square in the middle of the layout."""

    def __init__(self, table: Table, size: int) -> None:
        painter = Painter(size, array("b"), array("b"), array("i"))
        painter.centre(table)
        self.size = size
        self.left: int = painter.left
        self.top: int = painter.top

    def place(self, cell: Cell) -> tuple[int, int] | None:
        """Row and column of a cell, or None outside."""
        row, column = cell[1] - self.top, cell[0] - self.left
        return (row, column) if 0 <= row < self.size and 0 <= column < self.size else None


def find_cell(disc: Disc) -> tuple[Cell, int]:
    """The cell that has a disc on its east (0) or its south (1)."""
    return find_cells(disc)[0], disc[0] % 2


class Actions(Generic[StateT, ViewT]):
    """The actions of a game, with a window of some size."""

    def __init__(self, observer: Observer[StateT, ViewT], window: int) -> None:
        self.observer = observer
        self.window = window
        self.slots: int = observer.slots
        self.planes: int = POSES * self.slots + 2 * observer.marking
        self.others: tuple[str, ...] = (*observer.others, ELSEWHERE)
        first = self.planes * window * window
        self.numbers: dict[str, int] = {
            name: first + place for place, name in enumerate(self.others)
        }
        self.spare: list[int] = [
            self.numbers[name] for name in self.others if name.startswith("other")
        ]
        """The actions for moves of kinds that have none of their own."""
        self.count: int = first + len(self.others)

    def moves(self, view: ViewT, legal: list[Move]) -> dict[int, Move]:
        """The legal moves that have a number, by it."""
        window = Window(view.table, self.window)
        found: dict[int, Move] = {}
        unknown: list[Move] = []
        size, left, top = window.size, window.left, window.top
        slots = {name: POSES * slot for slot, name in enumerate(view.hand[: self.slots])}
        for move in legal:
            if isinstance(move, Lay):  # Most of them are, so this is written out.
                laying = move.laying
                column, row = laying.x - left, laying.y - top
                if 0 <= column < size and 0 <= row < size and laying.tile in slots:
                    plane = slots[laying.tile] + 4 * (laying.side == "-") + laying.rotation
                    found[(plane * size + row) * size + column] = move
            elif (number := self._number(view, window, move)) is not None:
                found[number] = move
            elif not isinstance(move, Mark):
                unknown.append(move)
        found.update(zip(self.spare, unknown, strict=False))
        if legal and not found:
            found[self.numbers[ELSEWHERE]] = legal[0]
        return found

    def find_laying(self, state: StateT, seat: int, number: int) -> Lay | None:
        """The move of a legal action that lays a domino; None for all other actions."""
        place, area = number % self.window**2, self.window**2
        slot, turned = divmod(number // area, POSES)
        if slot >= self.slots:
            return None
        window = Window(state.table, self.window)
        column, row = window.left + place % self.window, window.top + place // self.window
        tile = state.hands[seat][slot]
        return Lay(seat, Laying(tile, "-" if turned >= 4 else "+", turned % 4, column, row))

    def _number(self, view: ViewT, window: Window, move: Move) -> int | None:
        if isinstance(move, Mark):
            cell, side = find_cell(move.disc)
            return self._at(window, POSES * self.slots + side, cell)
        return self.numbers.get(self.observer.action(view, move))

    def find_laying_number(self, view: ViewT, window: Window, laying: Laying) -> int | None:
        slot = view.hand.index(laying.tile)
        plane = POSES * slot + 4 * (laying.side == "-") + laying.rotation
        return self._at(window, plane, (laying.x, laying.y)) if slot < self.slots else None

    def _at(self, window: Window, plane: int, cell: Cell) -> int | None:
        place = window.place(cell)
        if place is None:
            return None
        return (plane * self.window + place[0]) * self.window + place[1]
