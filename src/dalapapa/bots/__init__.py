"""Programs that play. A bot sees exactly what a person in its seat sees."""

from .bot import SECONDS, Bot, Time
from .levels import BOTS, LEVELS, levels_of, make_bot, programs_of

__all__ = ["BOTS", "LEVELS", "SECONDS", "Bot", "Time", "levels_of", "make_bot", "programs_of"]
