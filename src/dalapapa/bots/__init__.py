"""Programs that play. A bot sees exactly what a person in its seat sees."""

from .bot import SECONDS, Bot, Time
from .levels import BOTS, CAST, LEVELS, called, levels_of, make_bot, programs_of

__all__ = [
    "BOTS",
    "CAST",
    "LEVELS",
    "SECONDS",
    "Bot",
    "Time",
    "called",
    "levels_of",
    "make_bot",
    "programs_of",
]
