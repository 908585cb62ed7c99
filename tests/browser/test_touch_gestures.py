"""Gestures of one and of two fingers: what they do, and what they leave alone."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import table
from tests.support.browser.geometry import box, boxes, screen
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.touch import POSITION, aim_at_place, find_places, open_touch
from tests.support.thoroughness import daily

Point = tuple[float, float]


def drag(touch: Any, start: Point, by: Point, steps: int = 8) -> Point:
    """Put a finger down and move it; it stays down."""
    touch("touchStart", first=start)
    for step in range(1, steps + 1):
        at = (start[0] + by[0] * step / steps, start[1] + by[1] * step / steps)
        touch("touchMove", first=at)
    return start[0] + by[0], start[1] + by[1]


def test_scrolling_the_hand_leaves_the_waiting_domino_on_the_table(
    people: People, server: Process
) -> None:
    page = table.sit(people, table.create(server, "gone"), phone=True)
    table.my_turn(page)
    aim_at_place(page)
    waiting = page.locator(".ghost.pinned")
    expect(waiting).to_be_attached()
    lies = waiting.inner_html()
    touch = open_touch(page)
    hand = page.locator(".hand.large")
    assert hand.evaluate("(one) => one.scrollWidth > one.clientWidth")
    at = box(page.locator(".held-face:not(.chosen)").nth(2)).middle
    end = drag(touch, at, (-120, 4))
    page.wait_for_function("document.querySelector('.hand.large').scrollLeft > 40")
    touch("touchEnd", first=end)
    expect(page.locator(".carried")).to_have_count(0)
    expect(waiting).to_be_attached()
    assert waiting.inner_html() == lies
    # Upwards, a domino of the hand still goes to the table.
    faces = boxes(page.locator(".held-face:not(.chosen)"))
    at = next(one for one in faces if one.lies_in(screen(page))).middle
    end = drag(touch, at, (3, -60))
    expect(page.locator("html.carrying")).to_have_count(1)
    touch("touchEnd", first=end)


def twist(touch: Any, middle: Point, degrees: int, apart: float = 120) -> None:
    """Two fingers around a point turn by so much, and are lifted."""

    def fingers(at: float) -> dict[str, Point]:
        x, y = (apart / 2 * part for part in (math.cos(at), math.sin(at)))
        return {
            "first": (middle[0] - x, middle[1] - y),
            "second": (middle[0] + x, middle[1] + y),
        }

    start = math.radians(20)
    touch("touchStart", first=fingers(start)["first"])
    touch("touchStart", **fingers(start))
    for step in range(1, 11):
        touch("touchMove", **fingers(start + math.radians(degrees) * step / 10))
    touch("touchEnd")


def wait_at_several_poses(page: Page) -> int:
    """Tap places until the domino waits at one with several poses: how many there are."""
    badge = page.locator(".ghost-controls .wide")
    for at in find_places(page):
        page.touchscreen.tap(*at)
        expect(page.locator(".ghost.pinned")).to_be_attached()
        found = re.search(r"1/(\d+)", badge.inner_text()) if badge.count() else None
        if found and int(found[1]) > 1:
            return int(found[1])
        page.keyboard.press("Escape")
    raise AssertionError("every place has one pose only")


@pytest.mark.parametrize(
    ("degrees", "turns"), daily([(90, 1), (-90, -1), (180, 2)], [(90, 1), (-90, -1)])
)
def test_a_quarter_turn_of_two_fingers_is_one_turn(
    people: People, degrees: int, turns: int
) -> None:
    page = people.arrive(phone=True)
    page.goto(POSITION)
    page.locator(".held-face:not(.stuck)").first.tap()
    count = wait_at_several_poses(page)
    twist(open_touch(page), box(page.locator(".board")).middle, degrees)
    badge = page.locator(".ghost-controls .wide")
    expect(badge).to_contain_text(f"{turns % count + 1}/{count}")
