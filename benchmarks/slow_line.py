"""A slow line to a server on this machine: everything takes half a round trip each way.

A browser's own throttling does not slow sockets. Opening a connection costs nothing here: what is
counted is questions and answers.
"""

from __future__ import annotations

import asyncio
import contextlib
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator


@contextlib.asynccontextmanager
async def slow_line(port: int, round_trip: float) -> AsyncIterator[int]:
    """The port of its near end; its far end is the server's."""

    async def connected(near: StreamReader, to_near: StreamWriter) -> None:
        far, to_far = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.suppress(asyncio.CancelledError):  # The line is closed.
            await asyncio.gather(
                carry(near, to_far, round_trip / 2),
                carry(far, to_near, round_trip / 2),
                return_exceptions=True,  # Clients may disconnect.
            )

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def carry(source: StreamReader, target: StreamWriter, delay: float) -> None:
    """One way: each part arrives so much later than it was sent, however many are under way."""
    loop = asyncio.get_running_loop()
    parts: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def deliver() -> None:
        while True:
            when, data = await parts.get()
            await asyncio.sleep(max(0.0, when - loop.time()))
            if not data:
                target.close()
                return
            target.write(data)
            await target.drain()

    delivering = asyncio.create_task(deliver())
    data = b"..."
    while data:
        try:
            data = await source.read(65536)
        except ConnectionError:
            data = b""
        parts.put_nowait((loop.time() + delay, data))
    await delivering
