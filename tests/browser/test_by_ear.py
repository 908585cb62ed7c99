"""Announcements of the page: one line after the other, and the table in words."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t

LINES = """() => {
  window.lines = [];
  const lines = (nodes) => [...nodes].filter((one) => one.parentElement?.id === "announcer");
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) =>
    window.lines.push(...lines(addedNodes).map((one) => one.textContent))))
    .observe(document, { childList: true, subtree: true });
}"""
"""From now on, keep every line that is announced."""


def read_announcements(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.lines")
    return found


def hears(page: Page, text: str) -> None:
    """Wait until a line with this text is announced."""
    page.wait_for_function("(text) => lines.some((line) => line.includes(text))", arg=text)


def test_a_turn_by_ear(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server))
    page.evaluate(LINES)
    table.my_turn(page)
    # Keys say what they have chosen.
    page.keyboard.press("1")
    hears(page, t("domino_number", number=1, tile=hand(page)[0]))
    assert t("recto").capitalize() in read_announcements(page)[-1]
    page.keyboard.press("ArrowRight")
    hears(page, "Row 0, column 0")
    page.keyboard.press("r")
    hears(page, f"Row 0, column 0, {t('direction_1')}")
    page.keyboard.press("f")
    hears(page, f"{t('verso').capitalize()}: ")
    page.keyboard.press("Enter")
    hears(page, "Ann lays")  # Perhaps it closes a group already.
    hears(page, t("do_lay"))
    # How it stands, and that a key can do nothing now.
    page.keyboard.press("s")
    hears(page, f"Ann, {t('said_points', count=0)}, {t('score_in_hand', count=2)}.")
    lines = read_announcements(page)
    assert len(lines) == len(set(lines)), lines
    page.keyboard.press("e")
    page.wait_for_function("(count) => lines.length > count", arg=len(lines))
    assert read_announcements(page)[-1].startswith(t("do_lay"))
    live = page.locator("[aria-live], [role=status], [role=alert], [role=log]")
    expect(live).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0
    # The best of all possible places, in a list.
    page.keyboard.press("l")
    expect(page.locator(".layings-list button").first).to_be_focused()
    laid = table.laid(page).count()
    page.keyboard.press("Enter")
    # The place is not there any more, but the focus is somewhere; and a second Enter ends no turn.
    page.keyboard.press("Enter")
    expect(page.locator(".layings-list summary")).to_be_focused()
    expect(table.laid(page)).to_have_count(laid + 1)
    expect(page.get_by_role("button", name=t("undo"))).to_be_enabled()


def hand(page: Page) -> list[str]:
    found: list[str] = page.locator('.held-face[data-side="+"]').evaluate_all(
        "(all) => all.map((one) => one.dataset.tile)"
    )
    return found


def test_the_table_in_words(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server))
    table.play_turn(page)
    table.play_turn(page)
    table.my_turn(page)
    laid = len(table.positions(page))
    page.locator(".board").focus()
    page.keyboard.press("w")
    words = page.get_by_role("dialog", name=t("key_words"))
    part = words.get_by_role("heading", level=3)
    expect(part.first).to_contain_text(t("words_since", count=1))
    expect(words.locator("li").first).to_contain_text(re.compile(r"[Rr]ow -?\d+, column -?\d+"))
    dominoes = page.get_by_role("button", name=t("words_dominoes", count=laid))
    expect(dominoes).to_have_attribute("aria-expanded", "false")
    dominoes.press("Enter")
    expect(dominoes).to_have_attribute("aria-expanded", "true")
    items = words.locator("section").filter(has=dominoes).locator("li")
    expect(items).to_have_count(laid)
    expect(items.first).to_contain_text(f"{t('words_centre', colour='').strip().capitalize()} ")
    edges = words.get_by_role("button", name=re.compile("open edges"))
    edges.press("Enter")
    expect(words.get_by_role("heading", level=4).first).to_be_visible()
    # Less, by asking for a colour that is there.
    colour = words.get_by_role("heading", level=4).first.inner_text().split(":")[0].lower()
    words.get_by_role("group", name=t("words_colour")).get_by_label(colour).check()
    expect(words.get_by_role("heading", level=4)).to_have_count(1)
    words.get_by_role("button", name=t("words_players")).press("Enter")
    expect(words.get_by_text(f"Ann ({t('you')}): ")).to_be_visible()
    page.keyboard.press("Escape")
    expect(words).to_have_count(0)
    expect(page.locator(".board")).to_be_focused()


def test_a_frame_in_words(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server, "puzzle", seats=[None]))
    page.locator(".pool-item").first.wait_for()
    page.evaluate(LINES)
    page.keyboard.press("o")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".ghost.pinned")).to_be_attached()
    page.keyboard.press("Enter")
    expect(table.laid(page)).to_have_count(1)
    tile = re.split("[+-]", table.positions(page)[0])[0]
    hears(page, t("in_hand_now", tile=tile, fits="").strip(" ,"))
    page.keyboard.press("s")
    hears(page, t("frame_count", count=1, total=8))
    page.keyboard.press("w")
    words = page.get_by_role("dialog", name=t("key_words"))
    # One's own frame.
    expect(words.get_by_role("button", name="1 domino on the table")).to_be_visible()
