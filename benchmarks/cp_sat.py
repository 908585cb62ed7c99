"""A frame as a model for OR-Tools' CP-SAT, which solves it beside ours.

`ortools` is a dependency of the benchmarks alone; without it, its lines are left out.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from random import Random
from typing import Any

from dalapapa.core import geometry
from dalapapa.core.notation import Laying, Side
from dalapapa.core.tiles import COLOURS, TileSet
from dalapapa.kernel.solver import Frame


def is_installed() -> bool:
    return importlib.util.find_spec("ortools") is not None


class Model:
    """One variable for each laying: exactly one of each domino, and exactly one over each cell.

    Each edge between two cells shows at most one colour, and the layings on either side that
    show it there are tied to it. Of three models tried this was the quickest: implications from
    layings to colours took two to four times as long (piles 1 and 2), and equal sums on both
    sides did not end within a minute (pile 1).
    """

    def __init__(self, frame: Frame, tiles: TileSet, names: Sequence[str], seed: int) -> None:
        """The dominoes come in an order that follows from the seed, as in our own search."""
        self.cp_model: Any = importlib.import_module("ortools.sat.python.cp_model")
        self.model: Any = self.cp_model.CpModel()
        self.seed = seed
        self.layings: list[tuple[Laying, Any]] = []
        over: dict[geometry.Cell, list[Any]] = {cell: [] for cell in frame.cells}
        showing: dict[tuple[geometry.Cell, int], dict[str, list[Any]]] = {
            (cell, direction): {colour: [] for colour in COLOURS}
            for cell in frame.cells
            for direction in range(4)
        }
        for name in Random(seed).sample(names, len(names)):
            own = []
            for laying in _layings(frame, name):
                laid = self.model.new_bool_var("")
                self.layings.append((laying, laid))
                own.append(laid)
                for cell in laying.cells:
                    over[cell].append(laid)
                face = tiles[name].face(laying.side)
                for slot in range(6):
                    x, y, direction = geometry.slot_side(laying.x, laying.y, laying.rotation, slot)
                    showing[(x, y), direction][face[slot + 1]].append(laid)
            self.model.add_exactly_one(own)
        for choices in over.values():
            self.model.add_exactly_one(choices)
        for (x, y), direction in showing:
            dx, dy = geometry.STEPS[direction]
            beyond = ((x + dx, y + dy), direction ^ 2)
            if direction in (geometry.EAST, geometry.SOUTH) and beyond in showing:
                self._tie(showing[(x, y), direction], showing[beyond])

    def _tie(self, *sides: dict[str, list[Any]]) -> None:
        """Both sides of an edge show the same colour, or (inside a domino) none."""
        shown = {colour: self.model.new_bool_var("") for colour in COLOURS}
        self.model.add_at_most_one(shown.values())
        for side in sides:
            for colour, layings in side.items():
                self.model.add_exactly_one([*layings, ~shown[colour]])

    def solve(self, limit: float) -> tuple[str, list[Laying], int, float]:
        """On one core: the outcome, the layout if solved, branches, and the seconds it took.

        These seconds are those of CP-SAT alone; Python's for making the model are not counted.
        """
        solver: Any = self.cp_model.CpSolver()
        solver.parameters.random_seed = self.seed
        solver.parameters.max_time_in_seconds = limit
        solver.parameters.num_workers = 1
        status = solver.solve(self.model)
        outcomes = {
            self.cp_model.OPTIMAL: "solved",
            self.cp_model.FEASIBLE: "solved",
            self.cp_model.INFEASIBLE: "none",
            self.cp_model.UNKNOWN: "gave_up",
        }
        outcome, layout = outcomes[status], list[Laying]()
        if outcome == "solved":
            layout = [laying for laying, laid in self.layings if solver.boolean_value(laid)]
        return outcome, layout, int(solver.num_branches), float(solver.wall_time)


def _layings(frame: Frame, name: str) -> list[Laying]:
    """All ways to lay a domino inside a frame."""
    sides: tuple[Side, ...] = ("+", "-")
    anywhere = (
        Laying(name, side, rotation, x, y)
        for side in sides
        for rotation in range(4)
        for x, y in frame.cells
    )
    return [one for one in anywhere if all(cell in frame.number for cell in one.cells)]
