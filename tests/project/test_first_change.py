"""The walk through a first change in CONTRIBUTING.md works: its test fails, and then passes."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from dalapapa.core import points
from tests.support.markdown import BLOCK
from tests.support.paths import ROOT


def read_blocks() -> list[str]:
    """Read the test and the change of the walk."""
    found = BLOCK.finditer((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    return [block["text"] for block in found if block["how"] == "run by"]


def test_the_test_of_the_walk_fails_until_the_change_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    test, change = read_blocks()
    names: dict[str, Any] = {}
    exec(test, names)
    with pytest.raises(AssertionError):
        names["test_print_a_group"]()
    exec(textwrap.dedent(change), vars(points), names)
    monkeypatch.setattr(points.Group, "__str__", names["__str__"])
    names["test_print_a_group"]()
