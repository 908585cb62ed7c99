"""Where things are on a screen: sizes of screens, and what lies over what."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from playwright.sync_api import Locator, Page, ViewportSize

from tests.support.browser.people import WAIT
from tests.support.browser.table import PAINTED

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}
LARGE_PHONE: ViewportSize = {"width": 390, "height": 844}
PHONE_SIDEWAYS: ViewportSize = {"width": 740, "height": 360}
TABLET: ViewportSize = {"width": 820, "height": 1180}
SCREENS = {
    "desk": DESK,
    "phone": PHONE,
    "large-phone": LARGE_PHONE,
    "phone-sideways": PHONE_SIDEWAYS,
    "tablet": TABLET,
}

FINGER = 44
"""The least width and height of what a finger aims at, in pixels (`--touch`)."""


class Box(NamedTuple):
    """A part of the screen, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def overlaps(self, other: Box) -> bool:
        """Whether they share more than a line of rounding."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > 0.5 and down > 0.5

    def lies_in(self, other: Box) -> bool:
        return (
            self.left >= other.left - 0.5
            and self.top >= other.top - 0.5
            and self.right <= other.right + 0.5
            and self.bottom <= other.bottom + 0.5
        )


def box(locator: Locator) -> Box:
    """Where an element is."""
    found = locator.bounding_box()
    assert found, f"{locator} is not shown"
    left, top = found["x"], found["y"]
    return Box(left, top, left + found["width"], top + found["height"])


RESTING = f"""async (element) => {{
  const measure = () => {{
    const {{ left, top, right, bottom }} = element.getBoundingClientRect();
    return [left, top, right, bottom];
  }};
  await document.fonts.ready;
  for (let before = measure(); ; ) {{
    await ({PAINTED})();
    const now = measure();
    if (now.join() === before.join()) return now;
    before = now;
  }}
}}"""
"""Where an element is, once it has not moved while the page was painted twice."""


def resting_box(locator: Locator) -> Box:
    """Where an element is when it rests: what a pointer must know before it goes there."""
    left, top, right, bottom = locator.evaluate(RESTING)
    return Box(left, top, right, bottom)


def boxes(locator: Locator) -> list[Box]:
    """Where all elements are."""
    return [box(one) for one in locator.all()]


def screen(page: Page) -> Box:
    size = page.viewport_size
    assert size
    return Box(0, 0, size["width"], size["height"])


TEXT = """(one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  const { left, top, right, bottom } = range.getBoundingClientRect();
  const { left: from, right: to } = one.getBoundingClientRect();
  return [Math.max(left, from), top, Math.min(right, to), bottom];
}"""


def text_box(locator: Locator) -> Box:
    """Where the letters of an element are, which may be wider than they are."""
    return Box(*locator.evaluate(TEXT))


REACHED = """(one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return one === hit || one.contains(hit);
}"""


def is_reached(locator: Locator) -> bool:
    """Whether a tap on its middle hits it, and nothing that lies over it."""
    found: bool = locator.evaluate(REACHED)
    return found


def resize(page: Page, size: ViewportSize) -> None:
    """Give the page another size, and wait until it is drawn so."""
    page.set_viewport_size(size)
    page.evaluate(SETTLED)


SETTLED = """async () => {
  const ends = (one) => one.effect.getComputedTiming().endTime < Infinity;
  const ended = document.getAnimations().filter(ends)
    .map(({ finished }) => finished.catch(() => null));
  await Promise.all(ended);
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""
"""Until what moves or changes its colour has done so, and what was out of sight is drawn again."""


def wait_for_layout(check: Callable[[], None]) -> None:
    """Make assertions again and again until they hold: a page is drawn some time after a tap."""
    until = time.monotonic() + WAIT / 1000
    while True:
        try:
            return check()
        except AssertionError:
            if time.monotonic() > until:
                raise
        time.sleep(0.05)  # Between two looks.


def assert_touchable(page: Page, locator: Locator, least: float = FINGER) -> None:
    """Each of the elements is on the screen, large enough for a finger, and not covered."""

    def check() -> None:
        assert locator.count(), f"there is no {locator}"
        for one in locator.all():
            found = box(one)
            name = one.get_attribute("aria-label") or one.inner_text()
            assert found.lies_in(screen(page)), f"{name} is off the screen: {found}"
            assert min(found.width, found.height) >= least - 0.5, f"{name} is small: {found}"
            assert is_reached(one), f"{name} is covered: {found}"

    wait_for_layout(check)


def assert_apart(locator: Locator) -> None:
    """No two of the elements lie over each other."""

    def check() -> None:
        found = boxes(locator)
        pairs = [(a, b) for i, a in enumerate(found) for b in found[:i] if a.overlaps(b)]
        assert pairs == []

    wait_for_layout(check)
