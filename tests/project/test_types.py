"""Programs that use the library pass strict type checkers, and misspelt names do not."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from dalapapa import Search, Table
from tests.support.interpreted import INTERPRETED, interpreted_table
from tests.support.paths import ROOT

BLOCK = re.compile(r"(<!-- not run.*\n)?^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

MORE = '''
from dalapapa import Bot, Choice, Match, Table, View, read_record
from dalapapa.games.classic import Classic

match = Match("classic", players=["Ann", "medium"], seed="tuesday", options={"target": 120})
print(match.view("Ann").hand, match.view(0).legal)
scores: tuple[int, ...] = Match(Classic(), ["Ann", "easy"]).view(0).scores


class First(Bot):
    """Plays all games."""

    def choose(self, view: View) -> Choice:
        return view.legal[0]


print(Match(players=[First, First()]).run())
print([group.cells for group in Table().groups()], read_record("game.json").moves)
'''

WRONG = """
from dalapapa import Tabel
from dalapapa import Match
from dalapapa.games.classic import Classic

print(Match().legal_moves)
print(Match(Classic()).view(0).hnad)
Match(sede="x")
"""
"""Lines 2, 6, 7 and 8 have a misspelt name each."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the examples, and with the programs of the documentation."""
    folder = tmp_path_factory.mktemp("typed")
    for example in (*ROOT.glob("examples/*.py"), *ROOT.glob("examples/*/*.py")):
        shutil.copy(example, folder)
    for page in ROOT.glob("docs/**/*.md"):
        for number, block in enumerate(BLOCK.finditer(page.read_text())):
            if not block[1] and not block[2].startswith(">>>"):
                (folder / f"{page.stem}_{number}.py").write_text(block[2])
    (folder / "more.py").write_text(MORE)
    assert len(list(folder.iterdir())) > 25
    return folder


def run_mypy(folder: Path) -> str:
    words = ("--strict", "--no-error-summary", "--config-file=", f"--cache-dir={folder / '.cache'}")
    files = sorted(path.name for path in folder.glob("*.py"))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words, *files],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr


def run_pyright(folder: Path) -> str:
    settings = {"typeCheckingMode": "strict"}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "-p", folder, "--pythonpath", sys.executable],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
    )  # fmt: skip
    assert "errors, " in done.stdout, done.stderr
    return "\n".join(line for line in done.stdout.splitlines() if " - error: " in line)


@pytest.mark.parametrize("check", [run_mypy, run_pyright])
def test_documented_programs_pass_strict_checkers(check: object, programs: Path) -> None:
    assert callable(check)
    assert check(programs) == ""


@pytest.mark.parametrize("check", [run_mypy, run_pyright])
def test_misspelt_names_fail(check: object, tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(WRONG)
    assert callable(check)
    found = check(tmp_path)
    assert {int(line) for line in re.findall(r"wrong\.py:(\d+)", found)} == {2, 6, 7, 8}, found


@pytest.mark.thorough
def test_nearly_all_public_names_have_known_types(tmp_path: Path) -> None:
    package = ROOT / "src" / "dalapapa"
    ignored = shutil.ignore_patterns("web", "*.so", "*.pyd", "__pycache__")
    shutil.copytree(package, tmp_path / "dalapapa", ignore=ignored)
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--verifytypes", "dalapapa", "--ignoreexternal"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
        env={**os.environ, "PATH": programs, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    score = re.search(r"completeness score: ([\d.]+)%", done.stdout)
    assert score is not None, done.stderr
    assert float(score[1]) >= 98


@pytest.mark.parametrize("kind", [Table, Search])
def test_compiled_classes_have_signatures(kind: type) -> None:
    interpreted_table()
    plain = getattr(
        import_module(f"{INTERPRETED}.{kind.__module__.partition('.')[2]}"), kind.__name__
    )
    shown = inspect.signature(kind)
    assert str(shown).endswith(") -> 'None'")
    assert list(shown.parameters) == list(inspect.signature(plain.__init__).parameters)[1:]
    assert str(inspect.signature(plain.__init__)).replace("(self, ", "(") == str(shown)
