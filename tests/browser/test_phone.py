"""A telephone of 360 pixels, and one finger."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser import table
from tests.support.browser.people import PHONE, People
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.browser.touch import aim_at_place, find_middle, find_place, take_domino


def test_a_turn_with_one_finger(people: People) -> None:
    page = people.arrive(phone=True)
    page.goto("/")
    page.get_by_role("button", name=t("play_now"), exact=True).first.tap()
    page.wait_for_url(re.compile("/t/"))
    for turn in range(3):
        table.my_turn(page)
        aim_at_place(page)
        before = table.laid(page).count()
        page.get_by_role("button", name=t("lay_here")).tap()
        expect(table.laid(page)).not_to_have_count(before)
        if turn:
            end = page.get_by_role("button", name=t("end_turn"))
            end.tap()
            expect(end).to_have_count(0)


def test_dragging_moves_the_table_and_lays_nothing(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server), phone=True)
    table.play_turn(page)
    table.my_turn(page)
    before = table.positions(page)
    page.locator(".held-face:not(.stuck)").first.tap()
    domino = table.laid(page).first
    x, y = find_middle(page.locator(".board"))
    was = find_middle(domino)
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": px, "y": py, "id": number} for number, (px, py) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x + 8 * step, y + 6 * step))
    touch("touchEnd")
    assert find_middle(domino) != was
    assert table.positions(page) == before
    expect(page.locator(".ghost.pinned")).to_have_count(0)

    wide = domino.bounding_box()["width"]  # type: ignore[index]
    touch("touchStart", (x - 20, y), (x + 20, y))
    for step in range(1, 6):
        touch("touchMove", (x - 20 - 6 * step, y), (x + 20 + 6 * step, y))
    touch("touchEnd")
    assert domino.bounding_box()["width"] > wide  # type: ignore[index]


def test_everything_is_large_enough_for_a_finger(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server), phone=True)
    table.play_turn(page)
    table.my_turn(page)
    take_domino(page)
    page.touchscreen.tap(*find_place(page))
    page.get_by_role("button", name=t("lay_here")).wait_for()
    small = page.locator("button:visible, select:visible").evaluate_all(
        """(all) => all.map((one) => [one.ariaLabel || one.innerText, one.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.width < 40 || box.height < 40))
        .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)"""
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_where_it_fits_comes_into_sight(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server), phone=True)
    for _ in range(3):
        table.play_turn(page)
    table.my_turn(page)
    take_domino(page)
    find_place(page)
    # Moved away by hand, the table stays there, until the ghost is somewhere else.
    page.mouse.move(*find_middle(page.locator(".board")))
    page.mouse.wheel(2000, 0)
    expect(page.locator(".places rect").first).not_to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ghost.pinned .wood")).to_be_in_viewport(ratio=0.99)
    # The button and the key show the same: everything, and where it fits.
    page.get_by_role("button", name=t("fit_all")).tap()
    expect(page.locator(".places rect").first).to_be_in_viewport()
    expect(page.locator(".world")).not_to_have_class(re.compile("moving"))
    everything = page.locator(".world").get_attribute("style")
    page.mouse.wheel(2000, 0)
    expect(page.locator(".places rect").first).not_to_be_in_viewport()
    page.keyboard.press("0")
    expect(page.locator(".world")).to_have_attribute("style", str(everything))


def test_on_its_side_the_table_is_high_and_all_is_in_sight(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server), phone=True)
    page.set_viewport_size({"width": 844, "height": 390})
    table.play_turn(page)
    table.my_turn(page)
    table.lay_by_keys(page)
    expect(page.get_by_role("button", name=t("end_turn"))).to_be_in_viewport(ratio=0.99)
    expect(page.locator(".hand")).to_be_in_viewport(ratio=0.99)
    assert page.locator(".board").bounding_box()["height"] >= 250  # type: ignore[index]
    for path in ("/analysis", "/solver"):
        page.goto(path)
        expect(page.locator(".study-side h1")).to_be_attached()
        assert page.locator(".study-board").bounding_box()["height"] >= 250  # type: ignore[index]
