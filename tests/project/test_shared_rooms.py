"""Shared rooms know no game: they ask for its part (ARCHITECTURE.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from dalapapa.bots import list_levels
from dalapapa.coach.reviews import find_reviewer
from dalapapa.games import REGISTRY
from tests.support.paths import ROOT

SOURCE = ROOT / "src" / "dalapapa"
ROOMS = ("bots", "coach", "adapters", "server", "rulebook")
FILES = sorted(path for room in ROOMS for path in (SOURCE / room).rglob("*.py"))

FOLDERS = {type(game).__module__.split(".")[-2] for game in REGISTRY.values()}
NAMES = FOLDERS | set(REGISTRY)

CLASSES = {
    node.name
    for folder in FOLDERS
    for path in (SOURCE / "games" / folder).glob("*.py")
    if path.name in ("rules.py", "state.py")
    for node in ast.parse(path.read_text()).body
    if isinstance(node, ast.ClassDef)
}

MEANT = {
    ("server/schemas.py", "classic"): "the palette of that name",
    ("server/schemas.py", "72"): "the set of 72 dominoes",
}
"""Where the word is no game."""


def docs_of(tree: ast.AST) -> set[int]:
    """Texts that stand alone: docstrings, and what is said of a constant."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}


def named(source: str) -> Iterator[str]:
    """The games that a module imports from, names in a text, or has a class of."""
    tree = ast.parse(source)
    docs = docs_of(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            words = [*(node.module or "").split("."), *(one.name for one in node.names)]
            if "games" in words:
                yield from FOLDERS.intersection(words)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names if NAMES.intersection(one.name.split(".")))
        elif isinstance(node, ast.Constant) and id(node) not in docs:
            if isinstance(node.value, str) and node.value in NAMES:
                yield node.value
        elif isinstance(node, ast.Name | ast.Attribute):
            word = node.id if isinstance(node, ast.Name) else node.attr
            if word in CLASSES:
                yield word


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_shared_module_names_a_game(path: Path) -> None:
    where = str(path.relative_to(SOURCE))
    found = {name for name in named(path.read_text()) if (where, name) not in MEANT}
    assert not found, f"{where} names {found}: ask the game, or name its part in `games/`"


@pytest.mark.parametrize(
    "source",
    [
        "from ..games.gone import LAYS_AGAIN",
        "from ..games import alex",
        "from ..games.classic.rules import Classic",
        "import dalapapa.games.puzzle",
        'if game.name == "72": pass',
        "WORK = {'auction': 3}",
        "isinstance(view, PuzzleView)",
        "isinstance(game, rules.Conquest)",
        "isinstance(state, AlexState)",
    ],
)
def test_the_test_sees_names(source: str) -> None:
    assert list(named(source))


def test_docstrings_and_imports_name_no_game() -> None:
    assert not list(named('"""classic"""\n\nA = 1\n"""gone"""\n\nfrom ..games.race import Race'))


def test_every_game_is_a_folder_with_its_parts() -> None:
    for name in FOLDERS:
        assert (SOURCE / "games" / name / "rules.py").exists()
    for game in REGISTRY.values():  # Some share the bot and the reviewer of races.
        assert list_levels(game), game.name
        assert find_reviewer(game), game.name
