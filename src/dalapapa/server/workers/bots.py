"""Programs at the table: they think in worker processes, never where people wait.

A table asks for one move at a time and waits its turn in a queue, so that a thousand tables that
wait for programs never delay a person's move. How long a person would take for a move is part of
a level, and told here.
"""

from __future__ import annotations

import logging
import secrets
from functools import cache

from ...bots import make_bot
from ...bots.bot import Bot, choose_quickest
from ...bots.installed import InstalledBot, choose_least, load_registered
from ...core.errors import BadOptions, TooHard
from ...games import AnyGame, find_game
from ...games.game import MOVE_S, View
from ...games.installed import guard
from ...games.moves import Move
from ...hosting.state import STAND_IN_BOT
from .pool import CORES, Workers

logger = logging.getLogger("dalapapa")

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
        return self.workers.pending

    async def choose(self, game: str, program: str, seed: str, view: View) -> Move:
        """The move of a program that sees this view.

        One by somebody else that never comes to an end, or ends its worker, is not asked again.
        """
        own = load_registered().get(program)
        if own is None:
            return await self.workers.ask(think, game, program, seed, view)
        if not own.hung:
            try:
                move, hung = await self.workers.ask(think_as_guest, game, program, seed, view)
            except TooHard:
                own.give_up("it ends its process, or takes too long")
            else:
                own.hung = own.hung or hung
                return move
        return await self.workers.ask(do_least, game, view)

    def close(self) -> None:
        """End the workers."""
        self.workers.close()


def think(game: str, program: str, seed: str, view: View) -> Move:
    """What a worker does."""
    rules = find_game(game)
    with guard(rules, "its program", SECONDS):
        return _seated(program, rules, seed).choose(view)


def think_as_guest(game: str, program: str, seed: str, view: View) -> tuple[Move, bool]:
    """The same for a program by somebody else, which has its own guard, and whether it hung."""
    own = load_registered()[program]
    bot: InstalledBot[View] = InstalledBot(own, find_game(game), seed)
    return bot.choose(view), own.hung


def do_least(game: str, view: View) -> Move:
    """What a worker does for a program that is given up."""
    return choose_least(find_game(game), view, given_up=True)


def _seated(program: str, game: AnyGame, seed: str) -> Bot[View]:
    """A program by name; in place of one whose package is gone, the one that every game has."""
    try:
        return make_bot(program, game, seed)
    except BadOptions as error:
        _tell_once(f"{error} In its place plays {STAND_IN_BOT}.")
        return make_bot(STAND_IN_BOT, game, seed)


@cache
def _tell_once(what: str) -> None:
    logger.warning(what)


def next_to_act(
    game: AnyGame, state: object, programs: dict[int, str], pace: int
) -> tuple[int, float, float]:
    """Which of some programs acts next, by its seat; after how many seconds, and at most.

    A move in a turn takes `pace` milliseconds, and what people take longer for, in proportion.
    """
    seats = list(programs)
    with guard(game, "its program"):
        rates = [
            1 / _seated(programs[seat], game, "").seconds(game.view(state, seat)) for seat in seats
        ]
    rng = secrets.SystemRandom()
    seat = seats[choose_quickest(rates, rng.random())]
    usual = pace / 1000 / MOVE_S / sum(rates)
    if game.clock_player(state) is not None:
        return seat, usual, usual
    least = NOT_AT_ONCE / 1000 if pace else 0.0
    return seat, max(least, usual * rng.uniform(LEAST, MOST)), max(least, usual * MOST)
