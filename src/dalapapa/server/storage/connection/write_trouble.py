"""Whether the database can be written: the disk may be full, or the database read-only.

A database becomes read-only when a file system is mounted again after an error, or when PostgreSQL
fails over to a replica. Reading goes on, and every write is tried, because a small one may still
fit. The log says once that writes fail, and once that they work again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable

from ....core.errors import DalapapaError, Unavailable

logger = logging.getLogger("dalapapa")

PROBE_INTERVAL_S = 0.5
"""Pause between two attempts to write while writes fail."""


class WriteTrouble:
    """Begins with a write that the database refuses, and ends with a `probe` that succeeds."""

    def __init__(self, probe: Callable[[], Awaitable[None]]) -> None:
        self.probe = probe
        self.reason: str | None = None
        """`disk_full` or `read_only`; None: writes work, as far as anyone knows."""
        self._probing: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()

    def note(self, reason: str, words: str) -> None:
        """A write has failed for this reason; `words` are the database's own."""
        if reason == self.reason:
            return
        self.reason = reason
        logger.warning("the database cannot be written (%s), nothing is stored: %s", reason, words)
        if self._probing is None or self._probing.done():
            self._probing = asyncio.create_task(self._probe_until_written())

    async def close(self) -> None:
        """Probe no more. A probe that is under way ends by itself: SQLite cannot be interrupted."""
        self._closing.set()
        if self._probing is not None:
            await self._probing

    async def _probe_until_written(self) -> None:
        while self.reason is not None and not self._closing.is_set():
            try:
                await self.probe()
            except DalapapaError:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), PROBE_INTERVAL_S)
            else:
                self.reason = None
                logger.warning("the database can be written again")


def make_write_error() -> Unavailable:
    """What a client receives for a request that the database cannot store."""
    return Unavailable("The database cannot be written now: try again later.", "no_database")
