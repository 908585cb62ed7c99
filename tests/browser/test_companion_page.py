"""The page for real tables on a phone: a whole short game without a server, and the sandglass."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import LANGUAGES, t, texts
from tests.support.thoroughness import daily

GONE = ("ERR_CONNECTION", "ERR_EMPTY", "ERR_FAILED", "404", "503")


def one(name: str, **values: Any) -> str:
    """A text about one thing."""
    text = texts("en")[name]
    assert isinstance(text, dict)
    return text["one"].format(**values)


def tap(page: Page, name: str, number: int = 0) -> None:
    page.get_by_role("button", name=name, exact=True).nth(number).tap()


def discs(page: Page, count: int, domino: int = 0) -> None:
    name = t("pad_discs", count=count) if count > 1 else one("pad_discs", count=count)
    tap(page, name.capitalize(), domino)


def group(page: Page, count: int) -> None:
    tap(page, t("pad_group", count=count).capitalize())


def write_down(page: Page) -> None:
    tap(page, t("pad_enter"))


def expect_scores(page: Page, *scores: str) -> None:
    expect(page.locator(".pad-score")).to_have_text(scores)


def test_a_whole_game_on_a_phone_without_a_server(people: People, own_server: Process) -> None:
    people.expected = GONE
    page = people.arrive(server=own_server, phone=True, service_workers="allow")
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    own_server.stop()

    page.goto("/companion")
    page.get_by_label(t("pad_player", number=1)).fill("Ann")
    page.get_by_label(t("pad_player", number=2)).fill("Bob")
    tap(page, t("pad_begin"))
    discs(page, 3)
    group(page, 12)
    group(page, 12)
    write_down(page)
    discs(page, 2)
    discs(page, 1, domino=1)
    # The battery is dead: what was entered last is still there.
    page.reload()
    expect_scores(page, "28", "0")
    expect(page.get_by_role("heading", name=t("pad_turn_of", round=1, name="Bob"))).to_be_visible()
    expect(page.locator(".turn-sum b").last).to_have_text("−1 point")
    write_down(page)
    expect_scores(page, "28", "−1")
    discs(page, 6)
    for size in (11, 11):
        group(page, size)
    write_down(page)
    expect_scores(page, "60", "−1")
    expect(page.get_by_role("main").get_by_text(t("pad_last_round", name="Ann"))).to_be_visible()

    # Bob's first turn was wrong: it is corrected in the last round.
    tap(page, t("pad_correct", name="Bob", round=1, points="−1"))
    discs(page, 6)
    for size in (12, 12):
        group(page, size)
    write_down(page)
    expect_scores(page, "60", "31")
    discs(page, 5)
    for size in (12, 9):
        group(page, size)
    write_down(page)
    expect_scores(page, "60", "60")
    expect(page.get_by_role("heading", name=t("result_all_share"))).to_be_visible()

    with page.expect_download() as download:
        tap(page, t("share_picture"))
    assert download.value.suggested_filename == "dalapapa.png"
    tap(page, t("pad_delete_of", names="Ann and Bob"))
    tap(page, t("pad_restore"))
    page.goto("/companion")
    expect(page.get_by_role("main").get_by_text("60 : 60")).to_be_visible()


def test_the_sandglass_is_exact_after_the_screen_was_off(people: People) -> None:
    page = people.arrive(phone=True)
    page.clock.install()
    page.goto("/companion/sand")
    tap(page, t("sand_turn"))
    page.clock.fast_forward(45_000)
    expect(page.get_by_role("timer")).to_have_text("0:15")
    page.get_by_role("link", name=t("companion_pad")).tap()
    page.clock.fast_forward(20_000)
    page.get_by_role("link", name=t("companion_sand")).tap()
    expect(page.get_by_text(t("reason_time"), exact=True).first).to_be_visible()
    expect(page.get_by_role("timer")).to_have_text("0:00")


def test_the_ways_there(people: People) -> None:
    page = people.arrive(phone=True)
    for path in ("/", "/print"):
        page.goto(path)
        page.locator('main a[href="/companion"]').tap()
        expect(page.get_by_role("heading", name=t("companion_title"))).to_be_visible()


def test_targets_are_large_enough_for_fingers(people: People) -> None:
    page = people.arrive(phone=True)
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto("/companion")
    page.get_by_label(t("pad_player", number=1)).fill("Ann")
    page.get_by_label(t("pad_player", number=2)).fill("Bob")
    tap(page, t("pad_begin"))
    discs(page, 6)
    discs(page, 6, domino=1)
    for path in ("", "/sand", "/first", "/fit"):
        if path:
            page.goto(f"/companion{path}")
        expect(page.locator("main h1")).to_be_visible()
        small = page.locator("main :is(button, .chip, summary)").evaluate_all(
            """(all) => all
              .map((one) => [one.ariaLabel ?? one.textContent, one.getBoundingClientRect()])
              .filter(([, { width, height }]) => width && Math.min(width, height) < 44)
              .map(([name, { width, height }]) => `${name}: ${width} x ${height}`)"""
        )
        assert small == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", daily(LANGUAGES, ["fr", "de"]))
def test_no_part_is_wider_than_a_phone(people: People, language: str) -> None:
    page = people.arrive(phone=True, language=language)
    for path in ("", "/sand", "/first", "/fit"):
        page.goto(f"/companion{path}")
        expect(page.locator("main h1")).to_have_text(t("companion_title", language))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
