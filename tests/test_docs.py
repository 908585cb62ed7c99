"""README and docs tell the truth: commands, examples, links and figures."""

from __future__ import annotations

import doctest
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def test_the_python_of_the_readme_runs() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted >= 5
    assert result.failed == 0


def test_the_console_of_the_readme_runs() -> None:
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```console\n\$ dalapapa (.*?)\n(.*?)```", text, re.DOTALL)
    assert blocks
    for command, shown in blocks:
        words = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', command)]
        done = subprocess.run(
            [sys.executable, "-m", "dalapapa", *words], capture_output=True, text=True, check=True
        )
        wanted = shown.split("...\n")[0]
        assert done.stdout.startswith(wanted)


def test_the_readme_begins_with_two_commands() -> None:
    text = (ROOT / "README.md").read_text()
    assert "    make play\n    make test\n" in text
    assert (ROOT / ".ci" / "run").read_text() == "make test\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
        assert "://" in target or (page.parent / target).exists(), target


def test_commands_in_the_docs_exist() -> None:
    from dalapapa.cli import commands

    for page in PAGES:
        for name in re.findall(r"`dalapapa ([a-z]+)", page.read_text()):
            assert name in commands.commands, f"{page.name}: dalapapa {name}"


def test_the_page_of_games_is_fresh() -> None:
    """`make docs` has been run since an option changed; every option says what it is."""
    path = ROOT / "scripts" / "write_games.py"
    spec = importlib.util.spec_from_file_location("write_games", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (ROOT / "docs" / "games.md").read_text() == module.page()
    assert "|  |" not in module.page()


def test_every_room_is_on_the_map() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    package = ROOT / "src" / "dalapapa"
    for path in package.iterdir():
        if path.suffix == ".py" and not path.name.startswith("_"):
            assert f"`{path.name}`" in text, path.name
        elif path.is_dir() and path.name != "__pycache__":
            assert f"{path.name}/" in text, path.name


def test_figures_are_drawn_from_the_scenarios_of_today(tmp_path: Path) -> None:
    script = ROOT / "scripts" / "draw_figures.py"
    spec = importlib.util.spec_from_file_location("draw_figures", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.main(tmp_path)
    committed = {path.name: path.read_text() for path in (ROOT / "docs" / "figures").iterdir()}
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert drawn == committed, "run `make figures`"


def test_no_machine_or_registry_is_named() -> None:
    """Lock files carry versions and hashes, no addresses; nothing names a path of a machine."""
    for lock in (ROOT / "requirements").iterdir():
        text = lock.read_text()
        assert "://" not in text
        assert "--index" not in text
        assert "--hash=sha256:" in text
