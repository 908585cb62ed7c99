"""Sockets of tables without the client, and a clock that moves what waits for it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.support.serving import PATIENCE, LateClock, Served


class AdjustableClock(LateClock):
    """The server's clock, which a test can move forward."""

    def forward(self, here: Served, seconds: int) -> None:
        """Move the time forward, and let all waiting tasks look again."""
        self.ahead += 1000 * seconds
        for live in here.tables.registry.cache.values():
            live.wake_driver.set()


class RawSocket:
    """A socket without the client's own protocol handling."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def say(self, **message: Any) -> None:
        await self.connection.send(msgspec.json.encode(message).decode())

    async def hear(self, *kinds: str) -> dict[str, Any]:
        """Return the next message, or the next one of some kinds."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message: dict[str, Any] = msgspec.json.decode(await self.connection.recv())
                if not kinds or message["type"] in kinds:
                    return message

    async def end(self) -> list[dict[str, Any]]:
        """Return all messages until the server closes the socket."""
        said = []
        with contextlib.suppress(ConnectionClosed):
            while True:
                said.append(await self.hear())
        return said


def socket_url(url: str, table: str) -> str:
    return f"ws{url.removeprefix('http')}/api/tables/{table}/socket"


@contextlib.asynccontextmanager
async def open_silent(url: str, table: str, **options: Any) -> AsyncIterator[RawSocket]:
    """Open a socket that has not sent anything yet."""
    async with connect(
        socket_url(url, table),
        **{"compression": None, "proxy": None, "max_size": None, "max_queue": None, **options},
    ) as connection:
        yield RawSocket(connection)


@contextlib.asynccontextmanager
async def open_raw(url: str, table: str, *tokens: str, **options: Any) -> AsyncIterator[RawSocket]:
    """Open a socket that has said hello and received the table."""
    async with open_silent(url, table, **options) as viewer:
        await viewer.say(type="hello", tokens=tokens)
        assert (await viewer.hear())["type"] == "table"
        yield viewer
