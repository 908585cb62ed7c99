"""Worker processes that review games, and the reviews that they have made.

A review takes seconds, of some games half a minute. Each game is reviewed once for all callers, and
the review is cached for a while.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from ..single_flight import SingleFlightCache
from ..traffic.limits import Limits
from .pool import CORES, Workers
from .questions import NICENESS

REVIEW_TIMEOUT_S = 120
"""The time limit of one review; most take up to 15 s."""

MAX_REVIEWS, MAX_REVIEW_BYTES = 100, 32_000_000
"""How many reviews are cached, and their size in all; most have 100 kB."""

Translations = dict[str, bytes]
"""A review as JSON, by language."""


class Reviews:
    """Makes reviews and caches them."""

    def __init__(self, limits: Limits) -> None:
        slots = limits.make_slots(limits.reviews_at_once)
        number = max(1, CORES // 2)
        self.workers: Workers = Workers(number, REVIEW_TIMEOUT_S, slots, NICENESS, "review")
        self.cache: SingleFlightCache[Translations] = SingleFlightCache[Translations](
            MAX_REVIEWS, MAX_REVIEW_BYTES, lambda review: sum(map(len, review.values()))
        )

    async def get(
        self,
        key: str,
        version: int,
        job: Callable[..., Translations],
        *args: Any,
        address: str = "",
    ) -> Translations:
        """The review of a game, made by a job of the workers unless it is cached.

        It takes a slot of the address that asks first. A review that no caller waits for is not
        begun; one that has begun is finished.
        """
        has_begun = asyncio.Event()
        return await self.cache.get(
            key,
            version,
            lambda: self.workers.ask(job, *args, address=address, on_start=has_begun.set),
            can_abandon=lambda: not has_begun.is_set(),
        )

    @property
    def under_way(self) -> int:
        """How many reviews wait or are being made."""
        return self.workers.pending

    async def close(self) -> None:
        """End the workers, and the requests that wait for them."""
        await self.cache.close()
        self.workers.close()
