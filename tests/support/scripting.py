"""The scripts of the project as modules, so that tests can ask them."""

from __future__ import annotations

import importlib.util
from typing import Any

from tests.support.paths import ROOT

FOLDER = ROOT / "scripts"


def script(name: str) -> Any:
    """A module of `scripts/`."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
