"""Files: read up to a limit, written completely or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path

from .errors import BadInput


def format_name(path: str) -> str:
    """Format a path for an error message."""
    name = path if len(path) <= 200 else f"{path[:100]}...{path[-97:]}"
    return name if name.isprintable() else ascii(name)


@contextmanager
def _refuse_os_errors(path: str, code: str = "unwritable_path") -> Iterator[None]:
    """Report what the system refuses in one sentence."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no file can have this name"
        raise BadInput(f"{format_name(path)}: {reason}.", code) from None


def read(path: str, max_bytes: int) -> bytes:
    """Read a file of at most `max_bytes`."""
    with _refuse_os_errors(path, "unreadable_file"), Path(path).open("rb") as stream:
        data = stream.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise BadInput(f"{format_name(path)} has more than {max_bytes} bytes.", "too_large")
    return data


@contextmanager
def make_draft(path: str) -> Iterator[Path]:
    """Make a file beside a path to write to before it gets that name.

    Only its owner may read it. It is deleted at the end unless it was renamed, together with the
    files that SQLite has beside it.
    """
    draft = None
    with _refuse_os_errors(path):
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
    """Refuse early what `write` would refuse."""
    with _refuse_os_errors(path):
        if Path(path).is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        tempfile.TemporaryFile(dir=Path(path).parent).close()


def add_line(path: str, line: bytes) -> None:
    """Append a line to a file. After an interruption, the line has no end."""
    with _refuse_os_errors(path), Path(path).open("ab") as stream:
        stream.write(line + b"\n")


def make_folder(path: str) -> None:
    """Make a folder and its parents, unless they exist."""
    with _refuse_os_errors(path):
        if not path:
            raise ValueError
        Path(path).mkdir(parents=True, exist_ok=True)


def find_temporary_folder() -> str:
    """Find a writable folder for temporary files."""
    try:
        return tempfile.gettempdir()
    except OSError:
        raise BadInput(
            "No folder for temporary files is writable: set TMPDIR to one that is.",
            "unwritable_path",
        ) from None
