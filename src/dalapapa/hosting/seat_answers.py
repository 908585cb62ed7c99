"""What a player can ask for besides the view: legal moves, and the solver's hint in a race."""

from __future__ import annotations

from typing import Any

import msgspec

from ..core.errors import TooHard
from ..games import find_game
from ..games.moves import move_to_json
from ..kernel.solver import Stop
from .layings import count_layings, sort_moves

MAX_MOVES = 40_000
"""In one list: Arlequin begins with 27,521. The moves of one domino are always listed."""


def list_moves(game: str, view: Any, tile: str | None = None, fixed_order: bool = False) -> bytes:
    """The legal moves of a viewer, or only the layings of one domino.

    `fixed_order` sorts them by position, so that the order does not reveal points.
    """
    rules = find_game(game)
    if tile is None:
        check_move_count(count_layings(view, MAX_MOVES))
    moves = rules.legal_moves(view) if tile is None else rules.legal_layings(view, tile)
    if tile is None:
        check_move_count(len(moves))
    if fixed_order:
        moves = sort_moves(moves)
    return msgspec.json.encode([move_to_json(move) for move in moves])


def check_move_count(count: int) -> None:
    """Refuse to list too many moves."""
    if count > MAX_MOVES:
        raise TooHard(
            f"There are more than {MAX_MOVES} moves: ask for the layings of one domino (tile).",
            "too_many_moves",
        )


class SolverHint(msgspec.Struct, frozen=True):
    """The solver's hint for a frame in a race; `possible` is None if it gave up."""

    possible: bool | None
    laying: str | None
    width: int | None


def find_hint(game: str, view: Any, width: int | None, stop: Stop) -> SolverHint:
    """Whether the viewer's frame can be completed, and a next laying."""
    hint = find_game(game).hint(view, stop, width)
    possible = {"lay": True, "impossible": False}.get(hint.outcome)
    return SolverHint(possible, None if hint.laying is None else str(hint.laying), hint.width)
