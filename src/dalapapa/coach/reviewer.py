"""The review of a game that is over: what each turn lost, how the chances went, what was missed.

A game has a `Reviewer` in its `review.py`; here is what they build on. Turns stand beside the best
ones that were possible, exactly; from some moments programs play on to the end. A game says what
its turns are, what they are counted in, and what playing on may cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from types import UnionType
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from ..bots.estimate import Estimate, estimate_share, make_exact
from ..core.errors import BadInput
from ..core.notation import Laying
from ..core.points import Earned, Turn
from ..games.events import Event
from ..games.game import Game, StateT, Step
from ..games.moves import Move
from ..games.turns import TableState
from ..kernel.table import Table
from .aftermath import split_turn
from .futures import compute_shares, play_out
from .reasons import Remark, describe_parts

Unit = Literal["points", "discs", "cells", "moves"]

TURN_REVIEW_S = 0.2
"""What the coach may think about a turn; everything it plays on grows with it."""

USUAL_DOMINOES = 60
"""Dominoes on a usual table, in the end: moves on a larger one take longer."""

PLAYOUT_GAMES = range(12, 201)
"""So many games from a moment: more where the end is near."""

MIN_MOMENTS = 3
"""So many at least, however long a game was."""

MAX_MISSED = 3
"""The biggest chances missed."""

MIN_LOST_CHANCE = 0.005
"""A chance to win that is smaller is no chance missed."""


class PlayedTurn(msgspec.Struct, frozen=True):
    """A turn, or a round.

    `first` and `last` are the numbers of the states before its first and its last move.
    """

    player: int | None
    """Nobody, in a round in which no turn was shown."""
    first: int
    last: int
    layings: tuple[Laying, ...]
    points: int
    """What it brought, in the unit of the game."""
    best: Turn | None
    """The best that was possible, in the same unit; None if nothing could be laid."""
    lost: int
    """How much less it brought than the best one, as far as that matters."""
    announced: int | None = None
    """In a round, what was announced and so scored."""


class Moment(msgspec.Struct, frozen=True):
    """Where everybody stands, as an onlooker can know."""

    position: int
    """After so many moves."""
    chances: tuple[Estimate, ...]
    """Of each player to win; in a race, how much of the frame is full."""


class Reviewed(msgspec.Struct, frozen=True):
    """A turn that was played, or a wrong way of a race, beside what would have been better."""

    number: int
    """From 1."""
    played: PlayedTurn
    chance: Estimate | None = None
    """Of its player to win after it, as that player could know (classic)."""
    better: Turn | None = None
    """What would have been better: it surely wins more often (classic), or it brings more."""
    better_chance: Estimate | None = None
    """After that one."""
    lost_chance: Estimate | None = None
    """How much more often the best other turn wins, over the same deals; None if none does."""
    remarks: tuple[Remark, ...] = ()
    """Why something else would have been better."""


class Pace(msgspec.Struct, frozen=True):
    """How quickly a player filled the frame."""

    framed: int
    """Dominoes in it at the end."""
    needed: int
    moves: int
    taken_out: int
    """Dominoes that were laid for nothing."""


class Summary(msgspec.Struct, frozen=True):
    """How a player did."""

    name: str
    turns: int
    best_turns: int
    """Turns that lost nothing."""
    lost: int
    pace: Pace | None = None
    """In a race."""


class Review(msgspec.Struct, frozen=True):
    """A game as the coach sees it."""

    game: str
    unit: Unit
    """What is lost."""
    measure: Literal["chance", "full"]
    """What the curve shows: chances to win, or how full the frames are."""
    players: tuple[Summary, ...]
    curve: tuple[Moment, ...]
    turns: tuple[Reviewed, ...]
    missed: tuple[int, ...]
    """The numbers of the turns with the biggest chances missed, the biggest first."""
    winners: tuple[int, ...]
    rounds: bool = False
    """Whether the turns are rounds, in which all look for the same."""


Progress = Callable[[float], None]
"""Is told again and again which share of the work is done; may raise `Enough`."""


class Enough(Exception):
    """Nobody wants more: the review is of what has been looked at so far."""


def ignore_progress(_: float) -> None:
    """Nobody wants to know."""


class Reviewer(Generic[StateT]):
    """Looks at one game."""

    unit: ClassVar[Unit] = "points"
    """What the turns of the game are counted in."""
    rounds: ClassVar[bool] = False
    """Whether its turns are rounds, in which all look for the same."""

    def __init__(
        self, game: Game[Any, StateT, Any], steps: Sequence[Step[StateT]], key: str, seconds: float
    ) -> None:
        """`key` is what all chance of the review comes from."""
        outcome = steps[-1].state.outcome
        if outcome is None:
            raise BadInput("The game is not over.", "not_over")
        self.game = game
        self.steps = steps
        self.winners = outcome.winners
        self.key = key
        self.seconds = seconds

    @staticmethod
    def turns(steps: Sequence[Step[StateT]]) -> list[PlayedTurn]:
        """The turns of a game, in order."""
        raise NotImplementedError

    def review(self, names: Sequence[str], moves: Sequence[Move], progress: Progress) -> Review:
        """The whole review."""
        raise NotImplementedError

    def found(
        self,
        names: Sequence[str],
        turns: Sequence[Reviewed],
        curve: tuple[Moment, ...],
        measure: Literal["chance", "full"],
        paces: Sequence[Pace] = (),
    ) -> Review:
        """The review, from what was found."""
        return Review(
            game=self.game.name,
            unit=self.unit,
            measure=measure,
            players=tuple(
                [
                    _summary(name, seat, turns, paces[seat] if paces else None)
                    for seat, name in enumerate(names)
                ]
            ),
            curve=curve,
            turns=tuple(turns),
            missed=_missed(turns),
            winners=self.winners,
            rounds=self.rounds,
        )


TableStateT = TypeVar("TableStateT", bound=TableState)


class TableReviewer(Reviewer[TableStateT]):
    """Looks at the turns and moments of a game on one table."""

    work: ClassVar[int] = 1_000
    """About how many moves are made from each moment, when games are played to their end."""
    moments: ClassVar[int] = 10
    """Moments that are looked at: the slower the programs, the fewer."""

    def review(self, names: Sequence[str], moves: Sequence[Move], progress: Progress) -> Review:  # noqa: ARG002
        played = self.turns(self.steps)
        starts = self.starts(played)
        part = 1 / (len(played) + len(starts) + 1)
        turns, moments = [], []
        with suppress(Enough):
            for number, one in enumerate(played, start=1):
                turns.append(self.reviewed(number, one))
                progress(part)
            for start in starts:
                moments.append(Moment(start, self.chances(start)))
                progress(part)
        return self.found(names, turns, (*moments, self._end()), "chance")

    def reviewed(self, number: int, played: PlayedTurn) -> Reviewed:
        """A turn, and what would have been better."""
        if played.lost <= 0 or played.best is None:
            return Reviewed(number, played)
        remarks = self.remarks(played, played.best)
        return Reviewed(number, played, better=played.best, remarks=remarks)

    def remarks(self, played: PlayedTurn, best: Turn) -> tuple[Remark, ...]:
        """What the best turn, for what the game counts, would have brought."""
        return self.parts(played, best), Remark("points_more", {"points": played.lost})

    def parts(self, played: PlayedTurn, best: Turn) -> Remark:
        """What the best turn does, in parts."""
        return describe_parts(split_turn(self.steps[played.first].state.table, best.layings))

    def starts(self, played: Sequence[PlayedTurn]) -> list[int]:
        """The moments to look at: where turns begin, or some of them."""
        starts = [one.first for one in played]
        # The fewest games from each moment are half as long as this one, on average.
        least = PLAYOUT_GAMES[0] * len(self.steps) / 2
        affordable = int(self.moments * self._moves / least)
        most = min(self.moments, max(MIN_MOMENTS, affordable))
        if len(starts) <= most:
            return starts
        return [starts[number * len(starts) // most] for number in range(most)]

    def chances(self, position: int) -> tuple[Estimate, ...]:
        """Everybody's chances at the beginning of a turn."""
        state = self.steps[position].state
        games = int(self._moves / (len(self.steps) - position))
        count = min(PLAYOUT_GAMES[-1], max(PLAYOUT_GAMES[0], games))
        results = play_out(self.game, state, count, f"{self.key}/moment {position}")
        return tuple(
            [estimate_share(sum(shares[seat] for shares in results), count)
             for seat in range(state.players)]
        )  # fmt: skip

    @property
    def _moves(self) -> float:
        """About how many moves are made from each moment: fewer on a large table."""
        large = len(self.steps[-1].state.table) / USUAL_DOMINOES
        return self.work * self.seconds / TURN_REVIEW_S / max(1, large)

    def _end(self) -> Moment:
        """The last moment, of which everything is known."""
        shares = compute_shares(self.winners, self.steps[-1].state.players)
        return Moment(len(self.steps) - 1, tuple([make_exact(one) for one in shares]))


def find_spans(
    steps: Sequence[Step[StateT]], ends: type[Event] | UnionType
) -> Iterator[tuple[int, int, Event]]:
    """Turns of a game in play, from the first move that could lead to a laying to their end.

    The numbers of the states before its first and its last move, and the event that ended it.
    """
    first: int | None = None
    for number, (before, after) in enumerate(pairwise(steps)):
        if before.state.phase != "play":
            continue
        first = number if first is None else first
        ended = next((event for event in after.events if isinstance(event, ends)), None)
        if ended is not None:
            yield first, number, ended
            first = None


def find_best_laying(
    table: Table, hand: Sequence[str], worth: Callable[[Earned], tuple[int, ...]], least: int = 1
) -> Turn | None:
    """The laying with `least` contacts that is worth most; its points are the first of that."""
    best: tuple[tuple[int, ...], Laying] | None = None
    for name in hand:
        for laying, earned in table.scored(name):
            if earned.contacts >= least and (best is None or worth(earned) > best[0]):
                best = worth(earned), laying
    return None if best is None else Turn((best[1],), best[0][0])


def _summary(name: str, seat: int, turns: Sequence[Reviewed], pace: Pace | None = None) -> Summary:
    own = [turn.played for turn in turns if turn.played.player == seat]
    return Summary(
        name,
        len(own),
        sum(one.lost <= 0 for one in own),
        sum(max(0, one.lost) for one in own),
        pace,
    )


def _missed(turns: Sequence[Reviewed]) -> tuple[int, ...]:
    """First what surely cost a chance to win, then what cost most besides."""
    found = [turn for turn in turns if _cost(turn) > (0.0, 0)]
    found.sort(key=_cost, reverse=True)
    return tuple([turn.number for turn in found[:MAX_MISSED]])


def _cost(turn: Reviewed) -> tuple[float, int]:
    """What a turn cost: a chance to win, if that is sure; then what the game counts."""
    chance, lost = turn.lost_chance, max(0, turn.played.lost)
    if chance is None:  # Where chances are told, nothing better was found, whatever it brought.
        return 0.0, 0 if turn.chance else lost
    return chance.value if chance.low > 0 and chance.value >= MIN_LOST_CHANCE else 0.0, lost
