"""The coach in the browser: the review of a finished game, and advice for a position."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dalapapa.bots.arena import play_game
from dalapapa.games import find_game
from dalapapa.record import dump
from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t

SOME_TIME = 60_000
"""Milliseconds: a review takes seconds of a core that others may need, too."""


@pytest.mark.thorough
def test_the_review_of_a_finished_game(people: People, server: Process) -> None:
    new = table.create(server, seats=["medium", "novice"], host=None)
    page = people.arrive()
    page.goto(new.path)
    dialog = table.result(page)
    dialog.get_by_role("button", name=t("review_ask")).press("Enter")
    cards = page.locator(".missed-cards li")
    expect(cards.first).to_be_visible(timeout=SOME_TIME)
    answer = server.ask(f"/tables/{new.id}/review")
    expect(cards).to_have_count(len(answer["missed"]))
    first, last = (answer["turns"][answer["missed"][end] - 1] for end in (0, -1))
    if (lost := first["lost_chance"])["low"] > 0:
        likely = r"\d+%" if lost["exact"] else r"\d+% \(\d+–\d+\)"
        expect(cards.first).to_contain_text(re.compile(likely))
    cards.first.get_by_role("link", name=t("review_show")).press("Enter")

    # The replay opens there, with the better turn beside what was played.
    better = first["better"]["layings"]
    expect(page.locator(".ghost-domino")).to_have_count(len(better), timeout=SOME_TIME)
    instead = [laying for laying in first["layings"] if laying not in better]
    expect(page.locator(".outlined.played")).to_have_count(len(instead))
    now, place = page.locator(".replay-now"), page.get_by_label(t("replay_position"))
    expect(now).to_contain_text(first["why"])
    expect(place).to_have_value(str(first["first"]))
    cards.last.get_by_role("button", name=t("review_show")).press("Enter")
    expect(now).to_contain_text(last["why"])
    expect(place).to_have_value(str(last["first"]))

    # The curve is a picture with a name, and a table with the same numbers.
    curve = page.get_by_role("img", name=re.compile(re.escape(t("review_chance"))))
    expect(curve).to_be_visible()
    expect(curve.locator(".curve-mark")).to_have_count(len(answer["missed"]))
    rows = page.locator(".review table tbody tr")
    page.locator(".review summary").press("Enter")
    for chance in answer["curve"][-1]["chances"]:
        expect(rows.last).to_contain_text(f"{100 * chance['value']:.0f}%")
    page.get_by_role("combobox").first.select_option("fr")
    heading = page.get_by_role("heading", name=t("review_missed", "fr"))
    expect(heading).to_be_visible()
    french = server.ask(f"/tables/{new.id}/review?language=fr")
    why = french["turns"][first["number"] - 1]["why"]
    expect(cards.first.locator("p").nth(1)).to_have_text(why)


def test_a_wrong_way_of_a_race_is_shown(people: People, tmp_path: Path) -> None:
    """Of a record from disk, on a phone."""
    game = find_game("puzzle")
    race = play_game(game, ("medium", "random"), game.parse_options({"minutes": 5}), "review")[0]
    path = tmp_path / "race.json"
    path.write_bytes(dump(race.record()))
    page = people.arrive(phone=True)
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(path)
    show = page.locator(".missed-cards").get_by_role("button").first
    expect(show).to_be_visible(timeout=SOME_TIME)
    expect(page.locator(".outlined.wrong")).to_have_count(0)
    show.press("Enter")
    expect(page.locator(".outlined.wrong")).to_have_count(1)
    why = page.locator(".missed-cards li").first.locator("p").nth(1).inner_text()
    expect(page.locator(".replay-now")).to_have_text(why)


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
    pictured = turns.first.get_by_role("img").count()
    assert pictured in (1, 2)
    turns.first.get_by_role("button").press("Enter")
    expect(turns).to_have_count(0)
    expect(table.laid(page)).to_have_count(2 + pictured)
    text = page.locator("textarea").input_value().split()
    assert len(text) == 2 + pictured
