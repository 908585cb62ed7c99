"""A lock that allows one server for each SQLite file: two would not see each other's changes.

The operating system holds the lock while the process lives and releases it however the process
ends; a file that is left behind means nothing. Commands such as `export` and `check` need no lock.
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
"""The end of the name of the lock file, which is next to the database."""

LOCK_TIMEOUT_S = 1.0

LOCKED_BYTE = 1 << 30
"""The byte that is locked on Windows, which must not be part of the content."""

LOCKED_ERRORS = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


@contextmanager
def lock_database(database: str) -> Iterator[Callable[[str], None]]:
    """Lock a database (a URL with its driver).

    Yield a function that writes our URL into the lock, so that a second server can name it.
    """
    path = _find_lock_path(database)
    handle = None if path is None else _open_locked(path)
    if path is None or handle is None:
        yield lambda _url: None
        return
    try:
        _note(handle, "")
        yield lambda url: _note(handle, url)
    finally:
        with suppress(OSError):  # Windows keeps files that are open.
            os.unlink(path)
        os.close(handle)


def _find_lock_path(database: str) -> str | None:
    """Return the path of the lock; only SQLite files need one."""
    kind, _, rest = database.partition(":///")
    file = rest.removeprefix("file:").partition("?")[0]
    if not kind.startswith("sqlite") or not file or ":memory:" in file:
        return None
    return os.path.realpath(file) + SUFFIX


def _open_locked(path: str) -> int | None:
    """Open and lock a file; None if it cannot be opened."""
    end = time.monotonic() + LOCK_TIMEOUT_S
    while True:
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except (OSError, ValueError):  # Opening the database will fail as well, and say why.
            return None
        try:
            _lock(handle)
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return handle
        except FileNotFoundError:  # The other server has just ended and removed it.
            pass
        except OSError as error:
            if error.errno not in LOCKED_ERRORS:  # A file system without locks: `docs/hosting.md`.
                return handle
            if time.monotonic() > end:
                owner = _describe_owner(handle)
                os.close(handle)
                raise Unavailable(
                    f"Another server{owner} uses this database: stop it first, or use"
                    " PostgreSQL, which several servers can share.",
                    "database_in_use",
                ) from None
            time.sleep(0.05)
        os.close(handle)


if sys.platform == "win32":

    def _lock(handle: int) -> None:
        import msvcrt

        os.lseek(handle, LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:

    def _lock(handle: int) -> None:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _note(handle: int, url: str) -> None:
    os.lseek(handle, 0, os.SEEK_SET)
    os.ftruncate(handle, 0)
    os.write(handle, f"{os.getpid()} {url}".encode())


def _describe_owner(handle: int) -> str:
    """Return the process and the URL of the server that has the lock, for an error text."""
    os.lseek(handle, 0, os.SEEK_SET)
    process, _, url = os.read(handle, 300).decode(errors="replace").partition(" ")
    if not process.isdigit() or not url.isprintable():
        return ""
    return f" (process {process}{f', at {url}' if url else ''})"
