"""How the rows of the database hold stored tables and their logs."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from ...core.errors import DamagedTable
from ...core.tiles import SetIdentity
from ...hosting.entries import Written, read_entry, write_entry
from ...hosting.settings import Settings
from ...hosting.stored import StoredEntry, StoredTable
from .archive import Archived, unpack
from .quarantine import check_number, make_orphan_error, reading
from .writer import Row

ID = re.compile(r"[A-Za-z0-9_-]{1,32}")


class TableRows(msgspec.Struct):
    """The rows of one table, damaged or not."""

    id: str
    table: Any
    """Its row; None if only a log is left."""
    log: list[Any]
    data: bytes | None = None
    """Table and log as one row of the archive."""

    def read(self) -> tuple[StoredTable, list[StoredEntry]]:
        """The table and its whole log; raises `DamagedTable`."""
        table, log = self.table, self.log
        if self.data is not None:
            table = packed = unpack_rows(self.id, self.data)
            log = list(packed.log)
        if table is None:
            raise make_orphan_error(self.id)
        read = read_table(table)
        for number, row in enumerate(log, start=1):
            check_number(self.id, row.number, number)
        return read, [read_stored_entry(self.id, row) for row in log]


ReadResult = tuple[StoredTable, list[StoredEntry]] | DamagedTable
"""A table with its log, or the damage of its rows."""


def table_row(table: StoredTable, phase: str, changed: int) -> dict[str, Any]:
    """The columns of a table's row."""
    return {
        "id": table.id,
        "created": table.created,
        "changed": changed,
        "phase": phase,
        "visibility": table.settings.visibility,
        "seed": table.seed,
        "settings": msgspec.json.encode(table.settings).decode(),
        "set_name": table.set.name if table.set else None,
        "set_fingerprint": table.set.fingerprint if table.set else None,
    }


def entry_row(table: str, stored: StoredEntry, phase: str) -> Row:
    """The row of an entry."""
    entry = msgspec.json.encode(write_entry(stored.entry)).decode()
    return Row(table, stored.number, stored.at, stored.nonce, entry, phase)


def entry_columns(row: Row) -> dict[str, Any]:
    """The columns of the row of an entry, by name."""
    return dict(zip(("table_id", "number", "at", "nonce", "entry"), row, strict=False))


def unpack_rows(id: str, data: bytes) -> Archived:
    """The rows of an archived table; raises `DamagedTable`."""
    with reading(id):
        return unpack(id, data)


def read_table(row: Any) -> StoredTable:
    """A table from its row; raises `DamagedTable`."""
    with reading(row.id):
        settings = msgspec.json.decode(row.settings, type=Settings)
        tiles = SetIdentity(row.set_name, row.set_fingerprint) if row.set_name else None
        table = StoredTable(row.id, row.created, settings, row.seed, tiles)
        # SQLite keeps anything in any column.
        return msgspec.convert(msgspec.to_builtins(table), StoredTable)


_decoder = msgspec.json.Decoder(Written)


def read_stored_entry(table: str, row: Any) -> StoredEntry:
    """An entry from its row; raises `DamagedTable`."""
    with reading(table, row.number):
        entry: Written = _decoder.decode(row.entry)
        if type(row.at) is not int or not isinstance(row.nonce, str | None):
            raise ValueError("its time or its move id is invalid")
        if row.nonce is not None:
            row.nonce.encode()
        return StoredEntry(row.number, row.at, read_entry(entry), row.nonce)
