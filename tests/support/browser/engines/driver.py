"""What a page can be driven by: five words, spoken to each engine in its own protocol."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from pathlib import Path
from typing import Any, Protocol

Actions = list[dict[str, Any]]
"""What fingers do, as W3C WebDriver writes it: a source of input for each hand, step by step."""


class Driver(Protocol):
    """A browser with one page; all of them understand W3C's actions as they are."""

    troubles: list[str]
    """What went wrong in the page: errors, warnings, refused requests."""

    def go(self, url: str) -> None:
        """Open an address, until it is loaded."""

    def run(self, function: str, *arguments: Any) -> Any:
        """Call a function of the page, and wait for what it returns or promises."""

    def perform(self, actions: Actions) -> None:
        """Point, press and type."""

    def resize(self, width: int, height: int) -> None:
        """Give the page so many pixels."""

    def picture(self) -> bytes:
        """What is seen of the page, as PNG."""

    def close(self) -> None:
        """Close the browser."""


def called(function: str) -> str:
    """A function of a list as JSON that answers with JSON: all that protocols need to carry."""
    return f"async (all) => JSON.stringify((await ({function})(...JSON.parse(all))) ?? null)"


def kill_session(child: subprocess.Popen[Any]) -> None:
    """End a process that was started with `start_new_session`, and all that it has started.

    Drivers put their browsers in groups of their own, but not in sessions of their own.
    """
    for pid in _processes():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getsid(pid) == child.pid:
                os.kill(pid, signal.SIGKILL)
    child.kill()
    child.wait()


def _processes() -> list[int]:
    """All processes, where the system has a list of them."""
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]
