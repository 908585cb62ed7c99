"""External programs as bots: their processes, and what happens when they fail.

A program reads and writes one JSON object on a line (`docs/bots.md`). Its process is limited:
lines have a maximum length, answers a time limit, and output that was not asked for waits in its
own pipe.

A program that crashes, makes an illegal move or is late loses that move: the stand-in makes the
least move that the rules allow. After a few failures in a row the program is given up. The table
never waits for it.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from shutil import which
from typing import Any

import msgspec

from ..core.errors import BadOptions, DalapapaError, IllegalMove, Unavailable
from ..core.notation import shorten
from ..core.tiles import TileSet
from ..games.game import AnyGame, View
from ..games.moves import Move, move_to_json
from ..games.plain import to_plain
from .bot import MoveBot, Time

MAX_LINE_BYTES = 16_384
"""The maximum length of a line that a program writes."""

START_LIMIT_S = 30.0
"""The time from its start to its hello: some languages start slowly."""

EXIT_LIMIT_S = 1.0
"""The time that a program has after the end of the game."""


class BotFailure(DalapapaError):
    """A program cannot be started, has ended, is late or writes invalid lines."""

    default_code = "nonsense"


class BotProcess:
    """A running program, which gets one question at a time."""

    starting: int = 0
    """Programs of this process that may run already but cannot be ended yet."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command: tuple[str, ...] = tuple(command)
        self.process: Process | None = None
        self._asked = 0

    @property
    def is_started(self) -> bool:
        """Whether it was started and not closed."""
        return self.process is not None

    async def start(self, hello: dict[str, Any]) -> dict[str, Any]:
        """Start it, greet it, and return its own hello."""
        BotProcess.starting += 1
        try:
            # A process group of its own: processes that it starts end with it.
            self.process = await asyncio.create_subprocess_exec(
                *self.command, stdin=PIPE, stdout=PIPE, limit=MAX_LINE_BYTES, start_new_session=True
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            name = shorten(self.command[0]) if self.command else "Nothing"
            raise BotFailure(f"Cannot start {name}: {reason}.", "cannot_start") from None
        finally:
            BotProcess.starting -= 1
        try:
            return await self._answer({"type": "hello", **hello}, "hello", START_LIMIT_S)
        except BotFailure:
            await self.close()
            raise

    async def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        self._asked += 1
        return await self._answer({"type": "view", "id": self._asked, **question}, "move", seconds)

    def send(self, kind: str, **fields: Any) -> None:
        """Send a message that needs no answer, and that it need not read."""
        if self.process is not None and self.process.returncode is None:
            assert self.process.stdin is not None
            self.process.stdin.write(_line({"type": kind, "id": self._asked, **fields}))

    async def close(self, **last: Any) -> None:
        """End it and all that it has started, after a last message."""
        process = self.process
        if process is None:
            return
        self.process = None
        assert process.stdin is not None
        assert process.stdout is not None
        if last:
            process.stdin.write(_line({"type": "over", **last}))
            process.stdin.close()
            await _wait_for_end(process)
        kill(process)
        await _wait_for_end(process)
        process._transport.close()  # type: ignore[attr-defined]

    async def _answer(self, message: dict[str, Any], kind: str, seconds: float) -> dict[str, Any]:
        assert self.process is not None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            async with asyncio.timeout(seconds):
                self.process.stdin.write(_line(message))
                await self.process.stdin.drain()
                while True:
                    answer = _read(await self.process.stdout.readline())
                    if not _is_late(answer, self._asked):
                        break
        except TimeoutError:
            raise BotFailure(f"It took more than {seconds:g} s.", "late") from None
        except ValueError:
            raise BotFailure(
                f"It wrote a line of more than {MAX_LINE_BYTES} bytes.", "too_long"
            ) from None
        except OSError:
            raise BotFailure("It has ended.", "ended") from None
        if answer.get("type") != kind or answer.get("id") != message.get("id"):
            raise BotFailure(f"It did not answer with a {kind} and the id of the question.")
        return answer


def _line(message: dict[str, Any]) -> bytes:
    return msgspec.json.encode(message) + b"\n"


def _read(line: bytes) -> dict[str, Any]:
    if not line:
        raise BotFailure("It has ended.", "ended")
    try:
        answer = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        text = shorten(line.decode(errors="replace").strip())
        raise BotFailure(f"It wrote {text}, which is not a JSON object.")
    return answer


def _is_late(answer: dict[str, Any], asked: int) -> bool:
    """Whether this answers an earlier question: too late, but valid."""
    number = answer.get("id")
    return type(number) is int and 0 < number < asked


def kill(process: Process) -> None:
    """Kill a process and those that it started; one that has ended is ignored."""
    with suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            _kill_family(process.pid)
            process.kill()


def _kill_family(pid: int) -> None:
    """The same on Windows, which has no process groups."""
    with suppress(OSError):
        words = ["taskkill", "/F", "/T", "/PID", str(pid)]
        subprocess.run(words, capture_output=True, check=False)


async def _wait_for_end(process: Process) -> None:
    """Wait a little until it has ended, and discard its output."""
    assert process.stdout is not None
    with suppress(TimeoutError):
        async with asyncio.timeout(EXIT_LIMIT_S):
            while await process.stdout.read(MAX_LINE_BYTES):
                pass
            await process.wait()


PREFIX = "exec:"
"""The prefix of the name of a bot that is a command."""

PROTOCOL = 1
"""The version of the protocol, which changes when it becomes incompatible."""

MAX_FAILURES = 3
"""Failures in a row after which a program is given up."""

OPEN_ENDED = ("call", "raise", "announce")
"""Moves of which only the next few are listed; the rules decide about the others."""

LEAST_KINDS = ("end", "decline", "no_more", "pass")
"""Kinds of moves that do nothing."""


class Overtaken(DalapapaError):
    """The table changed while a program was thinking, which is not a failure."""

    default_code = "overtaken"


def choose_stand_in(moves: list[dict[str, Any]], given_up: bool = False) -> dict[str, Any]:
    """The least move: do nothing where the rules allow it, else the first of the list.

    A program that is given up leaves a race, which is a move there.
    """
    for kind in ("give_up", *LEAST_KINDS) if given_up else LEAST_KINDS:
        for move in moves:
            if move["move"] == kind:
                return move
    return moves[0]


def make_greeting(
    game: str, seat: int, tiles: TileSet, seconds: float, seed: str
) -> dict[str, Any]:
    """The first message to a program. Its seed reveals nothing of the bag."""
    return {
        "protocol": PROTOCOL,
        "game": game,
        "seat": seat,
        "seconds": seconds,
        "seed": seed,
        "tiles": {tile.name: [tile.recto, tile.verso] for tile in tiles.tiles},
    }


class ExternalPlayer:
    """A program in one seat of one game: started when needed, and again if it has ended."""

    def __init__(
        self, command: Sequence[str], hello: dict[str, Any], report: Callable[[str], None]
    ) -> None:
        self.process: BotProcess = BotProcess(command)
        self.hello = hello
        self.seconds: float = hello["seconds"]
        self.report = report
        self.failures: int = 0

    @property
    def given_up(self) -> bool:
        return self.failures >= MAX_FAILURES

    async def start(self) -> str:
        """Start it, unless it runs; return the name that it gives itself."""
        if self.process.is_started:
            return ""
        name = (await self.process.start(self.hello)).get("name")
        return name if isinstance(name, str) else ""

    async def play(
        self,
        view: dict[str, Any],
        moves: list[dict[str, Any]],
        events: list[Any],
        make: Callable[[dict[str, Any]], Awaitable[None]],
    ) -> None:
        """Let it make a move, or else the stand-in; `make` carries the move out or refuses it."""
        try:
            if not self.given_up:
                await self.start()
                question = {"view": view, "events": events, "moves": moves}
                answer = await self.process.ask(question, self.seconds)
                await make(check_move(answer.get("move"), moves))
                self.failures = 0
                return
        except (Overtaken, Unavailable):
            raise
        except DalapapaError as error:
            await self._note_failure(error)
        await make(choose_stand_in(moves, self.given_up))

    async def _note_failure(self, error: DalapapaError) -> None:
        self.failures += 1
        then = ": it gets no more turns" if self.given_up else ""
        count = f"{self.failures} of {MAX_FAILURES}"
        self.report(f"The program failed ({error.code}): {error} This was failure {count}{then}.")
        self.process.send("refused", code=error.code, message=str(error))
        if self.given_up or (isinstance(error, BotFailure) and error.code != "late"):
            await self.process.close()  # It starts again with the next question.


def check_move(move: Any, moves: list[dict[str, Any]]) -> dict[str, Any]:
    """Refuse a move that is not listed, and does not differ by a higher number only."""
    if move in moves:
        found: dict[str, Any] = move
        return found
    kinds = {(legal["player"], legal["move"]) for legal in moves if legal["move"] in OPEN_ENDED}
    if isinstance(move, dict):
        who, kind = move.get("player"), move.get("move")
        if type(who) is int and isinstance(kind, str) and (who, kind) in kinds:
            return move
    raise IllegalMove("It made a move that is illegal now.", "not_legal")


def split_command(text: str, windows: bool = os.name == "nt") -> list[str]:
    """Split a command, which may have the prefix, into words.

    They are split as in a shell, except that on Windows a backslash separates folders.
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
        raise BadOptions(f"Cannot read the command: {what} is missing.", "bad_command") from None
    if not words:
        raise BadOptions(
            f"{PREFIX} must be followed by a command, such as {PREFIX}./my-bot.", "bad_command"
        )
    return words


def check_command(words: Sequence[str]) -> None:
    """Refuse a command whose program does not exist, before anything starts."""
    try:
        found = which(words[0])
    except ValueError:  # No file can have this name.
        found = None
    if found is None:
        raise BadOptions(
            f"Cannot find the program {shorten(words[0])}: check its name and your PATH.",
            "cannot_start",
        )


class ExternalBot(MoveBot[View]):
    """An external program in a simulation: a process for each game. `close` ends it."""

    def __init__(self, command: str, game: AnyGame, seed: str, time: Time) -> None:
        super().__init__(game, seed)
        self.command: list[str] = split_command(command)
        self.time = time
        self.failures: int = 0
        """Answers that did not count. After a few in a row, it is not asked again."""
        self._player: ExternalPlayer | None = None
        self._loop = asyncio.Runner()

    def choose(self, view: View) -> Move:
        return self.choose_by(view, lambda _: None)

    def choose_by(self, view: View, rules: Callable[[Move], object]) -> Move:
        """Choose a move that the rules do not refuse."""
        chosen: list[Move] = []

        async def make(move: dict[str, Any]) -> None:
            made = self.game.read_move(move)
            rules(made)
            chosen.append(made)

        if self._player is None:
            tiles, seconds = self.game.tiles(view.options), self.time.seconds
            hello = make_greeting(self.game.name, view.player, tiles, seconds, self.seed)
            self._player = ExternalPlayer(self.command, hello, self._note_failure)
        moves = [move_to_json(move) for move in self.game.legal_moves(view)]
        self._loop.run(self._player.play(to_plain(view), moves, [], make))
        return chosen[0]

    def _note_failure(self, sentence: str) -> None:
        self.failures += 1
        print(sentence, file=sys.stderr)

    def __reduce__(self) -> str:
        raise TypeError("A bot that is a process cannot be copied or pickled.")

    def close(self, **last: Any) -> None:
        player, self._player = self._player, None
        if player is not None:
            for interrupted in asyncio.all_tasks(self._loop.get_loop()):
                interrupted.cancel()  # It waits for an answer that is no longer needed.
            self._loop.run(player.process.close(**last))
        self._loop.close()
