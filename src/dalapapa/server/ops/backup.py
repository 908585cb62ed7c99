"""Copies of a database for bad days: `dalapapa backup` and `dalapapa restore`, while games go on.

Of SQLite it is a file of SQLite, copied at one moment by SQLite itself; of PostgreSQL it is what
`export` writes. Either takes its name when it is whole, checked and on the disk, and only its owner
may read it. A database is restored whole or not at all, and only where there is no table yet: a
server that has tables in memory must not lose the ground under them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
from sqlalchemy.engine import make_url

from ...core.errors import BadInput, Unavailable
from ...core.files import find_temporary_folder, format_name
from ..storage.store import Store
from .backup_file import MAGIC, check_header, check_schema
from .export import export_tables, import_tables, opened_store
from .unpacking import MAX_SIZE_MB, MEGABYTE, allowed_bytes, check_size, check_space


class Saved(msgspec.Struct, frozen=True):
    """What a backup came to."""

    kind: Literal["sqlite", "tables"]
    tables: int
    bytes: int


async def back_up(url: str, path: str) -> Saved:
    """Copy a database, as it is at one moment, to a file."""
    store = Store(url)
    await store.engine.dispose()
    if store.postgres:
        count = (await export_tables(url, path)).tables
        _settle(Path(path).parent)
        return Saved("tables", count, Path(path).stat().st_size)
    source = Path(store.engine.url.database or "")
    if not source.is_file():
        raise Unavailable(f"{format_name(str(source))}: there is no such database.", "no_database")
    return await asyncio.to_thread(_copy, source, Path(path))


def _copy(source: Path, target: Path) -> Saved:
    if target.exists() and (not target.is_file() or target.samefile(source)):
        raise BadInput(f"{format_name(str(target))}: this cannot be the copy.", "unwritable_path")
    with _draft(target) as draft:
        count = _copied(source, draft)
        draft.replace(target)
    _settle(target.parent)
    return Saved("sqlite", count, target.stat().st_size)


async def restore(path: str, url: str, max_bytes: int = MAX_SIZE_MB * MEGABYTE) -> int:
    """Make a database what it was; how many tables it has.

    A file that is larger, or becomes larger, is refused, and so is one with a schema that is not
    ours (`unpacking.py`, `backup_file.py`).
    """
    sqlite = make_url(url).get_backend_name() == "sqlite"
    target = Path(make_url(url).database or "")
    if not _is_sqlite(path):
        return await _restore_tables(path, url, max_bytes)
    check_header(path)
    if sqlite and not target.exists():
        with _draft(target) as draft:
            count = await asyncio.to_thread(_copied, Path(path), draft, max_bytes)
            await _bring_up_to_date(draft)
            await asyncio.to_thread(_settled, draft)
            try:
                os.link(draft, target)  # Never over another one.
            except FileExistsError:
                raise _not_empty() from None
        _settle(target.parent)
        return count
    # Into another kind of database, or one that is there: every table is played through.
    with tempfile.TemporaryDirectory(prefix="dalapapa-", dir=find_temporary_folder()) as folder:
        copy, told = Path(folder, "copy.db"), Path(folder, "tables")
        await asyncio.to_thread(_copied, Path(path), copy, max_bytes)
        allowed = allowed_bytes(copy.stat().st_size, max_bytes)
        await export_tables(_url(copy), str(told), max_bytes=allowed, source=path)
        return await _restore_tables(str(told), url, max_bytes)


async def _restore_tables(path: str, url: str, max_bytes: int) -> int:
    place = make_url(url)
    target = Path(place.database or "")
    if place.get_backend_name() != "sqlite" or target.exists():
        async with opened_store(url) as store:
            if await store.count():
                raise _not_empty()
    return (await import_tables(url, path, max_bytes=max_bytes)).new


def _not_empty() -> BadInput:
    return BadInput(
        "This database has tables: restore into an empty one, or `import` what is missing.",
        "not_empty",
    )


def _is_sqlite(path: str) -> bool:
    try:
        with Path(path).open("rb") as stream:
            return stream.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise BadInput(f"{format_name(path)}: {reason}.", "unreadable_file") from None


def _copied(source: Path, target: Path, max_bytes: int | None = None) -> int:
    """Copy a file of SQLite at one moment, check the copy, and count its tables.

    With a limit of bytes, the file is not trusted, and its schema must be ours.
    """
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
            if max_bytes is not None:
                check_schema(new, str(source))
            [[sound]] = new.execute("PRAGMA quick_check(1)").fetchall()
            if sound != "ok":
                raise sqlite3.DatabaseError(sound)
            [[count]] = new.execute("SELECT count(*) FROM tables").fetchall()
    except sqlite3.Error as error:
        raise BadInput(f"{format_name(str(source))}: {error}.", "bad_tables") from None
    _settled(target)
    return int(count)


def _size(connection: sqlite3.Connection) -> int:
    """The bytes of a database, with what is still in its log."""
    [[pages]] = connection.execute("PRAGMA page_count").fetchall()
    [[page]] = connection.execute("PRAGMA page_size").fetchall()
    return int(pages) * int(page)


async def _bring_up_to_date(file: Path) -> None:
    store = Store(_url(file))
    await store.open()
    await store.close()


def _url(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


@contextlib.contextmanager
def _draft(target: Path) -> Iterator[Path]:
    """A file beside the target, for its owner alone; gone afterwards, if it has its old name."""
    draft = None
    try:
        handle, name = tempfile.mkstemp(prefix=".dalapapa-", dir=target.parent)
        os.close(handle)
        draft = Path(name)
        yield draft
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise BadInput(f"{format_name(str(target))}: {reason}.", "unwritable_path") from None
    finally:
        for left in () if draft is None else ("", "-wal", "-shm", "-journal"):
            Path(f"{draft}{left}").unlink(missing_ok=True)


def _settled(file: Path) -> None:
    """Until a file is on the disk, whatever happens to the power."""
    with file.open("rb+") as stream:  # Windows flushes only what may be written.
        os.fsync(stream.fileno())


def _settle(folder: Path) -> None:
    """The same for the names in a folder, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
