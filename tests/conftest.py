"""Shared fixtures: the two tables under test, and how hard hypothesis looks.

`HYPOTHESIS_PROFILE=thorough` runs many more examples than the everyday profile.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import types
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

import dalapapa

if TYPE_CHECKING:
    from dalapapa.table import Table

# Building a position is slow next to drawing an integer, and a small set may not fit together.
_SLOW = (HealthCheck.too_slow, HealthCheck.filter_too_much)
settings.register_profile("default", max_examples=25, deadline=None, suppress_health_check=_SLOW)
settings.register_profile("thorough", max_examples=500, deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

INTERPRETED = "dalapapa_interpreted"
"""A package whose kernel is run from source and whose other modules are those of dalapapa."""


def _interpreted_table() -> type[Table]:
    """The class of `table.py` run as ordinary Python, whether or not it is compiled too.

    The kernel is every module with a `.pxd` file. Its parts import one another, so all of them
    are loaded from source, under another name; the rest must be the same modules, so that
    a `Laying` is a `Laying`.
    """
    if INTERPRETED in sys.modules:
        return _table_of(INTERPRETED)
    folder = Path(dalapapa.__file__).parent
    kernel = [path.stem for path in sorted(folder.glob("*.pxd"))]
    assert "table" in kernel
    for part in kernel:
        importlib.import_module(f"dalapapa.{part}")
    package = types.ModuleType(INTERPRETED)
    package.__path__ = []
    sys.modules[INTERPRETED] = package
    for name, module in list(sys.modules.items()):
        part = name.removeprefix("dalapapa.")
        if part != name and part not in kernel:
            sys.modules[f"{INTERPRETED}.{part}"] = module
    sys.meta_path.append(_KernelSources(folder, kernel))
    return _table_of(INTERPRETED)


class _KernelSources(MetaPathFinder):
    def __init__(self, folder: Path, kernel: list[str]) -> None:
        self.paths = {f"{INTERPRETED}.{part}": folder / f"{part}.py" for part in kernel}

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        if fullname not in self.paths:
            return None
        return importlib.util.spec_from_file_location(fullname, self.paths[fullname])


def _table_of(package: str) -> type[Table]:
    found: type[Table] = importlib.import_module(f"{package}.table").Table
    return found


@pytest.fixture(scope="session")
def compiled_table() -> type[Table]:
    """The class as imported; `test_table_is_compiled` fails if that is ordinary Python."""
    return _table_of("dalapapa")


@pytest.fixture(scope="session")
def interpreted_table() -> type[Table]:
    return _interpreted_table()


@pytest.fixture(scope="session", params=["compiled", "interpreted"])
def table_class(request: pytest.FixtureRequest) -> type[Table]:
    """Both tables, one after the other."""
    found: type[Table] = request.getfixturevalue(f"{request.param}_table")
    return found


@pytest.fixture(scope="session")
def longest(table_class: type[Table]) -> int:
    """How many dominoes a random position has at most: fewer for the slower table."""
    return 40 if table_class.__module__.startswith(INTERPRETED) else 120
