"""Slow questions about the tables of a device, which the worker that thinks answers.

Each contains the table and its log, so that the answer depends on the question alone; the states of
the latest tables are cached.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Annotated, Any

from msgspec import Meta

from .. import library
from ..bots.arena import derive_bot_seed
from ..coach.encode import CoachReview, encode_review
from ..coach.reviewer import Progress
from ..games.moves import move_to_json
from ..hosting.replays import (
    ComparedGame,
    compare_logged_game,
    make_logged_game,
    review_logged_game,
)
from ..hosting.seat_answers import SolverHint, find_hint
from ..hosting.stored import StoredTable
from ..texts import Language
from .device.messages import StoredLine, read_line
from .device.table import DeviceTable, count_moves
from .messages import Arguments

MAX_TABLES = 4
"""Tables in the cache."""

_tables: OrderedDict[str, tuple[list[StoredLine], DeviceTable]] = OrderedDict()


class TableArguments(Arguments, frozen=True):
    """A table and its whole log."""

    table: StoredTable
    log: list[StoredLine]


def _find_table(asked: TableArguments) -> DeviceTable:
    """The table after its log; only entries that are new are applied."""
    known = _tables.pop(asked.table.id, None)
    if known is None or known[1].stored != asked.table or known[0] != asked.log[: len(known[0])]:
        known = [], DeviceTable(asked.table)
    lines, table = known
    for line in asked.log[len(lines) :]:
        table.replay(read_line(line))
    _tables[asked.table.id] = asked.log, table
    if len(_tables) > MAX_TABLES:
        _tables.popitem(last=False)
    return table


class ThinkArguments(TableArguments, frozen=True):
    """The seat that a bot plays for."""

    seat: Annotated[int, Meta(ge=0, le=9)]
    bot: Annotated[str, Meta(max_length=40)]


def think(asked: ThinkArguments, _: Progress) -> dict[str, Any]:
    """The move of a bot, from what its seat may see.

    It depends on the bot's own moves alone, as at the server's tables.
    """
    table = _find_table(asked)
    state = table.state
    seed = derive_bot_seed(f"{state.seed}/{count_moves(table.log, asked.seat)}", asked.seat)
    bot = library.make_bot(asked.bot, state.game, seed)
    return move_to_json(bot.choose(state.game.view(state.game_state, asked.seat)))


class HintArguments(TableArguments, frozen=True):
    """The seat that asks for a hint, and the time of the solver."""

    seat: Annotated[int, Meta(ge=0, le=9)]
    width: Annotated[int, Meta(ge=1, le=60)] | None = None
    seconds: Annotated[float, Meta(gt=0, le=60)] = 5.0


def find_table_hint(asked: HintArguments, _: Progress) -> SolverHint:
    """Whether the frame of a seat can be completed, and a next laying."""
    state, deadline = _find_table(asked).state, time.monotonic() + asked.seconds
    view = state.game.view(state.game_state, asked.seat)
    return find_hint(state.game.name, view, asked.width, lambda _: time.monotonic() > deadline)


class ReviewTableArguments(TableArguments, frozen=True):
    """A finished game, and the language of its review."""

    language: Language = "en"


def review_table(asked: ReviewTableArguments, _: Progress) -> CoachReview:
    """The coach's review of the finished game of a table."""
    table = _find_table(asked)
    return encode_review(review_logged_game(make_logged_game(table.state, table)), asked.language)


class CompareTableArguments(TableArguments, frozen=True):
    """A finished game, and the seat whose turns are compared."""

    seat: Annotated[int, Meta(ge=0, le=9)]


def compare_table(asked: CompareTableArguments, _: Progress) -> ComparedGame | None:
    """The turns of a seat, for the comparison of a challenge."""
    table = _find_table(asked)
    return compare_logged_game(table.state, table, asked.seat)
