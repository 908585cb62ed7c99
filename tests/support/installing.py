"""Other packages with games and bots, as an installer leaves them in a folder."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"
EXAMPLE = EXAMPLES / "three_dominoes"


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


def make_environment(python: str, folder: Path) -> Path:
    """Make an empty virtual environment; return the folder of its programs."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    return folder / ("Scripts" if os.name == "nt" else "bin")
