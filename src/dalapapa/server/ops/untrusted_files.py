"""Checks of files from outside, before `dalapapa restore` or `import` uses them.

A backup or an export may be damaged, or made to harm: a small file can hold archived games that
unpack to gigabytes. A server runs what the schema of its SQLite file says: triggers, views,
generated columns, defaults, checks and indexes on expressions. Only the tables and indexes of our
own schema, of this version or an earlier one, are allowed.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import struct
from pathlib import Path
from typing import IO

from sqlalchemy import Table

from ...core.errors import BadInput
from ...core.files import format_name
from ..storage.schema import metadata

MEGABYTE = 1_000_000

MAX_SIZE_MB = 10_000
"""The default limit on the size of a file, packed and unpacked; `--max-size` changes it."""

MAX_RATIO = 100
"""How many times larger than the file its tables may be. Real archives have about 20."""

MIN_ALLOWED_BYTES = 100 * MEGABYTE
"""The unpacked size that any file may have: in a small file, a single long game can exceed the
ratio."""

MAGIC = b"SQLite format 3\0"

HEADER = struct.Struct(">16sHBBBBBBIIIIIIIIIIII20sII")
"""The header of a file (https://www.sqlite.org/fileformat.html)."""

PAGE_SIZES = {1: 65_536, **{1 << power: 1 << power for power in range(9, 16)}}
"""By the number in the header."""

VERSION_TABLE = "alembic_version"

STATISTICS = re.compile(r"sqlite_stat[134]")
"""Tables that `ANALYZE` makes."""

LITERAL = re.compile(r"NULL|[+-]?\d+(\.\d+)?|'[^']*'", re.IGNORECASE)
"""A default that computes nothing."""

FORBIDDEN = re.compile(r"\b(CHECK|VIRTUAL|CONFLICT|COLLATE|GENERATED)\b", re.IGNORECASE)
"""Words in the definition of a table that change what it accepts, or compute something."""

MAX_OBJECTS = 1000
"""Tables and indexes that a file may have; our schema has about 30."""


def check_size(path: str, size: int, max_bytes: int) -> None:
    """Refuse a file that is too large."""
    if size > max_bytes:
        raise BadInput(
            f"{format_name(path)}: this file has more than {max_bytes // MEGABYTE} MB. If"
            " you trust it, allow more with --max-size.",
            "too_large",
        )


def limit_bytes(size: int, max_bytes: int) -> int:
    """The unpacked size that a file of this size may have."""
    return min(max_bytes, max(MIN_ALLOWED_BYTES, MAX_RATIO * size))


def check_space(folder: Path, needed: int) -> None:
    """Refuse to write more than fits on the disk."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:  # Writing there fails as well, and says why.
        return
    if needed > free:
        raise BadInput(
            f"{format_name(str(folder))}: {needed // MEGABYTE + 1} MB are necessary, but"
            f" only {free // MEGABYTE} MB are free.",
            "disk_full",
        )


class BoundedWriter:
    """Writes to a file until it has too many bytes, then refuses the file they come from."""

    def __init__(self, stream: IO[bytes], source: str, max_bytes: int | None) -> None:
        self.stream = stream
        self.source = source
        self.max_bytes = max_bytes
        self.written: int = 0

    def write(self, data: bytes) -> None:
        self.written += len(data)
        if self.max_bytes is not None and self.written > self.max_bytes:
            raise BadInput(
                f"{format_name(self.source)}: its tables would take more than"
                f" {self.max_bytes // MEGABYTE} MB, far more than the file. It is not a"
                " Dalapapa backup, or --max-size is too small.",
                "too_large",
            )
        self.stream.write(data)


# -- files of SQLite -----------------------------------------------------------------------------


def check_header(path: str) -> None:
    """Refuse a file whose header is wrong, or of another program."""
    with Path(path).open("rb") as stream:
        data = stream.read(HEADER.size)
        size = stream.seek(0, 2)
    if len(data) < HEADER.size:
        raise _make_damage_error(path, "its header is cut off")
    fields = HEADER.unpack(data)
    page_size = PAGE_SIZES.get(fields[1])
    if page_size is None:
        raise _make_damage_error(path, f"its header has a page size of {fields[1]}")
    pages, changes, changes_of_pages = fields[9], fields[8], fields[21]
    has_log = Path(f"{path}-wal").exists()  # Then more pages may be there.
    if pages * page_size > size and changes == changes_of_pages and not has_log:
        raise _make_damage_error(
            path, f"its header has {pages} pages, and the file {size // page_size}"
        )
    application = fields[19]
    if application:
        raise BadInput(
            f"{format_name(path)}: this file belongs to another program (application id"
            f" {application}).",
            "bad_schema",
        )


def _make_damage_error(path: str, why: str) -> BadInput:
    return BadInput(f"{format_name(path)}: this file is damaged: {why}.", "bad_tables")


def check_schema(connection: sqlite3.Connection, path: str) -> None:
    """Refuse a database with anything but our own tables and indexes."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    found = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchmany(
        MAX_OBJECTS + 1
    )
    if len(found) > MAX_OBJECTS:
        raise _make_content_error(path, f"more than {MAX_OBJECTS} tables and indexes")
    names = {name for kind, name, *_ in found if kind == "table"}
    for kind, name, of, sql in found:
        if kind == "table":
            _check_table(connection, path, str(name), str(sql))
        elif kind != "index" or of not in names:
            raise _make_content_error(path, f"a {kind} {format_name(str(name))}")
    if "tables" not in names or "entries" not in names:
        raise _make_content_error(path, "no tables of games")


def _check_table(connection: sqlite3.Connection, path: str, name: str, sql: str) -> None:
    if name == VERSION_TABLE:
        ours = None
    elif name in metadata.tables:
        ours = metadata.tables[name]
    elif STATISTICS.fullmatch(name):
        return
    else:
        raise _make_content_error(path, f"a table {format_name(name)}")
    if (word := FORBIDDEN.search(sql)) is not None:
        raise _make_content_error(path, f"{word[0].upper()} in the table {name}")
    keys = {}
    for _, column, _, _, default, key, hidden in connection.execute(f"PRAGMA table_xinfo({name})"):
        if hidden or (default is not None and not LITERAL.fullmatch(default)):
            raise _make_content_error(
                path, f"a computed column {format_name(str(column))} in the table {name}"
            )
        if key:
            keys[key] = column
    if ours is not None:
        _compare(connection, path, ours, tuple(keys[number] for number in sorted(keys)))


def _compare(connection: sqlite3.Connection, path: str, ours: Table, key: tuple[str, ...]) -> None:
    """Refuse a table whose keys, references or indexes are not ours."""
    if key != tuple(column.name for column in ours.primary_key):
        raise _make_content_error(path, f"another primary key in the table {ours.name}")
    references = {
        (one.parent.name, one.column.table.name, one.column.name, one.ondelete)
        for one in ours.foreign_keys
    }
    for _, _, other, column, there, on_update, on_delete, _ in connection.execute(
        f"PRAGMA foreign_key_list({ours.name})"
    ):
        if (column, other, there, on_delete) not in references or on_update != "NO ACTION":
            raise _make_content_error(path, f"another reference in the table {ours.name}")
    known = {
        index.name: (int(index.unique), tuple(column.name for column in index.columns))
        for index in ours.indexes
    }
    for _, name, unique, origin, partial in connection.execute(
        f"PRAGMA index_list({ours.name})"
    ).fetchall():
        if origin == "pk":
            continue
        quoted = name.replace('"', '""')
        columns = tuple(
            row[2]
            for row in connection.execute(f'PRAGMA index_xinfo("{quoted}")')
            if row[5]  # Not the key of the row, which every index has.
        )
        if partial or known.get(name) != (unique, columns):
            raise _make_content_error(path, f"an index {format_name(name)}")


def _make_content_error(path: str, what: str) -> BadInput:
    return BadInput(
        f"{format_name(path)}: this is not a Dalapapa backup, because it has {what};"
        " nothing was restored.",
        "bad_schema",
    )
