"""Every scenario plays as written, on the table and in the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import scenario
from tests.support.paths import SCENARIOS

FILES = sorted((SCENARIOS).rglob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario(path: Path) -> None:
    scenario.run(path)


def test_a_scenario_can_fail(tmp_path: Path) -> None:
    """The reader of scenarios notices wrong points, wrong facts and moves it should refuse."""
    given = "domino A RRRRRRR RRRRRRR\nlay A+0@0,0\n"
    for wrong in ("lay A+0@2,0 -> 1 contacts", "closed 1", "refused clash lay A+0@0,0", "say"):
        path = tmp_path / "wrong.txt"
        path.write_text(given + wrong)
        with pytest.raises(AssertionError, match=r"wrong\.txt:3"):
            scenario.run(path)
