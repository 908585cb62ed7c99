"""A line that lies: it loses, delays, doubles and refuses messages of sockets, and breaks.

No honest line does so to single messages of a WebSocket; a client that can play through this one
can play through all of them.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple

import msgspec
from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

REFUSALS = ("too_fast", "busy", "not_your_turn", "illegal")


class Chances(NamedTuple):
    """Of what may happen to a message."""

    lost: float = 0.05
    late: float = 0.2
    doubled: float = 0.08
    refused: float = 0.06
    broken: float = 0.01


class Line:
    """Lies by chance, always in the same way for the same seed; counts how often."""

    def __init__(self, server: str, seed: int, chances: Chances | None = None) -> None:
        self.server = server.replace("http", "ws", 1)
        self.rng = random.Random(seed)
        self.chances = chances or Chances()
        self.lies = dict.fromkeys(Chances._fields, 0)

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        """The address of its near end."""
        quiet = logging.getLogger("lying_line")
        quiet.setLevel(logging.CRITICAL)  # Who goes away while knocking is no error here.
        options: Any = {"compression": None, "max_size": None, "logger": quiet}
        async with serve(self._pass, "127.0.0.1", 0, **options) as near:
            yield f"http://127.0.0.1:{next(iter(near.sockets)).getsockname()[1]}"

    def _happens(self, what: str) -> bool:
        found: bool = self.rng.random() < getattr(self.chances, what)
        self.lies[what] += found
        return found

    async def _pass(self, near: ServerConnection) -> None:
        assert near.request
        address = self.server + near.request.path
        async with (
            connect(address, compression=None, max_size=None, proxy=None) as far,
            asyncio.TaskGroup() as tasks,
        ):
            ways = (
                self._carry(near.recv, far.send, near.send, tasks),
                self._carry(far.recv, near.send, None, tasks),
            )
            done = [tasks.create_task(way) for way in ways]
            await asyncio.wait(done, return_when=asyncio.FIRST_COMPLETED)
            await near.close(far.close_code or 1011)
            await far.close()

    async def _carry(
        self,
        receive: Callable[[], Awaitable[str | bytes]],
        send: Callable[[str], Awaitable[None]],
        answer: Callable[[str], Awaitable[None]] | None,
        tasks: asyncio.TaskGroup,
    ) -> None:
        """One way, until the line breaks; who is late is overtaken."""

        async def deliver(text: str, later: float) -> None:
            await asyncio.sleep(later)  # Being late is what is tested.
            with contextlib.suppress(ConnectionClosed):
                await send(text)

        with contextlib.suppress(ConnectionClosed):
            while True:
                text = str(await receive())
                if self._happens("broken"):
                    return
                if self._happens("lost"):
                    continue
                id = msgspec.json.decode(text).get("id")
                if answer and id and self._happens("refused"):
                    lie = {"type": "refused", "id": id, "message": "A lie.",
                            "code": self.rng.choice(REFUSALS)}  # fmt: skip
                    await answer(msgspec.json.encode(lie).decode())
                    continue
                for _ in range(2 if self._happens("doubled") else 1):
                    if self._happens("late"):
                        tasks.create_task(deliver(text, self.rng.uniform(0, 0.05)))
                    else:
                        await send(text)
