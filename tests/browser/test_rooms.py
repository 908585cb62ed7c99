"""Every page and state in every look: no barrier that axe-core knows of, and a picture to look at.

The pictures are in `build/screenshots`; `make pictures` takes them.
"""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.accessibility import CHECK, load_axe
from tests.support.browser.geometry import SETTLED
from tests.support.browser.people import PHONE, People
from tests.support.browser.process import Process
from tests.support.browser.rooms import LOOKS, ROOMS, SAME_ON_A_PHONE, SEEN_ELSEWHERE
from tests.support.paths import ROOT

PICTURES = ROOT / "build" / "screenshots"

CHANGE = """(settings) => {
  for (const [name, newValue] of Object.entries(settings)) {
    dispatchEvent(new StorageEvent("storage", { key: `dalapapa.setting.${name}`, newValue }));
  }
}"""
"""As if these settings had been changed in another tab."""


SELDOM = {"light": SEEN_ELSEWHERE, "phone": SAME_ON_A_PHONE}

SEEN = [
    pytest.param(
        room, look,
        id=f"{room}-{look}",
        marks=[pytest.mark.thorough] if room in SELDOM[look] else [],
    )
    for room in ROOMS
    for look in LOOKS
]  # fmt: skip


@pytest.mark.parametrize(("room", "look"), SEEN)
def test_a_room(people: People, server: Process, finished: str, room: str, look: str) -> None:
    page = ROOMS[room](people, server, finished, LOOKS[look])
    page.wait_for_load_state("networkidle")
    shoot(page, f"{room}.{look}")
    if look == "phone":
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.evaluate(load_axe())
    assert not page.evaluate(CHECK)
    if look == "light":  # The same page in the evening: colours are all that changes.
        page.emulate_media(color_scheme="dark")
        expect(page.locator("html[data-theme=dark]")).to_be_attached()
        page.evaluate(SETTLED)
        shoot(page, f"{room}.dark")
        assert not page.evaluate(CHECK, ["color-contrast"])
        if "PICTURES" in os.environ:  # For the eye alone: nothing but the discs looks different.
            page.emulate_media(color_scheme="light")
            page.evaluate(CHANGE, {"palette": '"red-green"', "symbols": "true"})
            expect(page.locator("html[data-theme=light]")).to_be_attached()
            shoot(page, f"{room}.colour-blind")


def shoot(page: Page, name: str) -> None:
    if "PICTURES" not in os.environ:
        return
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")
