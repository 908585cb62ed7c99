"""Standard output, which belongs to the results of a command."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

STDOUT, STDERR = 1, 2


@contextmanager
def stdout_as_stderr() -> Iterator[None]:
    """Write to standard error what a library, or a process that it starts, writes to stdout."""
    sys.stdout.flush()
    kept = os.dup(STDOUT)
    try:
        os.dup2(STDERR, STDOUT)
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, STDOUT)
        os.close(kept)
