"""Anybody's program in a seat, and what happens when it fails (`docs/adapters.md`).

Whoever crashes, lies or is late has lost that move: the stand-in makes the least one that the rules
allow. After a few failures in a row the program is given up. The table never waits for it.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from shutil import which
from typing import Any

from ..core.errors import BadOptions, DalapapaError, IllegalMove, Unavailable
from ..core.notation import shortened
from ..core.tiles import TileSet
from ..games.game import AnyGame, View
from ..games.moves import Move, move_from_json, move_to_json
from ..games.plain import to_plain
from .bot import Bot, Time
from .process import BotFailure, BotProcess

PREFIX = "exec:"
"""Of the name of a program that is a command."""

PROTOCOL = 1
"""Grows when what was said before is no longer true."""

MAX_FAILURES = 3
"""In a row, until a program is given up."""

OPEN_ENDED = ("call", "raise", "announce")
"""Moves of which only the next few are listed; the rules decide about the others."""

LEAST_KINDS = ("end", "decline", "no_more", "pass")
"""What a player does who does nothing."""


class Overtaken(DalapapaError):
    """The table has moved on while a program thought: nobody's fault."""

    default_code = "overtaken"


def choose_stand_in(moves: list[dict[str, Any]], given_up: bool = False) -> dict[str, Any]:
    """The least move: to do nothing where the rules allow it, else the first of the list.

    Whoever is given up leaves a race, in which that is a move.
    """
    for kind in ("give_up", *LEAST_KINDS) if given_up else LEAST_KINDS:
        for move in moves:
            if move["move"] == kind:
                return move
    return moves[0]


def make_greeting(
    game: str, seat: int, tiles: TileSet, seconds: float, seed: str
) -> dict[str, Any]:
    """What a program is told first. The seed is for its own chance and tells nothing of the bag."""
    return {
        "protocol": PROTOCOL,
        "game": game,
        "seat": seat,
        "seconds": seconds,
        "seed": seed,
        "tiles": {tile.name: [tile.recto, tile.verso] for tile in tiles.tiles},
    }


class ExternalPlayer:
    """A program in one seat of one game: started when it is needed, and again if it has ended."""

    def __init__(
        self, command: Sequence[str], hello: dict[str, Any], report: Callable[[str], None]
    ) -> None:
        self.lines = BotProcess(command)
        self.hello = hello
        self.seconds: float = hello["seconds"]
        self.report = report
        self.failures = 0

    @property
    def given_up(self) -> bool:
        return self.failures >= MAX_FAILURES

    async def start(self) -> str:
        """Start it, unless it runs; the name it gives itself."""
        if self.lines.process is not None:
            return ""
        name = (await self.lines.start(self.hello)).get("name")
        return name if isinstance(name, str) else ""

    async def play(
        self,
        view: dict[str, Any],
        moves: list[dict[str, Any]],
        events: list[Any],
        make: Callable[[dict[str, Any]], Awaitable[None]],
    ) -> None:
        """Let it make a move; `make` carries it out or refuses it. Else, the stand-in does."""
        try:
            if not self.given_up:
                await self.start()
                question = {"view": view, "events": events, "moves": moves}
                answer = await self.lines.ask(question, self.seconds)
                await make(_checked(answer.get("move"), moves))
                self.failures = 0
                return
        except (Overtaken, Unavailable):
            raise
        except DalapapaError as error:
            await self._fail(error)
        await make(choose_stand_in(moves, self.given_up))

    async def _fail(self, error: DalapapaError) -> None:
        self.failures += 1
        then = ": it is given up" if self.given_up else ""
        self.report(f"The program has failed ({error.code}): {error}"
                    f" That is {self.failures} of {MAX_FAILURES}{then}.")  # fmt: skip
        self.lines.tell("refused", code=error.code, message=str(error))
        if self.given_up or (isinstance(error, BotFailure) and error.code != "late"):
            await self.lines.close()  # It starts afresh when it is asked again.


def _checked(move: Any, moves: list[dict[str, Any]]) -> dict[str, Any]:
    """A move that is listed, or one that is like those listed but for a higher number."""
    if move in moves:
        found: dict[str, Any] = move
        return found
    kinds = {(legal["player"], legal["move"]) for legal in moves if legal["move"] in OPEN_ENDED}
    if isinstance(move, dict):
        who, kind = move.get("player"), move.get("move")
        if type(who) is int and isinstance(kind, str) and (who, kind) in kinds:
            return move
    raise IllegalMove("It made a move that is not legal now.", "not_legal")


def split_command(text: str, windows: bool = os.name == "nt") -> list[str]:
    """The words of a command; a program's name without its prefix.

    As a shell reads them; but on Windows a backslash stands between folders.
    """
    lexer = shlex.shlex(text.removeprefix(PREFIX), posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if windows:
        lexer.escape = ""
    try:
        words = list(lexer)
    except ValueError as error:
        what = "a quotation mark" if "quot" in str(error) else "something after the last \\"
        raise BadOptions(f"This is not a command: {what} is missing.", "bad_command") from None
    if not words:
        raise BadOptions(f"After {PREFIX} follows a command.", "bad_command")
    return words


def check_command(words: Sequence[str]) -> None:
    """Refuse a command whose program is not there, before anything starts."""
    try:
        found = which(words[0])
    except ValueError:  # No file can have this name.
        found = None
    if found is None:
        raise BadOptions(f"There is no program called {shortened(words[0])}.", "cannot_start")


class ExternalBot(Bot[View]):
    """Anybody's program in a simulation: a process for each game. `close` ends it."""

    def __init__(self, command: str, game: AnyGame, seed: str, time: Time) -> None:
        super().__init__(game, seed)
        self.command = split_command(command)
        self.time = time
        self._guest: ExternalPlayer | None = None
        self._loop = asyncio.Runner()

    def choose(self, view: View) -> Move:
        return self.choose_by(view, lambda _: None)

    def choose_by(self, view: View, rules: Callable[[Move], object]) -> Move:
        """A move that the rules do not refuse."""
        chosen: list[Move] = []

        async def make(move: dict[str, Any]) -> None:
            made = move_from_json(move)
            rules(made)
            chosen.append(made)

        if self._guest is None:
            tiles, seconds = self.game.tiles(view.options), self.time.seconds
            hello = make_greeting(self.game.name, view.player, tiles, seconds, self.seed)
            self._guest = ExternalPlayer(self.command, hello, partial(print, file=sys.stderr))
        moves = [move_to_json(move) for move in self.game.legal_moves(view)]
        self._loop.run(self._guest.play(to_plain(view), moves, [], make))
        return chosen[0]

    def __reduce__(self) -> str:
        raise TypeError("A process can neither be copied nor pickled.")

    def close(self, **last: Any) -> None:
        guest, self._guest = self._guest, None
        if guest is not None:
            for interrupted in asyncio.all_tasks(self._loop.get_loop()):
                interrupted.cancel()  # It waits for an answer that nobody wants any more.
            self._loop.run(guest.lines.close(**last))
        self._loop.close()
