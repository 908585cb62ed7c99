"""Where a household's tables lie, by the custom of its system."""

from __future__ import annotations

import os
import platform
from pathlib import Path

FILE = "tables.db"
"""Of SQLite, in that folder."""


def data_folder() -> Path:
    """The folder; it need not be there.

    Early versions had one place for all systems: what lies there stays in use.
    """
    if given := os.environ.get("XDG_DATA_HOME"):
        return Path(given) / "dalapapa"
    home = Path.home()
    early = home / ".local" / "share" / "dalapapa"
    if (early / FILE).exists():
        return early
    match platform.system():
        case "Darwin":
            return home / "Library" / "Application Support" / "dalapapa"
        case "Windows":
            local = os.environ.get("LOCALAPPDATA")
            return (Path(local) if local else home / "AppData" / "Local") / "dalapapa"
        case _:
            return early
