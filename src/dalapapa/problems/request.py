"""Requests for problems by kind, grade, seed or date, checked; problems as JSON.

The problem of a day is easy on Monday and hard on Sunday.
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, UnsetType

from ..core.errors import BadInput
from ..core.notation import shorten
from .frames import FrameProblem, make_frame_problem
from .turns import TurnProblem, make_turn_problem

Kind = Literal["turn", "frame"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Problem = TurnProblem | FrameProblem

GRADES = (1, 2, 3, 4, 5)
"""From problems that most people see at once to those that few find."""

WEEK = (1, 2, 2, 3, 3, 4, 5)
"""The grade of each day, Monday first."""

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")

MAX_SEED = 64
"""The maximum length of a seed."""

DEFAULT_GRADE = 3


class ProblemRequest(msgspec.Struct, frozen=True):
    """A request for a problem. `make_request` makes and checks one."""

    kind: Kind
    grade: int
    seed: str
    date: str | None = None
    """The day whose problem it is, which is also its seed."""


def make_request(
    kind: str = "turn",
    *,
    date: str | None = None,
    seed: str | None = None,
    grade: int | None = None,
) -> ProblemRequest:
    """Request the problem of a date or of a seed.

    Without a grade, a day has that of its weekday. Raises `BadInput` with the code `bad_kind`,
    `bad_date`, `bad_seed` or `bad_grade`.
    """
    if kind not in KINDS:
        raise BadInput(
            f"A problem must be of the kind turn or frame, not {shorten(kind)}.", "bad_kind"
        )
    if (date is None) == (seed is None):
        raise BadInput("Give either a date or a seed for a problem.", "bad_seed")
    if grade is not None and grade not in GRADES:
        raise BadInput(f"A grade must be a number from 1 to 5, not {grade}.", "bad_grade")
    if date is not None:
        day = parse_date(date)
        return ProblemRequest(kind, grade or WEEK[day.weekday()], date, date)
    assert seed is not None
    if not seed or len(seed) > MAX_SEED or not seed.isprintable():
        raise BadInput(f"A seed must be printable text of 1 to {MAX_SEED} characters.", "bad_seed")
    return ProblemRequest(kind, grade or DEFAULT_GRADE, seed)


def parse_date(text: str) -> date:
    """Read a date such as 2026-11-15."""
    try:
        if _DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise BadInput(
        f"A date must be a day written like 2026-11-15, not {shorten(text)}.", "bad_date"
    )


@lru_cache(maxsize=64)
def make_problem(wanted: ProblemRequest) -> Problem:
    """Make a requested problem; the last ones are cached."""
    make_one = make_turn_problem if wanted.kind == "turn" else make_frame_problem
    return make_one(wanted.grade, wanted.seed)


class ProblemForm(msgspec.Struct):
    """A problem. Of a frame, `tiles` fill it; else they are the dominoes in hand.

    `solution` is given on request, `points` of the best turn and the `gap` to the best turn that
    leaves another table with it.
    """

    kind: str
    grade: int
    seed: str
    date: str | None
    position: list[str]
    frame: tuple[int, int] | None
    tiles: list[Annotated[str, Meta(max_length=20)]]
    solution: list[str] | UnsetType = UNSET
    points: int | UnsetType = UNSET
    gap: int | UnsetType = UNSET


def describe_problem(request: ProblemRequest, solution: bool = False) -> ProblemForm:
    """A problem as the server shows it."""
    problem = make_problem(request)
    form = ProblemForm(
        request.kind,
        request.grade,
        request.seed,
        request.date,
        [str(laying) for laying in problem.position],
        None if isinstance(problem, TurnProblem) else problem.size,
        list(problem.hand if isinstance(problem, TurnProblem) else problem.tiles),
    )
    if solution:
        if isinstance(problem, TurnProblem):
            layings = problem.solution.layings
            form.points, form.gap = problem.solution.points, problem.gap
        else:
            layings = problem.solution
        form.solution = [str(laying) for laying in layings]
    return form


def problem_to_json(request: ProblemRequest, solution: bool = False) -> dict[str, Any]:
    """The same as plain data; on the command line its position is text."""
    data: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(describe_problem(request, solution))
    )
    return data
