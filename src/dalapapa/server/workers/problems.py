"""Jobs about problems: pure functions, which run in worker processes."""

from __future__ import annotations

import msgspec

from ... import problems
from ...core.notation import Laying
from ...problems import ProblemRequest
from ..schemas import Verdict
from .jobs import find_closed_groups, score_laying


def show_problem(request: ProblemRequest, solution: bool) -> bytes:
    """A problem as JSON."""
    return msgspec.json.encode(problems.describe_problem(request, solution))


def judge(request: ProblemRequest, texts: tuple[str, ...]) -> bytes:
    """A verdict on the layings of an attempt, as JSON."""
    problem = problems.make_problem(request)
    layings = [Laying.parse(text) for text in texts]
    if isinstance(problem, problems.FrameProblem):
        return msgspec.json.encode(Verdict(problem.is_solved_by(layings)))
    tried = problem.try_turn(layings)
    after = problem.table
    parts = []
    for laying, earned in zip(layings, tried.earned, strict=True):
        after.lay(laying)
        parts.append(score_laying(laying, earned, find_closed_groups(after, laying)))
    charge = sum(earned.points for earned in tried.earned) - tried.points
    return msgspec.json.encode(
        Verdict(tried.more == 0, parts, charge, tried.points, tried.more, tried.other_order)
    )
