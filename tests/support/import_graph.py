"""What the modules of the repository import, read from their source."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.paths import ROOT

SOURCE = ROOT / "src" / "dalapapa"


class Imports(NamedTuple):
    """What one module imports: anywhere in it, in functions and for types too."""

    own: set[str]
    """Modules of the package, by their names in it: `core.errors`."""
    public: set[str]
    """Names that are taken from the top of the package."""
    other: set[str]
    """Names of other top-level packages."""


def find_modules(source: Path = SOURCE) -> dict[str, Path]:
    """Find all modules of the package; a package stands under its own name."""
    return {_name_module(path.relative_to(source)): path for path in sorted(source.rglob("*.py"))}


def _name_module(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def read_imports(path: Path, modules: Mapping[str, Path], source: Path = SOURCE) -> Imports:
    """Read what a module imports. An imported name that is no module belongs to its package."""
    package = path.relative_to(source).parts[:-1]
    found = Imports(set(), set(), set())
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.other.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.other.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1]
            target = ".".join((*base, node.module) if node.module else base)
            for alias in node.names:
                name = f"{target}.{alias.name}".lstrip(".")
                if name in modules or target:
                    found.own.add(name if name in modules else target)
                else:
                    found.public.add(alias.name)
    return found


def find_cycles(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Find the groups of modules that import one another, by Tarjan's algorithm."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(start: str) -> None:
        work = [(start, _enter(start))]
        while work:
            name, successors = work[-1]
            for successor in successors:
                if successor not in numbers:
                    work.append((successor, _enter(successor)))
                    break
                if successor in stack:
                    lowest[name] = min(lowest[name], numbers[successor])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[name])
                if lowest[name] == numbers[name]:
                    _leave(name)

    def _enter(name: str) -> Iterator[str]:
        numbers[name] = lowest[name] = len(numbers)
        stack.append(name)
        return iter(sorted(graph.get(name, ())))

    def _leave(name: str) -> None:
        at = stack.index(name)
        if len(stack) > at + 1 or name in graph.get(name, ()):
            groups.append(sorted(stack[at:]))
        del stack[at:]

    for name in sorted(graph):
        if name not in numbers:
            visit(name)
    return sorted(groups)


def find_shortest_cycle(group: Iterable[str], graph: Mapping[str, Iterable[str]]) -> list[str]:
    """Find the shortest way from one module of such a group back to itself."""
    inside = set(group)
    ways = [way for name in sorted(inside) if (way := _find_way_back(name, inside, graph))]
    return min(ways, key=len)


def _find_way_back(
    start: str, inside: set[str], graph: Mapping[str, Iterable[str]]
) -> list[str] | None:
    ways = deque([[start]])
    seen: set[str] = set()
    while ways:
        way = ways.popleft()
        for successor in sorted(set(graph.get(way[-1], ())) & inside):
            if successor == start:
                return [*way, start]
            if successor not in seen:
                seen.add(successor)
                ways.append([*way, successor])
    return None
