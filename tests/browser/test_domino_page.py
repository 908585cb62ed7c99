"""The page of the dominoes: from the rules, by keyboard, with a finger, and for ears."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from dalapapa.core.tiles import standard
from tests.support.browser import table
from tests.support.browser.people import PHONE, People
from tests.support.browser.texts import LANGUAGES, t
from tests.support.thoroughness import daily


def cards(page: Page) -> list[str]:
    """The names of the dominoes that are shown."""
    return page.locator(".domino-card b").all_text_contents()


def test_all_dominoes_are_there_and_can_be_ordered_by_keyboard(people: People) -> None:
    page = people.arrive()
    page.goto("/rules/classic")
    page.get_by_role("navigation", name=t("rules_games")).get_by_role(
        "link", name=t("dominoes")
    ).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name=t("dominoes"))).to_be_visible()
    expect(page).to_have_title(f"{t('dominoes')} – Dalapapa")
    assert cards(page) == list(standard().names)
    page.get_by_role("link", name=t("dominoes_all_title")).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#all")).to_be_focused()
    page.keyboard.press("Tab")  # To print them.
    page.keyboard.press("Tab")
    expect(page.locator(".picker-filters select").first).to_be_focused()
    page.keyboard.type("A")
    expect(page.locator(".domino-card")).to_have_count(12)
    page.keyboard.press("Tab")
    page.keyboard.type("2")
    expect(page.locator(".domino-card")).to_have_count(4)
    assert cards(page) == [
        tile.name for tile in standard().tiles if tile.figure == "arrow" and tile.pile == 2
    ]


def test_every_domino_has_a_name_for_ears(people: People) -> None:
    page = people.arrive()
    page.goto("/dominoes")
    name = re.compile(r"^PRYGB, pyramid, pile 1\. Front: .*yellow.*green.* Back: .*blue")
    expect(page.get_by_role("img", name=name)).to_be_attached()
    expect(page.locator(".domino-card [role=img][aria-label]")).to_have_count(120)


@pytest.mark.parametrize("language", daily(LANGUAGES, ["fr", "de"]))
def test_asking_for_a_back_shows_the_domino(people: People, language: str) -> None:
    page = people.arrive(language=language, phone=True)
    page.goto("/dominoes")
    page.get_by_role("searchbox").fill("cgbry")
    notice = t("back_of", language, name="CGBRY", front="CRYGB")
    expect(page.get_by_role("main").get_by_text(notice)).to_be_visible()
    assert cards(page) == ["CRYGB"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_analysis_explains_the_slip_too(people: People) -> None:
    people.expected = ("422",)
    page = people.arrive()
    page.goto("/analysis#p=")
    page.get_by_text(t("analysis_position"), exact=True).click()
    page.get_by_label(t("analysis_position_text")).fill("CGBRY+0@0,0")
    expect(page.locator("#fault")).to_have_text(t("back_of", name="CGBRY", front="CRYGB"))
    page.get_by_role("searchbox").fill("AGBRY")
    expect(
        page.get_by_role("main").get_by_text(t("back_of", name="AGBRY", front="ARYGB"))
    ).to_be_visible()
    expect(page.locator(".picker-tiles li")).to_have_count(1)


def test_symbols_are_on_the_dominoes_if_wanted(people: People) -> None:
    page = people.arrive(settings={"symbols": True})
    page.goto("/dominoes")
    expect(page.locator(".domino-card").first.locator(".ink-Y").first).to_be_attached()
    expect(page.locator(".pair-dots .ink-R").first).to_be_attached()


def test_a_set_of_ones_own_is_loaded_and_played(people: People, tmp_path: Path) -> None:
    tiles = [tile for tile in standard().tiles if tile.name[0] in "ADZ"]
    rows = [f"D{number},{tile.recto},{tile.verso}" for number, tile in enumerate(tiles)]
    file = tmp_path / "box.csv"
    file.write_text("\n".join(["name,recto,verso", *rows]))
    page = people.arrive()
    page.goto("/dominoes#own")
    page.get_by_label(t("own_file")).set_input_files(file)
    expect(page.locator(".own-set .tinted strong")).to_have_text(t("own_set", count=len(tiles)))
    page.reload()
    page.get_by_text(t("own_show")).click()
    expect(page.locator(".own-set .domino-card")).to_have_count(len(tiles))

    page.goto("/new/classic")
    page.get_by_text(t("more_options")).click()
    page.get_by_label(t("option_set"), exact=True).select_option("own")
    page.get_by_label(t("seat_number", number=2), exact=True).select_option("novice")
    page.get_by_role("button", name=t("start"), exact=True).click()
    page.wait_for_url("**/t/**")
    table.my_turn(page)
    # Each player has drawn a domino of the set.
    expect(page.get_by_text(f"{len(tiles) - 2} in the bag").first).to_be_visible()
