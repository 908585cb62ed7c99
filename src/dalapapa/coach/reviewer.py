"""The base of reviews of finished games: lost points, the course of the chances, missed turns.

The reviewer of a game (`games/NAME/reviewer.py`) says what its turns are, what they are counted
in, and how long playing on may take. Turns are compared with the best possible ones, which is
exact. From some moments, bots play on to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from types import MappingProxyType, UnionType
from typing import Any, ClassVar, Generic, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from ..bots.estimate import Estimate, estimate_share, make_exact
from ..core.errors import BadInput
from ..core.notation import Laying
from ..core.points import Earned, Turn
from ..games.events import Event
from ..games.game import Game, StateT, Step
from ..games.moves import Move
from ..games.turns import SharedTableState
from ..kernel.table import Table
from .futures import compute_shares, play_out
from .reasons import Remark, describe_parts, split_turn

Unit = Literal["points", "discs", "cells", "moves"]

TURN_REVIEW_S = 0.2
"""The time of the coach for a turn; all playing on grows with it."""

USUAL_DOMINOES = 60
"""Dominoes on a table at the end of a usual game: moves on a larger one take longer."""

PLAYOUT_GAMES = range(12, 201)
"""The number of games from a moment: more where the end is near."""

MIN_MOMENTS = 3
"""The minimum number of moments, however long a game was."""

MAX_MISSED = 3

MIN_LOST_CHANCE = 0.005
"""The smallest chance to win that counts as missed."""


class PlayedTurn(msgspec.Struct, frozen=True):
    """A turn, or a round.

    `first` and `last` are the numbers of the states before its first and its last move.
    """

    player: int | None
    """None in a round in which no turn was shown."""
    first: int
    last: int
    layings: tuple[Laying, ...]
    points: int
    """Its result, in the unit of the game."""
    best: Turn | None
    """The best that was possible, in the same unit; None if nothing could be laid."""
    lost: int
    """How much less it brought than the best one, as far as that matters."""
    announced: int | None = None
    """The points announced in a round, and therefore scored."""
    stand_in: bool = False
    """Whether a bot played it for a person: then it counts for no one."""


class ReviewMoment(msgspec.Struct, frozen=True):
    """The standing of all players, as far as a spectator can know."""

    position: int
    """The number of moves before it."""
    chances: tuple[Estimate, ...]
    """Each player's chance to win; in a race, how much of the frame is full."""


class Reviewed(msgspec.Struct, frozen=True):
    """A turn that was played, or a wrong way of a race, beside what would have been better."""

    number: int
    """The number of the turn, from 1."""
    played: PlayedTurn
    chance: Estimate | None = None
    """Its player's chance to win after it, as far as that player could know (classic)."""
    better: Turn | None = None
    """A better turn: it certainly wins more often (classic), or it brings more."""
    better_chance: Estimate | None = None
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


class ReviewPlayer(msgspec.Struct, frozen=True, omit_defaults=True):
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
    """The unit of lost points."""
    measure: Literal["chance", "full"]
    """The values of the curve: chances to win, or how full the frames are."""
    players: tuple[ReviewPlayer, ...]
    curve: tuple[ReviewMoment, ...]
    turns: tuple[Reviewed, ...]
    missed: tuple[int, ...]
    """The numbers of the turns with the biggest chances missed, the biggest first."""
    winners: tuple[int, ...]
    rounds: bool = False
    """Whether the turns are rounds, in which all look for the same."""


StandIns = Mapping[int, int]
"""The moves that bots made for persons, with their seats: who left has not played them."""

Progress = Callable[[float], None]
"""Called repeatedly with the share of the work that is done; may raise `Enough`."""


class Enough(Exception):
    """Raised by `Progress` to end a review early, with what it has so far."""


def ignore_progress(_: float) -> None:
    """A `Progress` that does nothing."""


class Reviewer(Generic[StateT]):
    """Reviews one game."""

    unit: ClassVar[Unit] = "points"
    rounds: ClassVar[bool] = False
    stand_ins: StandIns = MappingProxyType({})
    """The moves that bots made for persons."""

    def __init__(
        self, game: Game[Any, StateT, Any], steps: Sequence[Step[StateT]], key: str, seconds: float
    ) -> None:
        """`key` is the seed of all random numbers of the review."""
        outcome = steps[-1].state.outcome
        if outcome is None:
            raise BadInput("The game is not over.", "not_over")
        self.game = game
        self.steps = steps
        self.winners: tuple[int, ...] = outcome.winners
        self.key = key
        self.seconds = seconds

    @staticmethod
    def turns(steps: Sequence[Step[StateT]]) -> list[PlayedTurn]:
        raise NotImplementedError

    def review(self, names: Sequence[str], moves: Sequence[Move], progress: Progress) -> Review:
        raise NotImplementedError

    def make_review(
        self,
        names: Sequence[str],
        turns: Sequence[Reviewed],
        curve: tuple[ReviewMoment, ...],
        measure: Literal["chance", "full"],
        paces: Sequence[Pace] = (),
    ) -> Review:
        replaced = set(self.stand_ins.values())
        players = tuple(
            _summarize_player(
                name, seat, turns, paces[seat] if paces and seat not in replaced else None
            )
            for seat, name in enumerate(names)
        )
        return Review(
            game=self.game.name,
            unit=self.unit,
            measure=measure,
            players=players,
            curve=curve,
            turns=tuple(turns),
            missed=_find_missed(turns),
            winners=self.winners,
            rounds=self.rounds,
        )


TableStateT = TypeVar("TableStateT", bound=SharedTableState)


class TableReviewer(Reviewer[TableStateT]):
    """Reviews the turns and moments of a game on one table."""

    work: ClassVar[int] = 1_000
    """About how many moves are made from each moment, when games are played to their end."""
    moments: ClassVar[int] = 10
    """The number of moments: the slower the bots, the fewer."""

    def review(self, names: Sequence[str], moves: Sequence[Move], progress: Progress) -> Review:  # noqa: ARG002
        played = mark_stand_ins(self.turns(self.steps), self.stand_ins)
        starts = self.starts(played)
        part = 1 / (len(played) + len(starts) + 1)
        turns, moments = [], []
        with suppress(Enough):
            for number, one in enumerate(played, start=1):
                known = Reviewed(number, one) if one.stand_in else None
                turns.append(known or self.review_turn(number, one))
                progress(part)
            for start in starts:
                moments.append(ReviewMoment(start, self.chances(start)))
                progress(part)
        return self.make_review(names, turns, (*moments, self._end()), "chance")

    def review_turn(self, number: int, played: PlayedTurn) -> Reviewed:
        """Review a turn: what would have been better."""
        if played.lost <= 0 or played.best is None:
            return Reviewed(number, played)
        remarks = self.remarks(played, played.best)
        return Reviewed(number, played, better=played.best, remarks=remarks)

    def remarks(self, played: PlayedTurn, best: Turn) -> tuple[Remark, ...]:
        """What the best turn would have brought, in the unit of the game."""
        return self.parts(played, best), Remark("points_more", {"points": played.lost})

    def parts(self, played: PlayedTurn, best: Turn) -> Remark:
        """What the best turn does, in parts."""
        return describe_parts(split_turn(self.steps[played.first].state.table, best.layings))

    def starts(self, played: Sequence[PlayedTurn]) -> list[int]:
        """The moments to review: the beginnings of turns, or some of them."""
        starts = [one.first for one in played]
        # The fewest games from each moment are half as long as this one, on average.
        least = PLAYOUT_GAMES[0] * len(self.steps) / 2
        affordable = int(self.moments * self._moves / least)
        most = min(self.moments, max(MIN_MOMENTS, affordable))
        if len(starts) <= most:
            return starts
        return [starts[number * len(starts) // most] for number in range(most)]

    def chances(self, position: int) -> tuple[Estimate, ...]:
        """Each player's chance at the beginning of a turn."""
        state = self.steps[position].state
        games = int(self._moves / (len(self.steps) - position))
        count = min(PLAYOUT_GAMES[-1], max(PLAYOUT_GAMES[0], games))
        results = play_out(self.game, state, count, f"{self.key}/moment {position}")
        wins = map(sum, zip(*results, strict=True))
        return tuple([estimate_share(won, count) for won in wins])

    @property
    def _moves(self) -> float:
        """About how many moves are made from each moment: fewer on a large table."""
        large = len(self.steps[-1].state.table) / USUAL_DOMINOES
        return self.work * self.seconds / TURN_REVIEW_S / max(1, large)

    def _end(self) -> ReviewMoment:
        """The last moment, which is exact."""
        shares = compute_shares(self.winners, self.steps[-1].state.players)
        return ReviewMoment(len(self.steps) - 1, tuple([make_exact(one) for one in shares]))


def find_spans(
    steps: Sequence[Step[StateT]], ends: type[Event] | UnionType
) -> Iterator[tuple[int, int, Event]]:
    """Find the turns of a game, from the first move that could lead to a laying to their end.

    Yields the numbers of the states before the first and the last move, and the final event.
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


def mark_stand_ins(turns: Sequence[PlayedTurn], stand_ins: StandIns) -> list[PlayedTurn]:
    """The turns, with a mark on those in which a bot made a move for their player."""
    return [
        replace(
            one,
            stand_in=any(
                stand_ins.get(number) == one.player for number in range(one.first, one.last + 1)
            ),
        )
        if one.player is not None and stand_ins
        else one
        for one in turns
    ]


def find_best_laying(
    table: Table, hand: Sequence[str], worth: Callable[[Earned], tuple[int, ...]], least: int = 1
) -> Turn | None:
    """The most valuable laying with at least `least` contacts.

    The first number of its worth are its points.
    """
    best: tuple[tuple[int, ...], Laying] | None = None
    for name in hand:
        for laying, earned in table.scored(name):
            if earned.contacts >= least and (best is None or worth(earned) > best[0]):
                best = worth(earned), laying
    return None if best is None else Turn((best[1],), best[0][0])


def _summarize_player(
    name: str, seat: int, turns: Sequence[Reviewed], pace: Pace | None
) -> ReviewPlayer:
    own = [turn.played for turn in turns if turn.played.player == seat]
    lost = [max(0, played.lost) for played in own if not played.stand_in]
    return ReviewPlayer(name, len(lost), lost.count(0), sum(lost), pace)


def _find_missed(turns: Sequence[Reviewed]) -> tuple[int, ...]:
    """The turns that certainly cost a chance to win, then those that cost most otherwise."""
    found = [t for t in turns if not t.played.stand_in and _measure_cost(t) > (0.0, 0)]
    found.sort(key=_measure_cost, reverse=True)
    return tuple([turn.number for turn in found[:MAX_MISSED]])


def _measure_cost(turn: Reviewed) -> tuple[float, int]:
    """The cost of a turn: a chance to win, if that is certain; then the unit of the game."""
    chance, lost = turn.lost_chance, max(0, turn.played.lost)
    if chance is None:  # Where chances are known, no better turn was found.
        return 0.0, 0 if turn.chance else lost
    return chance.value if chance.low > 0 and chance.value >= MIN_LOST_CHANCE else 0.0, lost
