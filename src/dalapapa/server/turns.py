"""What each address may use in one turn of the event loop.

All connections that have something to be read are read in the same turn. A thousand of them, each
within its own budget, would hold up everyone else for half a second. So an address that has used
enough of a turn waits for the next one; who sends little is read at once.
"""

from __future__ import annotations

import asyncio


class TurnBudget:
    """Counts what addresses have used in the present turn."""

    __slots__ = ("_used", "most")

    def __init__(self, most: float) -> None:
        self.most = most
        """What one address may use in a turn."""
        self._used: dict[str, float] = {}

    def spend(self, address: str, cost: float) -> None:
        """Note what was done for an address."""
        used = self._used
        if not used:  # Called first in the next turn, before anything is read.
            asyncio.get_running_loop().call_soon(used.clear)
        used[address] = used.get(address, 0) + cost

    def is_used_up(self, address: str) -> bool:
        """Whether an address has to wait for the next turn."""
        return self._used.get(address, 0) >= self.most
