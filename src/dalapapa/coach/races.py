"""The review of a race (rules 5 and 6): how full the frames were, and which layings led nowhere.

The review says that a frame cannot be filled only if the solver has proved it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from ..bots.estimate import make_exact
from ..core.notation import Laying
from ..games.events import Framed, TakenOut
from ..games.game import Step
from ..games.moves import Move
from ..games.race import Race, RaceState
from ..kernel import solver
from .reasons import Remark
from .reviewer import (
    TURN_REVIEW_S,
    Pace,
    PlayedTurn,
    Progress,
    Review,
    Reviewed,
    Reviewer,
    ReviewMoment,
    Unit,
)

MAX_NODES = 20_000
"""Partial layouts that the solver tries for one frame before it leaves a question open."""

MAX_QUESTIONS = 200
"""Frames that the solver is asked about in one review."""

MAX_MOMENTS = 400
"""The maximum number of moments: races between people have fewer."""

StateT = TypeVar("StateT", bound=RaceState)
Movers = Sequence[int | None]
"""The player of each move."""


class WrongWay(msgspec.Struct, frozen=True):
    """A laying that cannot stay, and how long it did."""

    player: int
    first: int
    """The number of the state before it."""
    last: int
    """The number of the state before the move that made the frame possible again, or the end."""
    laying: Laying
    moves: int
    """The player's moves from this laying on, until then."""
    stayed: bool
    """Whether it stayed to the end of the game."""


class RaceReviewer(Reviewer[StateT]):
    """How full the frames were, who took how many moves, and which layings led nowhere."""

    game: Race[Any, StateT, Any]
    unit: ClassVar[Unit] = "moves"

    @staticmethod
    def turns(steps: Sequence[Step[StateT]]) -> list[PlayedTurn]:  # noqa: ARG004
        """A race has no turns: all play at the same time."""
        return []

    def review(self, names: Sequence[str], moves: Sequence[Move], progress: Progress) -> Review:  # noqa: ARG002
        movers = [move.player for move in moves]
        nodes = int(MAX_NODES * self.seconds / TURN_REVIEW_S)
        ways = find_wrong_ways(self.game, self.steps, movers, nodes)
        turns = [
            _review_way(number, way, way.first in self.stand_ins)
            for number, way in enumerate(ways, start=1)
        ]
        pace = measure_paces(self.game, self.steps, movers)
        return self.make_review(names, turns, _measure_filling(self.game, self.steps), "full", pace)


def _review_way(number: int, way: WrongWay, stand_in: bool) -> Reviewed:
    text = "wrong_way_to_the_end" if way.stayed else "wrong_way"
    remark = Remark(text, {"tile": way.laying.tile, "moves": way.moves})
    played = PlayedTurn(way.player, way.first, way.last, (way.laying,), 0, None, way.moves,
                        stand_in=stand_in)  # fmt: skip
    return Reviewed(number, played, remarks=(remark,))


def _measure_filling(
    game: Race[Any, StateT, Any], steps: Sequence[Step[StateT]]
) -> tuple[ReviewMoment, ...]:
    """How much of each frame is full, at each change; in long races, at some of them."""
    needed = game.dominoes(steps[0].state.options)
    moments: list[ReviewMoment] = []
    for position, step in enumerate(steps):
        full = tuple([make_exact(len(frame) / needed) for frame in step.state.frames])
        if not moments or full != moments[-1].chances or position == len(steps) - 1:
            moments.append(ReviewMoment(position, full))
    return (*moments[: -1 : len(moments) // MAX_MOMENTS + 1], moments[-1])


def measure_paces(
    game: Race[Any, StateT, Any], steps: Sequence[Step[StateT]], movers: Movers
) -> list[Pace]:
    """The pace of every player."""
    end = steps[-1].state
    events = [event for step in steps for event in step.events]
    return [
        Pace(
            len(end.frames[seat]),
            game.dominoes(end.options),
            sum(mover == seat for mover in movers),
            sum(isinstance(event, TakenOut) and event.player == seat for event in events),
        )
        for seat in range(end.players)
    ]


def find_wrong_ways(
    game: Race[Any, StateT, Any],
    steps: Sequence[Step[StateT]],
    movers: Movers,
    nodes: int = MAX_NODES,
) -> list[WrongWay]:
    """The wrong ways that could be proved, in the order of the game."""
    proofs = _Proofs(game, nodes)
    found = []
    for seat in range(steps[0].state.players):
        found += _find_ways_of_player(proofs, steps, movers, seat)
    return sorted(found, key=lambda one: one.first)


def _find_ways_of_player(
    proofs: _Proofs[StateT], steps: Sequence[Step[StateT]], movers: Movers, seat: int
) -> list[WrongWay]:
    found: list[WrongWay] = []
    wrong: tuple[int, Laying] | None = None
    for number, (before, after) in enumerate(pairwise(steps)):
        for event in after.events:
            if not isinstance(event, Framed | TakenOut) or event.player != seat:
                continue
            if isinstance(event, Framed) and wrong is None:
                lost = proofs.can_be_filled(after.state, seat) is False
                if lost and proofs.can_be_filled(before.state, seat):
                    wrong = number, event.laying
            elif wrong is not None and proofs.can_be_filled(after.state, seat):
                found.append(_make_way(seat, wrong, number, movers, stayed=False))
                wrong = None
    if wrong is not None:
        found.append(_make_way(seat, wrong, len(steps) - 2, movers, stayed=True))
    return found


def _make_way(
    seat: int, wrong: tuple[int, Laying], last: int, movers: Movers, stayed: bool
) -> WrongWay:
    first, laying = wrong
    moves = sum(mover == seat for mover in movers[first : last + 1])
    return WrongWay(seat, first, last, laying, moves, stayed)


class _Proofs(Generic[StateT]):
    """Which frames can be filled, where that can be proved in time."""

    def __init__(self, game: Race[Any, StateT, Any], nodes: int) -> None:
        self.game = game
        self.nodes = nodes
        self.asked = 0
        self.fillings: list[frozenset[Laying]] = []
        """Full layouts that were found: a part of one needs no further proof."""

    def can_be_filled(self, state: StateT, seat: int) -> bool | None:
        """Whether this player can fill the frame; None if that is unknown."""
        view = self.game.view(state, seat)
        laid = frozenset(view.frame)
        supply = set(self.game.supply(view))
        for filling in self.fillings:
            if laid <= filling and all(laying.tile in supply for laying in filling):
                return True
        known = True
        for frame in self.game.targets(view):
            if self.asked >= MAX_QUESTIONS:
                return None
            self.asked += 1
            solved = solver.solve(
                frame, self.game.tiles(view.options), sorted(supply), view.frame, budget=self.nodes
            )
            if solved.solutions:
                self.fillings.append(frozenset(solved.solutions[0]))
                return True
            known = known and solved.complete
        return False if known else None
