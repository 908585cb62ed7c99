"""Frames from the bytes of a connection, and messages from frames (RFC 6455, RFC 7692).

Every frame is paid for from a budget (`talkers.py`). No read of a client holds up the others: after
a few frames, the event loop has its turn.
"""

from __future__ import annotations

import asyncio
import enum
from abc import abstractmethod
from collections import deque

from websockets.exceptions import PayloadTooBig, ProtocolError
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Close, Frame, Opcode

from ..traffic.pacing import PacedProtocol
from .frames import COMPRESSED, CONTINUED, FINAL, LONG, MASKED, SHORT, TEXT

try:
    from websockets.speedups import apply_mask
except ImportError:  # Not compiled for this platform.
    from websockets.utils import apply_mask

MAX_UNREAD = 32
"""Messages that wait for the application; further input stays in the connection."""

MAX_FRAMES_PER_TURN = 64
"""Frames of one connection that are read before others have their turn."""


class Phase(enum.Enum):
    """The phase of a connection."""

    OPENING = enum.auto()
    OPEN = enum.auto()
    CLOSING = enum.auto()
    """The server has sent a close frame and waits for the answer."""
    FAILED = enum.auto()
    """The client broke the protocol: further input is discarded."""
    LOST = enum.auto()


class FrameReader(PacedProtocol):
    """A connection that collects the messages of its client."""

    def __init__(self, loop: asyncio.AbstractEventLoop, max_size: int) -> None:
        super().__init__(loop)
        self.max_size = max_size
        self.phase = Phase.OPENING
        self.deflate: PerMessageDeflate | None = None
        """The compression that both sides have agreed on."""
        self.parts: list[bytes] = []
        """Payloads of a message in several frames."""
        self.parts_size = 0
        self.parts_are_text = False
        self.unread: deque[str | bytes] = deque()
        """Messages that wait for the application."""
        self.reader: asyncio.Future[None] | None = None
        """Resolved when there is a message, or the connection ends."""

    @abstractmethod
    def fail(self, code: int) -> None:
        """End the connection, because the client broke the protocol."""

    @abstractmethod
    def ping_received(self, payload: bytes) -> None:
        """Handle a ping."""

    @abstractmethod
    def pong_received(self, payload: bytes) -> None:
        """Handle a pong."""

    @abstractmethod
    def close_received(self, payload: bytes) -> None:
        """Handle a valid close frame."""

    @property
    def is_read(self) -> bool:
        return self.phase is Phase.OPEN or self.phase is Phase.CLOSING

    def wake_reader(self) -> None:
        """Let the application look for messages."""
        if self.reader is not None and not self.reader.done():
            self.reader.set_result(None)

    def read_frames(self, data: bytes, max_frames: int = MAX_FRAMES_PER_TURN) -> None:
        """Read a limited number of frames; what follows, or is incomplete, stays."""
        at, end, frames = 0, len(data), 0
        while end - at >= 2:
            if len(self.unread) >= MAX_UNREAD:
                self.stop_reading()
                break
            if frames == max_frames:
                break
            head, size = data[at], data[at + 1]
            if size < MASKED:
                return self.fail(1002)
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
                return self.fail(1009)
            if end < start + size:
                if not self._is_valid(head, size):
                    return self.fail(1002)
                break
            payload = apply_mask(data[start : start + size], data[start - 4 : start])
            at = start + size
            frames += 1
            if head == TEXT and not self.parts:
                self._add_text(payload)
            elif self._is_valid(head, size):
                self._read_frame(head, payload)
            else:
                self.fail(1002)
            if self.phase is not Phase.OPEN and self.phase is not Phase.CLOSING:
                return None
        self.rest = data[at:]
        self.meter.spend_turn(frames or 1)
        if self.meter.spend(frames or 1, at):
            self.slow_down()
        elif frames == max_frames and self.reading and at < end:
            self.pause(0)
        return None

    def _is_valid(self, head: int, size: int) -> bool:
        """Whether a frame may begin like this."""
        kind, final = head & 15, head & FINAL
        if kind >= Opcode.CLOSE:
            return kind <= Opcode.PONG and bool(final) and size < SHORT and not head & 0x70
        if head & 0x30 or (head & COMPRESSED and (self.deflate is None or kind == CONTINUED)):
            return False
        return kind <= Opcode.BINARY and (kind == CONTINUED) == bool(self.parts)

    def _read_frame(self, head: int, payload: bytes) -> None:
        kind = head & 15
        if kind == Opcode.PING:
            self.ping_received(payload)
        elif kind == Opcode.PONG:
            self.pong_received(payload)
        elif kind == Opcode.CLOSE:
            self._read_close(payload)
        else:
            self._read_data(head, kind, payload)

    def _read_data(self, head: int, kind: int, payload: bytes) -> None:
        """Read a frame of data, which may be compressed, or one of several."""
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
                return self.fail(1009)
            except ProtocolError:
                return self.fail(1002)
        if len(payload) > room:
            return self.fail(1009)
        self.parts_size += len(payload)
        if not final:
            if payload or not self.parts:  # There may be any number of empty frames.
                self.parts.append(payload)
            return None
        message = b"".join((*self.parts, payload))
        self.parts = []
        if self.parts_are_text:
            self._add_text(message)
        else:
            self._add_message(message)
        return None

    def _add_text(self, payload: bytes) -> None:
        try:
            text = payload.decode()
        except UnicodeDecodeError:
            self.fail(1007)
        else:
            self._add_message(text)

    def _add_message(self, message: str | bytes) -> None:
        if self.phase is Phase.OPEN:
            self.unread.append(message)
            self.wake_reader()

    def _read_close(self, payload: bytes) -> None:
        try:
            Close.parse(payload)
        except (ProtocolError, UnicodeDecodeError) as error:
            self.fail(1007 if isinstance(error, UnicodeDecodeError) else 1002)
        else:
            self.close_received(payload)
