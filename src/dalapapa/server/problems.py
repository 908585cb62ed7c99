"""Problems over HTTP: what is asked, what a turn is worth, and the solution on request.

No table waits while they are made. A problem never changes: browsers may keep it.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, Field

from .. import problems
from ..notation import Laying
from ..problems import ProblemRequest
from .forms import REFUSALS, Body, Scored, TileName
from .jobs import closed_groups
from .prints import PDF
from .study_routes import Asked, document

MAX_LAYINGS = 20
"""Of a turn, or of a frame."""

KEPT = {"cache-control": "public, max-age=86400"}

router = APIRouter(prefix="/api/problem", responses=REFUSALS)


class Question(Body):
    """Which problem: that of a date or of a seed; without a grade, a date has its own."""

    kind: Literal["turn", "frame"] = "turn"
    date: str | None = Field(None, max_length=20)
    seed: str | None = Field(None, max_length=problems.MAX_SEED)
    grade: int | None = Field(None, ge=1, le=5)


class AskedProblem(Question):
    """Which problem, and whether with its solution."""

    solution: bool = False


class PrintedProblem(Question):
    """Which problem, and how it is printed."""

    language: Literal["fr", "en", "de", "nl", "es", "it"] = "en"
    paper: Literal["a4", "letter"] = "a4"


class Attempt(Question):
    """Which problem, and what was laid: a turn in its order, or what fills the frame."""

    layings: list[Annotated[str, Field(max_length=40)]] = Field(
        min_length=1, max_length=MAX_LAYINGS
    )


class ProblemForm(BaseModel):
    """A problem. Of a frame, `tiles` fill it; else they are the dominoes in hand."""

    kind: str
    grade: int
    seed: str
    date: str | None
    position: list[str]
    frame: list[int] | None = Field(
        description="Columns and rows, of frames only.", min_length=2, max_length=2
    )
    tiles: list[TileName]
    solution: list[str] = Field(default_factory=list, description="On request.")
    points: int = Field(default_factory=int, description="Of the best turn, with the solution.")
    gap: int = Field(
        default_factory=int, description="To the best turn that leaves another table, with it."
    )


class Verdict(BaseModel):
    """How good an attempt was; points of turns only."""

    solved: bool
    parts: list[Scored] = Field(default_factory=list, description="Of turns only.")
    charge: int = Field(default_factory=int, description="Of turns only.")
    points: int = Field(default_factory=int, description="Of turns only.")
    more: int = Field(default_factory=int, description="What the best turn brings beyond that.")
    other_order: bool = Field(
        default_factory=bool, description="The best turn, but for the order of its layings."
    )


def _wish(question: Question) -> ProblemRequest:
    return problems.request_for(
        question.kind, date=question.date, seed=question.seed, grade=question.grade
    )


def told(wanted: ProblemRequest, solution: bool) -> bytes:
    """A problem as JSON; in a worker."""
    return msgspec.json.encode(problems.to_json(wanted, solution))


def verdict(wanted: ProblemRequest, words: list[str]) -> bytes:
    """How good an attempt is, as JSON; in a worker."""
    problem = problems.make(wanted)
    layings = [Laying.parse(word) for word in words]
    if isinstance(problem, problems.FrameProblem):
        return msgspec.json.encode({"solved": problem.solved(layings)})
    tried = problem.tried(layings)
    after = problem.table
    parts = []
    for laying, earned in zip(layings, tried.earned, strict=True):
        after.lay(laying)
        groups = closed_groups(after, laying)
        parts.append({"laying": str(laying), **earned.to_json(), "groups": groups})
    charge = sum(earned.points for earned in tried.earned) - tried.points
    return msgspec.json.encode(
        {
            "solved": tried.more == 0,
            "parts": parts,
            "charge": charge,
            "points": tried.points,
            "more": tried.more,
            "other_order": tried.other_order,
        }
    )


def printed(wanted: ProblemRequest, how: dict[str, Any]) -> bytes:
    """A problem as a PDF; in a worker."""
    from ..printing import print_options
    from ..printing.problems import problem_pdf

    return problem_pdf(print_options(how), wanted)


@router.get("", response_model=ProblemForm)
async def problem(asked: Asked, question: Annotated[AskedProblem, Query()]) -> Response:
    """The problem of a day, or of a grade and a seed; the solution on request only."""
    answer = document(await asked.slow(told, _wish(question), question.solution))
    answer.headers.update(KEPT)
    return answer


@router.post("/check", response_model=Verdict)
async def check(asked: Asked, attempt: Attempt) -> Response:
    """What a turn is worth, in parts, and what the best one brings beyond that; or whether the
    frame is full."""
    return document(await asked.slow(verdict, _wish(attempt), attempt.layings))


@router.get("/problem.pdf", response_class=Response, responses=PDF)
async def pdf(asked: Asked, question: Annotated[PrintedProblem, Query()]) -> Response:
    """The problem to print, with its solution on another page."""
    how = {"language": question.language, "paper": question.paper}
    data = await asked.slow(printed, _wish(question), how)
    return Response(data, media_type="application/pdf", headers=KEPT)
