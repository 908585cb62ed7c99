"""What is installed: the compiled kernel here, and the same kernel where there is no compiler."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dalapapa
from dalapapa.kernel import best_turn, lookup, table

PACKAGE = Path(dalapapa.__file__).parent


@pytest.mark.parametrize("module", [lookup, table, best_turn], ids=lambda module: module.__name__)
def test_the_kernel_is_compiled(module: object) -> None:
    file = str(module.__file__)  # type: ignore[attr-defined]
    assert not file.endswith(".py"), "the kernel is not compiled: run `make`"


def test_without_a_compiler_it_runs_interpreted_with_a_warning(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "dalapapa", ignore=ignored)
    words = ["best", "--position", "PRYGB+0@0,0", "--hand", "BYRGB", "ZGBRY", "--json"]
    slow = subprocess.run(
        [sys.executable, "-c", "from dalapapa.cli import main; main()", *words],
        cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    fast = subprocess.run(
        [sys.executable, "-m", "dalapapa", *words], capture_output=True, text=True, check=True
    )
    assert slow.stdout == fast.stdout
    assert "not compiled" in slow.stderr
    assert fast.stderr == ""


def test_everything_needed_is_in_the_package() -> None:
    assert (PACKAGE / "record.schema.json").exists()
    assert (PACKAGE / "py.typed").exists()
