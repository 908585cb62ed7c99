"""Other packages with games and bots, as an installer leaves them in a folder."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dalapapa import games
from dalapapa.bots.installed import find_registered, load_registered
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"
EXAMPLE = EXAMPLES / "three_dominoes"


@contextmanager
def installing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the path, for workers as well; what is registered there is forgotten again."""
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    here = [str(folder), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(here))
    before = set(sys.modules)
    caches = (games.list_games, load_registered, find_registered)
    for cache in caches:
        cache.cache_clear()
    yield folder
    for cache in caches:
        cache.cache_clear()
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) == str(folder / f"{name}.py"):
            del sys.modules[name]


def put(
    folder: Path, module: str, source: str, group: str = "dalapapa.games", **points: str
) -> None:
    """What an installer leaves of a package in a folder of the path."""
    (folder / f"{module}.py").write_text(source)
    metadata = folder / f"{module}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (metadata / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))


def put_example(folder: Path, name: str = "three_dominoes") -> None:
    """A package that `examples/` holds."""
    project = tomllib.loads((EXAMPLES / name / "pyproject.toml").read_text())["project"]
    ((group, points),) = project["entry-points"].items()
    put(folder, name, (EXAMPLES / name / f"{name}.py").read_text(), group, **points)
    for module in (EXAMPLES / name).glob("*.py"):
        (folder / module.name).write_text(module.read_text())


def make_environment(python: str, folder: Path) -> Path:
    """Make an empty virtual environment; return the folder of its programs."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")
