"""Problems over HTTP: what is asked, what a turn is worth, and the solution on request.

No table waits while they are made. A problem never changes: browsers may keep it.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from .... import problems
from ....core.errors import BadInput
from ....core.notation import Laying
from ....printing import print_options
from ....printing.pages.problems import problem_pdf
from ....problems import ProblemRequest
from ....texts import Language
from ...schemas import Body, Scored, TileName
from ...workers.jobs import closed_groups, scored
from ..context import Call
from ..routing import Routes

MAX_LAYINGS = 20
"""Of a turn, or of a frame."""

KEPT = {"cache-control": "public, max-age=86400"}

routes = Routes("/api/problem")


Layings = Annotated[
    tuple[Annotated[str, Meta(max_length=40)], ...], Meta(min_length=1, max_length=MAX_LAYINGS)
]


class WhichProblem(Body, frozen=True, kw_only=True):
    """Which problem: that of a date or of a seed; without a grade, a date has its own."""

    kind: Literal["turn", "frame"] = "turn"
    date: Annotated[str, Meta(max_length=20)] | None = None
    seed: Annotated[str, Meta(max_length=problems.MAX_SEED)] | None = None
    grade: Annotated[int, Meta(ge=1, le=5)] | None = None

    @property
    def wanted(self) -> ProblemRequest:
        """The problem that is meant, or a refusal."""
        return problems.make_request(self.kind, date=self.date, seed=self.seed, grade=self.grade)


class ShownProblem(WhichProblem, frozen=True, kw_only=True):
    """Which problem, and whether with its solution."""

    solution: bool = False


class PrintedProblem(WhichProblem, frozen=True, kw_only=True):
    """Which problem, and how it is printed."""

    language: Language = "en"
    paper: Literal["a4", "letter"] = "a4"


class Attempt(WhichProblem, frozen=True, kw_only=True):
    """Which problem, and what was laid: a turn in its order, or what fills the frame."""

    layings: Layings


class DayProblem(Body, frozen=True, kw_only=True):
    """The problem of which day."""

    kind: Literal["turn", "frame"] = "turn"
    date: Annotated[str, Meta(max_length=20)]

    @property
    def wanted(self) -> ProblemRequest:
        """The problem that is meant, or a refusal."""
        return problems.make_request(self.kind, date=self.date)


class FoundProblem(DayProblem, frozen=True, kw_only=True):
    """What solves the problem of a day, and a mark that a browser has made up for it alone."""

    layings: Layings
    mark: Annotated[str, Meta(min_length=16, max_length=64)]


class FoundCount(msgspec.Struct):
    """How many have found a problem."""

    count: int


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
    tiles: list[TileName]
    solution: list[str] | UnsetType = UNSET
    points: int | UnsetType = UNSET
    gap: int | UnsetType = UNSET


class Verdict(msgspec.Struct):
    """How good an attempt was; all but `solved` of turns only.

    `more` is what the best turn brings beyond its points; `other_order` tells that it is the best
    turn, but for the order of its layings.
    """

    solved: bool
    parts: list[Scored] | UnsetType = UNSET
    charge: int | UnsetType = UNSET
    points: int | UnsetType = UNSET
    more: int | UnsetType = UNSET
    other_order: bool | UnsetType = UNSET


def shown(wanted: ProblemRequest, solution: bool) -> bytes:
    """A problem as JSON; in a worker."""
    return msgspec.json.encode(problems.problem_to_json(wanted, solution))


def verdict(wanted: ProblemRequest, texts: tuple[str, ...]) -> bytes:
    """How good an attempt is, as JSON; in a worker."""
    problem = problems.make_problem(wanted)
    layings = [Laying.parse(text) for text in texts]
    if isinstance(problem, problems.FrameProblem):
        return msgspec.json.encode(Verdict(problem.is_solved_by(layings)))
    tried = problem.try_turn(layings)
    after = problem.table
    parts = []
    for laying, earned in zip(layings, tried.earned, strict=True):
        after.lay(laying)
        parts.append(scored(laying, earned, closed_groups(after, laying)))
    charge = sum(earned.points for earned in tried.earned) - tried.points
    return msgspec.json.encode(
        Verdict(tried.more == 0, parts, charge, tried.points, tried.more, tried.other_order)
    )


@routes.add("GET", "", answer=ProblemForm, headers=KEPT)
async def problem(call: Call, query: ShownProblem) -> bytes:
    """The problem of a day, or of a grade and a seed; the solution on request only."""
    return await call.slow(shown, query.wanted, query.solution)


@routes.add("POST", "/check", answer=Verdict, refuses=[409])
async def check(call: Call, body: Attempt) -> bytes:
    """What a turn is worth, in parts, and what the best one brings beyond that; or whether the
    frame is full."""
    return await call.slow(verdict, body.wanted, body.layings)


@routes.add("GET", "/found")
async def found(call: Call, query: DayProblem) -> FoundCount:
    """How many have found the problem of a day."""
    wanted = query.wanted
    return FoundCount(await call.services.finds.count(wanted.kind, wanted.seed))


@routes.add("POST", "/found", refuses=[409])
async def count_me(call: Call, body: FoundProblem) -> FoundCount:
    """Be counted as having found the problem of a day: once a browser, at most a week late."""
    wanted = body.wanted
    told = msgspec.json.decode(await call.slow(verdict, wanted, body.layings), type=Verdict)
    if not told.solved:
        raise BadInput("This does not solve the problem.", "not_solved")
    finds, address = call.services.finds, call.address
    return FoundCount(await finds.add(wanted.kind, wanted.seed, body.mark, address))


@routes.add("GET", "/problem.pdf", media=("application/pdf",), headers=KEPT, refuses=[501])
async def pdf(call: Call, query: PrintedProblem) -> bytes:
    """The problem to print, with its solution on another page."""
    how = print_options({"language": query.language, "paper": query.paper})
    return await call.slow(problem_pdf, how, query.wanted)
