"""Where browsers, their drivers and the screen reader are on this machine.

These functions only look. `provision.py` installs what is missing, before the tests start. If a
program is missing all the same, they raise `Missing`, and the tests that need it are skipped.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.missing import Missing

CHROMIUM_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
HEADLESS_SHELL_NAMES = ("chromium-headless-shell", "chrome-headless-shell")

CHROMIUM_ARGUMENTS = [
    "--no-sandbox",  # Tests may run as root, in a container.
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-proxy-server",
    "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,"
    "PreloadTopChromeWebUI,SpareRendererForSitePerProcess",  # Processes that no test needs.
]
"""Chromium connects to no host but our server."""

MINI_BROWSERS = ("lib/*/webkit*gtk-*/MiniBrowser", "libexec/webkit*gtk-*/MiniBrowser")
"""WebKit's own browser, below /usr. There may be one for each version of GTK."""

ORCA_PACKAGES = {
    "orca": "orca",
    "Xvfb": "xvfb",
    "xdotool": "xdotool",
    "dbus-daemon": "dbus",
    "gdbus": "libglib2.0-bin",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
}
"""Debian's packages by the command that the tests run from each."""

WEBKIT_PACKAGES = ("webkit2gtk-driver", "xvfb")


def find_headless_shell() -> str:
    """Return Chromium without windows: it opens a page in a third of the time.

    Where there is none, return a complete Chromium. `CHROMIUM` names another one.
    """
    return find_shell_alone() or find_chromium()


def find_shell_alone() -> str | None:
    """Return the headless shell, and no substitute."""
    return (
        os.environ.get("CHROMIUM")
        or _find_command(HEADLESS_SHELL_NAMES)
        or _find_downloaded("chromium_headless_shell-*", r"(chrome-)?headless[-_]shell(\.exe)?")
    )


def find_chromium() -> str:
    """Return a complete Chromium; `CHROMIUM` names another one."""
    found = (
        os.environ.get("CHROMIUM")
        or _find_command(CHROMIUM_NAMES)
        or _find_downloaded("chromium-*", r"chrome(\.exe)?|Chromium|Google Chrome for Testing")
    )
    if found is None:
        raise Missing(
            "Chromium",
            "Get it with `.venv/bin/playwright install chromium` or your system's package"
            " manager, or name it: CHROMIUM=/path/to/chromium make test",
        )
    return found


def find_chromedriver() -> str:
    return _require("chromedriver", _find_command(("chromedriver",)), "chromium-driver")


def find_firefox() -> str:
    """Return Firefox; `FIREFOX` names another one."""
    found = os.environ.get("FIREFOX") or _find_command(("firefox-esr", "firefox"))
    return _require("Firefox", found, "firefox-esr")


def find_webkit() -> str:
    """Return WebKit's browser for tests. Its driver and a virtual screen are there, too."""
    present = shutil.which("WebKitWebDriver") and shutil.which("Xvfb")
    browsers = sorted(path for places in MINI_BROWSERS for path in Path("/usr").glob(places))
    found = str(browsers[0]) if present and browsers else None
    return _require("WebKit with its driver", found, *WEBKIT_PACKAGES)


def find_orca() -> str:
    """Return the screen reader Orca. All that it needs is there, too."""
    lacking = [command for command in ORCA_PACKAGES if not shutil.which(command)]
    if lacking:
        raise Missing(
            f"what the screen reader's tests need ({', '.join(lacking)})",
            f"Get it with `apt-get install {' '.join(ORCA_PACKAGES.values())}`.",
        )
    return "orca"


def _require(program: str, found: str | None, *packages: str) -> str:
    if found is None:
        raise Missing(program, f"Get it with `apt-get install {' '.join(packages)}`.")
    return found


def _find_command(names: tuple[str, ...]) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


def _find_downloaded(folders: str, program: str) -> str | None:
    """Find a browser that `playwright install` downloaded, if it can start here."""
    found = [
        path
        for folder in _downloads().glob(folders)
        for path in folder.rglob("*")
        if re.fullmatch(program, path.name) and path.is_file() and os.access(path, os.X_OK)
    ]
    newest_first = sorted(found, key=lambda path: path.stat().st_mtime, reverse=True)
    return next((str(path) for path in newest_first if _can_start(path)), None)


def _downloads() -> Path:
    """Return the folder into which `playwright install` downloads."""
    named = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if named not in ("", "0"):
        return Path(named)
    caches = {"darwin": "Library/Caches", "win32": "AppData/Local"}
    return Path.home() / caches.get(sys.platform, ".cache") / "ms-playwright"


def _can_start(program: Path) -> bool:
    """Say whether a program starts: a downloaded browser may lack libraries of the system."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
