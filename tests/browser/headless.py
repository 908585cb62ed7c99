"""The Chromium of all tests that need no window: its headless shell.

Elsewhere the same, it has no tabs, toolbars and profiles, and opens a page in a third of the time.
"""

from __future__ import annotations

import os
import shutil

import chromium
from packages import find_or_install

NAMES = ("chromium-headless-shell", "chrome-headless-shell")


def find() -> str:
    """The path of a shell, installed where that is allowed; otherwise that of a whole Chromium."""
    return find_or_install(_present, NAMES[0]) or chromium.find()


def _present() -> str | None:
    named = os.environ.get("CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)
