"""Bots: software players. A bot sees exactly what a person in its seat sees.

A bot is made by `registry.make_bot`. What all levels do in one game is `games/NAME/bot.py`; how a
level sees the table is in `perception.py` and `lookahead.py`.
"""

from .bot import TURN_S as TURN_S
from .bot import Bot as Bot
from .bot import Time as Time
from .levels import LEVELS as LEVELS
from .registry import BOTS as BOTS
from .registry import NICKNAMES as NICKNAMES
from .registry import format_bot_name as format_bot_name
from .registry import list_bots as list_bots
from .registry import list_levels as list_levels
from .registry import make_bot as make_bot
