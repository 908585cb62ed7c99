"""The coach in the browser: the review of a finished game, and advice for a position."""

from __future__ import annotations

import re

from playwright.sync_api import expect

import table
from people import People
from process import Process
from texts import t

SOME_TIME = 60_000
"""Milliseconds: a review takes seconds of a core that others may need, too."""


def test_the_review_of_a_finished_game(people: People, server: Process) -> None:
    new = table.create(server, seats=["medium", "novice"], host=None)
    page = people.arrive()
    page.goto(new.path)
    dialog = table.result(page)
    dialog.get_by_role("button", name=t("review_ask")).press("Enter")
    cards = page.locator(".missed-cards li")
    expect(cards).to_have_count(3, timeout=SOME_TIME)
    told = cards.first.inner_text()
    assert re.search(r"\d+%.*\(\d+–\d+\)", told), "a chance, and how sure it is"
    cards.first.get_by_role("link", name=t("review_show")).press("Enter")

    # The replay opens there, with the better turn beside what was played.
    expect(page.locator(".ghost-domino").first).to_be_attached(timeout=SOME_TIME)
    expect(page.locator(".outlined.played").first).to_be_attached()
    now = page.locator(".replay-now")
    why = page.locator(".missed-cards li").first.locator("p").nth(1).inner_text()
    expect(now).to_contain_text(why)
    place = page.get_by_label(t("replay_position")).input_value()
    page.get_by_role("button", name=t("review_show")).nth(1).press("Enter")
    expect(now).not_to_contain_text(why)
    assert page.get_by_label(t("replay_position")).input_value() != place

    # The curve is a picture with a name, and a table with the same numbers.
    curve = page.get_by_role("img", name=re.compile(re.escape(t("review_chance"))))
    expect(curve).to_be_visible()
    expect(curve.locator(".curve-mark")).to_have_count(3)
    rows = page.locator(".review table tbody tr")
    page.locator(".review summary").press("Enter")
    expect(rows.last).to_contain_text("100%")
    page.get_by_role("combobox").first.select_option("fr")
    heading = page.get_by_role("heading", name=t("review_missed", "fr"))
    expect(heading).to_be_visible()
    expect(page.locator(".missed-cards li").first.locator("p").nth(1)).not_to_have_text(why)


def test_advice_for_a_position(people: People) -> None:
    page = people.arrive()
    page.goto("/analysis#p=PRYGB+0@0,0_BYRGB+0@0,-1&h=CRYGB,ZYRBG")
    expect(page.locator(".best-turns li")).to_have_count(10)
    ask = page.get_by_role("button", name=t("review_ask"))
    page.get_by_role("spinbutton", name=t("coach_you")).fill("52")
    page.get_by_role("spinbutton", name=t("coach_other")).fill("50")
    ask.press("Enter")
    turns = page.locator(".coach-turns li")
    expect(turns).to_have_count(5, timeout=SOME_TIME)
    expect(turns.first).to_contain_text(re.compile(r"\d+% \(\d+–\d+\)"))
    first = turns.first.locator("code").all_inner_texts()
    turns.first.get_by_role("button").press("Enter")
    expect(turns).to_have_count(0)
    expect(page.locator("textarea")).to_have_value(re.compile(re.escape(first[0])))
