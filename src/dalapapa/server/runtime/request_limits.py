"""Limits on HTTP requests before they reach the application, and on answers that wait to be read.

`docs/protocol-fields.md` lists them. Limits of one address are in `traffic/limits.py`.
"""

from __future__ import annotations

from http import HTTPStatus

import msgspec

from ...core.errors import DalapapaError
from ..http.middleware import SECURITY_HEADERS

MAX_HEADER_BYTES = 65_536
"""Bytes of a request before its body: its address may contain a position of 20,000 letters."""

MAX_HEADER_FIELDS = 100

HEADER_TIMEOUT_S = 10
"""Seconds from the first byte, or from the start of a connection, to the end of a header."""

BODY_TIMEOUT_S = 30

ANSWER_TIMEOUT_S = 30
"""Seconds after which a client must read an answer at `MIN_READ_BYTES_PER_S`."""

MIN_READ_BYTES_PER_S = 1000
"""Slower than any line that people play over."""

CLOSING_TIMEOUT_S = 2
"""Seconds in which a client can read why it was refused, while its input is discarded."""

MAX_DISCARDED_BYTES = 1_000_000
"""Input of a refused client that is discarded before its connection is aborted."""

MAX_DISCARDED_FLOOD_BYTES = 131_072
"""Input of a flood that is discarded; then nothing more is read."""

MIN_DISCARDED_BYTES = 1024
"""The number of bytes for which each discarded read counts at least."""

MAX_PIPELINED_REQUESTS = 16
"""Requests that a client may send before the first one is answered."""

MAX_BODY_PIECES = 2000
"""Chunks, or segments, of a body; so many pieces of a hundred bytes make the longest body."""

MAX_CHUNK_OVERHEAD_BYTES = 32_768
"""Bytes of a body that are not its content: lengths of chunks, their extensions, and trailers."""

MAX_PIECES_PER_TURN = 128
"""Pieces of one connection that are read before others have their turn."""

PARTIAL_FRAMES = 5
"""The number of frames for which a read counts within a turn if its request goes on."""

MAX_WAITING_BODY_BYTES = 65_536
"""Bytes of a body that wait for the application before more is read."""

MAX_COLLECTED_BYTES = 16_384
"""Bytes of a body that are collected before the application is woken up for them."""

MAX_HELD_BYTES = 65_536
"""Bytes that may wait in a connection whose budget is used up; with more, it is refused."""

MAX_HELD_S = 10
"""Seconds without a break in which a connection may be read slowly; then it is refused."""

MAX_SLOW_DOWNS = 10
"""Requests of a connection that are refused as too fast before it is read slowly."""

PIECE_BYTES, SMALL_PIECE_BYTES = 2048, 512
"""What the parser reads at a time while the address has a budget, and without one."""


class HeaderTooLong(Exception):
    """A header has too many bytes or fields."""


class UnreadAnswer:
    """How long a client has not read the bytes that the server has written."""

    __slots__ = ("since", "size")

    def __init__(self) -> None:
        self.since: float | None = None
        self.size: int = 0

    def clear(self) -> None:
        """Start again: the client has read."""
        self.since = None

    def is_too_slow(self, left: int, now: float) -> bool:
        """Return whether the client reads too slowly; each part of a long answer has its time."""
        if not left:
            self.since = None
            return False
        if self.since is None or left > self.size:
            self.since, self.size = now, left
        spent = now - self.since
        return spent > ANSWER_TIMEOUT_S and self.size - left < MIN_READ_BYTES_PER_S * spent


def encode_refusal_response(status: int, error: DalapapaError) -> bytes:
    """Encode an answer that ends its connection."""
    body = msgspec.json.encode(error.to_json())
    fields = {
        **SECURITY_HEADERS,
        b"content-type": b"application/json",
        b"content-length": str(len(body)).encode(),
        b"connection": b"close",
    }
    lines = [b"%b: %b\r\n" % field for field in fields.items()]
    first = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n".encode()
    return b"".join([first, *lines, b"\r\n", body])
