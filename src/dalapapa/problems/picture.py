"""A problem as a picture: the table, or the frame, and the dominoes beside it."""

from __future__ import annotations

from collections.abc import Sequence

from .. import drawing
from ..core.notation import Laying
from ..core.tiles import standard
from ..kernel.table import Table
from .frames import FrameProblem
from .turns import TurnProblem

_ACROSS, _DOWN = 6, 2
"""Cells from one domino beside the table to the next: both faces, and room round them."""


def draw_problem(problem: TurnProblem | FrameProblem, solution: bool) -> str:
    """An SVG of the problem, with both faces of each domino below, or of the solution."""
    if isinstance(problem, TurnProblem):
        return _turn(problem, solution)
    columns, rows = problem.size
    cells = tuple((x, y) for y in range(rows) for x in range(columns))
    shown = problem.solution if solution else problem.position
    free = [name for name in problem.tiles if name not in {one.tile for one in problem.position}]
    marks = drawing.Marks(places=cells, last=problem.position if solution else ())
    beside = () if solution else _beside(free, 0, rows + 1, columns)
    return drawing.draw((*shown, *beside), standard(), marks=marks)


def _turn(problem: TurnProblem, solution: bool) -> str:
    cells = [cell for laying in problem.position for cell in laying.cells]
    left, right = min(x for x, _ in cells), max(x for x, _ in cells) + 1
    bottom = max(y for _, y in cells) + 1
    if not solution:
        beside = _beside(problem.hand, left, bottom + 1, right - left)
        return drawing.draw((*problem.position, *beside), standard())
    laid = problem.solution.layings
    before = {group.discs for group in problem.table.groups() if group.closed}
    after = Table((*problem.position, *laid))
    closed = [group for group in after.groups() if group.closed and group.discs not in before]
    marks = drawing.Marks(groups=drawing.mark_sizes(closed), last=laid)
    return drawing.draw(after.layings, standard(), marks=marks)


def _beside(names: Sequence[str], left: int, top: int, width: int) -> list[Laying]:
    """Both faces of each domino, in rows: apart, so that none has a contact."""
    in_row = max(1 if len(names) == 2 else 3, (width + 1) // _ACROSS)
    layings = []
    for number, name in enumerate(names):
        x, y = left + number % in_row * _ACROSS, top + number // in_row * _DOWN
        layings += [Laying(name, "+", 0, x, y), Laying(name, "-", 0, x + 3, y)]
    return layings
