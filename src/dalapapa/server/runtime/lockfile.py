"""One server for each file of SQLite: two would not hear of each other.

The operating system keeps the lock while the process lives and takes it back however it ends; the
file that stays behind means nothing. Commands such as `export` and `check` need no lock.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from ...core.errors import Unavailable

SUFFIX = "-server"
"""Of the file next to the database."""

PATIENCE = 1.0
"""Seconds that a server which is just ending has."""

PLACE = 1 << 30
"""The byte that is locked where locks are of bytes: not one that holds who has it."""

TAKEN = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


@contextmanager
def only_server(database: str) -> Iterator[Callable[[str], None]]:
    """Hold a database (a URL with its driver) while this process serves it.

    What is handed out notes where it is served, for a second server.
    """
    path = _lock_file(database)
    handle = None if path is None else _locked(path)
    if path is None or handle is None:
        yield lambda _url: None
        return
    try:
        _note(handle, "")
        yield lambda url: _note(handle, url)
    finally:
        with suppress(OSError):  # Windows keeps a file that somebody has open.
            os.unlink(path)
        os.close(handle)


def _lock_file(database: str) -> str | None:
    """Where the lock of a database is; other databases than files of SQLite need none."""
    kind, _, rest = database.partition(":///")
    file = rest.removeprefix("file:").partition("?")[0]
    if not kind.startswith("sqlite") or not file or ":memory:" in file:
        return None
    return os.path.realpath(file) + SUFFIX


def _locked(path: str) -> int | None:
    """The file of a lock, locked; None where there are no locks."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except (OSError, ValueError):  # Then the database cannot be opened either, and says why.
            return None
        try:
            _try(handle)
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return handle
        except FileNotFoundError:  # Whoever had it has just ended, and taken it along.
            pass
        except OSError as error:
            if error.errno not in TAKEN:  # A file system without locks: `docs/hosting.md`.
                return handle
            if time.monotonic() > end:
                told = _told(handle)
                os.close(handle)
                raise Unavailable(
                    f"Another server{told} uses this database: end it first, or use PostgreSQL,"
                    " which several servers can share.",
                    "database_in_use",
                ) from None
            time.sleep(0.05)
        os.close(handle)


if sys.platform == "win32":

    def _try(handle: int) -> None:
        import msvcrt

        os.lseek(handle, PLACE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:

    def _try(handle: int) -> None:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _note(handle: int, url: str) -> None:
    os.lseek(handle, 0, os.SEEK_SET)
    os.ftruncate(handle, 0)
    os.write(handle, f"{os.getpid()} {url}".encode())


def _told(handle: int) -> str:
    """Who has the lock."""
    os.lseek(handle, 0, os.SEEK_SET)
    process, _, url = os.read(handle, 300).decode(errors="replace").partition(" ")
    if not process.isdigit() or not url.isprintable():
        return ""
    return f" (process {process}{f', at {url}' if url else ''})"
