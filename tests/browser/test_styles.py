"""Engines silently drop a declaration that they cannot parse; none of ours may be dropped."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.support.browser.engines.open_page import open_page
from tests.support.browser.process import Process
from tests.support.paths import ROOT

FOLDERS = (ROOT / "web" / "src", ROOT / "docs" / "site")

UNKNOWN: dict[str, tuple[str, ...]] = {
    "firefox": ("-webkit-text-size-adjust", "text-wrap: pretty"),
    "webkit": ("{ user-select", "-override:", "forced-color-adjust"),
}
"""What some versions of an engine do not know, and what a page does not need there."""


@cache
def script() -> str:
    return Path(__file__).with_name("styles.js").read_text().strip()


def style_sheets() -> dict[str, str]:
    """The text of every style sheet of the client and of the documentation, by file name."""
    files = [path for folder in FOLDERS for path in sorted(folder.rglob("*.css"))]
    return {path.relative_to(ROOT).as_posix(): path.read_text() for path in files}


def check(page: Page, sheets: dict[str, str]) -> dict[str, Any]:
    page.set_content("<!doctype html>")  # Without it, quirks mode accepts a length without a unit.
    found: dict[str, Any] = page.evaluate(script(), sheets)
    return found


def test_chromium_keeps_every_declaration(page: Page) -> None:
    found = check(page, style_sheets())
    assert found["checked"] > 1500
    assert found["rejected"] == []


def test_a_dropped_declaration_is_reported_with_its_line(page: Page) -> None:
    sheet = """
    :root { --wide: 46px; --least: 3; }
    .good { grid-template: "a b" / var(--wide) 1fr; -moz-nothing: none; width: var(--by-script); }
    .bad {
      grid-template: "a b" / repeat(2, var(--wide));
      width: var(--least);
      colour: red;
      &:hover > b::nothing { color: red; }
    }
    @font-face { font-family: A; size-adjust: wide; }
    """
    found = check(page, {"a.css": sheet})
    assert found["rejected"] == [
        'a.css:5: .bad { grid-template: "a b" / repeat(2, var(--wide))',
        "a.css:6: .bad { width: var(--least)",
        "a.css:7: .bad { colour: red",
        "a.css:10: @font-face { size-adjust: wide",
        "a.css:8: .bad { &:hover > b::nothing",
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("name", UNKNOWN)
def test_other_engines_keep_every_declaration(name: str, tmp_path: Path, server: Process) -> None:
    with open_page(name, tmp_path, server) as other:
        other.open("/")
        found = other.run(script(), style_sheets())
    wrong = [one for one in found["rejected"] if not any(part in one for part in UNKNOWN[name])]
    assert wrong == []
