"""Which tests are tried again, and what the run says about it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from thoroughness import daily

HERE = Path(__file__).parent

CONFTEST = "from second_try import pytest_runtestloop, pytest_terminal_summary"
INI = "[pytest]\nmarkers = waits\n"
TESTS = """
from pathlib import Path
import pytest

def once(name):
    \"\"\"Fails the first time.\"\"\"
    told = Path(name)
    if not told.exists():
        told.touch()
        raise AssertionError("not yet")

@pytest.mark.waits
def test_slow():
    once("slow")

@pytest.fixture
def late():
    yield
    once("late")

@pytest.mark.waits
def test_late(late):
    pass

@pytest.mark.waits
def test_hopeless():
    assert False, "never"

def test_plain():
    once("plain")

def test_fine():
    pass

@pytest.mark.waits
@pytest.mark.parametrize("number", range(9))
def test_many(number):
    assert False
"""


def run(folder: Path, *words: str) -> tuple[int, str]:
    """The exit code and the output of a run of some of these tests."""
    for name, text in (("conftest.py", CONFTEST), ("pytest.ini", INI), ("test_it.py", TESTS)):
        (folder / name).write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "xdist", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(HERE), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    return done.returncode, done.stdout


@pytest.mark.parametrize("how", daily([["-n", "0"], ["-n", "2"]], [["-n", "2"]]))
def test_what_waits_is_tried_again_and_told(tmp_path: Path, how: list[str]) -> None:
    code, out = run(tmp_path, "-k", "slow or late or fine", *how)
    assert code == 0, out
    assert "2 tests were tried again:" in out
    assert "  test_it.py::test_slow (test_it.py:10: AssertionError)" in out
    assert "  test_it.py::test_late (test_it.py:10: AssertionError)" in out
    assert "failed" not in out.splitlines()[-1]


def test_what_fails_twice_or_does_not_wait_fails_the_run(tmp_path: Path) -> None:
    code, out = run(tmp_path, "-k", "slow or hopeless or plain")
    assert code == 1
    assert "2 tests were tried again:" in out
    assert "  test_it.py::test_hopeless" in out
    assert "Second try" in out
    assert "2 failed" in out.splitlines()[-1]


def test_a_run_says_that_nothing_was_tried_again(tmp_path: Path) -> None:
    code, out = run(tmp_path, "-k", "fine")
    assert code == 0
    assert "0 tests were tried again\n" in out


def test_many_failures_have_another_reason(tmp_path: Path) -> None:
    code, out = run(tmp_path, "-k", "many")
    assert code == 1
    assert "0 tests were tried again\n" in out
