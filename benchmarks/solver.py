"""Measure the frame solver.

    python benchmarks/solver.py [--seeds 20] [--cp-sat-seeds 3]

Prints a table: the median and the worst time over several seeds, everything included (the
first line of each kind also pays for its frame). OR-Tools' CP-SAT solves the same piles beside
it if `ortools` can be imported; it is no dependency of ours.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import platform
import statistics
import time
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from dalapapa import geometry
from dalapapa.notation import Laying
from dalapapa.solver import Frame, hint, solve
from dalapapa.tiles import standard

SET = standard()
PILE_FRAME = Frame.rectangle(8, 10)

Case = Callable[[], tuple[str, int]]
"""Does the work; the outcome and the nodes."""


def pile(number: int) -> list[str]:
    return [tile.name for tile in SET.tiles if tile.pile == number]


def filled(frame: Frame, names: list[str], seed: int) -> Case:
    def case() -> tuple[str, int]:
        solved = solve(frame, SET, names, seed=str(seed))
        return "solved" if solved.solutions else "none", solved.nodes

    return case


def hinted(names: list[str], position: list[Laying]) -> Case:
    def case() -> tuple[str, int]:
        told = hint(PILE_FRAME, SET, names, position)
        return told.outcome, told.nodes

    return case


def part_of_a_solution(names: list[str], seed: int, compact: bool) -> list[Laying]:
    """Half of a layout that can be completed: its upper rows, or any 20 dominoes."""
    layout = list(solve(PILE_FRAME, SET, names, seed=f"half {seed}").solutions[0])
    if not compact:
        Random(seed).shuffle(layout)
    return layout[:20]


def upper_rows(names: list[str], seed: int, rows: int) -> list[Laying]:
    """The upper rows filled with any dominoes of the pile: perhaps a dead end."""
    frame = Frame.rectangle(8, rows)
    return list(solve(frame, SET, names, seed=f"rows {seed}").solutions[0])


def played(names: list[str], seed: int, most: int) -> list[Laying]:
    """As somebody lays who looks at contacts only, two for each domino at least."""
    chance = Random(seed)
    left, laid = list(names), list[Laying]()
    shown: dict[geometry.Disc, str] = {}
    covered: set[geometry.Cell] = set()
    for _ in range(20_000):
        x, y = chance.choice(PILE_FRAME.cells)
        laying = Laying(chance.choice(left), chance.choice("+-"), chance.randrange(4), x, y)  # type: ignore[arg-type]
        if any(cell in covered or cell not in PILE_FRAME.number for cell in laying.cells):
            continue
        face = SET[laying.tile].face(laying.side)
        halves = {
            geometry.edge(*geometry.slot_side(x, y, laying.rotation, slot)): face[slot + 1]
            for slot in range(6)
        }
        meets = [shown[edge] == colour for edge, colour in halves.items() if edge in shown]
        if all(meets) and (len(meets) >= 2 or not laid):
            laid.append(laying)
            left.remove(laying.tile)
            covered.update(laying.cells)
            shown.update(halves)
            if len(laid) == most:
                break
    return laid


def cp_sat(names: list[str], seed: int) -> Case:
    """The same pile as a model of exact cover with colours on the edges, for CP-SAT."""
    model_of = importlib.import_module("ortools.sat.python.cp_model")

    def case() -> tuple[str, int]:
        model: Any = model_of.CpModel()
        colours = "RYGB"
        shown: dict[tuple[geometry.Disc, str], Any] = {}
        by_cell: dict[geometry.Cell, list[Any]] = {cell: [] for cell in PILE_FRAME.cells}
        for x, y in PILE_FRAME.cells:
            for direction in range(4):
                edge = geometry.edge(x, y, direction)
                if (edge, "R") not in shown:
                    for colour in colours:
                        shown[edge, colour] = model.NewBoolVar("")
                    model.AddAtMostOne(shown[edge, colour] for colour in colours)
        for name in names:
            own = []
            for side in "+-":
                face = SET[name].face(side)
                for rotation in range(4):
                    for x, y in PILE_FRAME.cells:
                        cells = ((x, y), geometry.second_cell(x, y, rotation))
                        if cells[1] not in by_cell:
                            continue
                        laid = model.NewBoolVar("")
                        own.append(laid)
                        for cell in cells:
                            by_cell[cell].append(laid)
                        for slot in range(6):
                            edge = geometry.edge(*geometry.slot_side(x, y, rotation, slot))
                            model.AddImplication(laid, shown[edge, face[slot + 1]])
            model.AddExactlyOne(own)
        for choices in by_cell.values():
            model.AddExactlyOne(choices)
        solver: Any = model_of.CpSolver()
        solver.parameters.random_seed = seed
        solver.parameters.max_time_in_seconds = 120
        solver.parameters.num_workers = 1
        status = solver.Solve(model)
        solved = status in (model_of.OPTIMAL, model_of.FEASIBLE)
        return "solved" if solved else "gave_up", int(solver.NumBranches())

    return case


def measure(cases: list[Case]) -> tuple[str, ...]:
    """Outcomes, median and worst time, median and most nodes."""
    times, nodes, outcomes = [], [], Counter[str]()
    for case in cases:
        started = time.perf_counter()
        outcome, count = case()
        times.append(time.perf_counter() - started)
        nodes.append(count)
        outcomes[outcome] += 1
    told = ", ".join(f"{number} {name}" for name, number in sorted(outcomes.items()))
    return (
        told,
        f"{1e3 * statistics.median(times):,.1f} ms",
        f"{1e3 * max(times):,.1f} ms",
        f"{statistics.median(nodes):,.0f}",
        f"{max(nodes):,}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seeds", type=int, default=20, help="runs for each line")
    parser.add_argument("--cp-sat-seeds", type=int, default=3, help="runs of CP-SAT for each pile")
    arguments = parser.parse_args()
    seeds = range(arguments.seeds)
    grid = Grid(title=f"Dalapapa solver, one core, Python {platform.python_version()}")
    for name in ("what", "outcomes", "median", "worst", "nodes, median", "most"):
        grid.add_column(name, justify="left" if name in ("what", "outcomes") else "right")
    for number in (1, 2, 3):
        cases = [filled(PILE_FRAME, pile(number), seed) for seed in seeds]
        grid.add_row(f"pile {number} in 8 x 10", *measure(cases))
    if importlib.util.find_spec("ortools"):
        for number in (1, 2, 3):
            cases = [cp_sat(pile(number), seed) for seed in range(arguments.cp_sat_seeds)]
            grid.add_row(f"pile {number} in 8 x 10, CP-SAT", *measure(cases))
    grid.add_section()
    all_names = list(SET.names)
    cases = [filled(Frame.rectangle(15, 16), all_names, seed) for seed in seeds]
    grid.add_row("all 120 in 15 x 16", *measure(cases))
    grid.add_section()
    positions: dict[str, Callable[[list[str], int], list[Laying]]] = {
        "upper half of a solution": lambda names, seed: part_of_a_solution(names, seed, True),
        "any half of a solution": lambda names, seed: part_of_a_solution(names, seed, False),
        "4 rows filled": lambda names, seed: upper_rows(names, seed, 4),
        "5 rows filled": lambda names, seed: upper_rows(names, seed, 5),
        "6 rows filled": lambda names, seed: upper_rows(names, seed, 6),
        "7 rows filled": lambda names, seed: upper_rows(names, seed, 7),
        "8 laid by contacts alone": lambda names, seed: played(names, seed, 8),
        "12 laid by contacts alone": lambda names, seed: played(names, seed, 12),
        "20 laid by contacts alone": lambda names, seed: played(names, seed, 20),
    }
    for what, make in positions.items():
        cases = []
        for seed in seeds:
            names = pile(1 + seed % 3)
            cases.append(hinted(names, make(names, seed)))
        grid.add_row(f"hint: {what}", *measure(cases))
    Console(width=120).print(grid)


if __name__ == "__main__":
    main()
