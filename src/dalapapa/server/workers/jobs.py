"""Jobs about positions and moves: pure functions, which run in worker processes.

Each returns its answer as bytes: JSON in the form of `docs/http-api.md`, or a picture.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

from ...core.errors import TooHard
from ...core.tiles import standard
from ...hosting import questions, seat_answers
from ...kernel.table import Table
from .. import schemas


def answer_by(function: Callable[..., Any]) -> Callable[..., bytes]:
    """A job that encodes the answer of a function, such as those of `hosting.questions`."""
    return partial(_encode_answer, function)


def _encode_answer(function: Callable[..., Any], *asked: Any) -> bytes:
    return msgspec.json.encode(function(*asked))


def solve(question: questions.FrameQuestion, seconds: float) -> bytes:
    """Fill a frame, prove that it is impossible, or give up when the time is over."""
    deadline = time.monotonic() + seconds
    return msgspec.json.encode(
        questions.solve_frame(question, lambda _: time.monotonic() > deadline)
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
