"""A bot in Python as an external program: `python -m dalapapa.bots.program NAME`.

So a bot that is ours, or of an installed package, plays where programs play (`docs/bots.md`): it
has a time limit, and after its failures it is started again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any, TextIO

from ..core.errors import DalapapaError
from ..games import find_game
from ..games.game import AnyGame
from ..games.moves import move_to_json
from ..games.plain import read_view
from .bot import Bot, Time, read_choice
from .installed import find_registered
from .levels import BOT_NAMES
from .registry import list_own_bots, make_bot, make_unknown_bot


def list_command(name: str) -> list[str]:
    """The command that starts a bot by its name."""
    return [sys.executable, "-m", __name__, name]


def is_bot(name: str) -> bool:
    """Whether this is the name of a bot, ours or of an installed package."""
    return name in BOT_NAMES or find_registered(name) is not None


def run_bot(name: str, lines: Iterable[str], out: TextIO) -> None:
    """Answer the questions of a host until they end. What fails ends the program."""
    game: AnyGame | None = None
    bot: Bot[Any] | None = None
    for line in lines:
        message = json.loads(line)
        answer: dict[str, Any] | None = None
        if message["type"] == "hello":
            game = find_game(message["game"])
            bot = _make_bot(name, game, message["seed"], Time(message["seconds"]))
            answer = {"type": "hello", "name": name}
        elif message["type"] == "view":
            assert game is not None
            assert bot is not None
            view = read_view(game, message["view"])
            move = read_choice(bot.choose(view), game, view)
            answer = {"type": "move", "id": message["id"], "move": move_to_json(move)}
        if answer is not None:
            print(json.dumps(answer), file=out, flush=True)


def _make_bot(name: str, game: AnyGame, seed: str, time: Time) -> Bot[Any]:
    """The bot itself, without the stand-in for its failures: the host has one."""
    if name in list_own_bots(game):
        return make_bot(name, game, seed, time)
    entry = find_registered(name)
    if entry is None or not entry.plays(game):
        raise make_unknown_bot(name, game)
    return entry.make(game, seed, time)


if __name__ == "__main__":
    out, sys.stdout = sys.stdout, sys.stderr  # What a bot prints is no answer.
    try:
        run_bot(sys.argv[1], sys.stdin, out)
    except DalapapaError as error:
        sys.exit(str(error))
