"""Programs that play. A bot sees exactly what a person in its seat sees."""

from .bot import Bot
from .players import BOTS, make_bot

__all__ = ["BOTS", "Bot", "make_bot"]
