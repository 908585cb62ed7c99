"""Backups of a database, while games go on: `dalapapa backup` and `dalapapa restore`.

The backup of SQLite is a file of SQLite; that of PostgreSQL is an export. It gets its name when it
is complete, checked and on the disk, and only its owner may read it. A database is restored
completely or not at all, and only while it has no tables that a server may have in memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import tempfile
from pathlib import Path
from typing import Literal

import msgspec
from sqlalchemy.engine import make_url

from ...core.errors import BadInput, Unavailable
from ...core.files import find_temporary_folder, format_name, make_draft, sync_file, sync_folder
from ..storage.store import Store
from .export import export_tables, import_tables, open_store
from .untrusted_files import (
    MAGIC,
    MAX_SIZE_MB,
    MEGABYTE,
    check_header,
    check_schema,
    check_size,
    check_space,
    limit_bytes,
)


class BackupResult(msgspec.Struct, frozen=True):
    """A finished backup."""

    kind: Literal["sqlite", "tables"]
    tables: int
    bytes: int


async def back_up(url: str, path: str) -> BackupResult:
    """Copy a database, as it is at one moment, to a file."""
    store = Store(url)
    await store.engine.dispose()
    if store.postgres:
        count = (await export_tables(url, path)).tables
        sync_folder(Path(path).parent)
        return BackupResult("tables", count, Path(path).stat().st_size)
    source = Path(store.engine.url.database or "")
    if not source.is_file():
        raise Unavailable(f"There is no database in {format_name(str(source))}.", "no_database")
    return await asyncio.to_thread(_copy, source, Path(path))


def _copy(source: Path, target: Path) -> BackupResult:
    if target.exists() and (not target.is_file() or target.samefile(source)):
        raise BadInput(
            f"{format_name(str(target))} cannot be the copy: name another file.", "unwritable_path"
        )
    with make_draft(str(target)) as draft:
        count = _copy_checked(source, draft)
        draft.replace(target)
    sync_folder(target.parent)
    return BackupResult("sqlite", count, target.stat().st_size)


async def restore(path: str, url: str, max_bytes: int = MAX_SIZE_MB * MEGABYTE) -> int:
    """Restore a database from a backup, and return the number of its tables.

    The backup is not trusted (`untrusted_files.py`).
    """
    sqlite = make_url(url).get_backend_name() == "sqlite"
    target = Path(make_url(url).database or "")
    if not _is_sqlite(path):
        return await _restore_tables(path, url, max_bytes)
    check_header(path)
    if sqlite and not target.exists():
        with make_draft(str(target)) as draft:
            count = await asyncio.to_thread(_copy_checked, Path(path), draft, max_bytes)
            async with open_store(_url(draft)):
                pass  # This brings its schema up to date.
            await asyncio.to_thread(sync_file, draft)
            try:
                os.link(draft, target)  # This never replaces a file.
            except FileExistsError:
                raise _not_empty() from None
        sync_folder(target.parent)
        return count
    # Into another kind of database, or an existing one: every table is replayed.
    with tempfile.TemporaryDirectory(prefix="dalapapa-", dir=find_temporary_folder()) as folder:
        copy, exported = Path(folder, "copy.db"), Path(folder, "tables")
        await asyncio.to_thread(_copy_checked, Path(path), copy, max_bytes)
        allowed = limit_bytes(copy.stat().st_size, max_bytes)
        await export_tables(_url(copy), str(exported), max_bytes=allowed, source=path)
        return await _restore_tables(str(exported), url, max_bytes)


async def _restore_tables(path: str, url: str, max_bytes: int) -> int:
    place = make_url(url)
    target = Path(place.database or "")
    if place.get_backend_name() != "sqlite" or target.exists():
        async with open_store(url) as store:
            if await store.count():
                raise _not_empty()
    return (await import_tables(url, path, max_bytes=max_bytes)).new


def _not_empty() -> BadInput:
    return BadInput(
        "This database is not empty: restore into an empty one, or `import` the missing tables.",
        "not_empty",
    )


def _is_sqlite(path: str) -> bool:
    try:
        with Path(path).open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise BadInput(f"{format_name(path)}: {reason}.", "unreadable_file") from None


def _copy_checked(source: Path, target: Path, max_bytes: int | None = None) -> int:
    """Copy a file of SQLite at one moment, check the copy, and count its tables."""
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True))
            as old,
            contextlib.closing(sqlite3.connect(target)) as new,
        ):  # fmt: skip
            if max_bytes is not None:
                size = _size(old)
                check_size(str(source), size, max_bytes)
                check_space(target.parent, size)
            # In one step, for which writers do not wait; in several, each move would restart it.
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")  # One file, without others beside it.
            if max_bytes is not None:  # Then the file is not trusted.
                check_schema(new, str(source))
            [[sound]] = new.execute("PRAGMA quick_check(1)").fetchall()
            if sound != "ok":
                raise sqlite3.DatabaseError(sound)
            [[count]] = new.execute("SELECT count(*) FROM tables").fetchall()
    except sqlite3.Error as error:
        raise BadInput(f"{format_name(str(source))}: {error}.", "bad_tables") from None
    sync_file(target)
    return int(count)


def _size(connection: sqlite3.Connection) -> int:
    """The bytes of a database, with what is still in its log."""
    [[pages]] = connection.execute("PRAGMA page_count").fetchall()
    [[page]] = connection.execute("PRAGMA page_size").fetchall()
    return int(pages) * int(page)


def _url(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"
