"""The turns of a game that was played, each beside the best one that was possible: exactly.

What counts is what the game counts: the points of a turn in the games with classic points, the
discs of a laying in Gone, the cells it closes in 72. Alex has rounds; the races have no turns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Literal

import msgspec

from ..games.alex import Alex
from ..games.classic import Classic
from ..games.dalapapa72 import Dalapapa72
from ..games.events import Ended, Laid, Passed, Proved, Replayed, RoundBegan, TurnEnded
from ..games.game import Game, Step
from ..games.gone import LAYS_AGAIN, Gone
from ..notation import Laying
from ..points import Earned, Turn
from ..table import Table

Unit = Literal["points", "discs", "cells", "moves"]


class Played(msgspec.Struct, frozen=True, omit_defaults=True):
    """A turn, or a round of Alex.

    `first` and `last` are the numbers of the states before its first and its last move.
    """

    player: int | None
    """Nobody, in a round of Alex in which no turn was shown."""
    first: int
    last: int
    layings: tuple[Laying, ...]
    points: int
    """What it brought, in the unit of the game."""
    best: Turn | None
    """The best that was possible, in the same unit; None if nothing could be laid."""
    lost: int
    """How much less it brought than the best one, as far as that matters."""
    announced: int | msgspec.UnsetType = msgspec.UNSET
    """In Alex, what was announced and so scored."""

    def to_json(self) -> dict[str, Any]:
        """The public form of replays and reviews."""
        told: dict[str, Any] = {
            "player": self.player,
            "first": self.first,
            "last": self.last,
            "layings": [str(laying) for laying in self.layings],
            "points": self.points,
            "best": None if self.best is None else self.best.to_json(),
            "lost": self.lost,
        }
        if self.announced is not msgspec.UNSET:
            told["announced"] = self.announced
        return told


def unit_of(game: Game) -> Unit:
    """What the turns of a game are counted in; of the races, what a wrong way costs."""
    if isinstance(game, Classic | Alex):
        return "points"
    if isinstance(game, Gone):
        return "discs"
    return "cells" if isinstance(game, Dalapapa72) else "moves"


def course(game: Game, steps: Sequence[Step]) -> list[Played]:
    """The turns of a game, in order."""
    if isinstance(game, Classic):
        return _classic(steps)
    if isinstance(game, Alex):
        return _rounds(steps)
    if isinstance(game, Gone):
        return _gone(steps)
    return _of_72(steps) if isinstance(game, Dalapapa72) else []


def _classic(steps: Sequence[Step]) -> list[Played]:
    """A turn goes from the first move that could lead to a laying (a call, too) to its end."""
    found = []
    first: int | None = None
    for number, (before, after) in enumerate(pairwise(steps)):
        if before.state.phase != "play":
            continue
        first = number if first is None else first
        for event in after.events:
            if isinstance(event, TurnEnded | Passed):
                start = steps[first].state
                points = event.turn_points if isinstance(event, TurnEnded) else 0
                layings = tuple([laid.laying for laid in before.state.turn])
                best = start.table.best_turn(start.hands[event.player])
                lost = best.points - points if best else 0
                found.append(Played(event.player, first, number, layings, points, best, lost))
                first = None
                break
    return found


def _rounds(steps: Sequence[Step]) -> list[Played]:
    """Who has shown a turn in each round, and for what announcement; nobody, and nothing, else."""
    found = []
    first = 0
    for number, (before, after) in enumerate(pairwise(steps)):
        if any(isinstance(event, RoundBegan | Ended) for event in after.events):
            start = steps[first].state
            proved = next((event for event in after.events if isinstance(event, Proved)), None)
            best = start.table.best_turn(start.drawn)
            announced = proved.points if proved else 0
            found.append(
                Played(
                    proved.player if proved else None,
                    first,
                    number,
                    tuple([laid.laying for laid in before.state.turn]) if proved else (),
                    proved.shown if proved else 0,
                    best,
                    max(0, best.points - announced) if best else 0,
                    announced,
                )
            )
            first = number + 1
    return found


def _gone(steps: Sequence[Step]) -> list[Played]:
    """Every laying is a choice of its own, and so is having none."""
    found = []
    for number, (before, after) in enumerate(pairwise(steps)):
        state = before.state
        laid = next((event for event in after.events if isinstance(event, Laid)), None)
        if laid is None:
            found.append(Played(state.active, number, number, (), 0, None, 0))
            continue
        discs = laid.earned.contacts
        best = _most(state.table, state.hands[state.active], _discs)
        most = best.points if best else 0
        lost = min(most, LAYS_AGAIN) - min(discs, LAYS_AGAIN)
        found.append(Played(state.active, number, number, (laid.laying,), discs, best, lost))
    return found


def _of_72(steps: Sequence[Step]) -> list[Played]:
    """Every domino is a choice of its own, from the draw before it to the next one."""
    found = []
    first: int | None = None
    for number, (before, after) in enumerate(pairwise(steps)):
        if before.state.phase != "play":
            continue
        first = number if first is None else first
        if not any(isinstance(event, TurnEnded | Replayed | Passed) for event in after.events):
            continue
        start, laid = steps[first].state, before.state.laid
        # One connection costs a token (rules 8, 1).
        least = 1 if start.tokens[start.active] else 2
        best = _most(start.table, start.hands[start.active], _cells, least)
        cells = laid.earned.group_points if laid else 0
        lost = best.points - cells if best else 0
        layings = (laid.laying,) if laid else ()
        found.append(Played(start.active, first, number, layings, cells, best, lost))
        first = None
    return found


def _cells(earned: Earned) -> tuple[int, ...]:
    """The cells that a laying closes; of equal ones, connections are worth tokens."""
    return earned.group_points, earned.contacts


def _discs(earned: Earned) -> tuple[int, ...]:
    return (earned.contacts,)


def _most(
    table: Table, hand: Sequence[str], worth: Callable[[Earned], tuple[int, ...]], least: int = 1
) -> Turn | None:
    """The laying with `least` contacts that is worth most; its points are the first of that."""
    best: tuple[tuple[int, ...], Laying] | None = None
    for name in hand:
        for laying, earned in table.scored(name):
            if earned.contacts >= least and (best is None or worth(earned) > best[0]):
                best = worth(earned), laying
    return None if best is None else Turn((best[1],), best[0][0])
