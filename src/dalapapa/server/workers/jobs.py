"""Answers to questions about positions: pure functions, which run in worker processes.

Each gives the bytes of its answer: JSON in the form of `docs/protocol.md`, or a picture.
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
from ...games import find_game
from ...games.moves import move_to_json
from ...hosting.layings import count_layings, sort_moves
from ...kernel import solver
from ...kernel.table import Table
from .. import schemas


def table_of(asked: schemas.TableQuestion) -> Table:
    """The table that a question is about."""
    return Table.parse(asked.position, standard(asked.set))


def legal(asked: schemas.LegalQuestion) -> bytes:
    """For each domino its legal layings, with points and the groups that they close."""
    table = table_of(asked)
    return msgspec.json.encode({name: _score_layings(table, name) for name in asked.tiles})


def _score_layings(table: Table, name: str) -> list[schemas.Scored]:
    """What `dalapapa legal --json` prints, and which discs the closed groups have."""
    after = table.copy()
    found = []
    for laying, earned in table.scored(name):
        closed = []
        if earned.groups:
            after.lay(laying)
            closed = find_closed_groups(after, laying)
            after.take_back()
        found.append(score_laying(laying, earned, closed))
    return found


def score_laying(
    laying: Laying, earned: Earned, closed: list[schemas.ClosedByLaying]
) -> schemas.Scored:
    """What a laying earns, in parts."""
    return schemas.Scored(
        str(laying),
        earned.contacts,
        earned.disc_points,
        closed,
        earned.group_points,
        earned.points,
    )


def find_closed_groups(table: Table, laying: Laying) -> list[schemas.ClosedByLaying]:
    """The groups that the last laying has closed: a group closes with a disc of the laying."""
    own = {edge(x, y, direction) for x, y in laying.cells for direction in range(4)}
    groups = [g for g in table.groups() if g.closed and not own.isdisjoint(g.discs)]
    groups.sort(key=lambda group: (-group.size, group.colour, group.discs))
    return [schemas.ClosedByLaying(g.colour, g.size, g.discs) for g in groups]


def groups(asked: schemas.TableQuestion) -> bytes:
    """The groups on a table."""
    return msgspec.json.encode(
        [
            schemas.GroupForm(group.colour, group.size, group.closed, group.discs)
            for group in table_of(asked).groups()
        ]
    )


def best(asked: schemas.BestQuestion) -> bytes:
    """The best turns with one or two dominoes."""
    turns = table_of(asked).best_turns(asked.hand, asked.top)
    return msgspec.json.encode([encode_turn(turn) for turn in turns])


def advise(asked: schemas.CoachQuestion) -> bytes:
    """The coach's best turns, with what each leaves and why."""
    situation = coach.Situation(asked.scores, asked.target, asked.began)
    advice = coach.advise(table_of(asked), asked.hand, situation, asked.top)
    return msgspec.json.encode(encode_advice(advice, asked.language))


def solve(asked: schemas.FrameQuestion, seconds: float) -> bytes:
    """Fill a frame, or prove that it cannot be done, or give up in time."""
    until = time.monotonic() + seconds
    tiles = standard(asked.set)
    found = solver.solve(
        solver.Frame.rectangle(asked.width, asked.height),
        tiles,
        asked.tiles or tiles.pile(asked.pile or 1),
        parse_position(asked.position),
        faces=asked.faces,
        count=asked.count,
        seed=asked.seed,
        stop=lambda _: time.monotonic() > until,
    )
    solutions = [[str(laying) for laying in layings] for layings in found.solutions]
    return msgspec.json.encode(schemas.Solutions(solutions, found.complete, found.nodes))


class HintFound(msgspec.Struct, frozen=True):
    """What the solver says of a frame in a race; `possible` is None if it gave up."""

    possible: bool | None
    laying: str | None
    width: int | None


def hint(game: str, view: Any, width: int | None, seconds: float) -> bytes:
    """Whether the viewer's frame can be completed, and a next laying."""
    rules, until = find_game(game), time.monotonic() + seconds
    told = rules.hint(view, lambda _: time.monotonic() > until, width)
    possible = {"lay": True, "impossible": False}.get(told.outcome)
    laying = None if told.laying is None else str(told.laying)
    return msgspec.json.encode(HintFound(possible, laying, told.width))


def picture_of(position: str, set: str, kind: str, style: dict[str, Any]) -> bytes:
    """A picture of a position."""
    return picture(Table.parse(position, standard(set)), kind, style)


def picture(table: Table, kind: str, style: dict[str, Any]) -> bytes:
    """A picture of a table."""
    from ... import drawing

    svg = drawing.draw(table.layings, table.tiles, style=drawing.Style(**style))
    return svg.encode() if kind == "svg" else drawing.to_png(svg)


MAX_MOVES = 40_000
"""Moves in one list: Arlequin begins with 27,521. Of one domino, all are listed."""


def moves(game: str, view: Any, tile: str | None = None, fixed_order: bool = False) -> bytes:
    """The legal moves of a viewer, or only the layings of one domino.

    `fixed_order`: in one that says nothing about points.
    """
    rules = find_game(game)
    if tile is None and not rules.is_installed:
        check_count(count_layings(view, MAX_MOVES))
    found = rules.legal_moves(view) if tile is None else rules.legal_layings(view, tile)
    if tile is None:
        check_count(len(found))
    if fixed_order:
        found = sort_moves(found)
    return msgspec.json.encode([move_to_json(move) for move in found])


def check_count(count: int) -> None:
    """Refuse to list too many moves."""
    if count > MAX_MOVES:
        raise TooHard(
            f"There are more than {MAX_MOVES} moves: ask for the layings of one domino (tile).",
            "too_many_moves",
        )
