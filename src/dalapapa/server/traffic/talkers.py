"""Budgets of frames and bytes for each address, and the top talkers for operators.

A connection pays for what it has sent, and so does its address. When one of the two budgets is
used up, the server stops reading from the connection until the budget has refilled: a flood then
waits in the sender's own machine. Counts are kept in memory only, for the last `WINDOWS` minutes.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..clock import SYSTEM_CLOCK, SystemClock
from ..monitoring import metrics
from ..monitoring.logging_setup import logger
from .limits import MAX_ADDRESSES, MAX_LIMIT, Limits
from .loop_share import PendingTurn, TurnBudget

WINDOW_S = 60.0
"""Seconds of one window of counts; an address is logged at most once in each."""

WINDOWS = 5
"""Windows that are stored: the present one and those before it."""

BURST_S = 3.0
"""Seconds after which a budget is full: it holds no more than it gains in them."""

MIN_PAUSE_S, MAX_PAUSE_S = 0.1, 1.0
"""How long reading is paused each time."""

REPORT_AFTER_S = 10.0
"""Seconds of pauses in one window after which an address is logged."""

MAX_TOP = 10
"""Addresses that `/metrics` names."""

MAX_TOP_SLOWED = 7
"""How many of them, at most, are listed because the server slowed them down; the others are those
that sent most."""

MIN_TOP_EVENTS = 3000
"""The minimum number of frames and requests, in all windows, of an address that is listed by
volume: no person sends so many."""

MAX_ROOM_TRIES = 10
"""How many addresses are tried for one without a connection, which can be forgotten."""

TURNS_PER_S = 50
"""The number of turns of the event loop over which an address spreads the frames of a second."""

REQUEST_FRAMES = 10
"""The number of frames for which a request, or a new socket, counts within a turn."""

FRAMES_PER_MESSAGE, BYTES_PER_MESSAGE = 3, 1000
"""Frames and bytes that a server allows at least for each message that it allows."""


class Rate(NamedTuple):
    """The gain of a budget in a second."""

    frames: float
    bytes: float


class Budget:
    """The frames and bytes that may still be sent; negative if the last read had more."""

    __slots__ = ("bytes_left", "filled", "frames_left", "rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self.rate: Rate = rate
        self.frames_left: float = rate.frames * BURST_S
        self.bytes_left: float = rate.bytes * BURST_S
        self.filled: float = now

    def fill(self, now: float) -> None:
        """Add the gain since the last call."""
        rate = self.rate
        passed = now - self.filled
        self.filled = now
        self.frames_left = min(rate.frames * BURST_S, self.frames_left + passed * rate.frames)
        self.bytes_left = min(rate.bytes * BURST_S, self.bytes_left + passed * rate.bytes)

    @property
    def is_used_up(self) -> bool:
        """Whether nothing can be read."""
        return self.frames_left <= 0 or self.bytes_left <= 0

    def wait_s(self) -> float:
        """Return the seconds until something can be read again."""
        wait = 0.0
        for left, rate in (
            (self.frames_left, self.rate.frames),
            (self.bytes_left, self.rate.bytes),
        ):
            if left <= 0:
                wait = max(wait, -left / rate if rate > 0 else MAX_PAUSE_S)
        return wait


class Counts(NamedTuple):
    """The activity of an address, and the reactions of the server."""

    frames: int = 0
    """Frames of its sockets, and pieces of its requests."""
    bytes: int = 0
    messages: int = 0
    requests: int = 0
    refusals: int = 0
    """Requests and messages that were refused because they came too fast."""
    paused_seconds: float = 0
    """Seconds in which the server did not read from one of its connections."""

    @property
    def complaints(self) -> float:
        """How much the server had to slow it down."""
        return self.refusals + self.paused_seconds


class Talker(Budget):
    """One address: its budget, and its counts in the present window and in those before."""

    __slots__ = (
        "address", "bytes", "connections", "frames", "is_reported", "messages", "past",
        "paused_seconds", "refusals", "requests",
    )  # fmt: skip

    def __init__(self, address: str, rate: Rate, now: float) -> None:
        super().__init__(rate, now)
        self.address: str = address
        self.connections: int = 0
        """Open sockets and connections that hold this talker."""
        self.past: deque[Counts] = deque(maxlen=WINDOWS - 1)
        self._begin_window()

    def _begin_window(self) -> None:
        self.frames: int = 0
        self.bytes: int = 0
        self.messages: int = 0
        self.requests: int = 0
        self.refusals: int = 0
        self.paused_seconds: float = 0.0
        self.is_reported: bool = False

    def rotate(self) -> None:
        self.past.append(self._present())
        self._begin_window()

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to remember."""
        return not self.connections and not any(self.count())

    def count(self) -> Counts:
        """Return the sums of all windows."""
        present = self._present()
        return Counts(*map(sum, zip(present, *self.past, strict=True))) if self.past else present

    def _present(self) -> Counts:
        return Counts(
            self.frames, self.bytes, self.messages, self.requests, self.refusals,
            self.paused_seconds,
        )  # fmt: skip

    def note_pause(self, seconds: float, kind: str) -> None:
        """Count a pause; if they add up, the operator learns the address."""
        metrics.PAUSES.add(kind)
        self.paused_seconds += seconds
        if self.paused_seconds >= REPORT_AFTER_S:
            self.report("An address sends too much: the server reads it slowly.")

    def report(self, sentence: str) -> None:
        """Log an address, in full, once in a window: the operator may have to block it."""
        if self.is_reported:
            return
        self.is_reported = True
        counts = self.count()._asdict()
        counts["paused_seconds"] = round(counts["paused_seconds"], 1)
        logger.warning(sentence, extra={"facts": {"address": self.address, **counts}})


class Meter(Budget):
    """One connection: its budget, and that of its address."""

    __slots__ = ("clock", "talker", "turns")

    def __init__(self, rate: Rate, talker: Talker, turns: TurnBudget, clock: SystemClock) -> None:
        super().__init__(rate, clock.monotonic())
        self.talker: Talker = talker
        self.turns: TurnBudget = turns
        self.clock: SystemClock = clock

    def spend_turn(self, frames: int) -> None:
        """Count frames of the address in this turn of the event loop."""
        self.turns.spend(self.talker.address, frames)

    @property
    def is_turn_used_up(self) -> bool:
        """Whether the address has to wait for the next turn."""
        return self.turns.is_used_up(self.talker.address)

    def wait_for_turn(self, act: Callable[[], None]) -> PendingTurn:
        """Call `act` in a turn in which the address may be read."""
        return self.turns.wait(self.talker.address, act)

    def spend(self, frames: int, size: int) -> bool:
        """Pay for a read, and return whether a budget is used up. This is called for every read."""
        self.frames_left = own_frames = self.frames_left - frames
        self.bytes_left = own_bytes = self.bytes_left - size
        talker = self.talker
        talker.frames += frames
        talker.bytes += size
        talker.frames_left = frames_left = talker.frames_left - frames
        talker.bytes_left = bytes_left = talker.bytes_left - size
        if own_frames > 0 and own_bytes > 0 and frames_left > 0 and bytes_left > 0:
            return False
        return not self.has_budget()  # Budgets are filled only when they seem to be used up.

    def charge_bytes(self, size: int) -> None:
        """Pay for bytes that decompression has added."""
        self.bytes_left -= size
        self.talker.bytes_left -= size

    def has_budget(self) -> bool:
        """Return whether more can be read now."""
        now = self.clock.monotonic()
        self.fill(now)
        self.talker.fill(now)
        return not self.is_used_up and not self.talker.is_used_up

    def pause_s(self, kind: str) -> float:
        """Return the seconds of a pause in reading that starts now; they are counted."""
        wait = max(self.wait_s(), self.talker.wait_s()) + MIN_PAUSE_S
        seconds = min(wait, MAX_PAUSE_S)
        self.talker.note_pause(seconds, kind)
        return seconds


def make_free_meter() -> Meter:
    """Return a meter that never pauses, for a connection without an address of its own."""
    rate = Rate(MAX_LIMIT, MAX_LIMIT)
    return Meter(rate, Talker("", rate, 0), TurnBudget(MAX_LIMIT), SYSTEM_CLOCK)


class Talkers:
    """All addresses that were active in the last minutes."""

    def __init__(self, limits: Limits, clock: SystemClock = SYSTEM_CLOCK) -> None:
        messages = limits.messages_per_second
        self.clock = clock
        self.socket_rate: Rate = Rate(
            max(limits.frames_per_second, FRAMES_PER_MESSAGE * messages),
            max(limits.bytes_per_second, BYTES_PER_MESSAGE * messages),
        )
        self.address_rate: Rate = Rate(
            max(limits.frames_an_address, self.socket_rate.frames),
            max(limits.bytes_an_address, self.socket_rate.bytes),
        )
        self.turns: TurnBudget = TurnBudget(
            max(REQUEST_FRAMES, self.address_rate.frames / TURNS_PER_S)
        )
        self._known: OrderedDict[str, Talker] = OrderedDict()
        self._rotating: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._known)

    def find(self, address: str) -> Talker:
        talker = self._known.get(address)
        if talker is None:
            self._make_room()
            talker = Talker(address, self.address_rate, self.clock.monotonic())
            self._known[address] = talker
            if self._rotating is None:
                loop = asyncio.get_running_loop()
                self._rotating = loop.call_later(WINDOW_S, self._rotate, loop)
        return talker

    def open(self, address: str) -> Talker:
        """Return the talker of an address for one more connection, until `close`."""
        talker = self.find(address)
        talker.connections += 1
        return talker

    def close(self, talker: Talker) -> None:
        talker.connections -= 1

    def meter_socket(self, talker: Talker) -> Meter:
        return Meter(self.socket_rate, talker, self.turns, self.clock)

    def meter_requests(self, talker: Talker) -> Meter:
        """Return the budget of an HTTP connection, which is that of its address."""
        return Meter(self.address_rate, talker, self.turns, self.clock)

    def rotate(self) -> None:
        """Start another window, and forget addresses that are silent and disconnected."""
        for address, talker in tuple(self._known.items()):
            talker.rotate()
            if talker.is_idle:
                del self._known[address]

    def _rotate(self, loop: asyncio.AbstractEventLoop) -> None:
        self.rotate()
        self._rotating = loop.call_later(WINDOW_S, self._rotate, loop) if self._known else None

    def _make_room(self) -> None:
        """Forget the first address without a connection; connections are bounded elsewhere."""
        if len(self._known) < MAX_ADDRESSES:
            return
        for _ in range(MAX_ROOM_TRIES):
            address, talker = self._known.popitem(last=False)
            if not talker.connections:
                return
            self._known[address] = talker

    def find_top(self) -> dict[str, Counts]:
        """Return the addresses that were slowed down most, then those that sent the most."""
        counted = [(one.address, one.count()) for one in self._known.values()]
        slowed = sorted(
            (one for one in counted if one[1].complaints),
            key=lambda one: (-one[1].complaints, one[0]),
        )
        busy = sorted(
            (one for one in counted if one[1].frames + one[1].requests >= MIN_TOP_EVENTS),
            key=lambda one: (-one[1].frames - one[1].requests, one[0]),
        )
        top = dict(slowed[:MAX_TOP_SLOWED])
        for address, counts in (*busy, *slowed):
            if len(top) == MAX_TOP:
                break
            top.setdefault(address, counts)
        return top

    def list_figures(self) -> Mapping[tuple[str, ...], float]:
        """Return the counts of the top addresses by address and kind, as `/metrics` shows them."""
        return {
            (address, kind): value
            for address, counts in self.find_top().items()
            for kind, value in counts._asdict().items()
        }
