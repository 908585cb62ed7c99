"""How hard the problems of each grade are, and how long making them takes (docs/problems.md).

    python -m benchmarks.problems --problems 50 --tries 10 --frames 12

A turn counts as found if the eyes of a level would make the best turn, in either order where both
are worth as much. Of frames, the partial layouts are counted until the solver has proved that there
is one solution, for each direction of it.
"""

from __future__ import annotations

import argparse
from statistics import mean, median
from time import perf_counter

from rich.console import Console
from rich.table import Table as Grid

from dalapapa.bots.bot import Time
from dalapapa.bots.levels import LEVELS
from dalapapa.core.tiles import standard
from dalapapa.kernel.solver import Frame, solve
from dalapapa.problems import GRADES, TurnProblem, make_frame_problem, make_turn_problem
from dalapapa.problems.frames import MAX_IMAGES


def find_share(problem: TurnProblem, level: str, tries: int) -> float:
    """The share of tries in which the eyes of a level find the best turn."""
    hits = 0
    for number in range(tries):
        turn = (
            LEVELS[level]
            .sight(Time(), f"{problem.seed} {number}")
            .best(problem.table, problem.hand)
        )
        hits += turn is not None and problem.try_turn(turn.layings).more == 0
    return hits / tries


def turns(problems: int, tries: int) -> Grid:
    """A line for each grade of turns."""
    grid = Grid(
        "grade",
        "easy finds it",
        "novice finds it",
        "both needed",
        "on the table",
        "points",
        "s",
        "slowest",
    )
    for grade in GRADES:
        made, times = [], []
        for number in range(problems):
            started = perf_counter()
            made.append(make_turn_problem(grade, f"benchmark {number}"))
            times.append(perf_counter() - started)
        shares = [
            mean(find_share(one, level, tries) for one in made) for level in ("easy", "novice")
        ]
        grid.add_row(
            str(grade),
            *(f"{share:.0%}" for share in shares),
            f"{mean(len(one.solution.layings) == 2 for one in made):.0%}",
            f"{mean(len(one.position) for one in made):.0f}",
            f"{mean(one.solution.points for one in made):.1f}",
            f"{median(times):.2f}",
            f"{max(times):.2f}",
        )  # fmt: skip
    return grid


def frames(problems: int) -> Grid:
    """A line for each grade of frames."""
    grid = Grid("grade", "cells", "partial layouts", "s", "slowest")
    for grade in GRADES:
        nodes, times = [], []
        for number in range(problems):
            started = perf_counter()
            one = make_frame_problem(grade, f"benchmark {number}")
            times.append(perf_counter() - started)
            frame = Frame.rectangle(*one.size)
            proof = solve(frame, standard(), one.tiles, one.position, count=MAX_IMAGES + 1)
            nodes.append(proof.nodes / len(proof.solutions))
        size = f"{one.size[0]} x {one.size[1]}"
        grid.add_row(
            str(grade), size, f"{median(nodes):.0f}", f"{median(times):.2f}", f"{max(times):.2f}"
        )
    return grid


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--problems", type=int, default=50, help="problems of turns for each grade")
    parser.add_argument(
        "--tries", type=int, default=10, help="attempts of each level at each of them"
    )
    parser.add_argument("--frames", type=int, default=12, help="problems of frames for each grade")
    arguments = parser.parse_args()
    console = Console()
    console.print(turns(arguments.problems, arguments.tries))
    console.print(frames(arguments.frames))


if __name__ == "__main__":
    main()
