"""docs/extending.md: each block is a file of a package, or a command that its user types."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PAGE = (ROOT / "docs" / "extending.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
FILES = {
    text.partition("\n")[0].removeprefix("# "): text
    for language, text in BLOCKS
    if language in ("python", "toml")
}
COMMANDS = [
    line.removeprefix("$ ")
    for language, text in BLOCKS
    if language == "console"
    for line in text.splitlines()
]


@pytest.mark.thorough
def test_the_package_of_the_page_does_what_the_page_says(tmp_path: Path) -> None:
    site = tmp_path / "site"
    for name, text in FILES.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    project = tomllib.loads(FILES["pyproject.toml"])["project"]
    metadata = site / f"{project['name'].replace('-', '_')}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {metadata.stem}\nVersion: 1.0\n"
    )
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines))
    here = [str(site), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(here)}
    said = []
    for command in COMMANDS:
        program, *words = shlex.split(command)
        assert program == "dalapapa"
        done = subprocess.run(
            [sys.executable, "-m", "dalapapa", *words],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{command}: {done.stderr}"
        assert "left out" not in done.stderr
        assert "failed" not in done.stderr
        said.append(done.stdout)
    _, simulated, review, ladder = said
    assert "hasty" in simulated
    assert "hasty" in ladder
    laid = (tmp_path / "records" / "dear-000000.json").read_text()
    assert '"charge":6' in laid.replace(" ", "")
    assert '"charge":4' not in laid.replace(" ", "")
    assert review
