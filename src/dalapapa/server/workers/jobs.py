"""Jobs about positions and moves: pure functions, which run in worker processes.

Each returns its answer as bytes: JSON in the form of `docs/http-api.md`, or a picture.
"""

from __future__ import annotations

import time
from typing import Any

import msgspec

from ... import coach
from ...coach.encode import encode_advice, encode_turn
from ...core.errors import TooHard
from ...core.geometry import edge
from ...core.notation import Laying, parse_position
from ...core.points import Earned
from ...core.tiles import standard
from ...hosting import seat_answers
from ...kernel import solver
from ...kernel.table import Table
from .. import schemas


def parse_table(question: schemas.TableQuestion) -> Table:
    """The table of a question."""
    return Table.parse(question.position, standard(question.set))


def list_legal(question: schemas.LegalQuestion) -> bytes:
    """The legal layings of each domino, with points and the groups that they close."""
    table = parse_table(question)
    return msgspec.json.encode({name: _score_layings(table, name) for name in question.tiles})


def _score_layings(table: Table, name: str) -> list[schemas.Scored]:
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


def score_laying(
    laying: Laying, earned: Earned, closed: list[schemas.ClosedByLaying]
) -> schemas.Scored:
    """The points of a laying in parts."""
    return schemas.Scored(
        str(laying),
        earned.contacts,
        earned.disc_points,
        closed,
        earned.group_points,
        earned.points,
    )


def find_closed_groups(table: Table, laying: Laying) -> list[schemas.ClosedByLaying]:
    """The groups that the last laying has closed: those with a disc of the laying."""
    own = {edge(x, y, direction) for x, y in laying.cells for direction in range(4)}
    groups = [g for g in table.groups() if g.closed and not own.isdisjoint(g.discs)]
    groups.sort(key=lambda group: (-group.size, group.colour, group.discs))
    return [schemas.ClosedByLaying(g.colour, g.size, g.discs) for g in groups]


def find_groups(question: schemas.TableQuestion) -> bytes:
    """The groups on a table."""
    return msgspec.json.encode(
        [
            schemas.GroupForm(group.colour, group.size, group.closed, group.discs)
            for group in parse_table(question).groups()
        ]
    )


def find_best(question: schemas.BestQuestion) -> bytes:
    """The best turns with one or two dominoes."""
    turns = parse_table(question).best_turns(question.hand, question.top)
    return msgspec.json.encode([encode_turn(turn) for turn in turns])


def advise(question: schemas.CoachQuestion) -> bytes:
    """The best turns according to the coach, with their consequences and reasons."""
    situation = coach.Situation(question.scores, question.target, question.began)
    advice = coach.advise(parse_table(question), question.hand, situation, question.top)
    return msgspec.json.encode(encode_advice(advice, question.language))


def solve(question: schemas.FrameQuestion, seconds: float) -> bytes:
    """Fill a frame, prove that it is impossible, or give up when the time is over."""
    deadline = time.monotonic() + seconds
    tiles = standard(question.set)
    result = solver.solve(
        solver.Frame.rectangle(question.width, question.height),
        tiles,
        question.tiles or tiles.pile(question.pile or 1),
        parse_position(question.position),
        faces=question.faces,
        count=question.count,
        seed=question.seed,
        stop=lambda _: time.monotonic() > deadline,
    )
    solutions = [[str(laying) for laying in layings] for layings in result.solutions]
    return msgspec.json.encode(
        schemas.Solutions(solutions, result.complete, result.nodes, result.exhausted)
    )


def find_hint(game: str, view: Any, width: int | None, seconds: float) -> bytes:
    """The solver's hint for the viewer's frame (`SolverHint`)."""
    deadline = time.monotonic() + seconds
    return msgspec.json.encode(
        seat_answers.find_hint(game, view, width, lambda _: time.monotonic() > deadline)
    )


def draw_position_picture(question: schemas.PositionPicture, kind: str) -> bytes:
    """A picture of a position."""
    table = Table.parse(question.position, standard(question.set))
    return draw_picture(table, kind, question)


def draw_picture(table: Table, kind: str, style: schemas.PictureStyle) -> bytes:
    """A picture of a table."""
    from ... import drawing

    fields = {name: getattr(style, name) for name in schemas.PictureStyle.__struct_fields__}
    svg = drawing.draw(table.layings, table.tiles, style=drawing.Style(**fields))
    return svg.encode() if kind == "svg" else drawing.to_png(svg)


MAX_LIST_BYTES = 3_000_000
"""The size of a list in a game of a package: moves of its own kind may have large fields."""


def check_list_size(size: int) -> None:
    """Refuse to send a list of moves with large fields, which only games of packages have."""
    if size > MAX_LIST_BYTES:
        raise TooHard(
            f"The legal moves take more than {MAX_LIST_BYTES} bytes: ask for the layings of one"
            " domino (tile).",
            "too_many_moves",
        )
