"""Programs that play. A bot sees exactly what a person in its seat sees."""

from .players import BOTS, Bot, make_bot

__all__ = ["BOTS", "Bot", "make_bot"]
