"""An external program as a process: one JSON object on a line, both ways (`docs/adapters.md`).

The process is limited: lines have a maximum length, answers a time limit, and output that was not
asked for waits in its own pipe.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from ..core.errors import DalapapaError
from ..core.notation import shorten

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

    starting = 0
    """Programs of this process that may run already but cannot be ended yet."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = tuple(command)
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
            raise BotFailure(f"{name} cannot be started: {reason}.", "cannot_start") from None
        finally:
            BotProcess.starting -= 1
        try:
            return await self._answer({"type": "hello", **hello}, "hello", START_LIMIT_S)
        except BotFailure:
            await self.close()
            raise

    async def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Ask for a move and return the answer."""
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
