"""The share of each address in the event loop: in its turns, and in expensive work."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Generator
from time import thread_time
from typing import Any, TypeVar

from ...core.errors import Unavailable
from ..clock import SYSTEM_CLOCK, SystemClock
from ..monitoring.logging_setup import logger
from .limits import TokenBuckets

MAX_ADDRESSES_PER_TURN = 3
"""Waiting addresses that are read in one turn."""

TURN_S = 0.003
"""Seconds of one turn; the current step ends first."""

MAX_PAUSE_S = 0.05
"""Seconds between two turns, even after a long step."""

BURST_S = 1.0
"""Seconds of computing that an address may use in a burst."""

SECONDS_PER_BYTE = 25e-9
"""The cost of compressing and sending a byte."""

T = TypeVar("T")
Work = Generator[float | None, None, None]
"""Steps of work; each yields the seconds of further cost that it causes, or None."""


class PendingTurn:
    """An action that waits for a turn of its address."""

    __slots__ = ("act",)

    def __init__(self, act: Callable[[], None]) -> None:
        self.act: Callable[[], None] | None = act

    def cancel(self) -> None:
        self.act = None


class TurnBudget:
    """Counts what addresses have used in the present turn, and lets the others wait.

    All connections are read in the same turn: a thousand of them, each within its own budget, would
    hold up everyone else for half a second. So an address that has used enough of a turn waits for
    another one, and in each turn only a few of the waiting addresses are read.
    """

    __slots__ = ("_is_next_planned", "_served", "_waiting", "max_per_turn", "used")

    def __init__(self, max_per_turn: float) -> None:
        self.max_per_turn: float = max_per_turn
        self.used: dict[str, float] = {}
        self._waiting: dict[str, deque[PendingTurn]] = {}
        self._served: str | None = None
        """The address whose connections are being read."""
        self._is_next_planned = False

    def spend(self, address: str, cost: float) -> None:
        self.used[address] = self.used.get(address, 0) + cost
        if not self._is_next_planned:
            self._plan_next()

    def is_used_up(self, address: str) -> bool:
        """Return whether an address has to wait for another turn."""
        if address in self._waiting and address != self._served:
            return True  # Behind earlier ones.
        return self.used.get(address, 0) >= self.max_per_turn

    def wait(self, address: str, act: Callable[[], None]) -> PendingTurn:
        """Call `act` in a turn in which the address has not used up its part."""
        turn = PendingTurn(act)
        self._waiting.setdefault(address, deque()).append(turn)
        if not self._is_next_planned:
            self._plan_next()
        return turn

    def _plan_next(self) -> None:
        self._is_next_planned = True
        asyncio.get_running_loop().call_soon(self._begin)

    def _begin(self) -> None:
        """Start a turn, before anything new is read in it."""
        self._is_next_planned = False
        self.used.clear()
        for address in tuple(self._waiting)[:MAX_ADDRESSES_PER_TURN]:
            self._served = address
            queue = self._waiting[address]
            # Actions that are added meanwhile wait for the next turn.
            for _ in range(len(queue)):
                if self.is_used_up(address):
                    break
                self._act(queue.popleft())
            del self._waiting[address]
            if queue:  # After all other addresses.
                self._waiting[address] = queue
        self._served = None
        if self._waiting and not self._is_next_planned:
            self._plan_next()

    def _act(self, turn: PendingTurn) -> None:
        if turn.act is None:
            return
        try:
            turn.act()
        except Exception:  # One connection must not hold up the others.
            logger.exception("a connection failed")


class LoopShare:
    """Expensive work in the event loop: in small steps, with a budget for each address.

    Work of an address that has budget left runs immediately, up to a few milliseconds in one turn
    of the event loop. Other work waits for turns of a few milliseconds, in which addresses
    alternate; between two turns everyone else has the loop for at least as long. So a flood delays
    its own answers, and a move by other people only by one turn.
    """

    def __init__(
        self,
        share: float,
        clock: SystemClock = SYSTEM_CLOCK,
        timer: Callable[[], float] = thread_time,
    ) -> None:
        self.share = share
        """The share of one address; from 1 on, there is no limit."""
        self._budgets = TokenBuckets(1000 * share, 1000 * BURST_S, clock)  # In milliseconds.
        self._turns_of_loop = TurnBudget(TURN_S)
        self.timer = timer
        """Seconds of computing so far: other processes of the machine do not count."""
        self._waiting: OrderedDict[str, deque[Work]] = OrderedDict()
        self._next: asyncio.Handle | None = None
        self._turns: set[asyncio.Future[Any]] = set()
        """Futures of work that waits for a turn."""

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def allows(self, address: str) -> bool:
        """Return whether an address has budget left and no waiting work."""
        if self.share >= 1:
            return True
        if address in self._waiting or self._turns_of_loop.is_used_up(address):
            return False
        return self._budgets.get(address).wait() == 0

    def charge(self, address: str, seconds: float) -> None:
        if self.share < 1:
            self._budgets.get(address).pay(1000 * seconds)
            self._turns_of_loop.spend(address, seconds)

    def add(self, address: str, work: Work) -> None:
        """Do work in turns."""
        self._waiting.setdefault(address, deque()).append(work)
        if self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._take_turn)

    async def run(self, address: str, work: Callable[[], T], cost: float = 0) -> T:
        """Return the result of `work`; `cost`: the seconds that using the result takes."""
        turn: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def step() -> Work:
            if turn.done():  # The caller has left.
                return
            try:
                turn.set_result(work())
            except Exception as error:
                turn.set_exception(error)
            yield cost

        self._turns.add(turn)
        self.add(address, step())
        try:
            return await turn
        finally:
            self._turns.discard(turn)

    def close(self) -> None:
        """Drop all waiting work, because the server stops."""
        self._waiting.clear()
        for turn in self._turns:
            if not turn.done():
                turn.set_exception(Unavailable("The server is stopping: try again later.", "busy"))
        if self._next is not None:
            self._next.cancel()
            self._next = None

    def _take_turn(self) -> None:
        spent, before = 0.0, self.timer()
        while self._waiting and spent < TURN_S:
            address, queue = self._waiting.popitem(last=False)
            more: float | None = 0.0
            try:
                more = next(queue[0])
            except StopIteration:
                queue.popleft()
            except Exception:
                queue.popleft()
                logger.exception("could not list the legal moves of a seat")
            if queue:
                self._waiting[address] = queue
            now = self.timer()
            cost = now - before + (more or 0.0)
            self.charge(address, cost)
            spent, before = spent + cost, now
        if self._waiting:
            # One address alone gets its share; several together get at most half of the time.
            factor = 1.0
            if len(self._waiting) == 1 and 0 < self.share < 1:
                factor = max(1.0, (1 - self.share) / self.share)
            later = min(spent * factor, MAX_PAUSE_S)
            self._next = asyncio.get_running_loop().call_later(later, self._take_turn)
        else:
            self._next = None
