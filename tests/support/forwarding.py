"""A small reverse proxy, and clients with addresses of their own behind it.

Linux answers at all addresses of 127.0.0.0/8, so each client can have another one, and a proxy
sees whose connection it forwards as it does in real life.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

LAST_LINE = b"\r\n\r\n"


@contextlib.asynccontextmanager
async def forwarding(
    url: str, *, own: str = "127.0.0.1", header: str = "X-Forwarded-For", append: bool = False
) -> AsyncIterator[str]:
    """The address of a proxy for one server, which connects to it from `own`.

    It writes the client's address into the header: instead of what is there, or (`append`) after
    it. Every connection carries one request, or one socket.
    """
    target = urlsplit(url)

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = writer.get_extra_info("peername")[0]
        head = await reader.readuntil(LAST_LINE)
        lines = head.removesuffix(LAST_LINE).split(b"\r\n")
        name = header.lower().encode() + b":"
        given = [line for line in lines if line.lower().startswith(name)]
        kept = [line for line in lines if line not in given]
        chain = [line.partition(b":")[2].strip() for line in given] if append else []
        kept.append(name + b" " + b", ".join([*chain, client.encode()]))
        there, back = await asyncio.open_connection(
            target.hostname, target.port, local_addr=(own, 0)
        )
        back.write(b"\r\n".join(kept) + LAST_LINE)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_pump(reader, back))
                tasks.create_task(_pump(there, writer))
        finally:
            writer.close()
            back.close()

    running: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(forward(reader, writer))
        running.add(task)
        task.add_done_callback(running.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0, backlog=1000)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
