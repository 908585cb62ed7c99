"""Write web/test/alone.json: what Python says where the client answers itself, without a server.

python scripts/write_alone_cases.py
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec

from dalapapa.core.errors import DalapapaError
from dalapapa.core.notation import print_position
from dalapapa.core.tiles import standard
from dalapapa.hosting.questions import find_closed_groups, judge_attempt, score_laying
from dalapapa.kernel.table import Table
from dalapapa.problems import TurnProblem, make_problem, make_request, problem_to_json

PAGE = Path(__file__).parents[1] / "web" / "test" / "alone.json"

SEEDS = ("2026-11-16", "2026-11-21", "2026-11-22")
"""An easy day, and two hard ones."""


def make_legal_cases() -> list[dict[str, Any]]:
    """Positions with a hand, and everything that may be laid, in parts."""
    return [_legal(length, random.Random(length)) for length in (1, 9, 33)]


def _legal(length: int, rng: random.Random) -> dict[str, Any]:
    names = list(standard().names)
    rng.shuffle(names)
    table = Table(standard())
    while len(table) < length:
        if found := table.legal(names.pop()):
            table.lay(rng.choice(found))
    listed = []
    for laying in table.legal(names[-1]):
        after = table.copy()
        earned = after.lay(laying)
        scored = score_laying(laying, earned, find_closed_groups(after, laying))
        listed.append(msgspec.to_builtins(scored))
    return {"position": print_position(table.layings), "tile": names[-1], "legal": listed}


def make_problem_cases() -> list[dict[str, Any]]:
    """Problems with attempts, and how good these are."""
    return [_make_problem_case(kind, seed) for kind in ("turn", "frame") for seed in SEEDS]


def _make_problem_case(kind: str, date: str) -> dict[str, Any]:
    wanted = make_request(kind, date=date)
    problem, rng = make_problem(wanted), random.Random(date)
    listed = problem_to_json(wanted, solution=True)
    if isinstance(problem, TurnProblem):
        tries = [list(problem.solution.layings), list(problem.solution.layings)[::-1]]
        first, second = (problem.table.legal(name) for name in problem.hand)
        tries += [[rng.choice(first)] for _ in range(4)]
        tries += [[rng.choice(first), rng.choice(second)] for _ in range(8)]
    else:
        given = set(problem.position)
        rest = [laying for laying in problem.solution if laying not in given]
        tries = [rest, rest[:-1], [*rest[:-1], rest[0]]]
    texts = [[str(laying) for laying in one] for one in tries]
    return {"problem": listed, "tries": [[one, _answer(wanted, one)] for one in texts]}


def _answer(wanted: Any, texts: list[str]) -> Any:
    try:
        return msgspec.to_builtins(judge_attempt(wanted, tuple(texts)))
    except DalapapaError as error:
        return error.code


def text() -> str:
    """The whole file."""
    parts = {"legal": make_legal_cases(), "judged": make_problem_cases()}
    rows = {name: ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
            for name, rows in parts.items()}  # fmt: skip
    return "{" + ",\n".join(f'"{name}":[\n{row}\n]' for name, row in rows.items()) + "}\n"


if __name__ == "__main__":
    PAGE.write_text(text())
