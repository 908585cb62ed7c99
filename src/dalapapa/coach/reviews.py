"""Reviews of games: of records and of games that have just ended."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from ..core.errors import BadInput
from ..games import find_game
from ..games.game import AnyGame, State, Step
from ..games.moves import Move
from ..games.parts import find_part
from ..games.undo import drop_undone, select_steps
from ..record import Replay
from .reviewer import (
    TURN_REVIEW_S,
    PlayedTurn,
    Progress,
    Review,
    Reviewer,
    StandIns,
    ignore_progress,
    mark_stand_ins,
)

NO_STAND_INS: StandIns = MappingProxyType({})


def review_record(
    replayed: Replay, seconds: float = TURN_REVIEW_S, progress: Progress = ignore_progress
) -> Review:
    """The review of a verified record."""
    names = [player.name for player in replayed.record.players]
    game, key = find_game(replayed.record.game), replayed.record.commitment
    return review_game(game, names, replayed.steps, replayed.moves, key, seconds, progress)


def review_game(
    game: AnyGame,
    names: Sequence[str],
    steps: Sequence[Step[State]],
    moves: Sequence[Move],
    key: str,
    seconds: float = TURN_REVIEW_S,
    progress: Progress = ignore_progress,
    stand_ins: StandIns = NO_STAND_INS,
) -> Review:
    """Review a game, without what was taken back; all random numbers come from `key`.

    `stand_ins` are the numbers of the moves that bots made for persons, with their seats.
    """
    own = find_reviewer(game)
    if own is None:
        raise BadInput(f"The coach cannot review games of {game.name}.", "no_review")
    kept = drop_undone(moves, steps)
    kept_steps = select_steps(kept, steps)
    reviewer = own(game, kept_steps, key, seconds)
    reviewer.stand_ins = select_stand_ins(kept, stand_ins)
    return reviewer.review(names, [moves[one] for one in kept], progress)


def list_turns(
    game: AnyGame, steps: Sequence[Step[State]], stand_ins: StandIns = NO_STAND_INS
) -> list[PlayedTurn]:
    """The turns of a game, in order; empty for a game that the coach does not know."""
    own = find_reviewer(game)
    return mark_stand_ins(own.turns(steps), stand_ins) if own else []


def select_stand_ins(kept: Sequence[int], stand_ins: StandIns) -> StandIns:
    """The moves of stand-ins among those that were kept, with their new numbers."""
    return {new: stand_ins[old] for new, old in enumerate(kept) if old in stand_ins}


def find_reviewer(game: AnyGame) -> type[Reviewer[Any]] | None:
    """How the coach reviews a game; None if it does not."""
    from ..games.reviewers import REVIEWER_CLASSES  # On first use: they import this package.

    return find_part(game, "reviewer", Reviewer, REVIEWER_CLASSES)
