"""Packages with games by others, as an installer leaves them in a folder of the path."""

from __future__ import annotations

import tomllib
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "examples" / "three_dominoes"


def put(folder: Path, module: str, source: str, **points: str) -> None:
    """What an installer leaves of a package in a folder of the path."""
    (folder / f"{module}.py").write_text(source)
    told = folder / f"{module}-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    (told / "entry_points.txt").write_text("\n".join(["[dalapapa.games]", *lines, ""]))


def put_example(folder: Path) -> None:
    """The game that `examples/` holds."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    source = (EXAMPLE / "three_dominoes.py").read_text()
    put(folder, "three_dominoes", source, **project["entry-points"]["dalapapa.games"])
