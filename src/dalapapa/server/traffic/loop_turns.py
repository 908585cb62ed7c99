"""The share of each address in one turn of the event loop.

All connections that have something to be read are read in the same turn. A thousand of them, each
within its own budget, would hold up everyone else for half a second. So an address that has used
enough of a turn waits for another one; an address that sends little is read immediately. In each
turn only a few of the waiting addresses are read, so that a crowd takes no longer than one address.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable

logger = logging.getLogger("dalapapa")

MAX_ADDRESSES_PER_TURN = 3
"""Waiting addresses that are read in one turn."""


class PendingTurn:
    """An action that waits for a turn of its address."""

    __slots__ = ("act",)

    def __init__(self, act: Callable[[], None]) -> None:
        self.act: Callable[[], None] | None = act

    def cancel(self) -> None:
        """Stop waiting."""
        self.act = None


class TurnBudget:
    """Counts what addresses have used in the present turn, and lets the others wait."""

    __slots__ = ("_is_next_planned", "_served", "_waiting", "max_per_turn", "used")

    def __init__(self, max_per_turn: float) -> None:
        self.max_per_turn = max_per_turn
        """What one address may use in a turn."""
        self.used: dict[str, float] = {}
        """What each address has used in the present turn."""
        self._waiting: dict[str, deque[PendingTurn]] = {}
        self._served: str | None = None
        """The address whose connections are being read."""
        self._is_next_planned = False

    def spend(self, address: str, cost: float) -> None:
        """Count what was used for an address."""
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
            logger.exception("a connection failed in its turn")
