"""The light end of a WebSocket: what a load generator needs, and nothing that costs it time.

It shares the machine with the server that it measures, so it makes whole frames beforehand (masked
with zeros, which leave a text as it is) and looks at no more of an answer than it must.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

SHORT, LONG = 126, 127
"""Lengths that stand for a longer length after them."""


def frame(text: bytes) -> bytes:
    """A text as a client sends it."""
    size = len(text)
    if size < SHORT:
        return bytes([0x81, 0x80 | size, 0, 0, 0, 0]) + text
    return bytes([0x81, 0x80 | SHORT]) + size.to_bytes(2) + b"\0\0\0\0" + text


class Wire(asyncio.Protocol):
    """One open socket: `heard` gets each message that comes."""

    def __init__(self, request: bytes, heard: Callable[[bytes], None]) -> None:
        self.request = request
        self.heard = heard
        self.transport: asyncio.Transport
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.rest = b""

    @classmethod
    async def open(cls, host: str, port: int, path: str, heard: Callable[[bytes], None]) -> Wire:
        """A socket, once the server has agreed to it."""
        request = (
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        loop = asyncio.get_running_loop()
        _, wire = await loop.create_connection(lambda: cls(request.encode(), heard), host, port)
        await wire.opened
        return wire

    def send(self, framed: bytes) -> None:
        """Something that `frame` has made."""
        self.transport.write(framed)

    def close(self) -> None:
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        transport.write(self.request)

    def connection_lost(self, _: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        data = self.rest + data if self.rest else data
        at, end = 0, len(data)
        if not self.opened.done():
            head = data.find(b"\r\n\r\n")
            if head < 0:
                self.rest = data
                return
            assert data.startswith(b"HTTP/1.1 101"), data
            at = head + 4
            self.opened.set_result(None)
        while end - at >= 2:
            start, size = at + 2, data[at + 1]
            if size == SHORT:
                start, size = at + 4, int.from_bytes(data[at + 2 : at + 4])
            elif size == LONG:
                start, size = at + 10, int.from_bytes(data[at + 2 : at + 10])
            if end - start < size:
                break
            kind = data[at] & 15
            if kind == 9:  # A ping.
                self.transport.write(
                    b"\x8a" + bytes([0x80 | size]) + b"\0\0\0\0" + data[start : start + size]
                )
            elif kind < 3:
                self.heard(data[start : start + size])
            at = start + size
        self.rest = data[at:]
