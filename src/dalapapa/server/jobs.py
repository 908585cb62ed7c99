"""Answers to questions about positions: pure functions, which run in worker processes.

Each gives the bytes of its answer: JSON in the form of `docs/protocol.md`, or a picture.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import msgspec

from .. import coach
from ..coach.encode import advice_to_json
from ..games import find
from ..games.moves import move_to_json
from ..games.plain import plain
from ..geometry import edge
from ..kernel import solver
from ..kernel.solver import Faces
from ..kernel.table import Table
from ..notation import Laying, parse_position
from ..points import Earned
from ..tiles import standard
from .answers import ClosedByLaying, GroupForm, Scored


def legal(position: str, names: Sequence[str], set: str) -> bytes:
    """For each domino its legal layings, with points and the groups that they close."""
    table = Table.parse(position, standard(set))
    return msgspec.json.encode({name: _scored(table, name) for name in names})


def _scored(table: Table, name: str) -> list[Scored]:
    """What `dalapapa legal --json` prints, and which discs the closed groups have."""
    after = table.copy()
    found = []
    for laying, earned in table.scored(name):
        closed = []
        if earned.groups:
            after.lay(laying)
            closed = closed_groups(after, laying)
            after.take_back()
        found.append(scored(laying, earned, closed))
    return found


def scored(laying: Laying, earned: Earned, closed: list[ClosedByLaying]) -> Scored:
    """What a laying earns, in parts."""
    return Scored(
        str(laying),
        earned.contacts,
        earned.disc_points,
        closed,
        earned.group_points,
        earned.points,
    )


def closed_groups(table: Table, laying: Laying) -> list[ClosedByLaying]:
    """The groups that the last laying has closed: a group closes with a disc of the laying."""
    own = {edge(x, y, direction) for x, y in laying.cells for direction in range(4)}
    groups = [g for g in table.groups() if g.closed and not own.isdisjoint(g.discs)]
    groups.sort(key=lambda group: (-group.size, group.colour, group.discs))
    return [ClosedByLaying(g.colour, g.size, g.discs) for g in groups]


def groups(position: str, set: str) -> bytes:
    """The groups on a table."""
    table = Table.parse(position, standard(set))
    return msgspec.json.encode(
        [GroupForm(g.colour, g.size, g.closed, g.discs) for g in table.groups()]
    )


def best(position: str, hand: Sequence[str], top: int, set: str) -> bytes:
    """The best turns with one or two dominoes."""
    table = Table.parse(position, standard(set))
    return msgspec.json.encode([turn.to_json() for turn in table.best_turns(hand, top)])


def advise(
    position: str,
    hand: Sequence[str],
    set: str,
    situation: coach.Situation,
    top: int,
    language: str,
) -> bytes:
    """The coach's best turns, with what each leaves and why."""
    table = Table.parse(position, standard(set))
    advice = coach.advise(table, hand, situation, top)
    return msgspec.json.encode(advice_to_json(advice, language))


class FrameToFill(msgspec.Struct, frozen=True):
    """A question to the solver."""

    size: tuple[int, int]
    """Columns and rows."""
    names: Sequence[str]
    position: str
    faces: Faces
    count: int
    seed: str
    set: str


def solve(asked: FrameToFill, seconds: float) -> bytes:
    """Fill a frame, or prove that it cannot be done, or give up in time."""
    until = time.monotonic() + seconds
    found = solver.solve(
        solver.Frame.rectangle(*asked.size),
        standard(asked.set),
        asked.names,
        parse_position(asked.position),
        faces=asked.faces,
        count=asked.count,
        seed=asked.seed,
        stop=lambda _: time.monotonic() > until,
    )
    return msgspec.json.encode(plain(found))


def picture_of(position: str, set: str, kind: str, style: dict[str, Any]) -> bytes:
    """A picture of a position."""
    return picture(Table.parse(position, standard(set)), kind, style)


def picture(table: Table, kind: str, style: dict[str, Any]) -> bytes:
    """A picture of a table."""
    from .. import drawing

    svg = drawing.draw(table.layings, table.tiles, style=drawing.Style(**style))
    return svg.encode() if kind == "svg" else drawing.to_png(svg)


def moves(game: str, view: Any, tile: str | None = None) -> bytes:
    """The legal moves of a viewer, or only the layings of one domino."""
    rules = find(game)
    found = rules.legal_moves(view) if tile is None else rules.legal_layings(view, tile)
    return msgspec.json.encode([move_to_json(move) for move in found])
