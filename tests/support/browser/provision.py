"""Install the browsers and the screen reader that tests run, where that is possible.

`make test` runs this file while it builds. It never fails: tests of what is still missing are
skipped, and the run ends with a line that says so (`tests/support/skip_missing.py`).

1. What is installed is used.
2. A missing Chromium is downloaded by Playwright into the user's cache, which needs no root.
3. What is still missing is installed as Debian packages, if this process is root.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.support.browser import programs
from tests.support.missing import Missing

PLAYWRIGHT_TIMEOUT_S = 300
APT_TIMEOUT_S = 900

PACKAGES: dict[Callable[[], object], tuple[str, ...]] = {
    programs.find_shell_alone: ("chromium-headless-shell",),
    programs.find_chromium: ("chromium",),
    programs.find_chromedriver: ("chromium-driver",),
    programs.find_firefox: ("firefox-esr",),
    programs.find_webkit: programs.WEBKIT_PACKAGES,
    programs.find_orca: tuple(programs.ORCA_PACKAGES.values()),
}
"""Debian's packages for each program."""


def main() -> None:
    with (Path(tempfile.gettempdir()) / f"dalapapa-provision-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # Another `make test` may be installing.
        if _is_missing(programs.find_headless_shell):
            _run(
                [sys.executable, "-m", "playwright", "install", "chromium-headless-shell"],
                PLAYWRIGHT_TIMEOUT_S,
            )
        packages = {name for find, names in PACKAGES.items() if _is_missing(find) for name in names}
        if packages and os.geteuid() == 0 and shutil.which("apt-get"):
            _run(["apt-get", "-qq", "update"], APT_TIMEOUT_S)
            options = ["-qq", "install", "-y", "--no-install-recommends"]
            wait_for_lock = ["-o", f"DPkg::Lock::Timeout={APT_TIMEOUT_S // 3}"]
            _run(["apt-get", *options, *wait_for_lock, *sorted(packages)], APT_TIMEOUT_S)


def _is_missing(find: Callable[[], object]) -> bool:
    try:
        return find() is None
    except Missing:
        return True


def _run(command: list[str], timeout_s: float) -> None:
    """Run an installer. If it fails, print its last line and go on."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        done = subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=timeout_s, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        print(error)
        return
    if done.returncode:
        lines = done.stdout.decode(errors="replace").strip().splitlines() or ["no output"]
        print(f"{' '.join(command[:4])} failed: {lines[-1].strip()}")


if __name__ == "__main__":
    main()
