"""Programs that play. A bot sees exactly what a person in its seat sees."""

from .bot import SECONDS, Bot, Time
from .players import BOTS, LEVELS, make_bot

__all__ = ["BOTS", "LEVELS", "SECONDS", "Bot", "Time", "make_bot"]
