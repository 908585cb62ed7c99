"""Long answers: compressed aside, kept once for all who ask, and sent piece by piece."""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Coroutine, Hashable, Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

MIN_ASIDE = 30_000
"""Bytes of an answer that is compressed where nobody waits for it."""

PIECE = 65_536
"""Bytes that are sent at once: the next ones when these are taken."""

KEPT_BYTES = 32_000_000
"""Of all answers that are kept."""


class Packed(msgspec.Struct, frozen=True):
    """An answer as it is, and compressed."""

    data: bytes
    zipped: bytes

    @property
    def size(self) -> int:
        """What it takes to keep it."""
        return len(self.data) + len(self.zipped)


async def pack(data: bytes) -> Packed:
    """Compress an answer, a long one in a thread: there it keeps nobody waiting."""
    return packed(data) if len(data) < MIN_ASIDE else await asyncio.to_thread(packed, data)


def packed(data: bytes) -> Packed:
    """The same, here and now."""
    return Packed(data, gzip.compress(data, 6, mtime=0))


class PackedResponse(Response):
    """A long answer, sent no faster than it is taken."""

    def __init__(
        self,
        request: Request,
        packed: Packed,
        status: int,
        headers: Mapping[str, str] | None,
        media: str,
    ) -> None:
        zipped = "gzip" in request.headers.get("accept-encoding", "")
        coding = {"content-encoding": "gzip"} if zipped else {}
        data = packed.zipped if zipped else packed.data
        super().__init__(
            data, status, {**(headers or {}), "vary": "Accept-Encoding", **coding}, media
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ARG002
        """Send it."""
        start = {"type": "http.response.start", "status": self.status_code}
        await send({**start, "headers": self.raw_headers})
        for begin in range(0, max(1, len(self.body)), PIECE):
            piece = bytes(self.body[begin : begin + PIECE])
            more = begin + PIECE < len(self.body)
            await send({"type": "http.response.body", "body": piece, "more_body": more})


class KeptAnswers:
    """Answers that are made once for everybody who asks for the same, and kept for a while."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self.most = most
        self.size = 0
        self._kept: OrderedDict[Hashable, Packed] = OrderedDict()
        self._made: dict[Hashable, asyncio.Task[Packed]] = {}
        self._tasks: set[asyncio.Task[Packed]] = set()
        """All that are under way, also those whose answers will not be kept."""

    def clear(self) -> None:
        """Drop all answers, because they may contain a name that was forgotten.

        Requests that wait for an answer get it, and it is not kept.
        """
        self._kept.clear()
        self._made.clear()
        self.size = 0

    def get(self, key: Hashable) -> Packed | None:
        """What is kept."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    async def of(self, key: Hashable, making: Coroutine[Any, Any, bytes]) -> Packed:
        """An answer: kept, under way for somebody else, or made now."""
        task = self._made.get(key)
        if (found := self.get(key)) is not None or task is not None:
            making.close()
        if found is not None:
            return found
        if task is None:
            task = self._made[key] = asyncio.create_task(self._make(key, making))
            self._tasks.add(task)
            task.add_done_callback(lambda done: self._drop(key, done))
            task.add_done_callback(seen)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Make nothing more."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _drop(self, key: Hashable, task: asyncio.Task[Packed]) -> None:
        self._tasks.discard(task)
        if self._made.get(key) is task:
            del self._made[key]

    async def _make(self, key: Hashable, making: Coroutine[Any, Any, bytes]) -> Packed:
        packed = await pack(await making)
        if packed.size <= self.most and self._made.get(key) is asyncio.current_task():
            self._kept[key] = packed
            self.size += packed.size
            while self.size > self.most:
                self.size -= self._kept.popitem(last=False)[1].size
        return packed


def seen(task: asyncio.Task[Any]) -> None:
    """The client may have left: then nobody else handles what was raised."""
    if not task.cancelled():
        task.exception()
