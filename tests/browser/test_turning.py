"""A domino is turned in the fingers: by keys, mouse, wheel and touch, on the way and at a place."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.support.browser import table
from tests.support.browser.geometry import resting_box
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.browser.touch import POSITION, Point, find_middle, find_places, open_touch


def pose(page: Page) -> str:
    """Which of how many poses is shown; nothing where there is only one."""
    return "".join(page.locator(".ghost-numbers .pose").all_inner_texts()).strip()


def ghost(page: Page) -> str:
    """How the ghost looks: where its wood is, and its colours."""
    return page.locator(".ghost-domino").inner_html()


def at_several_poses(page: Page) -> Point:
    """Point at a place with several poses."""
    for x, y in find_places(page):
        page.mouse.move(x, y)
        expect(page.locator(".ghost-domino")).to_be_attached()
        if pose(page):
            return x, y
    raise AssertionError("every place has one pose only")


def sit(people: People) -> Page:
    """Two dominoes on the table, and one in hand."""
    page = people.arrive()
    page.goto(POSITION)
    page.locator(".held-face:not(.stuck)").first.click()
    return page


def test_a_pose_that_was_chosen_stays(people: People) -> None:
    desk = sit(people)
    x, y = at_several_poses(desk)
    expect(desk.locator(".ghost-numbers .pose")).to_have_text(re.compile(r"1/\d"))
    first = ghost(desk)
    desk.keyboard.press("r")
    expect(desk.locator(".ghost-numbers .pose")).to_have_text(re.compile(r"2/\d"))
    second = ghost(desk)
    assert second != first
    for step in range(1, 6):
        desk.mouse.move(x + step, y - step)
        assert ghost(desk) == second
    desk.mouse.wheel(0, -100)
    expect(desk.locator(".ghost-numbers .pose")).to_have_text(re.compile(r"1/\d"))
    assert ghost(desk) == first
    desk.mouse.click(x, y, button="right")
    expect(desk.locator(".ghost-numbers .pose")).to_have_text(re.compile(r"2/\d"))
    # With a click it waits there as it is; a right click turns it on.
    desk.mouse.click(x, y)
    expect(desk.get_by_role("button", name=t("lay_here"))).to_be_visible()
    assert ghost(desk) == second
    before = desk.locator(".world").get_attribute("style")
    desk.mouse.wheel(0, 100)
    expect(desk.locator(".ghost-controls .wide")).not_to_have_text(re.compile(r"2/\d"))
    assert desk.locator(".world").get_attribute("style") == before
    desk.mouse.move(20, 300)
    desk.mouse.wheel(0, -100)
    expect(desk.locator(".world")).not_to_have_attribute("style", str(before))


NEAR = """() => {
  const box = (one) => one.getBoundingClientRect();
  const tick = box(document.querySelector(".tick"));
  const meets = (other) => tick.left < other.right - 1 && tick.right > other.left + 1
    && tick.top < other.bottom - 1 && tick.bottom > other.top + 1;
  const seen = [".ghost-domino .wood", ".ghost .light"]
    .flatMap((name) => [...document.querySelectorAll(name)]).map(box);
  return {
    at: [tick.left + tick.width / 2, tick.top + tick.height / 2],
    over: seen.filter(meets).length,
    numbers: parseFloat(getComputedStyle(document.querySelector(".points")).fontSize),
  };
}"""


def test_the_tick_is_by_the_pointer_and_a_double_click_lays(people: People) -> None:
    desk = sit(people)
    distances = []
    for x, y in find_places(desk):
        desk.mouse.click(x, y)
        expect(desk.get_by_role("button", name=t("lay_here"))).to_be_visible()
        near: dict[str, Any] = desk.evaluate(NEAR)
        assert near["over"] == 0
        assert near["numbers"] >= 12
        distances.append(((near["at"][0] - x) ** 2 + (near["at"][1] - y) ** 2) ** 0.5)
        desk.keyboard.press("Escape")
    assert statistics.median(distances) < 60
    expect(table.laid(desk)).to_have_count(2)
    desk.mouse.dblclick(*find_places(desk)[0])
    expect(table.laid(desk)).to_have_count(3)


def test_a_domino_is_carried_turned_and_goes_back_with_a_reason(people: People) -> None:
    desk = sit(people)
    desk.keyboard.press("Escape")
    face = desk.locator(".held-face").first
    x, y = find_middle(face)
    taken = find_middle(table.laid(desk).first)
    carried = desk.locator(".carried")
    wood = desk.locator(".carried .wood")

    def grab() -> None:
        desk.mouse.move(x, y)
        desk.mouse.down()
        desk.mouse.move(x + 20, y - 20, steps=3)
        expect(carried).to_be_visible()

    grab()
    desk.mouse.move(*taken, steps=3)
    expect(carried).to_be_visible()
    wide = wood.bounding_box()
    assert wide
    assert wide["width"] > wide["height"]
    assert abs(wide["height"] - table.laid(desk).first.bounding_box()["height"]) < 4  # type: ignore[index]

    def right_click() -> None:
        desk.mouse.down(button="right")
        desk.mouse.up(button="right")

    turns: list[Callable[[], None]] = [
        lambda: desk.keyboard.press("r"),
        lambda: desk.mouse.wheel(0, 100),
        right_click,
    ]
    for turn in turns:
        was = desk.locator(".carried svg").inner_html()
        turn()
        expect(desk.locator(".carried svg")).not_to_have_js_property("innerHTML", was)
    high = wood.bounding_box()
    assert high
    assert high["height"] > high["width"]  # Three quarter-turns.
    desk.mouse.up()
    expect(desk.locator(".why", has_text=t("illegal_overlap"))).to_be_visible()
    expect(carried).to_have_count(0)
    expect(table.laid(desk)).to_have_count(2)

    grab()
    desk.keyboard.press("Escape")
    expect(carried).to_have_count(0)
    desk.mouse.up()

    # At a place it is the ghost, and waits there for the tick.
    grab()
    desk.mouse.move(*find_places(desk)[0], steps=3)
    expect(carried).to_have_count(0)
    expect(desk.locator(".ghost.pinned")).to_be_attached()
    desk.mouse.up()
    desk.get_by_role("button", name=t("lay_here")).click()
    expect(table.laid(desk)).to_have_count(3)


def test_a_group_says_its_size_and_what_keeps_it_open(people: People) -> None:
    page = people.arrive()
    page.goto("/analysis#p=PRYGB+0@0,0_BYRGB+0@0,-1")
    disc = table.laid(page).first
    page.mouse.move(*find_middle(disc))
    words = page.locator(".looked-words")
    expect(words).to_have_text(re.compile(t("colour_Y")))
    count = page.locator(".looked .opening").count()
    expected = t("group_open_at", count=count) if count else t("group_closed")
    expect(words).to_contain_text(expected)
    page.mouse.move(10, 300)
    expect(words).to_have_count(0)


UPRIGHT = """() => {
  const { width, height } = document.querySelector(".carried .wood").getBoundingClientRect();
  return height > width;
}"""


def test_a_second_finger_turns_what_the_first_one_carries(people: People) -> None:
    page = people.arrive(phone=True)
    page.goto(POSITION)
    x, y = find_middle(page.locator(".held-face").first)
    table_x, table_y = find_middle(page.locator(".board"))
    # A tap on a group describes it.
    page.touchscreen.tap(*find_middle(table.laid(page).first))
    expect(page.locator(".looked-words")).to_have_text(re.compile(t("colour_Y")))
    touch = open_touch(page)
    touch("touchStart", first=(x, y))
    for step in range(1, 5):
        touch("touchMove", first=(x - 15 * step, y - 3 * step))
    carried = page.locator(".carried .wood")
    expect(carried).to_be_visible()
    box = carried.bounding_box()
    assert box
    assert box["y"] + box["height"] < y - 40, "it floats above the finger"
    first, second = (x - 60, y - 12), (x + 30, y - 12)
    touch("touchStart", first=first, second=second)
    touch("touchEnd", second=second)
    page.wait_for_function(UPRIGHT)
    touch("touchStart", first=first, second=second)
    for dx, dy in ((88, 30), (75, 55), (60, 70)):
        touch("touchMove", first=first, second=(x - 60 + dx, y - 12 + dy))
    page.wait_for_function(f"() => !({UPRIGHT})()")
    touch("touchEnd", second=(x, y + 58))
    touch("touchEnd", first=first)
    expect(page.locator(".carried")).to_have_count(0)
    assert (table_x, table_y) == find_middle(page.locator(".board"))


def test_a_race_is_played_by_dragging_from_the_middle(people: People, server: Process) -> None:
    new = table.create(server, "puzzle", seats=[None, None], guests=["Bob"])
    page = table.sit(people, new)
    x, y = find_middle(page.locator(".pool-item .face").nth(6))
    left, top, _, _ = resting_box(page.locator(".board .frame-floor"))
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y + 10, steps=3)
    page.mouse.move(left + 40, top + 40, steps=4)
    page.mouse.up()
    expect(table.laid(page)).to_have_count(1)
    # The next one is taken by a click, and turned by the button at the hand.
    page.locator(".pool-item:not(.gone)").first.click()
    face = page.locator(".held-face.chosen svg")
    lying = face.get_attribute("viewBox")
    page.get_by_role("button", name=t("turn"), exact=True).click()
    expect(face).not_to_have_attribute("viewBox", str(lying))
