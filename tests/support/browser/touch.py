"""Dominoes and places under a finger."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.support.browser import table
from tests.support.browser.geometry import resting_box
from tests.support.browser.texts import t


def find_middle(locator: Locator) -> tuple[float, float]:
    return resting_box(locator).middle


FREE = """() => {
  const boxes = [...document.querySelectorAll(".places rect")]
    .map((one) => one.getBoundingClientRect());
  const [before, now] = [window.before, boxes.map(({ x, y }) => [x, y]).join()];
  window.before = now;
  return now === before && boxes
    .map(({ x, y, width, height }) => document.elementFromPoint(x + width / 2, y + height / 2))
    .every((seen) => seen?.closest(".board") && !seen.closest("button"));
}"""
"""The table is at rest, and nothing lies over a place where the domino in hand fits."""


TAKEN = """() => document.querySelector(".places rect")
  || !document.querySelector(".held-face.chosen")"""
"""The places for the domino in hand are shown, or no domino is in hand."""


def take_domino(page: Page) -> None:
    """Touch a domino that fits; touch again if the table has changed under the finger."""
    chosen, places = page.locator(".held-face.chosen"), page.locator(".places rect")
    for _ in table.attempts(page, "a domino that is taken"):
        if not chosen.count():
            page.locator(".held-face:not(.stuck)").first.tap()
            page.evaluate(table.PAINTED)
        page.wait_for_function(TAKEN)
        if places.count():
            return


def find_place(page: Page) -> tuple[float, float]:
    """Find a point of the screen where the domino in hand fits, when all are in sight."""
    page.wait_for_function(FREE)
    return find_middle(page.locator(".places rect").first)


def aim_at_place(page: Page) -> None:
    """Touch a domino and a place for it; touch again if the table has moved under the finger."""
    lay = page.get_by_role("button", name=t("lay_here"))
    for _ in table.attempts(page, "a place that is aimed at"):
        take_domino(page)
        page.touchscreen.tap(*find_place(page))
        page.evaluate(table.PAINTED)
        if page.locator(".ghost.pinned").count():
            expect(lay).to_be_visible()
            return


POSITION = "/analysis#p=PRYGB+0@0,0_BYRGB+0@0,-1&h=CRYGB,ZYRBG"


Point = tuple[float, float]


AT_REST = """async () => {
  const drawn = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  const seen = () => [...document.querySelectorAll(".places rect")]
    .map((one) => one.getBoundingClientRect())
    .map(({ x, y, width, height }) => [x + width / 2, y + height / 2]);
  let now = seen();
  for (let same = 0; same < 3; ) {
    await drawn();
    const before = String(now);
    now = seen();
    same = String(now) === before ? same + 1 : 0;
  }
  return now;
}"""
"""Where places are, once they have stayed for three frames: the table makes room for new ones."""


def find_places(page: Page) -> list[Point]:
    """Find where the domino in hand fits, when the table is at rest."""
    expect(page.locator(".places rect").first).to_be_attached()
    expect(page.locator(".world")).not_to_have_class(re.compile("moving"))
    found: list[Point] = page.evaluate(AT_REST)
    return found


def open_touch(page: Page) -> Any:
    session = page.context.new_cdp_session(page)

    def touch(kind: str, **fingers: Point) -> None:
        """The named fingers are pressed, moved or lifted."""
        ids = {"first": 0, "second": 1}
        points = [{"x": x, "y": y, "id": ids[name]} for name, (x, y) in fingers.items()]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    return touch
