"""A problem on paper: the question with its dominoes, and on another page the solution."""

from __future__ import annotations

from ...core.figures import make_rectangle
from ...core.notation import Laying
from ...core.tiles import standard
from ...problems import FrameProblem, Problem, ProblemRequest, TurnProblem, make_problem
from ..designs import look, place_piece
from ..options import PrintOptions
from ..page_parts import head_line
from ..sheet import MARGIN, Item, Sheet
from ..texts import lines, paragraph, say
from .pictures import MAX_CELL_MM, draw_pieces, empty_frame, layout_sheet, stock

_TEXT_SIZE_MM = 3.4
"""The size of the text above the table."""

_MAX_SEED_LETTERS = 20
"""A longer seed is cut in the line at the top."""

_TABLE_SHARE = 0.64
"""The share of the page for the table or frame; the dominoes get the rest."""


def problem_sheets(options: PrintOptions, wanted: ProblemRequest) -> tuple[Sheet, Sheet]:
    """Make the sheets of the problem and its solution."""
    problem = make_problem(wanted)
    language = options.language
    seed = wanted.seed
    if len(seed) > _MAX_SEED_LETTERS:
        seed = f"{seed[: _MAX_SEED_LETTERS - 1]}…"
    name = f"{say('problem', language)} {seed}"
    title = say("problem_grade", language, name=name, grade=wanted.grade)
    solution = say("solution", language)
    asked = say("puzzle_how", language)
    marked: tuple[Laying, ...] = ()
    if isinstance(problem, TurnProblem):
        turn_text = " ".join(map(str, problem.solution.layings))
        points = say("problem_points", language, points=problem.solution.points)
        solution = f"{points}: {turn_text}"
        marked = problem.solution.layings
        layings = (*problem.position, *marked)
        asked = say("problem_how", language)
    else:
        layings = problem.solution
    return (
        _question_sheet(options, title, asked, problem),
        layout_sheet(options, f"{name}: {solution}", layings, standard(), marked),
    )


def problem_pdf(options: PrintOptions, wanted: ProblemRequest) -> bytes:
    """Write both pages as a PDF, always the same bytes for the same problem and options."""
    from ..pdf import write_pdf

    sheets = problem_sheets(options, wanted)
    return write_pdf(sheets, f"Dalapapa – {sheets[0].title}", options.language)


def _question_sheet(options: PrintOptions, title: str, asked: str, problem: Problem) -> Sheet:
    paper = options.format
    chosen = look(options.design, options.ink, symbols=options.symbols)
    width = paper.width - 2 * MARGIN
    top = MARGIN + 15
    items: list[Item] = [
        *head_line(paper, f"Dalapapa – {title}", say("game_by", options.language)),
        *paragraph(MARGIN, top, width, asked, _TEXT_SIZE_MM),
    ]
    top += 1.35 * _TEXT_SIZE_MM * len(lines(asked, width, _TEXT_SIZE_MM)) + 2
    if isinstance(problem, FrameProblem):
        west, north, (columns, rows) = 0, 0, problem.size
        names = [n for n in problem.tiles if n not in {laying.tile for laying in problem.position}]
    else:
        xs, ys = zip(*(cell for laying in problem.position for cell in laying.cells), strict=True)
        west, north = min(xs), min(ys)
        columns, rows = max(xs) - west + 1, max(ys) - north + 1
        names = list(problem.hand)
    high = (paper.height - top - MARGIN) * _TABLE_SHARE
    cell = min(MAX_CELL_MM, width / columns, high / rows)
    left = (paper.width - columns * cell) / 2
    if isinstance(problem, FrameProblem):
        items += empty_frame(left, top, make_rectangle(columns, rows), cell)
    pieces = [
        place_piece(laying, standard(), left - west * cell, top - north * cell, cell)
        for laying in problem.position
    ]
    items += draw_pieces(pieces, chosen)
    top += rows * cell + 8
    box = (MARGIN, top, paper.width - MARGIN, paper.height - MARGIN)
    items += stock(names, standard(), chosen, box)
    return Sheet(title, paper.width, paper.height, tuple(items), chosen)
