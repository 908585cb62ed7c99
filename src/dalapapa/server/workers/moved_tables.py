"""Jobs about tables that move between a device and the server.

A long log takes tens of milliseconds, so workers read, verify and write all of it; the event loop
only passes bytes and rows on.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ...core.errors import BadOptions, IllegalMove, Malformed
from ...hosting import encoder
from ...hosting.entries import Closed, write_entry
from ...hosting.moved import MovedTable, pack_table, prepare_for_server, unpack_table, verify_table
from ...hosting.protocol import TableSummary
from ...hosting.stored import StoredEntry, StoredTable
from ...hosting.tokens import find_seats
from ..integers import convert_integers
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


def receive_moved_table(
    data: bytes, id: str, own: str, guests: Mapping[int, str], now: int
) -> bytes:
    """Verify a table of a device, and prepare it for this server (`ReceivedTable`).

    `own` is the hash of the sender's token; `guests` are those of the invited seats.
    """
    moved = _read_table(data)
    plans = moved.settings.seats
    people = {seat for seat, plan in enumerate(plans) if plan.program is None}
    if not guests.keys() < people:
        raise BadOptions("Invite to seats of people, and keep one of them.", "bad_seats")
    owners = [guests.get(seat, own) for seat in range(len(plans))]
    prepared = prepare_for_server(moved, owners, now)
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


def _read_table(data: bytes) -> MovedTable:
    try:
        try:
            return msgspec.json.decode(data, type=MovedTable)
        except msgspec.ValidationError:
            return msgspec.convert(convert_integers(msgspec.json.decode(data)), type=MovedTable)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        reason = str(error) if isinstance(error, msgspec.MsgspecError) else "it is not plain text"
        raise Malformed(f"Cannot read the table: {reason[:200]}.") from None


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
