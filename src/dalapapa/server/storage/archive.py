"""A finished game as one compressed row, with its table and its log.

Unpacking restores them byte for byte, so that records, replays, reviews and exports stay as they
were. The texts of a log repeat each other and shrink to a few percent; the ids of moves are hashes,
which cannot be compressed, and are stored beside them as bytes.
"""

from __future__ import annotations

import zlib
from itertools import accumulate, pairwise
from typing import Annotated

import msgspec
from msgspec import Meta

COMPRESSION_LEVEL = 9
"""The best and slowest compression, because no request waits for it."""

MAX_BYTES = 32_000_000
"""The size of a row before compression; a log of 20,000 moves has 4 MB."""

MAX_LINES = 200_000
"""Lines of a log; no table gets more than 20,000 entries (`state.MAX_ENTRIES`)."""

HASH_LENGTH = 64
"""Characters of a move id that is a hash."""


class Line(msgspec.Struct, frozen=True):
    """An entry of a log as its row has it."""

    number: int
    at: int
    nonce: str | None
    entry: str


class Archived(msgspec.Struct, frozen=True):
    """A table and its log as their rows have them; the entries are numbered from 1."""

    id: str
    created: int
    settings: str
    seed: str
    set_name: str | None
    set_fingerprint: str | None
    log: tuple[Line, ...]


class _Texts(msgspec.Struct, frozen=True, array_like=True):
    """The compressed part; times as differences."""

    settings: str
    seed: str
    set_name: str | None
    set_fingerprint: str | None
    steps: Annotated[list[int], Meta(max_length=MAX_LINES)]
    entries: Annotated[list[str], Meta(max_length=MAX_LINES)]
    marks: Annotated[dict[int, str], Meta(max_length=MAX_LINES)]
    """Move ids that are not hashes, by their places: imports may contain any."""


class PackedTable(msgspec.Struct, frozen=True, array_like=True, tag=1):
    """A row of the archive in its first format; a later format has another tag."""

    created: int
    texts: bytes
    marks: Annotated[list[bytes | None], Meta(max_length=MAX_LINES)]


def pack(table: Archived) -> bytes:
    """A table as one row."""
    times = [table.created, *(line.at for line in table.log)]
    texts = _Texts(
        table.settings,
        table.seed,
        table.set_name,
        table.set_fingerprint,
        [after - before for before, after in pairwise(times)],
        [line.entry for line in table.log],
        {
            place: line.nonce
            for place, line in enumerate(table.log)
            if line.nonce is not None and _hash(line.nonce) is None
        },
    )
    packed = zlib.compress(msgspec.msgpack.encode(texts), COMPRESSION_LEVEL)
    marks = [_hash(line.nonce) for line in table.log]
    return msgspec.msgpack.encode(PackedTable(table.created, packed, marks))


def unpack(id: str, data: bytes) -> Archived:
    """The inverse of `pack`, which leaves out the id; raises `msgspec.DecodeError`."""
    form = msgspec.msgpack.decode(data, type=PackedTable)
    try:
        texts = msgspec.msgpack.decode(_decompress(form.texts), type=_Texts)
    except zlib.error as error:
        raise msgspec.DecodeError(f"an archived table is damaged: {error}") from None
    times = list(accumulate(texts.steps, initial=form.created))[1:]
    if not len(times) == len(texts.entries) == len(form.marks):
        raise msgspec.DecodeError("an archived table is damaged: its parts do not match")
    marks = [None if mark is None else mark.hex() for mark in form.marks]
    for place, mark in texts.marks.items():
        if place not in range(len(marks)):
            raise msgspec.DecodeError("an archived table is damaged: its parts do not match")
        marks[place] = mark
    lines = zip(times, marks, texts.entries, strict=True)
    return Archived(
        id,
        form.created,
        texts.settings,
        texts.seed,
        texts.set_name,
        texts.set_fingerprint,
        tuple([Line(number, *line) for number, line in enumerate(lines, start=1)]),
    )


def _decompress(data: bytes) -> bytes:
    """Decompressed data; refuses too much of it."""
    reader = zlib.decompressobj()
    found = reader.decompress(data, MAX_BYTES)
    if reader.unconsumed_tail:
        raise msgspec.DecodeError(
            f"an archived table is damaged: it has more than {MAX_BYTES} bytes"
        )
    if not reader.eof:
        raise zlib.error("it is cut off")
    return found


def _hash(mark: str | None) -> bytes | None:
    """A move id as bytes; None if it is not a hash."""
    if mark is None or len(mark) != HASH_LENGTH:
        return None
    try:
        short = bytes.fromhex(mark)
    except ValueError:
        return None
    return short if short.hex() == mark else None
