"""The hosting package: an online table without I/O, usable where only msgspec is installed."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from importlib.abc import MetaPathFinder

class OnlyMsgspec(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        allowed = {"dalapapa", "msgspec", *sys.builtin_module_names, *sys.stdlib_module_names}
        if top not in allowed or name.startswith("dalapapa.server"):
            raise ImportError(f"{name} is blocked")
        return None

sys.meta_path.insert(0, OnlyMsgspec())
import pkgutil
from importlib import import_module
import dalapapa.hosting
for module in pkgutil.iter_modules(dalapapa.hosting.__path__):
    import_module(f"dalapapa.hosting.{module.name}")
from dalapapa.hosting.encoder import encode_table
from dalapapa.hosting.entries import Sat
from dalapapa.hosting.settings import SeatPlan, Settings
from dalapapa.hosting.state import advance, open_table
state = open_table(Settings("classic", (SeatPlan(), SeatPlan("greedy"))), "seed", 0)
state = advance(state, Sat(0, "Ann", "owner"), 1)
print(encode_table("table", state, (0,), 2, True).decode()[:30])
"""


def test_hosting_needs_no_package_but_msgspec() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.stdout.startswith('{"type":"table","version":1'), done.stderr
