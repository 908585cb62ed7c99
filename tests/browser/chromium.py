"""Where Chromium is, and how it is started: without a word to anybody but our server."""

from __future__ import annotations

import os
import shutil

from packages import find_or_install

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

ARGUMENTS = [
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


class NoChromium(Exception):
    """There is none, and it cannot be installed."""


def find() -> str:
    """The path of a Chromium; `CHROMIUM` names one. Installed if need be, where that is allowed."""
    found = find_or_install(_present, "chromium")
    if found is None:
        raise NoChromium(
            "The tests in a browser need Chromium: install it (apt-get install chromium),"
            " or name one: CHROMIUM=/path/to/chromium make test"
        )
    return found


def _present() -> str | None:
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)
