"""Check a built engine; runs in its Python (web/engine/run.mjs)."""

from __future__ import annotations

import sys
from importlib import import_module
from pkgutil import walk_packages

import dalapapa

KERNEL = ("best_turn", "ending", "lookup", "outlook", "search", "solver", "table")

for name in KERNEL:
    module = import_module(f"dalapapa.kernel.{name}")
    if not str(module.__file__).endswith(".so"):
        sys.exit(f"The kernel must be compiled, but it is interpreted: {module.__file__}")

# Every module finds what it imports in the trimmed standard library.
for found in walk_packages(dalapapa.__path__, "dalapapa."):
    import_module(found.name)
