"""The direction of imports (ARCHITECTURE.md): rules know no I/O, no clock, no global chance."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.support.paths import ROOT

SOURCE = ROOT / "src" / "dalapapa"

# From the bottom up: a module may import from its own floor and from those below it.
FLOORS = (
    {"", "errors", "extras", "files", "interrupts", "time_limit"},
    {"geometry", "tiles", "notation", "points", "layout", "texts", "options"},
    {"drawing"},
    {"kernel"},
    {"facts", "games", "rulebook"},
    {"record", "problems"},
    {"bots"},
    {"match"},
    {"coach"},
    {"client"},
    {"adapters"},
    {"printing"},
    {"library"},
    {"server", "cli", "__main__"},
)

FRONT_DOOR = SOURCE / "__init__.py"
"""It leads to the public names of all rooms, and stands above them for who is outside. Inside, it
is on the lowest floor, for only the version is taken from it."""

PARTS = {"bot": "bots", "reviewer": "coach", "observer": "adapters"}
"""The parts of a game beside its rules, and the package on whose layer they are; so are the tables
of all parts of a kind, such as `games/bots.py`."""

OUTSIDE_WORLD = {
    "click",
    "http",
    "os",
    "rich",
    "socket",
    "subprocess",
    "time",
    "random",
    "webbrowser",
}


def floor_of(room: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


def room_of(path: Path) -> str:
    """The top-level module or package that a file belongs to."""
    first = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def floor_of_file(path: Path) -> int:
    """That of its room; of a part of a game, that of the room which asks for it."""
    parts = path.relative_to(SOURCE).parts
    part = path.stem if len(parts) == 3 else path.stem.removesuffix("s")
    if parts[0] == "games" and part in PARTS:
        return floor_of(PARTS[part])
    return floor_of(room_of(path))


def modules_of(path: Path) -> set[str]:
    """The modules of the package that a file imports, as paths without suffix."""
    package = path.relative_to(SOURCE).parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = package[: len(package) - node.level + 1]
            target = (*base, *(node.module or "").split(".")) if node.module else base
            found |= {"/".join(target)} | {"/".join((*target, one.name)) for one in node.names}
    return found


def imports_of(path: Path) -> set[tuple[str, str]]:
    """What a file imports, as ("own", room) or ("other", top-level module)."""
    package = path.relative_to(SOURCE).parts[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {("other", alias.name.split(".")[0]) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(("other", (node.module or "").split(".")[0]))
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1]
            target = (*base, *(node.module or "").split("."))
            names = [alias.name for alias in node.names] if not any(target) else [target[0]]
            for name in names:
                exists = (SOURCE / f"{name}.py").exists() or (SOURCE / name).is_dir()
                found.add(("own", name if exists else ""))
    return found


FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_direction_of_imports(path: Path) -> None:
    if path == FRONT_DOOR:
        return
    floor = floor_of_file(path)
    for kind, name in imports_of(path):
        if kind == "own":
            assert floor_of(name) <= floor, f"{path.name} must not import {name}"
        assert name != "dalapapa", f"{path.name}: inside the package, import relatively"
    for module in modules_of(path):
        file = SOURCE / f"{module}.py"
        if file.exists():
            assert floor_of_file(file) <= floor, f"{path.name} must not import {module}"


def test_nobody_inside_uses_the_front_door() -> None:
    """But for the version; and it opens other rooms only when somebody outside asks."""
    for path in FILES:
        package = path.relative_to(SOURCE).parts[:-1]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == len(package) + 1:
                rooms = [one.name for one in node.names if not node.module]
                for name in rooms:
                    file = SOURCE / f"{name}.py"
                    known = name == "__version__" or file.exists() or (SOURCE / name).is_dir()
                    assert known, f"{path.name} must not use the front door for {name}"
    opened = ast.parse(FRONT_DOOR.read_text()).body
    assert not [node for node in opened if isinstance(node, ast.ImportFrom) and node.level]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_rules_do_no_io(path: Path) -> None:
    pure = {"kernel"}
    pure |= {"geometry", "notation", "points", "facts", "games", "problems"}
    if room_of(path) in pure and floor_of_file(path) <= floor_of("problems"):
        others = {name for kind, name in imports_of(path) if kind == "other"}
        assert not others & OUTSIDE_WORLD, f"{path.name} must stay pure"


def test_the_test_sees_imports() -> None:
    assert ("own", "games") in imports_of(SOURCE / "record.py")
    assert ("own", "errors") in imports_of(SOURCE / "games" / "classic" / "rules.py")
    assert ("other", "msgspec") in imports_of(SOURCE / "games" / "classic" / "rules.py")
    assert ("own", "drawing") in imports_of(SOURCE / "cli" / "study.py")
    rules, bot = (SOURCE / "games" / "auction" / f"{part}.py" for part in ("rules", "bot"))
    assert "games/classic/rules" in modules_of(rules)
    assert "bots/bot" in modules_of(bot)
    assert floor_of_file(rules) < floor_of_file(bot)
