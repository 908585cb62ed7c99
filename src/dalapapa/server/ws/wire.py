"""WebSocket connections: opening, sending, and closing (RFC 6455, RFC 7692).

uvicorn hands a connection over when a client asks for a WebSocket (`runtime/run.py`). `websockets`
checks the handshake, and the application decides through ASGI. After that there is no ASGI: the
application takes the `Wire` out of the scope, awaits messages and sends bytes, without a task, an
event or a dictionary for each of them.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, MutableMapping
from typing import Any
from urllib.parse import unquote

from uvicorn.config import Config
from uvicorn.protocols.utils import get_local_addr, get_remote_addr, is_ssl
from uvicorn.server import ServerState
from websockets.extensions.permessage_deflate import (
    PerMessageDeflate,
    ServerPerMessageDeflateFactory,
)
from websockets.frames import Close, Opcode
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

from ..traffic.talkers import REQUEST_FRAMES
from .frame_reader import (
    EXCESS_BREAK_S,
    FINAL,
    MAX_READ_BYTES,
    MIN_EXCESS_BYTES,
    TEXT,
    FrameReader,
    Phase,
    deflate_frame,
    encode_frame,
)

logger: logging.Logger = logging.getLogger("uvicorn.error")

EXTENSION = "dalapapa.wire"
"""The extension of a connection's scope that holds its `Wire`."""

BAD_REQUEST = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

CLOSE_TIMEOUT_S = 5
"""Seconds in which the client must agree to the end."""

MAX_MESSAGES_PER_TURN = 4
"""Messages of one connection that are answered before others have their turn."""

CLOSE_TOO_FAST = 4429

MAX_DISCARDED_BYTES = 1_000_000
"""Bytes that are read and discarded after the close frame."""

MAX_BATCH_BYTES = 65_536
"""Bytes that are collected before they are written to the transport."""

MIN_DEFLATED_BYTES = 300
"""Messages from this size on are compressed, if the client accepts that."""


_BUFFER = memoryview(bytearray(MAX_READ_BYTES))
"""The read buffer of all connections, which is copied before the next one reads."""


class WireClosed(Exception):
    """The connection is closed, or about to be."""


class Upgrade:
    """One upgrade request, and the response to it."""

    def __init__(self) -> None:
        self.request: Request | None = None
        self._response: Response | None = None
        self._protocol = ServerProtocol(
            extensions=[
                ServerPerMessageDeflateFactory(
                    server_no_context_takeover=True, client_no_context_takeover=True
                )
            ],
            logger=logger,
        )

    def check(self, data: bytes) -> bool:
        """Read the request, which has arrived completely; return whether it can be accepted."""
        self._protocol.receive_data(data)
        for request in self._protocol.events_received():
            assert isinstance(request, Request)
            self.request = request
            self._response = self._protocol.accept(request)
            return self._response.status_code == 101
        return False

    def reject(self, status: int) -> None:
        """Reject a request that could have been accepted."""
        self._response = self._protocol.reject(status, "")

    def encode_response(self) -> bytes:
        """Return the response, which can be sent once."""
        if self._response is None:
            return BAD_REQUEST
        self._protocol.send_response(self._response)
        return b"".join(self._protocol.data_to_send())

    def find_deflate(self) -> PerMessageDeflate | None:
        found = (one for one in self._protocol.extensions if isinstance(one, PerMessageDeflate))
        return next(found, None)

    def make_scope(
        self, config: Config, transport: asyncio.Transport, state: dict[str, Any]
    ) -> dict[str, Any]:
        assert self.request is not None
        path, _, query = self.request.path.partition("?")
        root = config.root_path
        return {
            "type": "websocket",
            "asgi": {"version": config.asgi_version, "spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "wss" if is_ssl(transport) else "ws",
            "server": get_local_addr(transport),
            "client": get_remote_addr(transport),
            "root_path": root,
            "path": root + unquote(path),
            "raw_path": (root + path).encode("ascii", "surrogateescape"),
            "query_string": query.encode("ascii", "surrogateescape"),
            "headers": [
                (name.lower().encode("ascii"), value.encode("ascii", "surrogateescape"))
                for name, value in self.request.headers.raw_items()
            ],
            "subprotocols": [],
            "state": state.copy(),
            "extensions": {},
        }


class Wire(FrameReader):
    """One WebSocket connection."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(_loop or asyncio.get_running_loop(), config.ws_max_size)
        self.config = config
        self.connections = server_state.connections
        self.tasks = server_state.tasks
        self.app_state = app_state
        self.is_requested: bool = False
        self.upgrade: Upgrade = Upgrade()
        self.is_too_fast: bool = False
        """Whether it was closed because its client went on flooding."""
        self.answered_in_turn: int = 0
        self.discarded_bytes: int = 0
        self.is_writable: bool = True
        self.on_writable: Callable[[], None] = lambda: None
        """Called when the client reads again, and when the connection ends."""
        self.batch: list[bytes] = []
        self.batch_bytes: int = 0
        self.lost: asyncio.Future[None] = self.loop.create_future()
        self.timer: asyncio.TimerHandle | None = None
        self.said_goodbye: bool = False
        self.ping: bytes | None = None
        """The payload of the last ping, which its answer must repeat."""

    # -- for the session of a viewer -------------------------------------------------------------

    async def receive(self) -> str | bytes:
        """Return the next message; raise `WireClosed` after the last one."""
        self.answered_in_turn += 1
        if self.unread and self.answered_in_turn > MAX_MESSAGES_PER_TURN:
            self.answered_in_turn = 1
            await asyncio.sleep(0)
        while not self.unread:
            if self.phase is not Phase.OPEN:
                raise WireClosed
            self.answered_in_turn = 1
            self.reader = self.loop.create_future()
            try:
                await self.reader
            finally:
                self.reader = None
        message = self.unread.popleft()
        if not self.reading and not self.unread:
            self.resume_reading()
        return message

    async def hold(self, seconds: float) -> None:
        """Pause, because the client sends too much; the pause is counted."""
        self.meter.talker.note_pause(seconds, "messages")
        self.note_excess()
        await asyncio.wait([self.lost], timeout=seconds)
        if self.phase is not Phase.OPEN:
            raise WireClosed

    def send(self, message: bytes) -> None:
        """Send a text without waiting; `is_writable` says whether the client keeps up."""
        if self.phase is not Phase.OPEN:
            return
        if self.deflate is not None and len(message) >= MIN_DEFLATED_BYTES:
            self._write(deflate_frame(message, self.deflate.local_max_window_bits))
        else:
            self._write(encode_frame(TEXT, message))

    def close(self, code: int) -> None:
        """Send a close frame; earlier messages still arrive."""
        if self.phase is Phase.OPEN:
            self.phase = Phase.CLOSING
            self._send_close(code)
            self._plan(CLOSE_TIMEOUT_S, self.transport.abort)
            self.unread.clear()
            self.wake_reader()
            if not self.reading:
                self.resume_reading()

    @property
    def is_open(self) -> bool:
        return self.phase is Phase.OPEN

    async def wait_closed(self) -> None:
        await asyncio.shield(self.lost)

    # -- the transport ---------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        self.connections.add(self)  # type: ignore[arg-type]

    def connection_lost(self, _: Exception | None) -> None:
        self.connections.discard(self)
        self.phase = Phase.LOST
        self._stop_timer()
        self.stop_pause()
        self.lost.set_result(None)
        self.wake_reader()
        self.on_writable()

    def pause_writing(self) -> None:
        self.is_writable = False

    def resume_writing(self) -> None:
        self.is_writable = True
        self.on_writable()

    def shutdown(self) -> None:
        """Close the connection, because the server stops."""
        self.close(1012)
        self._flush()
        self.transport.close()

    def get_buffer(self, _sizehint: int) -> memoryview:
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(_BUFFER[:nbytes]))

    def data_received(self, data: bytes) -> None:
        if self.is_read:
            if self.flood_since is not None:
                pause = self.meter.clock.monotonic() - self.drained_at
                if len(data) < MIN_EXCESS_BYTES or pause > EXCESS_BREAK_S:
                    self.flood_since = None
            if self.rest:
                data = self.rest + data
            self.rest = b""
            if self.reading and not self.meter.is_turn_used_up:
                self.read_frames(data)
            else:
                self.rest = data
                if self.reading:
                    self.wait_for_turn()
        elif self.phase is Phase.OPENING and not self.is_requested:
            self._open(data)
        elif self.phase is Phase.OPENING:
            self.rest += data
        elif self.phase is Phase.FAILED:
            self.discarded_bytes += len(data)
            if self.discarded_bytes > MAX_DISCARDED_BYTES:
                self.transport.abort()

    def _write(self, frame: bytes) -> None:
        """Collect the frames of one turn: an answer and a new state are written together."""
        self.batch.append(frame)
        self.batch_bytes += len(frame)
        if self.batch_bytes > MAX_BATCH_BYTES:
            self._flush()
        elif len(self.batch) == 1:
            self.loop.call_soon(self._flush)

    def _flush(self) -> None:
        if self.batch and self.phase is not Phase.LOST:
            self.transport.write(self.batch[0] if len(self.batch) == 1 else b"".join(self.batch))
        self.batch.clear()
        self.batch_bytes = 0

    def cut_off(self) -> None:
        """End a flood with a close frame, and read nothing more, so that it costs nothing."""
        if self.phase is Phase.OPEN:
            self.is_too_fast = True
            self.meter.talker.report(
                "An address sends too much: the server closed one of its sockets."
            )
            self._send_close(CLOSE_TOO_FAST, "too_fast")
        self.stop_pause()
        self.stop_reading()
        self.rest: bytes = b""
        self.unread.clear()
        self._end()
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def _send_close(self, code: int, reason: str = "") -> None:
        self._write(encode_frame(FINAL | Opcode.CLOSE, Close(code, reason).serialize()))

    def _end(self) -> None:
        """Accept nothing more from the client, and abort if it does not end the connection."""
        self.phase = Phase.FAILED
        self._plan(CLOSE_TIMEOUT_S, self.transport.abort)
        self._flush()
        self.wake_reader()

    def _plan(self, seconds: float, action: Callable[[], None]) -> None:
        self._stop_timer()
        self.timer = self.loop.call_later(seconds, action)

    def _stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    # -- control frames --------------------------------------------------------------------------

    def ping_received(self, payload: bytes) -> None:
        if self.phase is Phase.OPEN and self.is_writable:
            self._write(encode_frame(FINAL | Opcode.PONG, payload))

    def pong_received(self, payload: bytes) -> None:
        if payload == self.ping and self.phase is Phase.OPEN:
            self._plan_ping()

    def close_received(self, payload: bytes) -> None:
        self.said_goodbye = True
        if self.phase is Phase.OPEN:
            self._write(encode_frame(FINAL | Opcode.CLOSE, payload))
        self._end()  # Nothing may follow a close frame.
        self.transport.close()

    def fail(self, code: int) -> None:
        if self.phase is Phase.OPEN:
            self._send_close(code)
        elif self.phase is not Phase.CLOSING:
            return
        self._end()
        # Further input is read and discarded: unread input would reset the connection, and the
        # close frame would be lost.
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:
            self.transport.close()

    # -- keep-alive ------------------------------------------------------------------------------

    def _plan_ping(self) -> None:
        self.ping = None
        if self.config.ws_ping_interval:
            self._plan(self.config.ws_ping_interval, self._send_ping)

    def _send_ping(self) -> None:
        self.is_slowed = False
        self.ping = os.urandom(4)
        self._write(encode_frame(FINAL | Opcode.PING, self.ping))
        if self.config.ws_ping_timeout:
            self._plan(self.config.ws_ping_timeout, self._ping_timed_out)

    def _ping_timed_out(self) -> None:
        """Fail without a pong, unless it may wait behind input that was not read yet."""
        if self.is_slowed and self.config.ws_ping_timeout:
            self.is_slowed: bool = False
            self._plan(self.config.ws_ping_timeout, self._ping_timed_out)
        else:
            self.fail(1011)

    # -- the handshake ---------------------------------------------------------------------------

    def _open(self, data: bytes) -> None:
        """Check the request, which has arrived completely, and let the application decide."""
        self.is_requested = True
        if not self.upgrade.check(data):
            self.transport.write(self.upgrade.encode_response())
            self.phase = Phase.FAILED
            self.transport.close()
            return
        self.stop_reading()
        scope = self.upgrade.make_scope(self.config, self.transport, self.app_state)
        scope["extensions"][EXTENSION] = self
        task = self.loop.create_task(self._run_app(scope))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)

    async def _run_app(self, scope: dict[str, Any]) -> None:
        """Run the application until it is done with this connection."""
        try:
            await self.config.loaded_app(scope, self._receive_asgi, self._send_asgi)
        except Exception:
            logger.exception("a socket failed")
            self._reject(500)
            self.fail(1011)
        finally:
            self._reject(500)
            self.close(1000)

    async def _receive_asgi(self) -> MutableMapping[str, Any]:
        """Return the first message of ASGI, and then the last one."""
        if self.phase is Phase.OPENING:
            return {"type": "websocket.connect"}
        await self.wait_closed()
        return {"type": "websocket.disconnect", "code": 1005}

    async def _send_asgi(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "websocket.close":
            self._reject(403)
            self.close(message.get("code", 1000))
        elif message["type"] == "websocket.accept" and self.phase is Phase.OPENING:
            self.deflate = self.upgrade.find_deflate()
            self.transport.write(self.upgrade.encode_response())
            self.phase = Phase.OPEN
            self._plan_ping()
            self.meter.spend_turn(REQUEST_FRAMES)
            self.resume_reading()

    def _reject(self, status: int) -> None:
        """Answer with an HTTP status instead of a WebSocket."""
        if self.phase is Phase.OPENING:
            self.upgrade.reject(status)
            self.transport.write(self.upgrade.encode_response())
            self.phase: Phase = Phase.FAILED
            self.transport.close()
