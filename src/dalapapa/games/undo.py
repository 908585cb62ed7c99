"""Leaves out moves that were taken back, for replays, curves and the coach."""

from __future__ import annotations

from collections.abc import Sequence

from .game import State, Step
from .moves import Move, Undo


def drop_undone(moves: Sequence[Move], steps: Sequence[Step[State]]) -> list[int]:
    """The numbers of the moves that were not undone; `steps` has the start and one for each move.

    An undo returns to the same state object as before the move that it takes back. So the moves
    that are left are a game with the same states.
    """
    kept: list[int] = []
    for number, move in enumerate(moves):
        kept.append(number)
        if isinstance(move, Undo):
            back = steps[number + 1].state
            left = [one for one in kept if steps[one].state is back]
            if left:
                kept = kept[: kept.index(left[-1])]
    return kept


def select_steps(kept: Sequence[int], steps: Sequence[Step[State]]) -> list[Step[State]]:
    """The start, and the steps of these moves."""
    return [steps[0], *[steps[number + 1] for number in kept]]
