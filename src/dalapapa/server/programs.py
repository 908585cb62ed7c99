"""Programs at the table: they think in worker processes, never where people wait.

A table asks for one move at a time and waits its turn in a queue, so that a thousand tables that
wait for programs never delay a person's move.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from typing import Any

from ..bots import make_bot
from ..errors import BadInput
from ..games import find
from ..games.moves import Move

WORKERS = max(1, (os.cpu_count() or 2) - 1)


class Programs:
    """The worker processes, started when the first program has to think."""

    def __init__(self, workers: int = WORKERS) -> None:
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._free = asyncio.Semaphore(2 * workers)
        """As many jobs are handed over; the others wait here, first come, first served."""
        self.waiting = 0

    async def choose(self, game: str, program: str, seed: str, view: Any) -> Move:
        """The move of a program that sees this view."""
        self.waiting += 1
        try:
            async with self._free:
                return await self._ask(game, program, seed, view)
        finally:
            self.waiting -= 1

    async def _ask(self, game: str, program: str, seed: str, view: Any) -> Move:
        loop = asyncio.get_running_loop()
        for _ in range(3):
            if self._pool is None:
                # Not forked: this process has threads and an event loop.
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(self.workers, context, initializer=_begin)
            pool = self._pool
            try:
                return await loop.run_in_executor(pool, think, game, program, seed, view)
            except BrokenExecutor:  # A worker was killed: begin again with fresh ones.
                if self._pool is pool:
                    self._pool = None
                    pool.shutdown(wait=False)
        raise BadInput("The programs keep dying.", "no_programs")

    def close(self) -> None:
        """End the workers."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def think(game: str, program: str, seed: str, view: Any) -> Move:
    """What a worker does."""
    return make_bot(program, find(game), seed).choose(view)


def _begin() -> None:
    """A worker ends with its server, however that ends; Ctrl-C is for the server alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)
