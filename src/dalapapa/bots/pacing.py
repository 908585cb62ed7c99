"""How long bots pretend to think at online tables, so that people can follow."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from ..games.game import MOVE_S
from .bot import choose_quickest

MIN_REACTION_MS = 200
"""Milliseconds without moves of bots after a change, in games in which the quickest player acts."""

MIN_PACE, MAX_PACE = 0.5, 1.5
"""In games in which the quickest player acts, the time of a bot varies randomly between these
factors."""


def choose_next(
    seconds: Mapping[int, float], pace: int, is_turn: bool, rng: Random
) -> tuple[int, float, float]:
    """Return the seat of the bot that acts next, its delay in seconds, and the longest delay.

    `seconds` has for each seat of a bot the time that a person would take. A move in a turn takes
    `pace` milliseconds; what takes people longer takes bots longer as well.
    """
    rates = [1 / each for each in seconds.values()]
    seat = list(seconds)[choose_quickest(rates, rng.random())]
    mean = pace / 1000 / MOVE_S / sum(rates)
    if is_turn:
        return seat, mean, mean
    least = MIN_REACTION_MS / 1000 if pace else 0.0
    return seat, max(least, mean * rng.uniform(MIN_PACE, MAX_PACE)), max(least, mean * MAX_PACE)
