"""The page for real tables on a phone: whole short games without a server, and its tools."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import pads
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

    # The history as a chart.
    expect(page.locator(".curve svg").first).to_be_visible()
    with page.expect_download() as download:
        tap(page, t("share_picture"))
    assert download.value.suggested_filename == "dalapapa.png"
    tap(page, t("pad_delete_of", names="Ann and Bob"))
    tap(page, t("pad_restore"))
    page.goto("/companion")
    expect(page.get_by_role("main").get_by_text("60 : 60")).to_be_visible()


def fill_in(page: Page, kind: str, *names: str) -> None:
    """Fill in the form of a game; it is begun by the test."""
    page.goto("/companion")
    page.get_by_role("radio", name=t(f"pad_kind_{kind}"), exact=True).check()
    for number, name in enumerate(names, 1):
        if number > 2:
            tap(page, t("pad_add_player"))
        page.get_by_role("textbox", name=t("pad_player", number=number)).fill(name)


def reload(page: Page) -> None:
    """The battery is dead."""
    page.reload()
    page.locator(".open-pad").wait_for()


def test_alex_on_a_phone(people: People) -> None:
    page = people.arrive(phone=True)
    page.clock.install()
    fill_in(page, "announced", "Ann", "Bob", "Cem")
    tap(page, t("pad_begin"))
    players = page.locator(".pad-player")
    players.nth(0).tap()
    tap(page, t("said_points", count=6))
    page.clock.fast_forward(20_000)
    reload(page)
    expect(page.get_by_role("timer")).to_have_text("0:40")
    players.nth(1).tap()
    tap(page, t("said_points", count=11))
    page.clock.fast_forward(40_000)
    expect(page.get_by_role("main").get_by_text(t("reason_time"))).to_be_visible()
    tap(page, t("round_close", name="Bob"))
    reload(page)
    page.locator(".pad-verdicts button").nth(1).tap()
    expect(
        page.get_by_role("main").get_by_text(t("round_shows", name="Ann", points="6 points"))
    ).to_be_visible()
    page.locator(".pad-verdicts button").nth(0).tap()
    reload(page)
    expect_scores(page, "6", "0", "0")
    expect(players.nth(1)).to_be_disabled()
    expect(players.nth(1)).to_contain_text(t("round_sits"))


def test_72_on_a_phone(people: People) -> None:
    page = people.arrive(phone=True)
    fill_in(page, "tokens", "Ann", "Bob", "Cem", "Dan")
    page.locator(".markers").first.get_by_text(t("token_colour_orange"), exact=True).tap()
    expect(page.locator(".markers").last.get_by_role("radio").first).to_be_checked()
    tap(page, t("pad_begin"))
    tap(page, t("token_connections", count=3))
    for _ in range(6):
        tap(page, t("token_territory", count=5).capitalize())
        reload(page)
    write_down(page)
    expect_scores(page, "35", "0", "0", "0")
    for _ in range(3):
        tap(page, t("token_connections", count=2))
        write_down(page)
    expect(page.get_by_role("heading", name=t("result_wins", name="Ann"))).to_be_visible()


def test_gone_on_a_phone(people: People) -> None:
    page = people.arrive(phone=True)
    fill_in(page, "ages", "Anna", "Bob")
    for child in range(2):
        page.get_by_role("radio", name="4", exact=True).nth(child).check()
    tap(page, t("pad_begin"))
    for left in ("3", "2", "1"):
        tap(page, t("child_three"))
        reload(page)
        expect(page.locator(".pad-score").first).to_have_text(left)
    tap(page, t("child_three"))
    expect(page.get_by_role("heading", name=t("result_wins", name="Anna"))).to_be_visible()
    tap(page, t("round_back"))
    expect(page.get_by_role("heading", name=t("child_again", name="Anna"))).to_be_visible()


def test_a_group_is_counted_on_a_phone(people: People) -> None:
    page = people.arrive(phone=True)
    page.goto("/companion/count")
    empty = t("count_none")
    for row, place in ((10, 5), (11, 5), (12, 5)):
        tap(page, t("count_place", row=row, place=place, what=empty))
    expect(page.locator(".count-sum .number")).to_have_text("3")
    page.reload()
    expect(page.locator(".count-sum .number")).to_have_text("3")
    for _ in range(2):
        page.locator(f"[aria-label='{t('count_place', row=13, place=6, what=empty)}']").tap()
        empty = t("count_disc")
    expect(page.locator(".count-sum")).to_contain_text("still open")


IN_SIGHT = """(all) => all
  .map((one) => [one.ariaLabel ?? one.textContent, one.getBoundingClientRect()])
  .filter(([, { top, bottom, height }]) => height && (top < 0 || bottom > innerHeight))
  .map(([name]) => name)"""


@pytest.mark.parametrize("language", daily(LANGUAGES, ["fr", "de"]))
@pytest.mark.parametrize("kind", pads.PADS)
def test_a_turn_needs_no_scrolling(people: People, kind: str, language: str) -> None:
    page = people.arrive(phone=True, language=language)
    page.set_viewport_size({"width": 360, "height": 640})
    pads.open_pad(page, kind)
    keys = page.locator(
        ".turn-form :is(.pad-keys, .turn-end, .child-keys) button, .turn-form .primary, .pad-player"
    )
    assert keys.count() >= 4
    assert keys.evaluate_all(IN_SIGHT) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_ten_players_announce_without_scrolling(people: People) -> None:
    page = people.arrive(phone=True)
    page.set_viewport_size({"width": 360, "height": 640})
    names = ["Ann", "Bob", "Clementine", "Dan", "Eva", "Fred", "Gina", "Hugo", "Ida", "Jo"]
    pads.open_pad(page, "announced", names=names)
    keys = page.locator(".pad-player, .turn-form .pad-keys button, .turn-form .primary")
    assert keys.evaluate_all(IN_SIGHT) == []


WAKE_LOCK = """
  globalThis.locks = [];
  Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => {
    const lock = new EventTarget();
    lock.kind = kind;
    lock.release = async () => void (lock.isReleased = true);
    locks.push(lock);
    return lock;
  } } });
"""


def test_the_screen_stays_awake_while_the_page_is_shown(people: People) -> None:
    page = people.arrive(phone=True)
    page.add_init_script(WAKE_LOCK)
    page.goto("/companion")
    expect(page.get_by_text(t("companion_awake"))).to_be_visible()
    assert page.evaluate("locks.every(({ kind, isReleased }) => kind === 'screen' && !isReleased)")
    # The browser has ended it while the page was hidden.
    before = page.evaluate("locks.length")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_function("(before) => locks.length > before", arg=before)
    page.locator("header a").first.tap()
    page.wait_for_function("() => locks.at(-1).isReleased")


def test_the_sandglass_sounds_and_vibrates_at_its_end(people: People) -> None:
    page = people.arrive(phone=True)
    page.add_init_script(
        "globalThis.buzzes = []; navigator.vibrate = (pattern) => buzzes.push(pattern) > 0;"
    )
    page.clock.install()
    page.goto("/companion/sand")
    tap(page, t("sand_turn"))
    page.clock.fast_forward(59_000)
    assert page.evaluate("buzzes.length") == 0
    page.clock.fast_forward(2_000)
    page.wait_for_function("() => buzzes.length === 1")
    # Readable from across the table: a fifth of the height of a phone.
    height = page.get_by_role("timer").evaluate("(one) => one.getBoundingClientRect().height")
    assert height >= 100


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
    for path in ("", "/sand", "/first", "/fit", "/count"):
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
    for path in ("", "/sand", "/first", "/fit", "/count"):
        page.goto(f"/companion{path}")
        expect(page.locator("main h1")).to_have_text(t("companion_title", language))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
