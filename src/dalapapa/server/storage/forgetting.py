"""Forgetting people: the entries that name them, and the traces of deleted rows in files.

SQLite: every connection overwrites deleted content (`secure_delete`). Earlier versions of a page
stay in the write-ahead log until that is emptied, and a file from before may have old content in
its free pages: `VACUUM` writes the file again without it. PostgreSQL keeps dead rows until
`VACUUM`, and its log and backups longer (`docs/operations.md`).
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from ...core.errors import Unavailable
from ...hosting.entries import Entry, Renewed, Sat, Written
from ...hosting.state import FORGOTTEN_OWNER
from ..monitoring.logging_setup import logger
from .connection.database import Database
from .connection.engine import set_up_sqlite

ERASE_TIMEOUT_S = 20.0

RETRY_INTERVAL_S = 0.05
"""The pause between two attempts to empty the log of SQLite while a connection reads from it."""

MAX_COMPACTED_BYTES = 1_000_000_000
"""A larger file is not written again: moves wait meanwhile, about 10 s for each GB."""

VACUUM = "VACUUM (SKIP_LOCKED) tables, entries, archive, attempts, subscribers"
"""The statement for PostgreSQL. It skips tables that are being vacuumed already."""


def forget_entries(
    log: Mapping[int, Written], owner: str, rename: Callable[[Sat], Sat]
) -> dict[int, Entry]:
    """The entries that gave seats to an owner, by number, without the person.

    A seat whose token was replaced belongs to its last one, with all entries before.
    """
    owners: dict[int, str] = {}
    given: dict[int, list[tuple[int, Sat | Renewed]]] = {}
    found: dict[int, Entry] = {}

    def note(seat: int) -> None:
        for number, entry in given.get(seat, ()) if owners.get(seat) == owner else ():
            if isinstance(entry, Sat):
                found[number] = rename(entry)
            else:
                found[number] = Renewed(entry.seat, FORGOTTEN_OWNER)

    for number, entry in log.items():
        if isinstance(entry, Sat):
            note(entry.seat)
            owners[entry.seat], given[entry.seat] = entry.owner, [(number, entry)]
        elif isinstance(entry, Renewed):
            before = owners.get(entry.seat)
            for seat in [seat for seat, known in owners.items() if known == before]:
                owners[seat] = entry.owner
                given[seat].append((number, entry))
    for seat in owners:
        note(seat)
    return found


async def erase_traces(store: Database) -> bool:
    """Remove what deleted rows have left in the files; False if something may be left."""
    if store.postgres:
        try:
            async with store.autocommit() as connection:
                await connection.exec_driver_sql(VACUUM)
        except Unavailable:
            return False
        return True
    await store.engine.dispose()  # Our own connections must not be the readers to wait for.
    return await asyncio.to_thread(_erase, store.engine.url.database or "")


def _erase(file: str) -> bool:
    end = time.monotonic() + ERASE_TIMEOUT_S
    try:
        with contextlib.closing(
            sqlite3.connect(
                file, ERASE_TIMEOUT_S, isolation_level=None, uri=file.startswith("file:")
            )
        ) as connection:
            set_up_sqlite(connection)
            small = Path(file).stat().st_size <= MAX_COMPACTED_BYTES
            if small:
                connection.execute("VACUUM")
            return _empty_log(connection, end) and small
    except (sqlite3.Error, OSError) as error:
        logger.warning("could not erase traces of deleted rows: %s", type(error).__name__)
        return False


def _empty_log(connection: sqlite3.Connection, end: float) -> bool:
    """Move the log into the file and cut it to nothing, as soon as no connection reads from it."""
    while True:
        [[busy, *_]] = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        if not busy:
            return True
        if time.monotonic() > end:
            return False
        time.sleep(RETRY_INTERVAL_S)
