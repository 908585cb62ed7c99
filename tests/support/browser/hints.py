"""Hints of a problem."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.support.browser import table
from tests.support.browser.texts import t


def follow_hints(page: Page, problem: dict[str, Any]) -> None:
    """Follow all hints: how many points, which domino, and where; then only where."""
    hint = page.get_by_role("button", name=t("problem_hint"), exact=True)
    for number, text in enumerate(problem["solution"]):
        if not number:
            hint.click()
            expect(page.locator(".lesson-task")).to_contain_text(str(problem["points"]))
            hint.click()
            expect(page.locator(".held-face.chosen")).to_be_visible()
        hint.click()
        page.get_by_role("button", name=t("lay_here")).click()
        expect(table.laid(page)).to_have_count(len(problem["position"]) + number + 1)
        assert table.positions(page)[-1] == text
    page.get_by_role("button", name=t("problem_my_turn")).click()
