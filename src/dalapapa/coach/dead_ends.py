"""Races (rules 5 and 6): layings after which a frame could not be filled any more.

That a frame cannot be filled is proved by the solver, or not said at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from ..games.events import Framed, TakenOut
from ..games.game import Step
from ..games.race import Race
from ..kernel import solver
from ..notation import Laying

NODES = 20_000
"""Partial layouts that the solver looks at for one frame before it leaves a question open."""

MAX_QUESTIONS = 200
"""Frames that the solver is asked about in one review."""


class WrongWay(msgspec.Struct, frozen=True):
    """A laying that cannot stay, and how long it did."""

    player: int
    first: int
    """The number of the state before it."""
    last: int
    """The number of the state before the move that made the frame possible again, or the end."""
    laying: Laying
    moves: int
    """Of the player, from this laying on, until then."""
    stayed: bool
    """To the end of the game."""


class Pace(msgspec.Struct, frozen=True):
    """How quickly a player filled the frame."""

    framed: int
    """Dominoes in it at the end."""
    needed: int
    moves: int
    taken_out: int
    """Dominoes that were laid for nothing."""


def paces(game: Race, steps: Sequence[Step], movers: Sequence[int | None]) -> list[Pace]:
    """The pace of every player; `movers` made the moves."""
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


def wrong_ways(
    game: Race, steps: Sequence[Step], movers: Sequence[int | None], nodes: int = NODES
) -> list[WrongWay]:
    """All of them that could be proved, in the order of the game."""
    proofs = _Proofs(game, nodes)
    found = []
    for seat in range(steps[0].state.players):
        found += _of_player(proofs, steps, movers, seat)
    return sorted(found, key=lambda one: one.first)


def _of_player(
    proofs: _Proofs, steps: Sequence[Step], movers: Sequence[int | None], seat: int
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
                found.append(_way(seat, wrong, number, movers, stayed=False))
                wrong = None
    if wrong is not None:
        found.append(_way(seat, wrong, len(steps) - 2, movers, stayed=True))
    return found


def _way(
    seat: int, wrong: tuple[int, Laying], last: int, movers: Sequence[int | None], stayed: bool
) -> WrongWay:
    first, laying = wrong
    moves = sum(mover == seat for mover in movers[first : last + 1])
    return WrongWay(seat, first, last, laying, moves, stayed)


class _Proofs:
    """Which frames can be filled, as far as it can be proved in time."""

    def __init__(self, game: Race, nodes: int) -> None:
        self.game = game
        self.nodes = nodes
        self.asked = 0
        self.fillings: list[frozenset[Laying]] = []
        """Full layouts that were found: what is part of one needs no question."""

    def can_be_filled(self, state: Any, seat: int) -> bool | None:
        """Whether this player can fill the frame; None if that was not found out."""
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
            told = solver.solve(
                frame, self.game.tiles(view.options), sorted(supply), view.frame, budget=self.nodes
            )
            if told.solutions:
                self.fillings.append(frozenset(told.solutions[0]))
                return True
            known = known and told.complete
        return False if known else None
