"""Bots at online tables: they think in worker processes, so that people never wait for them.

A table asks for one move at a time and waits for its turn in a queue. So a thousand tables that
wait for bots do not delay the move of a person. How long a bot pretends to think is part of its
level, and follows from `choose_next_bot`.
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

TIME_LIMIT_S = 60
"""Seconds for one move; a bot that takes longer is broken."""

MIN_REACTION_MS = 200
"""Milliseconds after a change in which no bot acts where the quickest player does."""

MIN_PACE, MAX_PACE = 0.5, 1.5
"""Where the quickest player acts, the time of a bot varies randomly between these factors."""


class BotWorkers:
    """The workers in which bots think. Metrics call the names of their functions `job`."""

    def __init__(self) -> None:
        self.workers = Workers(max(1, CORES - 1), TIME_LIMIT_S, kind="program")

    @property
    def pending(self) -> int:
        """Moves that wait or are being computed."""
        return self.workers.pending

    async def choose(self, game: str, bot: str, seed: str, view: View) -> Move:
        """Return the move of a bot that sees this view.

        A bot of another package that hung, or ended its worker, is not asked again.
        """
        installed = load_registered().get(bot)
        if installed is None:
            return await self.workers.ask(think, game, bot, seed, view)
        if not installed.hung:
            try:
                move, hung = await self.workers.ask(think_as_guest, game, bot, seed, view)
            except TooHard:
                installed.give_up("it ends its process, or takes too long")
            else:
                installed.hung = installed.hung or hung
                return move
        return await self.workers.ask(do_least, game, view)

    def close(self) -> None:
        """End the workers."""
        self.workers.close()


def think(game: str, bot: str, seed: str, view: View) -> Move:
    """Choose a move, in a worker."""
    rules = find_game(game)
    with guard(rules, "its program", TIME_LIMIT_S):
        return _make_bot(bot, rules, seed).choose(view)


def think_as_guest(game: str, bot: str, seed: str, view: View) -> tuple[Move, bool]:
    """Choose a move with a bot of another package; return also whether it hung."""
    installed = load_registered()[bot]
    guest: InstalledBot[View] = InstalledBot(installed, find_game(game), seed)
    return guest.choose(view), installed.hung


def do_least(game: str, view: View) -> Move:
    """Choose the simplest move, in place of a bot that was given up."""
    return choose_least(find_game(game), view, given_up=True)


def _make_bot(name: str, game: AnyGame, seed: str) -> Bot[View]:
    """Make a bot by name; if its package is not installed, the bot that every game has."""
    try:
        return make_bot(name, game, seed)
    except BadOptions as error:
        _warn_once(f"{error} {STAND_IN_BOT} plays instead.")
        return make_bot(STAND_IN_BOT, game, seed)


@cache
def _warn_once(sentence: str) -> None:
    logger.warning(sentence)


def choose_next_bot(
    game: AnyGame, state: object, bots: dict[int, str], pace: int
) -> tuple[int, float, float]:
    """Return the seat of the bot that acts next, its delay in seconds, and the longest delay.

    A move in a turn takes `pace` milliseconds; what takes people longer takes bots longer as well.
    """
    seats = list(bots)
    with guard(game, "its program"):
        rates = [
            1 / _make_bot(bots[seat], game, "").seconds(game.view(state, seat)) for seat in seats
        ]
    rng = secrets.SystemRandom()
    seat = seats[choose_quickest(rates, rng.random())]
    mean = pace / 1000 / MOVE_S / sum(rates)
    if game.clock_player(state) is not None:
        return seat, mean, mean
    least = MIN_REACTION_MS / 1000 if pace else 0.0
    return seat, max(least, mean * rng.uniform(MIN_PACE, MAX_PACE)), max(least, mean * MAX_PACE)
