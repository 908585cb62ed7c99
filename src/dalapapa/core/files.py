"""Files, read and written with care: whole or not at all, and never more than expected."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path

from .errors import BadInput


def shown(path: str) -> str:
    """A path as an error message names it."""
    name = path if len(path) <= 200 else f"{path[:100]}...{path[-97:]}"
    return name if name.isprintable() else ascii(name)


@contextmanager
def _refusing(path: str, code: str = "unwritable_path") -> Iterator[None]:
    """What the system refuses is reported in one sentence."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise BadInput(f"{shown(path)}: {reason}.", code) from None


def read(path: str, most: int) -> bytes:
    """The bytes of a file of at most `most` bytes."""
    with _refusing(path, "unreadable_file"), Path(path).open("rb") as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise BadInput(f"{shown(path)}: more than {most} bytes.", "too_large")
    return data


@contextmanager
def make_draft(path: str) -> Iterator[Path]:
    """Make a file beside a path to write to before it gets that name.

    Only its owner may read it. It is deleted at the end unless it was renamed, together with the
    files that SQLite has beside it.
    """
    draft = None
    with _refusing(path):
        try:
            handle, name = tempfile.mkstemp(prefix=".dalapapa-", dir=Path(path).parent)
            os.close(handle)
            draft = Path(name)
            yield draft
        finally:
            for suffix in () if draft is None else ("", "-wal", "-shm", "-journal"):
                Path(f"{draft}{suffix}").unlink(missing_ok=True)


def write(path: str, data: bytes) -> None:
    """Write a whole file or none: an interrupted write leaves the old file as it was."""
    with make_draft(path) as draft:
        draft.write_bytes(data)
        mask = os.umask(0)
        os.umask(mask)
        draft.chmod(0o666 & ~mask)
        draft.replace(path)


def sync_file(file: Path) -> None:
    """Wait until a file is on the disk, so that it survives a power cut."""
    with file.open("rb+") as stream:  # Windows flushes only what may be written.
        os.fsync(stream.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def check_writable(path: str) -> None:
    """Refuse what `write` would refuse, before the work is done."""
    with _refusing(path):
        if Path(path).is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        tempfile.TemporaryFile(dir=Path(path).parent).close()


def add_line(path: str, line: bytes) -> None:
    """Add a line to a file. If this is interrupted, it has no end of line."""
    with _refusing(path), Path(path).open("ab") as stream:
        stream.write(line + b"\n")


def make_folder(path: str) -> None:
    """Make a folder, and those above it, unless it is there."""
    with _refusing(path):
        if not path:
            raise ValueError
        Path(path).mkdir(parents=True, exist_ok=True)


def find_temporary_folder() -> str:
    """The folder for temporary files, which can be written to."""
    try:
        return tempfile.gettempdir()
    except OSError:
        raise BadInput(
            "No folder for temporary files can be written to: set TMPDIR to one that can.",
            "unwritable_path",
        ) from None
