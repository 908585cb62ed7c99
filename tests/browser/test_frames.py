"""Puzzle and Arlequin as they are seen: the stage, the middle, and what fits into a hole."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.browser import table
from tests.support.browser.frames import find_cell, find_floor
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.thoroughness import daily
from tests.support.waiting import wait_until_sync

IN_SIGHT = """(items) => {
  const { left, top, right, bottom } = items[0].parentElement.getBoundingClientRect();
  return items.map((one) => one.getBoundingClientRect()).filter((box) => box.left >= left - 1
    && box.top >= top - 1 && box.right <= right + 1 && box.bottom <= bottom + 1).length;
}"""


def puzzle(people: People, server: Process, **look: object) -> Page:
    new = table.create(server, "puzzle", seats=[None, None], guests=["Bob"])
    page = table.sit(people, new, **look)
    page.locator(".pool-item").first.wait_for()
    return page


@pytest.mark.parametrize("game", ["puzzle", "arlequin"])
def test_the_frame_takes_the_stage(people: People, server: Process, game: str) -> None:
    page = table.sit(people, table.create(server, game, seats=[None]))
    page.locator(".pool-item").first.wait_for()

    def share() -> float:
        frame, stage = find_floor(page), page.locator(".board").bounding_box()
        assert stage
        return max(frame["width"] / stage["width"], frame["height"] / stage["height"])

    # The board is fitted in the frame after its size is known.
    wait_until_sync(lambda: share() > 0.84, "a frame with its wood beside it, and little else")
    frame = find_floor(page)
    items = page.locator(".pool-item")
    seen = items.evaluate_all(IN_SIGHT)
    if game == "puzzle":
        assert seen >= 60
        assert frame["width"] / 4 >= 100
    else:
        assert seen == 40, "the whole pile"
        assert frame["width"] / 10 >= 55


def test_on_a_large_screen_the_whole_middle_is_seen(people: People, server: Process) -> None:
    page = puzzle(people, server)
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function("document.querySelector('.pool-grid').clientWidth > 700")
    expect(page.locator(".pool-item")).to_have_count(120)
    page.wait_for_function(
        f"() => ({IN_SIGHT})([...document.querySelectorAll('.pool-item')]) === 120"
    )


def hole(page: Page) -> Locator:
    return page.locator(".board .hole")


def fitting(page: Page) -> Locator:
    return page.locator(".pool-item.fits:not(.gone)")


@pytest.mark.parametrize("phone", daily([False, True], [True]))
def test_a_puzzle_hole_by_hole(people: People, server: Process, phone: bool) -> None:
    """Tap a hole, tap a domino that fits there, tap the tick: until nothing fits, or it is full."""
    page = puzzle(people, server, phone=phone)

    def tap(column: int, row: int) -> None:
        place = find_cell(page, column, row)
        (page.touchscreen.tap if phone else page.mouse.click)(*place)

    table.watch_board(page)
    tap(0, 0)
    expect(hole(page)).to_have_count(1)
    expect(page.locator(".status")).to_have_text(t("hole_fits", count=120))
    expect(page.locator(".pool-head")).to_contain_text(t("hole_fits", count=120))
    tap(0, 0)
    expect(hole(page)).to_have_count(0)
    expect(fitting(page)).to_have_count(0)
    laid = 0
    for row in range(4):
        for column in range(4):
            if f"{column},{row}" in taken(page):
                continue
            tap(column, row)
            expect(hole(page)).to_have_count(1)
            count = int(hole(page).text_content() or 0)
            expect(fitting(page)).to_have_count(count)
            if not count:
                expect(page.locator(".status")).to_have_text("No domino fits here.")
                tap(column, row)
                continue
            # The first ones in the middle are those that fit, as they would lie.
            first = page.locator(".pool-item:not(.gone)").first
            expect(first.locator(".pose")).to_have_count(1)
            first.click()
            expect(page.locator(".ghost.pinned")).to_be_attached()
            page.get_by_role("button", name=t("lay_here")).click()
            laid += 1
            expect(table.laid(page)).to_have_count(laid)
            assert f"{column},{row}" in taken(page)
            expect(hole(page)).to_have_count(0)
    assert laid >= 5
    assert len(table.boards(page)) == 1, "the frame has jumped"


def taken(page: Page) -> set[str]:
    """The cells of the frame where a domino lies."""
    found = set()
    for text in table.positions(page):
        place, _, rest = text.rpartition("@")
        x, y = map(int, rest.split(","))
        dx, dy = [(1, 0), (0, 1), (-1, 0), (0, -1)][int(place[-1])]
        found |= {f"{x},{y}", f"{x + dx},{y + dy}"}
    return found


def test_a_hole_by_keyboard_and_in_words(people: People, server: Process) -> None:
    page = puzzle(people, server)
    page.keyboard.press("o")
    expect(hole(page)).to_have_count(1)
    voice = page.locator("[aria-live]")
    said = t("hole_words", row=0, column=0, colours=t("hole_fits", count=120))
    expect(voice.filter(has_text=said).first).to_be_attached()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    label = page.evaluate("document.activeElement.ariaLabel")
    assert t("place_words", row=1, column=1, direction=t("direction_0")) in label
    page.keyboard.press("Enter")
    expect(page.locator(".ghost.pinned")).to_be_attached()
    page.keyboard.press("Enter")
    expect(table.laid(page)).to_have_count(1)
    assert "1,1" in taken(page)
    # For those who do not see the frame: its holes are in a list.
    page.get_by_text(t("frame_in_words")).click()
    asked = page.locator(".frame-words ul button").first
    asked.click()
    expect(asked).to_have_attribute("aria-pressed", "true")
    expect(hole(page)).to_have_count(1)
    page.get_by_role("button", name=t("hole_clear")).click()
    expect(hole(page)).to_have_count(0)
    page.keyboard.press("o")
    page.keyboard.press("Escape")
    expect(hole(page)).to_have_count(0)


def test_without_aids_no_hole_is_marked(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server, "puzzle", seats=[None], aids="none"))
    page.locator(".pool-item").first.wait_for()
    page.mouse.click(*find_cell(page, 1, 1))
    page.keyboard.press("o")
    expect(hole(page)).to_have_count(0)
    expect(fitting(page)).to_have_count(0)
