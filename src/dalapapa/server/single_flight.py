"""A cache that computes each value once for all concurrent callers."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, NamedTuple, TypeVar

from .tasks import cancel_tasks

V = TypeVar("V")

Computation = Callable[[], Coroutine[Any, Any, V]]


class CacheEntry(NamedTuple, Generic[V]):
    """A cached value."""

    version: Hashable
    value: V
    size: int


class Flight(Generic[V]):
    """A computation under way, and how many callers wait for it."""

    def __init__(self, version: Hashable, can_abandon: Callable[[], bool]) -> None:
        self.version = version
        self.can_abandon = can_abandon
        self.callers = 0
        self.task: asyncio.Task[V]


class SingleFlightCache(Generic[V]):
    """Values by key, each valid for one version of its key; bounded in entries and bytes.

    The least recently used values make room for new ones. A failure is not cached. With
    `max_entries=0`, callers share computations and nothing is cached.
    """

    def __init__(
        self,
        max_entries: float = math.inf,
        max_bytes: float = math.inf,
        size_of: Callable[[V], int] = lambda _: 0,
    ) -> None:
        self.max_entries = max_entries
        self.max_bytes = max_bytes
        self.bytes: int = 0
        self._size_of = size_of
        self._entries: OrderedDict[Hashable, CacheEntry[V]] = OrderedDict()
        self._flights: dict[Hashable, Flight[V]] = {}
        """The newest computation of each key: the only one whose value will be cached."""
        self._tasks: set[asyncio.Task[V]] = set()

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, key: Hashable, version: Hashable = None) -> V | None:
        """The cached value of a key, if it has this version."""
        entry = self._entries.get(key)
        if entry is None or entry.version != version:
            return None
        self._entries.move_to_end(key)
        return entry.value

    def keep(self, key: Hashable, version: Hashable, value: V) -> None:
        """Cache a value in the place of any other version; one that is too large is not cached."""
        self._drop(key)
        size = self._size_of(value)
        if size > self.max_bytes:
            return
        self._entries[key] = CacheEntry(version, value, size)
        self.bytes += size
        while len(self._entries) > self.max_entries or self.bytes > self.max_bytes:
            self._drop(next(iter(self._entries)))

    async def get(
        self,
        key: Hashable,
        version: Hashable,
        compute: Computation[V],
        can_abandon: Callable[[], bool] = lambda: False,
    ) -> V:
        """The value of a key at a version: cached, under way for another caller, or computed now.

        A caller that is cancelled does not stop the computation for others. When no caller is left,
        it is finished and cached, unless `can_abandon()` is true.
        """
        found = self.find(key, version)
        if found is not None:
            return found
        flight = self._flights.get(key)
        if flight is None or flight.version != version:
            flight = self._start(key, Flight(version, can_abandon), compute)
        flight.callers += 1
        try:
            return await asyncio.shield(flight.task)
        finally:
            flight.callers -= 1
            if not flight.callers and not flight.task.done() and flight.can_abandon():
                flight.task.cancel()
                self._end(key, flight)

    def clear(self) -> None:
        """Drop all values, because they may contain a name that an operator has forgotten.

        Callers that wait now get their values, which are not cached.
        """
        self._entries.clear()
        self._flights.clear()
        self.bytes = 0

    async def close(self) -> None:
        await cancel_tasks(self._tasks)

    def _start(self, key: Hashable, flight: Flight[V], compute: Computation[V]) -> Flight[V]:
        self._flights[key] = flight
        flight.task = asyncio.create_task(self._run(key, flight, compute))
        self._tasks.add(flight.task)
        flight.task.add_done_callback(self._tasks.discard)
        # Its callers may have left: then its exception is handled here.
        flight.task.add_done_callback(lambda task: task.cancelled() or task.exception())
        return flight

    async def _run(self, key: Hashable, flight: Flight[V], compute: Computation[V]) -> V:
        try:
            value = await compute()
            if self._flights.get(key) is flight:
                self.keep(key, flight.version, value)
            return value
        finally:
            self._end(key, flight)

    def _end(self, key: Hashable, flight: Flight[V]) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]

    def _drop(self, key: Hashable) -> None:
        if (entry := self._entries.pop(key, None)) is not None:
            self.bytes -= entry.size
