"""A game without what was taken back: what replays, curves and the coach look at."""

from __future__ import annotations

from collections.abc import Sequence

from .game import State, Step
from .moves import Move, Undo


def drop_undone(moves: Sequence[Move], steps: Sequence[Step[State]]) -> list[int]:
    """The numbers of the moves that stayed; `steps` has the beginning, and one for each move.

    An undo leads back to the very state before the move that it takes back, so that what is left
    is a game of its own, with the same states.
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
    """The beginning, and the steps of the moves that stayed."""
    return [steps[0], *[steps[number + 1] for number in kept]]
