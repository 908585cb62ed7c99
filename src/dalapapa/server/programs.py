"""Programs at the table: they think in worker processes, never where people wait.

A table asks for one move at a time and waits its turn in a queue, so that a thousand tables that
wait for programs never delay a person's move.
"""

from __future__ import annotations

from typing import Any

from ..bots import make_bot
from ..games import find
from ..games.moves import Move
from .workers import CORES, Workers

SECONDS = 60
"""A program that takes longer is broken."""


class Programs:
    """The workers in which programs think."""

    def __init__(self) -> None:
        self.workers = Workers(max(1, CORES - 1), SECONDS)

    @property
    def waiting(self) -> int:
        """Programs that have to think."""
        return self.workers.asked

    async def choose(self, game: str, program: str, seed: str, view: Any) -> Move:
        """The move of a program that sees this view."""
        return await self.workers.ask(think, game, program, seed, view)

    def close(self) -> None:
        """End the workers."""
        self.workers.close()


def think(game: str, program: str, seed: str, view: Any) -> Move:
    """What a worker does."""
    return make_bot(program, find(game), seed).choose(view)
