"""The form for a new table: it says whether a target is realistic, and allows it anyway."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser.people import People
from tests.support.browser.texts import t
from tests.support.paths import ROOT

FILE = ROOT / "web" / "src" / "lobby" / "targets.json"
TARGETS: Any = json.loads(FILE.read_text())


def open_options(page: Page, game: str, language: str = "en") -> Locator:
    """The field of the target, in the form for a new table."""
    page.goto(f"/new/{game}")
    page.get_by_text(t("more_options", language)).click()
    return page.get_by_label(t("option_target", language))


def beyond(target: int, players: int, tiles: str, language: str = "en") -> str:
    best = TARGETS["reached"]["classic"][tiles][str(players)][0]
    values = {"players": players, "set": tiles, "target": target, "best": best}
    return t("target_beyond", language, games=TARGETS["games"], **values)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_form_says_which_targets_are_realistic(people: People, language: str) -> None:
    page = people.arrive(language=language)
    field = open_options(page, "classic", language)
    expect(field).to_have_accessible_description(
        re.compile(re.escape(t("target_realistic", language, players=2, set="120", target=60)))
    )
    page.get_by_role("button", name=t("one_player_more", language)).click()
    field.fill("240")
    explained = (beyond(240, 3, "120", language), t("target_otherwise", language))
    for words in explained:
        expect(field).to_have_accessible_description(re.compile(re.escape(words)))
        expect(page.locator(".option-note")).to_contain_text(words)
    # It is announced while the number is typed.
    expect(page.locator("[aria-live]").filter(has_text=explained[0]).first).to_be_attached()
    page.get_by_role("button", name=t("one_player_less", language)).click()
    tenths = sum(score >= 240 for score in TARGETS["reached"]["classic"]["120"]["2"][1:])
    words = t("target_ambitious", language, players=2, set="120", target=240, tenths=tenths)
    expect(page.locator(".option-note")).to_contain_text(words)
    page.get_by_label(t("option_set", language), exact=True).select_option("72")
    expect(page.locator(".option-note")).to_contain_text(beyond(240, 2, "72", language))


def test_an_unrealistic_target_can_still_be_chosen(people: People) -> None:
    page = people.arrive()
    field = open_options(page, "classic")
    page.get_by_role("button", name=t("one_player_more")).click()
    field.fill("240")
    expect(page.locator(".option-note")).to_contain_text(beyond(240, 3, "120"))
    page.get_by_role("button", name=t("start_and_invite")).click()
    page.wait_for_url(re.compile("/t/"))


def test_alex_played_for_rounds_says_nothing_about_its_target(people: People) -> None:
    page = people.arrive()
    open_options(page, "alex")
    expect(page.locator(".option-note")).to_have_count(1)
    page.get_by_label(t("option_end")).select_option("rounds")
    expect(page.locator(".option-note")).to_have_count(0)
