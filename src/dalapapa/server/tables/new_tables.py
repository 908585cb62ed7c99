"""How many tables one address may set up: a rate, bytes a day, and a share of the free room.

The limits hold for new tables, rematches and attempts at challenges. Addresses are counted in the
memory of this process: they are neither stored nor logged, and a restart forgets them.

The share keeps one address from making the server `full` for others. An address may have set up at
most `share_an_address` of the room that is still free. The less room is left, the less it may take:
with a share of 0.3, one address gets 23% of all tables, ten get 75%, and a visitor who has set up
nothing always finds room.
"""

from __future__ import annotations

import math
from collections import OrderedDict

from ...core.errors import TooMany
from ..clock import SYSTEM_CLOCK, SystemClock
from ..storage.table_count import TableCount
from ..traffic.limits import MAX_ADDRESSES, Limits, TokenBuckets, network_of

DAY_S = 86_400

HALF_LIFE_S = 3 * DAY_S
"""The time after which half of the tables of an address are no longer counted."""

MIN_SHARE = 100
"""Tables that an address may set up even when little room is left."""

ROW_BYTES = 1_000
"""The size of a table in the database without settings: row, first entries and indexes."""


class NewTableLimits:
    """The limits on new tables of each address."""

    def __init__(
        self, count: TableCount, limits: Limits, clock: SystemClock = SYSTEM_CLOCK
    ) -> None:
        self.count = count
        self.share: float = limits.share_an_address
        per_minute, per_day = limits.tables_per_minute, limits.table_bytes_per_day
        self.rate: TokenBuckets = TokenBuckets(per_minute / 60, per_minute, clock)
        self.bytes: TokenBuckets = TokenBuckets(per_day / DAY_S, per_day, clock)
        self.recent: RecentCounts = RecentCounts(clock)

    async def check(self, address: str, size: int) -> None:
        """Count a new table of an address with settings and log of this size, or refuse it."""
        self.rate.check(address, "Too many new tables: wait a moment.")
        room = await self.count.room()
        self.recent.check(
            address,
            max(MIN_SHARE, self.share * room),
            "The server is nearly full, and your address has set up many tables: come"
            " back later, or use one of your tables.",
        )
        self.bytes.check(address, "New tables of your address take too much room: wait a while.")
        self.bytes.get(address).pay(size + ROW_BYTES - 1)
        self.recent.add(address)


class RecentCounts:
    """How many tables each address has set up recently; the past counts less and less.

    All addresses of an IPv6 /48 count as one.
    """

    def __init__(self, clock: SystemClock = SYSTEM_CLOCK) -> None:
        self.clock = clock
        self._counts: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        """By address: the count, and the second at which it was true."""

    def check(self, address: str, limit: float, sentence: str, subject: str = "") -> None:
        """Refuse one more than `limit` tables of an address, or of its tables for one subject."""
        count = self.count(address, subject)
        if count + 1 > limit:
            after = HALF_LIFE_S * math.log2(count / (limit - 1)) if limit > 1 else HALF_LIFE_S
            raise TooMany(sentence, "too_many_tables").retry_after(after)

    def count(self, address: str, subject: str = "") -> float:
        """The count of an address now."""
        count, at = self._counts.get(_key(address, subject), (0.0, 0.0))
        return count * 0.5 ** ((self.clock.monotonic() - at) / HALF_LIFE_S) if count else 0.0

    def add(self, address: str, subject: str = "") -> None:
        """Count one more table."""
        key = _key(address, subject)
        self._counts[key] = self.count(address, subject) + 1, self.clock.monotonic()
        self._counts.move_to_end(key)
        if len(self._counts) > MAX_ADDRESSES:
            self._counts.popitem(last=False)


def _key(address: str, subject: str) -> tuple[str, str]:
    return network_of(address) or address, subject
