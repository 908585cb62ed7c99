"""Problems: positions with one clearly best turn, and frames with exactly one solution.

A problem follows from its kind, its grade and its seed alone; the seed of a day is its date. It is
the same on every machine and for ever: random numbers are SHA-256, tables are played by the exact
best turn, and the solver answers exact questions (the number of solutions). So bots and the solver
may be tuned without changing a problem. A change of the problems needs a new `VERSION`
(`docs/problems.md`).
"""

from .frames import FrameProblem, make_frame_problem
from .picture import draw_problem
from .request import (
    GRADES,
    MAX_SEED,
    Problem,
    ProblemForm,
    ProblemRequest,
    describe_problem,
    make_problem,
    make_request,
    parse_date,
    problem_to_json,
)
from .turns import TurnProblem, make_turn_problem

__all__ = [
    "GRADES",
    "MAX_SEED",
    "FrameProblem",
    "Problem",
    "ProblemForm",
    "ProblemRequest",
    "TurnProblem",
    "describe_problem",
    "draw_problem",
    "make_frame_problem",
    "make_problem",
    "make_request",
    "make_turn_problem",
    "parse_date",
    "problem_to_json",
]
