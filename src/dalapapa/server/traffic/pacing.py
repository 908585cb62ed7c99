"""Reading a connection within its budget: pauses, and the end of clients that flood.

A client floods if it goes on sending, without a break, while its connection is read slowly.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod

from .loop_turns import PendingTurn
from .talkers import make_free_meter

MAX_READ_BYTES = 32_768
"""Bytes of one read, and of a flood that a paused connection stores."""

MIN_EXCESS_BYTES = MAX_READ_BYTES // 2
"""Bytes that wait in a paused connection if its client floods; a slow line never has as many."""

MAX_EXCESS_S = 30
"""Seconds without a break in which a client may flood."""

EXCESS_BREAK_S = 1.0
"""Seconds without a byte that count as a break."""


class Excess:
    """How long one client has flooded."""

    __slots__ = ("_drained_at", "since")

    def __init__(self) -> None:
        self.since: float | None = None
        """When the present flood began."""
        self._drained_at = 0.0

    def is_too_long(self, waiting: int, now: float) -> bool:
        """Note the bytes that wait to be read; return whether the flood has lasted for too long."""
        if waiting < MIN_EXCESS_BYTES:
            return False
        if self.since is None:
            self.since = now
        return now - self.since > MAX_EXCESS_S

    def note_drained(self, now: float) -> None:
        """Note that all input has been read."""
        self._drained_at = now

    def note_received(self, size: int, now: float) -> None:
        """Note new input: with little of it, or after a break, the client has stopped flooding."""
        if size < MIN_EXCESS_BYTES or now - self._drained_at > EXCESS_BREAK_S:
            self.since = None


_BUFFER = memoryview(bytearray(MAX_READ_BYTES))
"""The read buffer of all connections, which is copied before the next one reads."""


class PacedProtocol(asyncio.BufferedProtocol):
    """A connection that is read as fast as its budget allows."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.transport: asyncio.Transport
        self.rest = b""
        """Input that was not read yet: the beginning of a frame, or frames that have to wait."""
        self.reading = True
        self.meter = make_free_meter()
        """The budget; the application replaces it before it accepts the connection."""
        self.paused: asyncio.Handle | PendingTurn | None = None
        """What resumes reading after a pause, or in the next turn of the event loop."""
        self.is_slowed = False
        """Whether reading was paused since the last ping."""
        self.excess = Excess()

    @property
    @abstractmethod
    def is_read(self) -> bool:
        """Whether input still has a meaning."""

    @abstractmethod
    def data_received(self, data: bytes) -> None:
        """Handle input."""

    @abstractmethod
    def resume_reading(self, max_frames: int | None = None) -> None:
        """Read the rest, at most `max_frames` of it, and then new input."""

    @abstractmethod
    def cut_off(self) -> None:
        """End a client that has flooded for too long."""

    def get_buffer(self, _sizehint: int) -> memoryview:
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(_BUFFER[:nbytes]))

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
        if self.excess.is_too_long(len(self.rest), self.meter.clock.monotonic()):
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
