"""The examples of the documentation print in the engine what the pages show."""

from __future__ import annotations

import pytest

from tests.support.engine import ask
from tests.support.markdown import BLOCK
from tests.support.paths import ROOT
from tests.support.scripting import script

PAGES = script("build_edition").RUNNABLE


def read_sessions(page: str) -> list[str]:
    text = (ROOT / "docs" / f"{page}.md").read_text()
    found = [block.group("text") for block in BLOCK.finditer(text)]
    return [session for session in found if session.startswith(">>> ")]


@pytest.mark.parametrize("page", PAGES)
def test_each_example_prints_what_its_page_shows(page: str) -> None:
    sessions = read_sessions(page)
    assert sessions
    for number, session in enumerate(sessions):
        assert ask("run_examples", sessions=sessions[: number + 1]).strip() == session.strip()


def test_a_changed_example_prints_something_else() -> None:
    assert ask("run_examples", sessions=[">>> x = 2", ">>> x + 3\n6"]) == ">>> x + 3\n5\n"
    loop = ">>> for i in range(2):\n...     print(i)\n..."
    assert ask("run_examples", sessions=[loop]) == f"{loop}\n0\n1\n"


def test_errors_are_shown_and_the_session_goes_on() -> None:
    shown = ask("run_examples", sessions=[">>> 1 / 0\n>>> nonsense(\n>>> 7"])
    assert "ZeroDivisionError: division by zero" in shown
    assert "SyntaxError" in shown
    assert shown.endswith(">>> 7\n7\n")
