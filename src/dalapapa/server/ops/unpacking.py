"""Limits on what a file from outside may become: in bytes, compared with its size, and on the disk.

A backup or an export may be damaged, or made to harm: a small file can hold archived games that
unpack to gigabytes.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import IO

from ...core.errors import BadInput
from ...core.files import format_name

MEGABYTE = 1_000_000

MAX_SIZE_MB = 10_000
"""Default for the size of a file, and of what it becomes; `--max-size` allows more or less."""

MAX_RATIO = 100
"""How many times larger than the file its tables may be. Real archives have about 20."""

MIN_ALLOWED_BYTES = 100 * MEGABYTE
"""What any file may become: in a small one, a single long game can exceed the ratio."""


def check_size(path: str, size: int, max_bytes: int) -> None:
    """Refuse a file that is too large."""
    if size > max_bytes:
        raise too_large(path, max_bytes)


def too_large(path: str, max_bytes: int) -> BadInput:
    """The refusal of a file that has too much in it."""
    return BadInput(
        f"{format_name(path)}: this is more than {max_bytes // MEGABYTE} MB;"
        " --max-size allows more, if you trust the file.",
        "too_large",
    )


def limit_bytes(size: int, max_bytes: int) -> int:
    """What a file of some size may become."""
    return min(max_bytes, max(MIN_ALLOWED_BYTES, MAX_RATIO * size))


def check_space(folder: Path, needed: int) -> None:
    """Refuse to begin what does not fit on the disk."""
    try:
        free = shutil.disk_usage(folder).free
    except OSError:  # Writing there fails as well, and says why.
        return
    if needed > free:
        raise BadInput(
            f"{format_name(str(folder))}: {needed // MEGABYTE + 1} MB are needed,"
            f" and {free // MEGABYTE} MB are free.",
            "disk_full",
        )


class BoundedWriter:
    """Writes to a file until it has too many bytes, then refuses the file they come from."""

    def __init__(self, stream: IO[bytes], source: str, max_bytes: int | None) -> None:
        self.stream = stream
        self.source = source
        self.max_bytes = max_bytes
        self.written = 0

    def write(self, data: bytes) -> None:
        self.written += len(data)
        if self.max_bytes is not None and self.written > self.max_bytes:
            raise BadInput(
                f"{format_name(self.source)}: its tables would take more than"
                f" {self.max_bytes // MEGABYTE} MB, far more than the file: it is not a backup"
                " of ours, or --max-size is too small.",
                "too_large",
            )
        self.stream.write(data)
