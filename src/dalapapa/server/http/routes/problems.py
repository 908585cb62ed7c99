"""Problems over HTTP: the problem, its solution on request, and verdicts on attempts."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from .... import problems
from ....core.errors import BadInput
from ....hosting.questions import (
    Layings,
    ProblemAttempt,
    ProblemQuery,
    ShownProblemQuery,
    Verdict,
    judge_attempt,
    show_problem,
)
from ....hosting.requests import Body
from ....printing import print_options
from ....printing.pages.problems import problem_pdf
from ....problems import ProblemRequest
from ....texts import Language
from ...workers.jobs import answer_by
from ..context import DAY_CACHE, ApiCall
from ..routing import Routes

routes: Routes = Routes("/api/problem")


class PrintedProblemQuery(ProblemQuery, frozen=True, kw_only=True):
    """A problem, and how to print it."""

    language: Language = "en"
    paper: Literal["a4", "letter"] = "a4"


class DayProblemQuery(Body, frozen=True, kw_only=True):
    """The problem of a day."""

    kind: Literal["turn", "frame"] = "turn"
    date: Annotated[str, Meta(max_length=20)]

    @property
    def request(self) -> ProblemRequest:
        """The problem; raises a refusal if there is none."""
        return problems.make_request(self.kind, date=self.date)


class SolvedProblem(DayProblemQuery, frozen=True, kw_only=True):
    """The solution of the problem of a day, and a random mark of the browser for it."""

    layings: Layings
    mark: Annotated[str, Meta(min_length=16, max_length=64)]


class SolverCount(msgspec.Struct):
    """How many browsers have solved a problem."""

    count: int


@routes.add("GET", "", answer=problems.ProblemForm, headers=DAY_CACHE)
async def problem(call: ApiCall, query: ShownProblemQuery) -> bytes:
    """The problem of a day, or of a grade and a seed; with its solution only on request."""
    return await call.ask_slow(answer_by(show_problem), query)


@routes.add("POST", "/check", answer=Verdict, refuses=[409])
async def check(call: ApiCall, body: ProblemAttempt) -> bytes:
    """The worth of a turn in parts, and what the best one has more; or whether a frame is full."""
    return await call.ask_slow(answer_by(judge_attempt), body.request, body.layings)


@routes.add("GET", "/found")
async def count_solvers(call: ApiCall, query: DayProblemQuery) -> SolverCount:
    """How many browsers have solved the problem of a day."""
    request = query.request
    return SolverCount(await call.services.finds.count(request.kind, request.seed))


@routes.add("POST", "/found", refuses=[409])
async def add_solver(call: ApiCall, body: SolvedProblem) -> SolverCount:
    """Count a browser that has solved the problem of a day: once, at most a week late."""
    request = body.request
    verdict = await call.ask_slow(answer_by(judge_attempt), request, body.layings)
    if not msgspec.json.decode(verdict, type=Verdict).solved:
        raise BadInput("This does not solve the problem.", "not_solved")
    finds, address = call.services.finds, call.address
    return SolverCount(await finds.add(request.kind, request.seed, body.mark, address))


@routes.add("GET", "/problem.pdf", media=("application/pdf",), headers=DAY_CACHE, refuses=[501])
async def pdf(call: ApiCall, query: PrintedProblemQuery) -> bytes:
    """The problem to print, with its solution on another page."""
    how = print_options({"language": query.language, "paper": query.paper})
    return await call.ask_slow(problem_pdf, how, query.request)
