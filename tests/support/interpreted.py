"""The kernel run as ordinary Python, beside the compiled one. Tests and benchmarks compare them."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import types
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import TYPE_CHECKING

import dalapapa

if TYPE_CHECKING:
    from dalapapa.kernel.table import Table

INTERPRETED = "dalapapa_interpreted"
"""A package whose kernel is run from source and whose other modules are those of dalapapa."""


def interpreted_table() -> type[Table]:
    """The class of `table.py` run as ordinary Python, whether or not it is compiled too.

    The kernel is every module with a `.pxd` file. Its parts import one another, so all of them
    are loaded from source, under another name; the rest must be the same modules, so that
    a `Laying` is a `Laying`.
    """
    if INTERPRETED in sys.modules:
        return table_of(INTERPRETED)
    folder = Path(dalapapa.__file__).parent
    kernel = [f"kernel.{path.stem}" for path in sorted(folder.glob("kernel/*.pxd"))]
    assert "kernel.table" in kernel
    for part in kernel:
        importlib.import_module(f"dalapapa.{part}")
    for name in (INTERPRETED, f"{INTERPRETED}.kernel"):
        package = types.ModuleType(name)
        package.__path__ = []
        sys.modules[name] = package
    for name, module in list(sys.modules.items()):
        part = name.removeprefix("dalapapa.")
        if part != name and part != "kernel" and part not in kernel:
            sys.modules[f"{INTERPRETED}.{part}"] = module
    sys.meta_path.append(_KernelSources(folder, kernel))
    importlib.import_module(f"{INTERPRETED}.kernel.best_turn")  # As `kernel/__init__.py` does.
    return table_of(INTERPRETED)


class _KernelSources(MetaPathFinder):
    def __init__(self, folder: Path, kernel: list[str]) -> None:
        self.paths = {
            f"{INTERPRETED}.{part}": folder / f"{part.replace('.', '/')}.py" for part in kernel
        }

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        if fullname not in self.paths:
            return None
        return importlib.util.spec_from_file_location(fullname, self.paths[fullname])


def table_of(package: str) -> type[Table]:
    found: type[Table] = importlib.import_module(f"{package}.kernel.table").Table
    return found
