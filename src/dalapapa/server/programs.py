"""Programs at the table: they think in worker processes, never where people wait.

A table asks for one move at a time and waits its turn in a queue, so that a thousand tables that
wait for programs never delay a person's move. How long a person would take for a move is part of
a level, and told here.
"""

from __future__ import annotations

import secrets

from ..bots import make_bot
from ..bots.bot import A_MOVE, quickest
from ..games import AnyGame, find
from ..games.game import View
from ..games.installed import guard
from ..games.moves import Move
from .workers import CORES, Workers

SECONDS = 60
"""A program that takes longer is broken."""


NOT_AT_ONCE = 200
"""Milliseconds after a change in which no program acts where the quickest does: nobody could."""

LEAST, MOST = 0.5, 1.5
"""How much of the usual time somebody takes where the quickest acts: chance decides."""


class Programs:
    """The workers in which programs think."""

    def __init__(self) -> None:
        self.workers = Workers(max(1, CORES - 1), SECONDS, kind="program")

    @property
    def waiting(self) -> int:
        """Programs that have to think."""
        return self.workers.asked

    async def choose(self, game: str, program: str, seed: str, view: View) -> Move:
        """The move of a program that sees this view."""
        return await self.workers.ask(think, game, program, seed, view)

    def close(self) -> None:
        """End the workers."""
        self.workers.close()


def think(game: str, program: str, seed: str, view: View) -> Move:
    """What a worker does."""
    rules = find(game)
    with guard(rules, "its program", SECONDS):
        return make_bot(program, rules, seed).choose(view)


def next_to_act(
    game: AnyGame, state: object, programs: dict[int, str], pace: int
) -> tuple[int, float, float]:
    """Which of some programs acts next, by its seat; after how many seconds, and at most.

    A move in a turn takes `pace` milliseconds, and what people take longer for, in proportion.
    """
    seats = list(programs)
    with guard(game, "its program"):
        rates = [
            1 / make_bot(programs[seat], game, "").seconds(game.view(state, seat)) for seat in seats
        ]
    rng = secrets.SystemRandom()
    seat = seats[quickest(rates, rng.random())]
    usual = pace / 1000 / A_MOVE / sum(rates)
    if game.clocked(state) is not None:
        return seat, usual, usual
    least = NOT_AT_ONCE / 1000 if pace else 0.0
    return seat, max(least, usual * rng.uniform(LEAST, MOST)), max(least, usual * MOST)
