"""Permissions of database files: only their owner can read them, because they hold seeds.

Windows has other permissions; there, the folders of a user are private.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SUFFIXES = ("", "-wal", "-shm", "-journal")
"""The ends of the names of files of SQLite; all get the permissions of the first."""


def create_private(file: str) -> None:
    """Make an empty file that only its owner can read, unless it exists."""
    with suppress(OSError, ValueError):  # Opening it reports what is wrong.
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def make_private(file: str) -> None:
    """Let only their owner read the files of a database: early versions shared them."""
    for suffix in SUFFIXES:
        _close(Path(f"{file}{suffix}"), stat.S_ISREG)


def make_folder_private(folder: Path) -> None:
    """Close a folder that is ours by its name."""
    _close(folder, stat.S_ISDIR)


def _close(path: Path, is_kind: Callable[[int], bool]) -> None:
    """Take away the rights of others, if the file belongs to us."""
    if os.name != "posix":
        return
    with suppress(OSError):
        found = path.lstat()
        ours = is_kind(found.st_mode) and found.st_uid == os.geteuid()
        if ours and found.st_mode & 0o077:
            path.chmod(stat.S_IMODE(found.st_mode) & ~0o077)
