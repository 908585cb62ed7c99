"""Debian's packages that tests need, installed where that is allowed, by one process at a time.

`make test` runs this file while it builds, so that no test has to wait for them.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

PROGRAMS = {
    "chromium": "chromium",
    "chromium-headless-shell": "chromium-headless-shell",
    "chromedriver": "chromium-driver",
    "firefox-esr": "firefox-esr",
    "WebKitWebDriver": "webkit2gtk-driver",
    "Xvfb": "xvfb",
}
"""The package of each program that tests run every day."""


def find_or_install(find: Callable[[], T | None], *names: str) -> T | None:
    """What `find` finds; if that is nothing, once more when these packages are installed."""
    found = find()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        with Path(tempfile.gettempdir(), "dalapapa-packages.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # Several test processes look for it at once.
            found = find()
            if found is None:
                _install(*names)
                found = find()
    return found


def _install(*names: str) -> None:
    for words in (["update"], ["install", "-y", "--no-install-recommends", *names]):
        subprocess.run(["apt-get", "-qq", *words], check=False, stdout=subprocess.DEVNULL)


def _all() -> bool | None:
    return all(map(shutil.which, PROGRAMS)) or None


if __name__ == "__main__":
    find_or_install(_all, *PROGRAMS.values())
