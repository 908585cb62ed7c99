"""The files of a database are their owner's alone: they hold the seeds of games that are played.

Windows has other rights; there, what lies in a user's own folders is theirs.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

SUFFIXES = ("", "-wal", "-shm", "-journal")
"""Of the files that SQLite makes; the others get the rights of the first."""


def create_private(file: str) -> None:
    """Make an empty file for its owner alone, unless there is one."""
    with suppress(OSError, ValueError):  # What cannot be made is told by whoever opens it.
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def make_private(file: str) -> None:
    """Take the files of a database from everybody but their owner: early versions shared them.

    The folder that they lie in stays as it is: it may be anybody's.
    """
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
