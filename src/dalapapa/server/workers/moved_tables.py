"""Jobs about tables that move between a device and the server.

A long log takes tens of milliseconds, so workers read, verify and write all of it; the event loop
only passes bytes and rows on.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...core.errors import IllegalMove
from ...hosting import encoder
from ...hosting.entries import Closed, write_entry
from ...hosting.moved import MovedTable, pack_table, prepare_for_server, unpack_table, verify_table
from ...hosting.protocol import TableSummary
from ...hosting.stored import StoredEntry, StoredTable
from ...hosting.tokens import find_seats
from ..storage.archive import Line
from .replays import TableLog


class ReceivedTable(msgspec.Struct, frozen=True):
    """A verified table with its log as rows of the database have it."""

    stored: StoredTable
    phase: str
    log: list[Line]
    summary: TableSummary
    seats: tuple[int, ...]
    """The seats of the player who moves it."""


def receive_moved_table(moved: bytes, id: str, owners: Sequence[str], own: str, now: int) -> bytes:
    """Verify a table of a device, and prepare it for this server (`ReceivedTable`).

    `owners` are the hashes of the tokens of all seats, `own` that of the sender.
    """
    prepared = prepare_for_server(msgspec.json.decode(moved, type=MovedTable), owners, now)
    state = verify_table(prepared)
    if state.phase == "waiting":
        raise IllegalMove("The game has not begun: some seats are still free.", "not_begun")
    stored, log = unpack_table(prepared, id)
    lines = [
        Line(one.number, one.at, one.nonce, msgspec.json.encode(write_entry(one.entry)).decode())
        for one in log
    ]
    seats = find_seats((seat.owner for seat in state.seats), own)
    summary = encoder.summarize(id, state)
    return msgspec.msgpack.encode(ReceivedTable(stored, state.phase, lines, summary, seats))


def pack_for_device(stored: StoredTable, log: TableLog, must_verify: bool) -> bytes:
    """The whole table as JSON, without the entry that closes it."""
    entries = [
        StoredEntry(number, at, entry)
        for number, at, entry in log.entries()
        if not isinstance(entry, Closed)
    ]
    moved = pack_table(stored, entries)
    if must_verify:  # What a device would refuse must not close here.
        verify_table(moved)
    return msgspec.json.encode(moved)
