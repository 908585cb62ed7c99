"""The layers of the package (ARCHITECTURE.md), and what tests and benchmarks may import.

Imports in functions and imports for types count like all others.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.support.import_graph import (
    SOURCE,
    find_cycles,
    find_modules,
    find_shortest_cycle,
    read_imports,
)
from tests.support.paths import ROOT, TESTS

MAX_MODULE_LINES = 500
"""The kernel is exempt: one module is one unit of compilation."""
MAX_FOLDER_MODULES = 15

LAYERS = (
    {"core", "texts"},
    {"drawing"},
    {"kernel"},
    {"facts", "games", "rulebook"},
    {"record", "problems"},
    {"bots"},
    {"match", "match_input"},
    {"coach"},
    {"client"},
    {"adapters"},
    {"printing"},
    {"hosting"},
    {"library"},
    {"edition"},
    {"server"},
    {"server.clock", "server.integers", "server.monitoring", "server.payload"}
    | {"server.single_flight", "server.tasks"},
    {"server.traffic"},
    {"server.storage"},
    {"server.schemas", "server.workers"},
    {"server.bus"},
    {"server.tables"},
    {"server.listings", "server.notify"},
    {"server.ws"},
    {"server.services"},
    {"server.http"},
    {"server.ops"},
    {"server.app", "server.runtime"},
    {"cli", "__main__"},
)
"""From the bottom up: a module imports from its own layer and from those below it."""

GAME_PARTS = {"bot": "bots", "reviewer": "coach", "observer": "adapters"}
"""Modules beside the rules of a game, and the package to whose layer they belong; so do the tables
of all parts of a kind, such as `games/bots.py`."""

OUTSIDE_WORLD = {"click", "http", "os", "random", "rich", "socket", "subprocess", "time"}
OUTSIDE_WORLD |= {"webbrowser"}

PURE = {"kernel", "facts", "games", "problems", "hosting"}
PURE |= {f"core.{name}" for name in ("geometry", "layout", "notation", "options", "points")}

KNOWN_VIOLATIONS: dict[str, set[str]] = {}
"""Packages that still violate a rule. This may only shrink: a test fails if one no longer does."""

MODULES = find_modules()
IMPORTS = {name: read_imports(path, MODULES) for name, path in MODULES.items() if name}
GRAPH = {name: imports.own - {name} for name, imports in IMPORTS.items()}
"""Without the top of the package, which loads other modules only on demand."""


def name_package(module: str) -> str:
    """The package that a module belongs to, as the layers name it."""
    parts = module.split(".")
    return ".".join(parts[:2] if parts[0] == "server" else parts[:1])


def find_layer(module: str) -> int:
    parts = module.split(".")
    last = parts[-1] if len(parts) == 3 else parts[-1].removesuffix("s")
    is_part = parts[0] == "games" and last in GAME_PARTS
    package = GAME_PARTS[last] if is_part else name_package(module)
    return next(number for number, layer in enumerate(LAYERS) if package in layer)


def check(rule: str, violations: dict[str, list[str]]) -> None:
    """Compare the packages that violate a rule with those that are known to."""
    known = KNOWN_VIOLATIONS.get(rule, set())
    new = [line for package in sorted(set(violations) - known) for line in violations[package]]
    assert not new, "\n".join([f"{rule}:", *new])
    repaired = sorted(known - set(violations))
    assert not repaired, f"Remove from KNOWN_VIOLATIONS[{rule!r}]: {repaired}"


# -- layers --------------------------------------------------------------------------------------


def test_every_module_has_one_layer() -> None:
    for module in GRAPH:
        assert sum(name_package(module) in layer for layer in LAYERS) == 1, module


def test_modules_import_from_their_layer_and_from_those_below() -> None:
    violations = defaultdict(list)
    for module, imported in GRAPH.items():
        for other in sorted(imported):
            if find_layer(other) > find_layer(module):
                violations[name_package(module)].append(f"{module} must not import {other}")
    check("layer", violations)


def test_no_modules_import_one_another() -> None:
    violations = defaultdict(list)
    for group in find_cycles(GRAPH):
        way = " -> ".join(find_shortest_cycle(group, GRAPH))
        for package in {name_package(module) for module in group}:
            violations[package].append(f"{len(group)} modules, for example {way}")
    check("cycle", violations)


def test_inside_the_package_imports_are_relative() -> None:
    for module, imports in IMPORTS.items():
        assert "dalapapa" not in imports.other, module


def test_only_the_version_is_imported_from_the_top_of_the_package() -> None:
    for module, imports in IMPORTS.items():
        assert imports.public <= {"__version__"}, module


def test_the_top_of_the_package_loads_its_modules_only_on_demand() -> None:
    statements = ast.parse(MODULES[""].read_text()).body
    assert not [node for node in statements if isinstance(node, ast.ImportFrom) and node.level]


@pytest.mark.parametrize("package", sorted(PURE))
def test_rules_do_no_io(package: str) -> None:
    """They know no clock and no global random numbers either."""
    modules = [name for name in GRAPH if name == package or name.startswith(f"{package}.")]
    assert modules
    for module in modules:
        if find_layer(module) == find_layer(package):
            assert not IMPORTS[module].other & OUTSIDE_WORLD, module


WITHOUT_OTHERS = """
import importlib, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in {*sys.stdlib_module_names, "dalapapa", "msgspec"}:
            raise ModuleNotFoundError(f"This test blocks {name}.", name=name)

sys.meta_path.insert(0, Blocker())
for name in sys.argv[1:]:
    importlib.import_module(name)
print(*(name for name in sys.modules if name.startswith("dalapapa.")))
"""


@pytest.mark.parametrize("package", ["hosting", "edition"])
def test_what_runs_in_browsers_needs_nothing_but_msgspec(package: str) -> None:
    """An engine in the browser has no other package, and loads nothing of the server."""
    names = [f"dalapapa.{name}" for name in GRAPH if name_package(name) == package]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_OTHERS, *names],
        cwd=SOURCE.parent, capture_output=True, text=True, check=False,
    )  # fmt: skip
    loaded = {name.removeprefix("dalapapa.") for name in done.stdout.split()}
    highest = find_layer(package)
    above = sorted(name for name in loaded if find_layer(name) > highest)
    wrong = [done.stderr] if done.returncode else [f"It loads {name}" for name in above]
    check("more than msgspec", {package: wrong} if wrong else {})


# -- sizes ---------------------------------------------------------------------------------------


def test_no_module_is_too_long() -> None:
    violations = defaultdict(list)
    for module, path in MODULES.items():
        lines = len(path.read_text().splitlines())
        if lines > MAX_MODULE_LINES and name_package(module) != "kernel":
            violations[name_package(module)].append(f"{module} has {lines} lines")
    check("long module", violations)


def test_no_folder_has_too_many_modules() -> None:
    folders = defaultdict(list)
    for path in MODULES.values():
        if path.name != "__init__.py":
            folders[path.parent.relative_to(SOURCE)].append(path.name)
    check(
        "many modules",
        {
            ".".join(folder.parts): [f"{folder} has {len(names)} modules"]
            for folder, names in folders.items()
            if len(names) > MAX_FOLDER_MODULES
        },
    )


# -- tests and benchmarks ------------------------------------------------------------------------

TEST_FILES = sorted(TESTS.rglob("*.py"))
BENCHMARK_FILES = sorted((ROOT / "benchmarks").rglob("*.py"))

OTHER_FOLDERS = {"browser", "library", "project", "project/harness", "protocol"}
"""Folders of tests that belong to no package: pages, the public library, the repository, hosts."""


def find_imported_tests(path: Path) -> list[str]:
    """List the test modules that a file imports, or imports from."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module or ''}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if any(part == "conftest" or part.startswith("test_") for part in parts):
                found.append(name)
    return found


def test_no_test_module_is_imported() -> None:
    """What several tests use belongs to `tests/support`."""
    for file in (*TEST_FILES, *BENCHMARK_FILES):
        assert not find_imported_tests(file), file


def test_benchmarks_leave_the_search_path_alone() -> None:
    """They import `tests.support` from the root of the repository, where they are started."""
    for file in BENCHMARK_FILES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert (node.value.id, node.attr) != ("sys", "path"), file


def test_folders_of_tests_mirror_those_of_the_package() -> None:
    folders = {path.parent.relative_to(TESTS) for path in TEST_FILES if path.match("test_*.py")}
    for folder in folders:
        mirrors = folder.parts and (SOURCE / folder).is_dir()
        assert mirrors or folder.as_posix() in OTHER_FOLDERS, folder


# -- the checks themselves -----------------------------------------------------------------------


def test_imports_are_read_wherever_they_are(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    for name in ("__init__", "table", "bag"):
        (tmp_path / "rules" / f"{name}.py").write_text("")
    (tmp_path / "rules" / "game.py").write_text(
        "import json\n"
        "from typing import TYPE_CHECKING\n"
        "from . import bag, SOMETHING\n"
        "if TYPE_CHECKING:\n    from .table import Table\n"
        "def play():\n    import random\n    from .. import version\n"
        "    from ..errors import Refusal\n"
    )
    (tmp_path / "errors.py").write_text("")
    modules = find_modules(tmp_path)
    found = read_imports(modules["rules.game"], modules, tmp_path)
    assert found.own == {"errors", "rules", "rules.bag", "rules.table"}
    assert found.public == {"version"}
    assert found.other == {"json", "random", "typing"}


def test_cycles_are_found_and_shown_by_their_shortest_way() -> None:
    graph = {"a": {"b"}, "b": {"c", "e"}, "c": {"a", "d"}, "d": {"b"}, "e": {"f"}, "f": set()}
    assert find_cycles(graph) == [["a", "b", "c", "d"]]
    assert find_shortest_cycle(["a", "b", "c", "d"], graph) == ["a", "b", "c", "a"]
    assert find_cycles({"a": {"a"}, "b": {"a"}}) == [["a"]]
    assert not find_cycles({"a": {"b", "c"}, "b": {"c"}})


def test_parts_of_a_game_belong_to_the_layers_of_those_who_use_them() -> None:
    assert find_layer("games.classic.rules") == find_layer("games")
    assert find_layer("games.classic.reviewer") == find_layer("coach")
    assert find_layer("games.observers") == find_layer("adapters")


def test_a_violation_that_is_new_or_repaired_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KNOWN_VIOLATIONS, "layer", {"bots"})
    check("layer", {"bots": ["known"]})
    with pytest.raises(AssertionError, match="games must not import server"):
        check("layer", {"bots": [], "games": ["games must not import server"]})
    with pytest.raises(AssertionError, match="Remove from KNOWN_VIOLATIONS"):
        check("layer", {})


def test_an_imported_test_module_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    file.write_text("from tests.core import test_tiles\nfrom tests.games.test_bag import draw\n")
    assert find_imported_tests(file) == ["tests.core.test_tiles", "tests.games.test_bag.draw"]
