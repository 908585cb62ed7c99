"""The lesson from its first step to its last, by its own hints."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.browser.people import People
from tests.support.browser.texts import t

STEPS = ("match", "discs", "over", "group", "undo", "both")


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_hints_lead_through_the_lesson(people: People, phone: bool) -> None:
    page = people.arrive(phone=phone)
    page.goto("/lesson")
    said = page.locator(".lesson-task")
    hint = page.get_by_role("button", name=t("problem_hint"), exact=True)
    for step in STEPS:
        expect(page.locator(".lesson-rule")).to_have_text(t(f"lesson_{step}"))
        if step == "undo":
            page.get_by_role("button", name=t("undo")).click()
            expect(said).to_have_text(t("lesson_undo_task_2"))
        for _ in range(2 if step == "both" else 1):
            hint.click()
            page.get_by_role("button", name=t("lay_here")).click()
            expect(page.get_by_role("button", name=t("lay_here"))).to_have_count(0)
        if step == "both":
            expect(page.locator(".lesson-sum")).to_contain_text("+12 −4 +8 = +16")
            page.get_by_role("button", name=t("end_turn")).click()
        points = {"group": 9, "both": 16}.get(step, 0)
        expect(said).to_have_text(t(f"lesson_{step}_done", count=points))
        page.get_by_role("button", name=t("lesson_next")).click()
    expect(page.get_by_role("heading", name=t("lesson_end_title"))).to_be_visible()
    page.get_by_role("button", name=t("play_against", name="Pia"), exact=True).click()
    expect(page.locator(".player .name").last).to_have_text("Pia")
