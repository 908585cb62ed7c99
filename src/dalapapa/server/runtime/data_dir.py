"""The folder of a household's database, which follows the convention of each platform.

`platformdirs` is not used. It would replace only the `match` below, because `XDG_DATA_HOME` counts
on all systems here and the folder of early versions stays in use. Since its version 4, it also
ignores `LOCALAPPDATA` on Windows, so a database that was stored by that variable would be lost from
sight. It takes 60 ms to import.
"""

from __future__ import annotations

import os
import platform
from pathlib import Path

DATABASE_NAME = "tables.db"


def find_data_folder() -> Path:
    """Return the data folder, which may not exist yet."""
    if xdg := os.environ.get("XDG_DATA_HOME"):
        return Path(xdg) / "dalapapa"
    home = Path.home()
    legacy = home / ".local" / "share" / "dalapapa"
    if (legacy / DATABASE_NAME).exists():  # Early versions used it on all systems.
        return legacy
    match platform.system():
        case "Darwin":
            return home / "Library" / "Application Support" / "dalapapa"
        case "Windows":
            local = os.environ.get("LOCALAPPDATA")
            return (Path(local) if local else home / "AppData" / "Local") / "dalapapa"
        case _:
            return legacy
