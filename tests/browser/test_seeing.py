"""What is seen, heard and felt at a table: the bar, the log, a board that rests, calls."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import table
from tests.support.browser.people import PHONE, People
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.waiting import wait_until_sync


def rest(page: Page) -> list[int]:
    """Where the board is."""
    found: list[int] = page.locator(".board").evaluate(
        "(one) => Object.values(one.getBoundingClientRect().toJSON()).map(Math.round)"
    )
    return found


def take_and_lay(page: Page, place: list[int]) -> None:
    """Take a domino, and lay it: the board stays where it is."""
    page.locator(".held-face:not(.stuck)").first.click()
    expect(page.locator(".held.taken")).to_be_visible()
    assert rest(page) == place
    table.lay_by_keys(page)
    assert rest(page) == place


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_a_turn_as_it_is_seen(people: People, server: Process, phone: bool) -> None:
    page = table.sit(people, table.create(server), phone=phone)
    table.my_turn(page)
    bar = page.locator(".turn-bar")
    expect(page.locator(".board-hint")).to_have_text(t("do_first"))
    expect(bar).to_have_class(re.compile("seat-0 mine"))
    place = rest(page)
    take_and_lay(page, place)
    table.my_turn(page)
    expect(bar).to_contain_text(t("do_lay"))
    assert rest(page) == place
    # Laid, taken back, and laid again: one line in the log.
    take_and_lay(page, place)
    expect(bar).to_contain_text(t("do_second", points="−4"))
    page.keyboard.press("u")
    expect(page.get_by_role("button", name=t("end_turn"))).to_have_count(0)
    take_and_lay(page, place)
    table.end_turn(page)
    table.my_turn(page)
    assert rest(page) == place
    if phone:
        page.get_by_role("button", name=t("show_side")).tap()
    lines = page.locator(".log li")
    expect(lines).to_have_count(4)
    expect(lines.nth(1)).to_contain_text("Ann")
    assert t("log_undone", name="Ann") not in page.locator(".log").inner_text()
    # The line points at its domino.
    expect(page.locator(".outlined.pointed")).to_have_count(0)
    page.locator(".log li.seat-0 button").first.focus()
    expect(page.locator(".outlined.pointed")).to_have_count(1)


SMALL = """() => {
  const [least, half] = [43.5, 22];
  const all = [...document.querySelectorAll(":is(main, .header) :is(button, a, summary, select)")]
    .filter((one) => one.checkVisibility() && !one.closest(".hidden, [aria-hidden=true]"))
    .map((one) => ({ one, box: one.getBoundingClientRect(), name: one.ariaLabel || one.innerText }))
    .filter(({ box }) => box.width > 1 && box.right > 0 && box.left < innerWidth);
  const reach = ({ box: { left, right, top, bottom } }) => {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return { left: Math.min(left, x - half), right: Math.max(right, x + half),
             top: Math.min(top, y - half), bottom: Math.max(bottom, y + half) };
  };
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  if (!all.length) return ["there is nothing to touch"];
  return all.filter(({ box }) => Math.min(box.width, box.height) < least).flatMap((small) => all
    .filter((other) => other !== small && meet(reach(small), reach(other)))
    .map((other) => `${small.name} (${small.box.width} x ${small.box.height}): ${other.name}`));
}"""
"""What is smaller than a finger, and so near to something else that it is touched instead."""


def test_fingers_find_everything_and_everybody_fits(people: People, server: Process) -> None:
    def look(game: str, seats: int, width: int, before: Callable[[Page], None]) -> Page:
        found = table.create(server, game, seats=[None] + ["random"] * (seats - 1), pace=30)
        page = table.sit(people, found, phone=True)
        page.set_viewport_size({"width": width, "height": PHONE["height"]})
        page.locator(".turn-bar").wait_for()
        before(page)
        assert page.evaluate(SMALL) == [], game
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        return page

    def opened(page: Page) -> None:
        page.get_by_role("button", name=t("show_side")).tap()

    for width in (PHONE["width"], 320):
        page = look("classic", 4, width, opened)
        inside = "(one) => one.scrollWidth <= one.clientWidth"
        assert page.locator(".players").evaluate(inside), "four players fit"
    look("alex", 3, 320, lambda page: page.get_by_role("button", name=t("no_more")).or_(
        page.get_by_role("button", name=t("nothing_found"))).first.wait_for())  # fmt: skip
    page = look("puzzle", 10, 360, lambda page: page.locator(".pool-item").first.wait_for())
    # Who leads is the first one, and in sight.
    page.wait_for_function("""() => [...document.querySelectorAll(".racer .count")]
      .some((one) => parseInt(one.innerText) > 0)""")
    counts = [int(one.split("/")[0]) for one in page.locator(".racer .count").all_inner_texts()]
    assert counts == sorted(counts, reverse=True)
    expect(page.locator(".racer").first).to_be_in_viewport(ratio=0.9)


LISTENING = """
  window.tones = 0;
  window.badges = [];
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    window.tones += 1;
    return createOscillator.call(this);
  };
  Navigator.prototype.setAppBadge = async (count) => void window.badges.push(count);
  Navigator.prototype.clearAppBadge = async () => void window.badges.push(0);
  window.Notification = class {
    static permission = "default";
    static asked = 0;
    static shown = [];
    static async requestPermission() {
      Notification.asked += 1;
      return (Notification.permission = "granted");
    }
    constructor(title) { Notification.shown.push(title); }
    close() {}
  };
  window.look = (state) => {
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  };
"""
"""Counts tones, and says what a system would show; a page can be hidden without another one."""


def test_sounds_and_calls_for_those_who_ask(people: People, server: Process) -> None:
    seated = table.create(server, seats=[None, None], host="Ann")
    bob_token = server.ask(f"/tables/{seated.id}/seats/1", name="Bob")["token"]
    ann = people.arrive(tables=seated.known)
    ann.add_init_script(LISTENING)
    ann.goto(seated.path)
    bob = table.sit(people, table.Table(seated.id, bob_token, seated.game))

    def tones() -> Any:
        return ann.evaluate("window.tones")

    table.my_turn(ann)
    table.lay_by_keys(ann)
    table.my_turn(bob)
    assert tones() == 0, "silent until a person asks"
    switch = ann.get_by_role("switch", name=t("setting_sound"))
    switch.click()
    expect(switch).to_be_checked()
    # The speaker is loaded by the first sound, which is heard once it is there.
    asked = wait_until_sync(tones, "a sound that says it is on")
    # Notifications: the browser is asked when they are switched on, and not before.
    assert ann.evaluate("Notification.asked") == 0
    ann.get_by_role("button", name=t("settings")).click()
    notify = ann.get_by_role("switch", name=t("setting_notify"))
    notify.check()
    expect(notify).to_be_checked()
    assert ann.evaluate("Notification.asked") == 1
    ann.keyboard.press("Escape")
    ann.evaluate("look('hidden')")
    table.lay_by_keys(bob)
    table.my_turn(ann)
    ann.wait_for_function("Notification.shown.length === 1 && window.badges.at(-1) === 1")
    expect(ann.locator("link[rel=icon]")).to_have_attribute("href", "/icon-turn.svg")
    wait_until_sync(lambda: tones() > asked, "a sound for the turn")
    # A player who looks is not called again.
    ann.evaluate("look('visible')")
    ann.wait_for_function("window.badges.at(-1) === 0")
    expect(ann.locator("link[rel=icon]")).to_have_attribute("href", "/icon.svg")
    # At home, where others wait for Ann comes before everything else.
    ann.goto("/")
    expect(ann.locator(".home > section").first).to_contain_text(t("your_turn"))
