"""The review of a game that is over: what each turn lost, how the chances went, what was missed."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import BadInput
from ..games import find, part
from ..games.bag import commitment
from ..games.game import Game, Step
from ..games.moves import Move, move_from_json
from ..record import EXPLAINED, Replay
from .reviewer import SECONDS, Progress, Review, Reviewer, silent
from .turns import PlayedTurn


def review_of_record(told: Replay, seconds: float = SECONDS, progress: Progress = silent) -> Review:
    """The review of a verified record."""
    moves = []
    for written in told.record.moves:
        bare = {key: value for key, value in written.items() if key not in EXPLAINED}
        moves.append(move_from_json(bare))
    names = [player.name for player in told.record.players]
    game = find(told.record.game)
    return review(game, names, told.steps, moves, told.record.commitment, seconds, progress)


def review(
    game: Game,
    names: Sequence[str],
    steps: Sequence[Step],
    moves: Sequence[Move],
    key: str,
    seconds: float = SECONDS,
    progress: Progress = silent,
) -> Review:
    """The review of a game; `key` is what all its chance comes from."""
    own = reviewer_of(game)
    if own is None:
        raise BadInput(f"The coach has no review of {game.name}.", "no_review")
    return own(game, steps, key, seconds).review(names, moves, progress)


def course(game: Game, steps: Sequence[Step]) -> list[PlayedTurn]:
    """The turns of a game, in order; none, if the coach does not know them."""
    own = reviewer_of(game)
    return own.turns(steps) if own else []


def reviewer_of(game: Game) -> type[Reviewer] | None:
    """How the coach looks at a game, or None if it does not."""
    return part(game, "review", Reviewer)


def key_of(seed: str) -> str:
    """What the chance of a review comes from: not the seed, from which the hidden draws follow."""
    return commitment(seed)
