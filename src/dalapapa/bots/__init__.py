"""Bots: software players. A bot sees exactly what a person in its seat sees.

A bot is made by `registry.make_bot`. What all levels do in one game is `games/NAME/bot.py`; how a
level sees the table is in `perception.py` and `lookahead.py`.
"""

from .bot import TURN_S, Bot, Time
from .levels import LEVELS
from .registry import BOTS, NICKNAMES, format_bot_name, list_bots, list_levels, make_bot

__all__ = [
    "BOTS",
    "LEVELS",
    "NICKNAMES",
    "TURN_S",
    "Bot",
    "Time",
    "format_bot_name",
    "list_bots",
    "list_levels",
    "make_bot",
]
