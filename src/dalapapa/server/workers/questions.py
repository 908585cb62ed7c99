"""Worker processes that answer questions about positions, prints, problems and games.

Questions to the solver take seconds; problems, advice and prints a part of one. They have workers
of their own, so that quick questions do not wait for them.
"""

from __future__ import annotations

from ..traffic.limits import Limits
from .pool import CORES, Workers

QUESTION_TIMEOUT_S = 20
"""The time limit of all questions but those to the solver; most take 10 ms."""

SOLVER_GRACE_S = 5
"""How long the solver may exceed its own time limit before its worker is ended."""

NICENESS = 10
"""Players' moves and bots have priority."""


class Questions:
    """Three pools of workers: for quick questions, for slow ones, and for the solver."""

    def __init__(self, limits: Limits) -> None:
        number, seconds = max(1, CORES // 2), limits.solver_seconds
        self.quick: Workers = Workers(
            number,
            QUESTION_TIMEOUT_S,
            limits.make_slots(limits.questions_at_once),
            NICENESS,
            "quick",
        )
        self.slow: Workers = Workers(
            number, QUESTION_TIMEOUT_S, limits.make_slots(limits.slow_at_once), NICENESS, "slow"
        )
        self.solver: Workers = Workers(
            number,
            seconds + SOLVER_GRACE_S,
            limits.make_slots(limits.solver_at_once),
            NICENESS,
            "solver",
        )
        self.solver_seconds = seconds

    @property
    def waiting(self) -> int:
        """How many questions wait or are being answered."""
        return self.quick.pending + self.slow.pending + self.solver.pending

    def close(self) -> None:
        """End the workers."""
        for workers in (self.quick, self.slow, self.solver):
            workers.close()
