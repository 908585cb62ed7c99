"""Bots at online tables: they think in worker processes, so that people never wait for them.

A table asks for one move at a time and waits for its turn in a queue. So a thousand tables that
wait for bots do not delay the move of a person. How long a bot pretends to think is part of its
level, and follows from `choose_next_bot`.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from ...bots import make_bot, pacing
from ...bots.bot import MoveBot
from ...bots.installed import InstalledBot, choose_least, find_registered
from ...bots.registry import list_own_bots
from ...games import AnyGame, find_game
from ...games.game import View
from ...games.moves import Move
from ...hosting.state import STAND_IN_BOT
from .packages import Packages
from .pool import CORES, Workers
from .remote_games import RemoteBot

logger: logging.Logger = logging.getLogger("dalapapa")

TIME_LIMIT_S = 60
"""Seconds for one move; a bot that takes longer is broken."""


class BotWorkers:
    """The workers in which bots think. Metrics call the names of their functions `job`."""

    def __init__(self, packages: Packages | None = None) -> None:
        self.workers: Workers = Workers(max(1, CORES - 1), TIME_LIMIT_S, kind="program")
        self.packages: Packages = packages or Packages()
        """The games and bots of other packages, which have workers of their own."""

    @property
    def pending(self) -> int:
        """Moves that wait or are being computed."""
        return self.workers.pending + self.packages.bots.pending

    async def choose(self, game: str, bot: str, seed: str, view: View) -> Move:
        """Return the move of a bot that sees this view.

        A bot of another package that hung, or ended its worker, is not asked again.
        """
        guest = await self.packages.find_bot(bot)
        if guest is None:
            return await self.workers.ask(think, game, bot, seed, view)
        return await self.packages.ask_guest(guest, think_as_guest, game, bot, seed, view)

    def close(self) -> None:
        """End the workers."""
        self.workers.close()
        self.packages.close()


def think(game: str, bot: str, seed: str, view: View) -> Move:
    """Choose a move, in a worker."""
    return _make_bot(bot, find_game(game), seed).choose(view)


def think_as_guest(game: str, bot: str, seed: str, view: View, given_up: bool) -> Move:
    """Choose a move with a bot of another package; the least move if it was given up."""
    rules = find_game(game)
    registered = None if given_up else find_registered(bot)
    if registered is None:  # If not given up, it worked when the server described it.
        return choose_least(rules, view, given_up=True)
    guest: InstalledBot[View] = InstalledBot(registered, rules, seed)
    return guest.choose(view)


def _make_bot(name: str, game: AnyGame, seed: str) -> MoveBot[View]:
    """Make a bot of ours by name; if its package is not installed, the one that every game has."""
    if name in list_own_bots(game):
        return make_bot(name, game, seed)
    _warn_once(f"The bot {name} is not installed: {STAND_IN_BOT} plays instead.")
    return make_bot(STAND_IN_BOT, game, seed)


@cache
def _warn_once(sentence: str) -> None:
    logger.warning(sentence)


def choose_next_bot(
    game: AnyGame,
    state: Any,
    bots: dict[int, str],
    pace: int,
    guests: Mapping[str, RemoteBot] = MappingProxyType({}),
) -> tuple[int, float, float]:
    """Return the seat of the bot that acts next, its delay in seconds, and the longest delay.

    `guests` are the bots of other packages among them.
    """
    seconds = {seat: _count_seconds(game, state, seat, bot, guests) for seat, bot in bots.items()}
    is_turn = game.clock_player(state) is not None
    return pacing.choose_next(seconds, pace, is_turn, secrets.SystemRandom())


def _count_seconds(
    game: AnyGame, state: Any, seat: int, bot: str, guests: Mapping[str, RemoteBot]
) -> float:
    """The seconds that a bot takes for its next move, on average."""
    if game.is_installed:
        seconds: float = state.seconds[seat]
        return seconds
    view = game.view(state, seat)
    if bot in guests:
        return game.thinking_time(view, guests[bot].description.pace)
    return _make_bot(bot, game, "").seconds(view)
