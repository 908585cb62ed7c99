"""The frames that a server sends (RFC 6455), alone or compressed (RFC 7692)."""

from __future__ import annotations

import zlib
from functools import lru_cache

TEXT, CONTINUED, FINAL, COMPRESSED, MASKED = 0x81, 0x00, 0x80, 0x40, 0x80
SHORT, LONG = 126, 127
"""Lengths that announce a longer length field."""


def encode_frame(kind: int, payload: bytes) -> bytes:
    """Encode a frame with its first byte and its payload."""
    size = len(payload)
    if size < SHORT:
        return bytes((kind, size)) + payload
    if size < 65_536:
        return bytes((kind, SHORT, size >> 8, size & 255)) + payload
    return bytes((kind, LONG)) + size.to_bytes(8) + payload


@lru_cache(maxsize=32)
def deflate_frame(message: bytes, window: int) -> bytes:
    """Compress a text for all receivers; it does not depend on earlier messages."""
    packer = zlib.compressobj(wbits=-window)
    packed = packer.compress(message) + packer.flush(zlib.Z_SYNC_FLUSH)
    return encode_frame(TEXT | COMPRESSED, packed[:-4])
