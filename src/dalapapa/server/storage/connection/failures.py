"""What an error of a database driver means: an invalid row, a full disk, or no database at all."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

DATA_CLASS, INTEGRITY_CLASS = "22", "23"
"""The first two characters of SQLSTATE, the error codes of SQL."""

SQLITE_REASONS = {sqlite3.SQLITE_FULL: "disk_full", sqlite3.SQLITE_READONLY: "read_only"}
"""The reasons by the primary code of SQLite."""

POSTGRES_REASONS = {"53100": "disk_full", "25006": "read_only"}
"""The reasons by SQLSTATE."""


def is_row_error(error: Exception) -> bool:
    """Whether the row is invalid, and the database works."""
    refused = sqlite3.IntegrityError | sqlite3.DataError | sqlite3.InterfaceError | UnicodeError
    return isinstance(error, refused) or _read_class(error) in (DATA_CLASS, INTEGRITY_CLASS)


def is_missing_table(error: Exception) -> bool:
    """Whether the table of an entry is missing."""
    return isinstance(error, sqlite3.IntegrityError) or _read_class(error) == INTEGRITY_CLASS


def _read_class(error: Exception) -> str:
    """The class of an error of PostgreSQL, whose driver is an extra; empty for other errors."""
    return str(getattr(error, "sqlstate", None) or "")[:2]


def find_reason(error: BaseException | None) -> str | None:
    """Why the database refuses to write anything; None if the error is about something else."""
    for _ in range(4):  # Our refusal, SQLAlchemy's error, its adapter's, and the driver's.
        if error is None:
            break
        code = getattr(error, "sqlite_errorcode", None)
        found = SQLITE_REASONS.get(code & 0xFF) if isinstance(code, int) else None
        found = found or POSTGRES_REASONS.get(getattr(error, "sqlstate", None) or "")
        if found:
            return found
        error = getattr(error, "orig", None) or error.__cause__
    return None


def explain_failure(error: BaseException) -> str:
    """The reason why a database cannot be opened."""
    if isinstance(error, ConnectionRefusedError):
        return "no server answers at this address."
    if isinstance(error, TypeError):
        return "its URL has an option that is unknown."
    if isinstance(error, OverflowError):
        return "its URL has a port that does not exist."
    return first_line(error)


def first_line(error: BaseException) -> str:
    """The first line of a driver's message."""
    inner = error.orig if isinstance(error, DBAPIError) and error.orig else error
    return (str(inner).splitlines() or [type(inner).__name__])[0][:200]
