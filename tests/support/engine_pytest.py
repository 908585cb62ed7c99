"""Run the fast tests of kernel and rules in the Python of browsers (web/engine/run.mjs).

The packages of the tests are those of this environment, as far as they are Python.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

FOLDERS = ("tests/core", "tests/games", "tests/kernel", "tests/hosting", "tests/edition")

if __name__ == "__main__":
    (packages,) = ROOT.glob(".venv/lib/python3*/site-packages")
    sys.path.append(str(packages))
    sys.path.insert(0, str(ROOT))
    os.chdir(ROOT)
    import pytest

    sys.exit(pytest.main(["-q", "-x", "-p", "no:cacheprovider", *FOLDERS]))
