"""Our application behind another WebSocket implementation, for `transports.py`.

    python -m benchmarks.transport_server uvicorn|granian DATABASE LIMIT=VALUE...

`AsgiWire` gives a viewer's socket what `Wire` in `server/ws/wire.py` gives it, over plain
ASGI. So everything above it is the same code in each contender.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import uvicorn

from dalapapa.hosting.protocol import MAX_MESSAGE_BYTES
from dalapapa.server.app import create_app
from dalapapa.server.runtime.run import add_driver
from dalapapa.server.traffic.limits import limits_from
from dalapapa.server.traffic.talkers import make_free_meter
from dalapapa.server.ws.wire import EXTENSION, WireClosed

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]

DATABASE, LIMITS = "DALAPAPA_BENCHMARK_DATABASE", "DALAPAPA_BENCHMARK_LIMITS"
MAX_UNSENT = 16
"""Messages that wait for the transport; beyond, the viewer is slow."""

CLOSE_TIMEOUT_S = 5


class AsgiWire:
    """One connection, as ASGI shows it."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self.asgi_receive, self.asgi_send = receive, send
        self.meter = make_free_meter()
        self.is_open = True
        self.is_writable = True
        self.is_too_fast = self.said_goodbye = False
        self.on_writable: Callable[[], None] = lambda: None
        self._unsent: deque[Message] = deque()
        self._more = asyncio.Event()
        self._sender = asyncio.create_task(self._send_all())

    async def receive(self) -> str | bytes:
        """The next message; raises `WireClosed` after the last one."""
        message = await self.asgi_receive() if self.is_open else {"type": "websocket.disconnect"}
        if message["type"] != "websocket.receive":
            self.is_open = False
            self.said_goodbye = message.get("code") in (1000, 1001)
            raise WireClosed
        text: str | bytes | None = message.get("text")
        return message["bytes"] if text is None else text

    async def hold(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def send(self, message: bytes) -> None:
        if self.is_open:
            self._put({"type": "websocket.send", "text": message.decode()})

    def close(self, code: int) -> None:
        if self.is_open:
            self._put({"type": "websocket.close", "code": code})

    async def wait_closed(self) -> None:
        with contextlib.suppress(WireClosed, TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                while True:
                    await self.receive()
        self._sender.cancel()

    def _put(self, message: Message) -> None:
        self._unsent.append(message)
        self.is_writable = len(self._unsent) < MAX_UNSENT
        self._more.set()

    async def _send_all(self) -> None:
        with contextlib.suppress(Exception):  # The connection is gone.
            while True:
                await self._more.wait()
                self._more.clear()
                while self._unsent:
                    await self.asgi_send(self._unsent.popleft())
                if not self.is_writable:
                    self.is_writable = True
                    self.on_writable()
        self.is_open = False
        self.on_writable()


def with_asgi_wires(app: App) -> App:
    """The application, with an `AsgiWire` in the scope of each socket."""

    async def served(scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            extensions = scope.get("extensions") or {}
            scope = {**scope, "extensions": {**extensions, EXTENSION: AsgiWire(receive, send)}}
        await app(scope, receive, send)

    return served


def make_app() -> App:
    """The application with the database and the limits of the environment."""
    words = filter(None, os.environ[LIMITS].split(" "))
    limits = limits_from({name: int(value) for name, _, value in (w.partition("=") for w in words)})
    return with_asgi_wires(create_app(add_driver(os.environ[DATABASE]), limits))


def main() -> None:
    kind, database, *limits = sys.argv[1:]
    os.environ[DATABASE], os.environ[LIMITS] = database, " ".join(limits)
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    print(f"http://127.0.0.1:{port}", flush=True)
    if kind == "uvicorn":
        config = uvicorn.Config(
            make_app(), ws="websockets-sansio", http="httptools", access_log=False,
            log_level="warning", ws_max_size=MAX_MESSAGE_BYTES,
            ws_ping_interval=20, ws_ping_timeout=20,
        )  # fmt: skip
        uvicorn.Server(config).run(sockets=[listener])
    else:
        from granian import Granian
        from granian.constants import Interfaces, Loops

        listener.close()
        Granian(
            "benchmarks.transport_server:make_app", address="127.0.0.1", port=port, factory=True,
            interface=Interfaces.ASGI, loop=Loops.uvloop, workers=1, log_enabled=False,
        ).serve()  # fmt: skip


if __name__ == "__main__":
    main()
