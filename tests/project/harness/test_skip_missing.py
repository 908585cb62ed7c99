"""Tests of programs that this machine lacks are skipped, and the run says so once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

TESTS = """
import pytest
from tests.support.missing import Missing

@pytest.fixture(scope="session")
def browser():
    raise Missing("Chromium", "Get it with `get chromium`.")

def test_first(browser): pass
def test_second(browser): pass
def test_body():
    raise Missing("Orca", "Get it with `get orca`.")
def test_fine(): pass
"""


def run_tests(folder: Path, *options: str, **environment: str) -> tuple[int, list[str]]:
    """Run these tests in a process of their own; return its exit code and its lines."""
    (folder / "conftest.py").write_text('pytest_plugins = ["tests.support.skip_missing"]\n')
    (folder / "test_it.py").write_text(TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "no:cacheprovider", *options],
        cwd=folder,
        env={
            **os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTEST_ADDOPTS": "", "DALAPAPA_REQUIRE_ALL": "", **environment,
        },
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


@pytest.mark.parametrize("workers", ["0", "2"])
def test_missing_programs_skip_their_tests_with_one_line_each(tmp_path: Path, workers: str) -> None:
    code, lines = run_tests(tmp_path, "-n", workers)
    assert code == 0, lines
    assert "Skipped 2 tests. This machine lacks Chromium. Get it with `get chromium`." in lines
    assert "Skipped 1 test. This machine lacks Orca. Get it with `get orca`." in lines
    assert "1 passed, 3 skipped" in lines[-1]


def test_missing_programs_fail_where_all_are_required(tmp_path: Path) -> None:
    code, lines = run_tests(tmp_path, DALAPAPA_REQUIRE_ALL="1")
    assert code == 1
    assert "1 failed, 1 passed, 2 errors" in lines[-1]


def test_nothing_is_said_if_nothing_is_missing(tmp_path: Path) -> None:
    code, lines = run_tests(tmp_path, "-k", "fine")
    assert code == 0
    assert not any("lacks" in line for line in lines)
