"""WebSockets, from the bytes of a connection to whole messages and back (RFC 6455, RFC 7692).

uvicorn hands a connection over when it is to become a WebSocket (`run.configured`). The handshake
goes the usual way: `websockets` checks it, and the application decides (ASGI), with all that
stands before it. From then on there is no ASGI: whoever accepted the connection takes its `Wire`
out of the scope, awaits messages and sends bytes, without a task, an event or a dictionary for each
of them.

Every frame is paid for from a budget (`talkers.py`). When it is used up, reading is paused; a
client that goes on flooding (`pacing.py`) is cut off with code 4429. No read of a client
holds up the others: after a few frames, the event loop has its turn.
"""

from __future__ import annotations

import asyncio
import enum
import logging
import os
from collections import deque
from collections.abc import Callable, MutableMapping
from typing import Any

from uvicorn.config import Config
from uvicorn.server import ServerState
from websockets.exceptions import PayloadTooBig, ProtocolError
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Close, Frame, Opcode

from ..traffic.pacing import PacedProtocol
from ..traffic.talkers import REQUEST_FRAMES
from .frames import (
    COMPRESSED,
    CONTINUED,
    FINAL,
    LONG,
    MASKED,
    SHORT,
    TEXT,
    deflate_frame,
    encode_frame,
)
from .upgrade import Upgrade

try:
    from websockets.speedups import apply_mask
except ImportError:  # Not compiled here.
    from websockets.utils import apply_mask

logger = logging.getLogger("uvicorn.error")

EXTENSION = "dalapapa.wire"
"""Where the scope of a connection has its `Wire`."""

CLOSE_SECONDS = 5
"""For the other side to agree to the end."""

MAX_UNREAD = 32
"""Messages that wait to be read; beyond, what comes stays in the connection."""

MAX_FRAMES_PER_TURN = 64
"""Frames of one connection that are read before others have their turn."""

MAX_MESSAGES_PER_TURN = 4
"""Messages of one connection that are answered before others have their turn."""

TOO_FAST = 4429
"""The code of a connection that was closed because its client went on flooding."""

MAX_DISCARDED_BYTES = 1_000_000
"""Bytes that are read and thrown away after the last word."""

MAX_OUT = 65_536
"""Bytes that are gathered before they are given to the connection."""

MIN_DEFLATED = 300
"""Bytes of a message that is compressed, where the other side understands it."""


class Disconnected(Exception):
    """The connection is closed, or about to be."""


class Phase(enum.Enum):
    """Of a connection."""

    OPENING = enum.auto()
    OPEN = enum.auto()
    CLOSING = enum.auto()
    """The end is announced, and the other side's answer awaited."""
    FAILED = enum.auto()
    """What comes makes no sense any more: it is not looked at."""
    LOST = enum.auto()


class Wire(PacedProtocol):
    """One connection."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(_loop or asyncio.get_running_loop())
        self.config = config
        self.connections = server_state.connections
        self.tasks = server_state.tasks
        self.app_state = app_state
        self.max_size = config.ws_max_size
        self.phase = Phase.OPENING
        self.asked = False
        """Whether the application has been asked."""
        self.upgrade = Upgrade()
        self.deflate: PerMessageDeflate | None = None
        self.parts: list[bytes] = []
        """Of a message in several frames."""
        self.parts_size = 0
        self.parts_are_text = False
        self.unread: deque[str | bytes] = deque()
        self.is_too_fast = False
        """Whether it was closed because it went on flooding."""
        self.answered_in_turn = 0
        self.discarded_bytes = 0
        self.reader: asyncio.Future[None] | None = None
        self.writable = True
        """Whether the other side takes what is sent."""
        self.resumed: Callable[[], None] = lambda: None
        """Called when it does so again, and at the end."""
        self.out: list[bytes] = []
        """Frames of this turn of the loop."""
        self.out_size = 0
        self.lost: asyncio.Future[None] = self.loop.create_future()
        self.timer: asyncio.TimerHandle | None = None
        self.said_goodbye = False
        """Whether the other side has ended it as one should."""
        self.ping: bytes | None = None
        """What the answer to the last ping has to be."""

    # -- what a viewer's socket uses -------------------------------------------------------------

    async def receive(self) -> str | bytes:
        """The next message; raises `Disconnected` after the last one."""
        self.answered_in_turn += 1
        if self.unread and self.answered_in_turn > MAX_MESSAGES_PER_TURN:
            self.answered_in_turn = 1
            await asyncio.sleep(0)
        while not self.unread:
            if self.phase is not Phase.OPEN:
                raise Disconnected
            self.answered_in_turn = 1
            self.reader = self.loop.create_future()
            try:
                await self.reader
            finally:
                self.reader = None
        message = self.unread.popleft()
        if not self.reading and not self.unread:
            self.go_on_reading()
        return message

    async def hold(self, seconds: float) -> None:
        """Take no message for a while, because the client is too fast; it is counted."""
        self.meter.talker.note_pause(seconds, "messages")
        self.note_excess()
        await asyncio.wait([self.lost], timeout=seconds)
        if self.phase is not Phase.OPEN:
            raise Disconnected

    def send(self, message: bytes) -> None:
        """Send a text. Never waits: `writable` says when enough is on its way."""
        if self.phase is not Phase.OPEN:
            return
        if self.deflate is not None and len(message) >= MIN_DEFLATED:
            self._write(deflate_frame(message, self.deflate.local_max_window_bits))
        else:
            self._write(encode_frame(TEXT, message))

    def close(self, code: int) -> None:
        """Announce the end; what was sent before still arrives."""
        if self.phase is Phase.OPEN:
            self.phase = Phase.CLOSING
            self._write(encode_frame(FINAL | Opcode.CLOSE, Close(code, "").serialize()))
            self._in(CLOSE_SECONDS, self.transport.abort)
            self.unread.clear()
            self._wake()
            if not self.reading:
                self.go_on_reading()

    @property
    def alive(self) -> bool:
        """Whether anything that is sent may arrive."""
        return self.phase is Phase.OPEN

    async def closed(self) -> None:
        """Until the connection has really ended."""
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
        self._wake()
        self.resumed()

    def pause_writing(self) -> None:
        self.writable = False

    def resume_writing(self) -> None:
        self.writable = True
        self.resumed()

    def shutdown(self) -> None:
        """The server ends."""
        self.close(1012)
        self._flush()
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        if self.is_read:
            if self.excess.since is not None:
                self.excess.note_received(len(data), self.meter.clock.monotonic())
            if self.rest:
                data = self.rest + data
            self.rest = b""
            if self.reading and not self.meter.is_turn_used_up:
                self._take(data)
            else:
                self.rest = data
                if self.reading:
                    self.wait_for_turn()
        elif self.phase is Phase.OPENING and not self.asked:
            self._open(data)
        elif self.phase is Phase.OPENING:
            self.rest += data
        elif self.phase is Phase.FAILED:
            self.discarded_bytes += len(data)
            if self.discarded_bytes > MAX_DISCARDED_BYTES:
                self.transport.abort()

    def _write(self, frame: bytes) -> None:
        """What is sent in one turn of the loop, an answer and news, goes out at once."""
        self.out.append(frame)
        self.out_size += len(frame)
        if self.out_size > MAX_OUT:
            self._flush()
        elif len(self.out) == 1:
            self.loop.call_soon(self._flush)

    def _flush(self) -> None:
        if self.out and self.phase is not Phase.LOST:
            self.transport.write(self.out[0] if len(self.out) == 1 else b"".join(self.out))
        self.out.clear()
        self.out_size = 0

    def _wake(self) -> None:
        if self.reader is not None and not self.reader.done():
            self.reader.set_result(None)

    def go_on_reading(self, most: int | None = None) -> None:
        if self.paused is not None or len(self.unread) >= MAX_UNREAD:  # It goes on by itself.
            return
        if self.meter.is_turn_used_up:
            self.wait_for_turn()
            return
        self.reading = True
        data, self.rest = self.rest, b""
        if data and self.phase in (Phase.OPEN, Phase.CLOSING):
            self._take(data, most or MAX_FRAMES_PER_TURN)
        if self.reading:
            if self.excess.since is not None:
                self.excess.note_drained(self.meter.clock.monotonic())
            self.transport.resume_reading()

    @property
    def is_read(self) -> bool:
        return self.phase is Phase.OPEN or self.phase is Phase.CLOSING

    def cut_off(self) -> None:
        """End a flood: say why, and read no more, so that it costs nothing."""
        if self.phase is Phase.OPEN:
            self.is_too_fast = True
            self.meter.talker.report("An address floods: a socket of it was closed.")
            close = Close(TOO_FAST, "too_fast").serialize()
            self._write(encode_frame(FINAL | Opcode.CLOSE, close))
        self.phase = Phase.FAILED
        self.stop_pause()
        self.stop_reading()
        self.rest = b""
        self.unread.clear()
        self._in(CLOSE_SECONDS, self.transport.abort)
        self._flush()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._wake()

    def _in(self, seconds: float, then: Callable[[], None]) -> None:
        self._stop_timer()
        self.timer = self.loop.call_later(seconds, then)

    def _stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    # -- frames ----------------------------------------------------------------------------------

    def _take(self, data: bytes, most: int = MAX_FRAMES_PER_TURN) -> None:
        """Read frames, at most so many; what follows, or is only the beginning of one, stays."""
        at, end, frames = 0, len(data), 0
        while end - at >= 2:
            if len(self.unread) >= MAX_UNREAD:
                self.stop_reading()
                break
            if frames == most:
                break
            head, size = data[at], data[at + 1]
            if size < MASKED:
                return self._fail(1002)
            size -= MASKED
            start = at + 6
            if size == SHORT:
                start = at + 8
                if end < start:
                    break
                size = data[at + 2] << 8 | data[at + 3]
            elif size == LONG:
                start = at + 14
                if end < start:
                    break
                size = int.from_bytes(data[at + 2 : at + 10])
            if size > self.max_size:
                return self._fail(1009)
            if end < start + size:
                if not self._possible(head, size):
                    return self._fail(1002)
                break
            payload = apply_mask(data[start : start + size], data[start - 4 : start])
            at = start + size
            frames += 1
            if head == TEXT and not self.parts:
                self._text(payload)
            elif self._possible(head, size):
                self._frame(head, payload)
            else:
                self._fail(1002)
            if self.phase is not Phase.OPEN and self.phase is not Phase.CLOSING:
                return None
        self.rest = data[at:]
        self.meter.spend_turn(frames or 1)
        if self.meter.spend(frames or 1, at):
            self.slow_down()
        elif frames == most and self.reading and at < end:
            self.pause(0)
        return None

    def _possible(self, head: int, size: int) -> bool:
        """Whether a frame may begin like this."""
        kind, final = head & 15, head & FINAL
        if kind >= Opcode.CLOSE:
            return kind <= Opcode.PONG and bool(final) and size < SHORT and not head & 0x70
        if head & 0x30 or (head & COMPRESSED and (self.deflate is None or kind == CONTINUED)):
            return False
        return kind <= Opcode.BINARY and (kind == CONTINUED) == bool(self.parts)

    def _frame(self, head: int, payload: bytes) -> None:
        kind = head & 15
        if kind == Opcode.PING:
            if self.phase is Phase.OPEN and self.writable:
                self._write(encode_frame(FINAL | Opcode.PONG, payload))
        elif kind == Opcode.PONG:
            if payload == self.ping and self.phase is Phase.OPEN:
                self._keep_alive()
        elif kind == Opcode.CLOSE:
            self._close_received(payload)
        else:
            self._part(head, kind, payload)

    def _part(self, head: int, kind: int, payload: bytes) -> None:
        """A frame of data, which may be compressed, or one of several."""
        final = bool(head & FINAL)
        if kind != CONTINUED:
            self.parts_are_text = kind == Opcode.TEXT
            self.parts_size = 0
        room = self.max_size - self.parts_size
        if self.deflate is not None:
            frame = Frame(Opcode(kind), payload, final, rsv1=bool(head & COMPRESSED))
            try:
                payload = bytes(self.deflate.decode(frame, max_size=room).data)
                self.meter.charge_bytes(len(payload))
            except PayloadTooBig:
                return self._fail(1009)
            except ProtocolError:
                return self._fail(1002)
        if len(payload) > room:
            return self._fail(1009)
        self.parts_size += len(payload)
        if not final:
            if payload or not self.parts:  # There may be any number of empty ones.
                self.parts.append(payload)
            return None
        whole = b"".join((*self.parts, payload))
        self.parts = []
        if self.parts_are_text:
            self._text(whole)
        else:
            self._message(whole)
        return None

    def _text(self, payload: bytes) -> None:
        try:
            text = payload.decode()
        except UnicodeDecodeError:
            self._fail(1007)
        else:
            self._message(text)

    def _message(self, message: str | bytes) -> None:
        if self.phase is Phase.OPEN:
            self.unread.append(message)
            self._wake()

    def _close_received(self, payload: bytes) -> None:
        try:
            Close.parse(payload)
        except (ProtocolError, UnicodeDecodeError) as error:
            return self._fail(1007 if isinstance(error, UnicodeDecodeError) else 1002)
        self.said_goodbye = True
        if self.phase is Phase.OPEN:
            self._write(encode_frame(FINAL | Opcode.CLOSE, payload))
        self.phase = Phase.FAILED  # Nothing comes after it.
        self._in(CLOSE_SECONDS, self.transport.abort)
        self._flush()
        self.transport.close()
        self._wake()
        return None

    def _fail(self, code: int) -> None:
        """The other side breaks the rules: say so, and listen no more."""
        if self.phase is Phase.OPEN:
            self._write(encode_frame(FINAL | Opcode.CLOSE, Close(code, "").serialize()))
        elif self.phase is not Phase.CLOSING:
            return
        self.phase = Phase.FAILED
        self._in(CLOSE_SECONDS, self.transport.abort)
        self._flush()
        # What it still sends is read and thrown away: unread, it would take the last word with it.
        if self.transport.can_write_eof():
            self.transport.write_eof()
        else:
            self.transport.close()
        self._wake()

    # -- signs of life ---------------------------------------------------------------------------

    def _keep_alive(self) -> None:
        self.ping = None
        if self.config.ws_ping_interval:
            self._in(self.config.ws_ping_interval, self._ping)

    def _ping(self) -> None:
        self.is_slowed = False
        self.ping = os.urandom(4)
        self._write(encode_frame(FINAL | Opcode.PING, self.ping))
        if self.config.ws_ping_timeout:
            self._in(self.config.ws_ping_timeout, self._silent)

    def _silent(self) -> None:
        """No answer to a ping: it may wait behind what was not read yet."""
        if self.is_slowed and self.config.ws_ping_timeout:
            self.is_slowed = False
            self._in(self.config.ws_ping_timeout, self._silent)
        else:
            self._fail(1011)

    # -- the handshake ---------------------------------------------------------------------------

    def _open(self, data: bytes) -> None:
        """Check the request, which is all there at once, and let the application decide."""
        self.asked = True
        if not self.upgrade.check(data):
            self.transport.write(self.upgrade.encode_response())
            self.phase = Phase.FAILED
            self.transport.close()
            return
        self.stop_reading()
        scope = self.upgrade.make_scope(self.config, self.transport, self.app_state)
        scope["extensions"][EXTENSION] = self
        task = self.loop.create_task(self._ask(scope))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)

    async def _ask(self, scope: dict[str, Any]) -> None:
        """The application's whole time with this connection."""
        try:
            await self.config.loaded_app(scope, self._connected, self._decided)
        except Exception:
            logger.exception("a socket failed")
            self._refuse(500)
            self._fail(1011)
        finally:
            self._refuse(500)
            self.close(1000)

    async def _connected(self) -> MutableMapping[str, Any]:
        """ASGI's first message, and the last one."""
        if self.phase is Phase.OPENING:
            return {"type": "websocket.connect"}
        await self.closed()
        return {"type": "websocket.disconnect", "code": 1005}

    async def _decided(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "websocket.close":
            self._refuse(403)
            self.close(message.get("code", 1000))
        elif message["type"] == "websocket.accept" and self.phase is Phase.OPENING:
            self.deflate = self.upgrade.find_deflate()
            self.transport.write(self.upgrade.encode_response())
            self.phase = Phase.OPEN
            self._keep_alive()
            self.meter.spend_turn(REQUEST_FRAMES)
            self.go_on_reading()

    def _refuse(self, status: int) -> None:
        """Instead of a WebSocket."""
        if self.phase is Phase.OPENING:
            self.upgrade.reject(status)
            self.transport.write(self.upgrade.encode_response())
            self.phase = Phase.FAILED
            self.transport.close()
