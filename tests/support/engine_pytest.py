"""Run the fast tests of kernel and rules in the Python of browsers (web/engine/run.mjs).

    engine_pytest.py FOLDER

The folder has what is compiled for that Python; all other packages are those of this environment.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

FOLDERS = ("tests/core", "tests/games", "tests/kernel", "tests/edition")

NEED_MORE = (
    "tests/core/test_errors.py",
    "tests/core/test_interrupts.py",
    "tests/core/test_names.py",
    "tests/edition/test_built_engine.py",
    "tests/edition/test_device.py",
    "tests/edition/test_engine_in_browsers.py",
    "tests/edition/test_examples.py",
    "tests/edition/test_requests.py",
    "tests/edition/test_static_edition.py",
    "tests/games/test_installed.py",
    "tests/games/test_own_moves.py",
    "tests/games/test_parts.py",
    "tests/games/test_winners.py",
)
"""Tests of the server, of other processes, or with compiled packages that browsers do not have."""

ENDS_THE_INTERPRETER = "tests/core/test_tiles.py::test_deep_or_huge_json_is_refused"
"""Deep recursion is fatal here: the engine refuses deep JSON before it is read (`messages.py`)."""

NO_SOURCES = "not interpreted and not solver_is_compiled"
"""Tests that compare the kernel with its sources, which the engine does not have."""


def main() -> int:
    (packages,) = ROOT.glob(".venv/lib/python3*/site-packages")
    sys.path[:0] = [str(ROOT), sys.argv[1]]
    sys.path.append(str(packages))
    os.chdir(ROOT)
    import pytest

    import dalapapa

    # Some tests use parts of the package that the engine leaves out.
    dalapapa.__path__.append(str(ROOT / "src" / "dalapapa"))
    ignored = [f"--ignore={name}" for name in NEED_MORE]
    ignored.append(f"--deselect={ENDS_THE_INTERPRETER}")
    without = ["-p", "no:cacheprovider", "-o", "faulthandler_timeout=0"]  # There are no threads.
    plugins = ["--noconftest", "-p", "tests.support.engine_fixtures", *without]
    chosen = ["-m", "not thorough", "-k", NO_SOURCES, *ignored, *FOLDERS]
    return pytest.main(["-q", *plugins, *chosen])


if __name__ == "__main__":
    sys.exit(main())
