"""Questions about positions, frames and problems, and their answers, which need no online table.

A server answers them over HTTP (docs/http-api.md), and the engine in the browser by itself.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from .. import coach, problems
from ..coach.encode import BestTurn, CoachAdvice, encode_advice, encode_turn
from ..core.errors import BadInput
from ..core.geometry import Disc, edge
from ..core.notation import Laying, parse_position
from ..core.points import Earned
from ..core.tiles import standard
from ..kernel import solver
from ..kernel.solver import Faces
from ..kernel.table import Table
from ..problems import ProblemForm, ProblemRequest
from ..texts import Language
from .requests import Body

MAX_POSITION = 20_000
"""Characters of a position."""

Position = Annotated[str, Meta(max_length=MAX_POSITION)]
TileName = Annotated[str, Meta(max_length=20)]
SetName = Literal["120", "72"]
Hand = Annotated[tuple[TileName, ...], Meta(min_length=1, max_length=2)]

MAX_LAYINGS = 20
"""In an attempt at a turn or a frame."""

Layings = Annotated[
    tuple[Annotated[str, Meta(max_length=40)], ...], Meta(min_length=1, max_length=MAX_LAYINGS)
]


# -- questions -----------------------------------------------------------------------------------


class TableQuestion(Body, frozen=True, kw_only=True):
    """A position."""

    position: Position = ""
    set: SetName = "120"


class LegalQuestion(TableQuestion, frozen=True, kw_only=True):
    """A position, and dominoes to lay on it."""

    tiles: Annotated[tuple[TileName, ...], Meta(min_length=1, max_length=10)]


class BestQuestion(TableQuestion, frozen=True, kw_only=True):
    """A position, and the dominoes of a turn."""

    hand: Hand
    top: Annotated[int, Meta(ge=1, le=100)] = 1


class FrameQuestion(TableQuestion, frozen=True, kw_only=True):
    """A frame to fill with a pile, or with named dominoes."""

    width: Annotated[int, Meta(ge=1, le=60)] = 8
    height: Annotated[int, Meta(ge=1, le=60)] = 10
    pile: Annotated[int, Meta(ge=1, le=3)] | None = None
    tiles: Annotated[tuple[TileName, ...], Meta(max_length=500)] = ()
    faces: Faces = "both"
    count: Annotated[int, Meta(ge=1, le=100)] = 1
    seed: Annotated[str, Meta(max_length=64)] = "0"


class CoachQuestion(TableQuestion, frozen=True, kw_only=True):
    """A position, a hand, and how a classic game stands: scores in the order of play."""

    hand: Hand
    scores: Annotated[
        tuple[Annotated[int, Meta(ge=-10_000, le=10_000)], ...],
        Meta(min_length=2, max_length=4, description="The first is that of the player to move."),
    ] = (0, 0)
    target: Annotated[int, Meta(ge=60, le=240)] = 60
    began: Annotated[
        int,
        Meta(
            ge=0,
            le=3,
            description="The player who began the round, counted in seats after the first.",
        ),
    ] = 0
    top: Annotated[int, Meta(ge=1, le=8)] = 5
    language: Language = "en"


class ProblemQuery(Body, frozen=True, kw_only=True):
    """A problem by its date or its seed; without a grade, a date has a grade of its own."""

    kind: Literal["turn", "frame"] = "turn"
    date: Annotated[str, Meta(max_length=20)] | None = None
    seed: Annotated[str, Meta(max_length=problems.MAX_SEED)] | None = None
    grade: Annotated[int, Meta(ge=1, le=5)] | None = None

    @property
    def request(self) -> ProblemRequest:
        """The problem; raises a refusal if there is none."""
        return problems.make_request(self.kind, date=self.date, seed=self.seed, grade=self.grade)


class ShownProblemQuery(ProblemQuery, frozen=True, kw_only=True):
    """A problem, with or without its solution."""

    solution: bool = False


class ProblemAttempt(ProblemQuery, frozen=True, kw_only=True):
    """A problem, and the layings of an attempt: a turn in its order, or a filled frame."""

    layings: Layings


# -- answers -------------------------------------------------------------------------------------


class ClosedByLaying(msgspec.Struct):
    """A group that a laying closes."""

    colour: str
    size: int
    discs: tuple[Disc, ...]


class Scored(msgspec.Struct):
    """A legal laying, and what it earns."""

    laying: str
    contacts: int
    disc_points: int
    groups: list[ClosedByLaying]
    group_points: int
    points: int


class GroupForm(msgspec.Struct):
    """A group on the table."""

    colour: str
    size: int
    closed: bool
    discs: tuple[Disc, ...]


class Solutions(msgspec.Struct):
    """What the solver found; `complete` unless it gave up, `exhausted` if there is nothing else."""

    solutions: list[list[str]]
    complete: bool
    nodes: int
    exhausted: bool


class Verdict(msgspec.Struct):
    """How good an attempt is; an attempt at a frame has only `solved`.

    `more` is how many points more the best turn earns; `other_order` is true if the layings are
    those of the best turn in another order.
    """

    solved: bool
    parts: list[Scored] | UnsetType = UNSET
    charge: int | UnsetType = UNSET
    points: int | UnsetType = UNSET
    more: int | UnsetType = UNSET
    other_order: bool | UnsetType = UNSET


# -- answering -----------------------------------------------------------------------------------


def parse_table(question: TableQuestion) -> Table:
    """The table of a question."""
    return Table.parse(question.position, standard(question.set))


def list_legal(question: LegalQuestion) -> dict[str, list[Scored]]:
    """The legal layings of each domino, with points and the groups that they close."""
    table = parse_table(question)
    return {name: _score_layings(table, name) for name in question.tiles}


def _score_layings(table: Table, name: str) -> list[Scored]:
    """The layings as `dalapapa legal --json` prints them, with the discs of closed groups."""
    after = table.copy()
    layings = []
    for laying, earned in table.scored(name):
        closed = []
        if earned.groups:
            after.lay(laying)
            closed = find_closed_groups(after, laying)
            after.take_back()
        layings.append(score_laying(laying, earned, closed))
    return layings


def score_laying(laying: Laying, earned: Earned, closed: list[ClosedByLaying]) -> Scored:
    """The points of a laying in parts."""
    return Scored(
        str(laying),
        earned.contacts,
        earned.disc_points,
        closed,
        earned.group_points,
        earned.points,
    )


def find_closed_groups(table: Table, laying: Laying) -> list[ClosedByLaying]:
    """The groups that the last laying has closed: those with a disc of the laying."""
    own = {edge(x, y, direction) for x, y in laying.cells for direction in range(4)}
    groups = [g for g in table.groups() if g.closed and not own.isdisjoint(g.discs)]
    groups.sort(key=lambda group: (-group.size, group.colour, group.discs))
    return [ClosedByLaying(g.colour, g.size, g.discs) for g in groups]


def find_groups(question: TableQuestion) -> list[GroupForm]:
    """The groups on a table."""
    return [
        GroupForm(group.colour, group.size, group.closed, group.discs)
        for group in parse_table(question).groups()
    ]


def find_best(question: BestQuestion) -> list[BestTurn | None]:
    """The best turns with one or two dominoes."""
    turns = parse_table(question).best_turns(question.hand, question.top)
    return [encode_turn(turn) for turn in turns]


def advise_on_position(question: CoachQuestion) -> CoachAdvice:
    """The best turns according to the coach, with their consequences and reasons."""
    if question.began >= len(question.scores):
        last = len(question.scores) - 1
        raise BadInput(f"began must be a seat from 0 to {last}, not {question.began}.", "bad_first")
    situation = coach.Situation(question.scores, question.target, question.began)
    advice = coach.advise(parse_table(question), question.hand, situation, question.top)
    return encode_advice(advice, question.language)


def solve_frame(question: FrameQuestion, stop: solver.Stop) -> Solutions:
    """Fill a frame, prove that it is impossible, or give up when `stop` says so."""
    tiles = standard(question.set)
    result = solver.solve(
        solver.Frame.rectangle(question.width, question.height),
        tiles,
        question.tiles or tiles.pile(question.pile or 1),
        parse_position(question.position),
        faces=question.faces,
        count=question.count,
        seed=question.seed,
        stop=stop,
    )
    solutions = [[str(laying) for laying in layings] for layings in result.solutions]
    return Solutions(solutions, result.complete, result.nodes, result.exhausted)


def show_problem(question: ShownProblemQuery) -> ProblemForm:
    """A problem, with its solution on request."""
    return problems.describe_problem(question.request, question.solution)


def judge_attempt(request: ProblemRequest, texts: tuple[str, ...]) -> Verdict:
    """A verdict on the layings of an attempt."""
    problem = problems.make_problem(request)
    layings = [Laying.parse(text) for text in texts]
    if isinstance(problem, problems.FrameProblem):
        return Verdict(problem.is_solved_by(layings))
    tried = problem.try_turn(layings)
    after = problem.table
    parts = []
    for laying, earned in zip(layings, tried.earned, strict=True):
        after.lay(laying)
        parts.append(score_laying(laying, earned, find_closed_groups(after, laying)))
    charge = sum(earned.points for earned in tried.earned) - tried.points
    return Verdict(tried.more == 0, parts, charge, tried.points, tried.more, tried.other_order)
