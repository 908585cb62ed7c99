"""Frames, and messages from the bytes of a connection (RFC 6455, RFC 7692).

Every frame is paid for from a budget (`talkers.py`): while it is used up, reading is paused. A
client floods if it goes on sending, without a break, while its connection is read slowly. No read
of a client holds up the others: after a few frames, the event loop has its turn.
"""

from __future__ import annotations

import asyncio
import enum
import zlib
from abc import abstractmethod
from collections import deque
from functools import lru_cache

from websockets.exceptions import PayloadTooBig, ProtocolError
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Close, Frame, Opcode

from ..traffic.loop_share import PendingTurn
from ..traffic.talkers import make_free_meter

try:
    from websockets.speedups import apply_mask
except ImportError:  # Not compiled for this platform.
    from websockets.utils import apply_mask

TEXT, CONTINUED, FINAL, COMPRESSED, MASKED = 0x81, 0x00, 0x80, 0x40, 0x80
SHORT, LONG = 126, 127
"""Lengths that announce a longer length field."""

MAX_UNREAD = 32
"""Messages that wait for the application; further input stays in the connection."""

MAX_FRAMES_PER_TURN = 64
"""Frames of one connection that are read before others have their turn."""

MAX_READ_BYTES = 32_768
"""Bytes of one read, and of a flood that a paused connection stores."""

MIN_EXCESS_BYTES = MAX_READ_BYTES // 2
"""Bytes that wait in a paused connection if its client floods; a slow line never has as many."""

MAX_EXCESS_S = 30
"""Seconds without a break in which a client may flood."""

EXCESS_BREAK_S = 1.0
"""Seconds without a byte that count as a break."""


def encode_frame(kind: int, payload: bytes) -> bytes:
    """Encode a frame with its first byte and its payload."""
    size = len(payload)
    if size < SHORT:
        return bytes((kind, size)) + payload
    if size < 65_536:
        return bytes((kind, SHORT, size >> 8, size & 255)) + payload
    return bytes((kind, LONG)) + size.to_bytes(8) + payload


@lru_cache(maxsize=32)
def deflate_frame(message: bytes, window: int) -> bytes:
    """Compress a text for all receivers; it does not depend on earlier messages."""
    packer = zlib.compressobj(wbits=-window)
    packed = packer.compress(message) + packer.flush(zlib.Z_SYNC_FLUSH)
    return encode_frame(TEXT | COMPRESSED, packed[:-4])


class Phase(enum.Enum):
    """The phase of a connection."""

    OPENING = enum.auto()
    OPEN = enum.auto()
    CLOSING = enum.auto()
    """The server has sent a close frame and waits for the answer."""
    FAILED = enum.auto()
    """The client broke the protocol: further input is discarded."""
    LOST = enum.auto()


class FrameReader(asyncio.BufferedProtocol):
    """A connection that collects the messages of its client, as fast as its budget allows."""

    def __init__(self, loop: asyncio.AbstractEventLoop, max_size: int) -> None:
        self.loop = loop
        self.transport: asyncio.Transport
        self.rest: bytes = b""
        """Input that was not read yet: the beginning of a frame, or frames that have to wait."""
        self.reading: bool = True
        self.meter = make_free_meter()
        """The budget; the application replaces it before it accepts the connection."""
        self.paused: asyncio.Handle | PendingTurn | None = None
        """What resumes reading after a pause, or in the next turn of the event loop."""
        self.is_slowed: bool = False
        """Whether reading was paused since the last ping."""
        self.flood_since: float | None = None
        self.drained_at: float = 0.0
        self.max_size = max_size
        self.phase = Phase.OPENING
        self.deflate: PerMessageDeflate | None = None
        """The compression that both sides have agreed on."""
        self.parts: list[bytes] = []
        self.parts_size: int = 0
        self.parts_are_text: bool = False
        self.unread: deque[str | bytes] = deque()
        self.reader: asyncio.Future[None] | None = None
        """Resolved when there is a message, or the connection ends."""

    @abstractmethod
    def fail(self, code: int) -> None:
        """End the connection, because the client broke the protocol."""

    @abstractmethod
    def cut_off(self) -> None:
        """End a client that has flooded for too long."""

    @abstractmethod
    def ping_received(self, payload: bytes) -> None: ...

    @abstractmethod
    def pong_received(self, payload: bytes) -> None: ...

    @abstractmethod
    def close_received(self, payload: bytes) -> None:
        """Handle a valid close frame."""

    @property
    def is_read(self) -> bool:
        """Whether input still has a meaning."""
        return self.phase is Phase.OPEN or self.phase is Phase.CLOSING

    # -- pauses --------------------------------------------------------------------------------

    def pause(self, seconds: float) -> None:
        """Stop reading for some seconds, or until the next turn of the event loop."""
        self.stop_reading()
        if seconds:
            self.paused = self.loop.call_later(seconds, self._end_pause)
        else:
            self.paused = self.loop.call_soon(self._end_pause)

    def wait_for_turn(self) -> None:
        """Stop reading until it is the turn of the address."""
        self.stop_reading()
        self.paused = self.meter.wait_for_turn(self._end_pause)

    def slow_down(self) -> None:
        """Pause, because the budget is used up."""
        self.note_excess()
        if self.is_read:
            self.pause(self.meter.pause_s("frames"))

    def stop_reading(self) -> None:
        """Leave input in the connection."""
        self.reading = False
        self.transport.pause_reading()

    def stop_pause(self) -> None:
        """Cancel what would resume reading."""
        if self.paused is not None:
            self.paused.cancel()
            self.paused = None

    def note_excess(self) -> None:
        """Note that the client is too fast; if it has flooded for too long, end it."""
        self.is_slowed = True
        if len(self.rest) < MIN_EXCESS_BYTES:
            return
        now = self.meter.clock.monotonic()
        if self.flood_since is None:
            self.flood_since = now
        if now - self.flood_since > MAX_EXCESS_S:
            self.cut_off()

    def _end_pause(self) -> None:
        self.paused = None
        if not self.is_read:
            return
        if self.meter.has_budget():
            self.resume_reading()
        elif self.meter.is_used_up:
            self.slow_down()
        else:  # Other connections of the address use up its budget: this one gets a part.
            self.resume_reading(max_frames=1)

    def resume_reading(self, max_frames: int = MAX_FRAMES_PER_TURN) -> None:
        """Read the rest, at most `max_frames` of it, and then new input."""
        if self.paused is not None or len(self.unread) >= MAX_UNREAD:  # It resumes later.
            return
        if self.meter.is_turn_used_up:
            self.wait_for_turn()
            return
        self.reading = True
        data, self.rest = self.rest, b""
        if data and self.is_read:
            self.read_frames(data, max_frames)
        if self.reading:
            if self.flood_since is not None:
                self.drained_at = self.meter.clock.monotonic()
            self.transport.resume_reading()

    # -- frames --------------------------------------------------------------------------------

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
