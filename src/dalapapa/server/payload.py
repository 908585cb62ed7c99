"""Long answers with their compressed form, so that many requests share one compression."""

from __future__ import annotations

import asyncio
import gzip

import msgspec

MIN_THREAD_BYTES = 30_000
"""Longer answers are compressed in a thread, so that the event loop does not wait."""


class Payload(msgspec.Struct, frozen=True):
    """An answer, plain and compressed."""

    data: bytes
    gzipped: bytes

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return len(self.data) + len(self.gzipped)


def compress(data: bytes) -> Payload:
    """Compress an answer in this thread."""
    return Payload(data, gzip.compress(data, 6, mtime=0))


async def compress_async(data: bytes) -> Payload:
    """Compress an answer; a long one in another thread."""
    if len(data) < MIN_THREAD_BYTES:
        return compress(data)
    return await asyncio.to_thread(compress, data)
