"""Gone for children: who plays is asked first, and a table at one screen stays in sight."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Request, expect

from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t


def test_gone_asks_for_names_and_ages_first(people: People) -> None:
    page = people.arrive()
    page.goto("/new/gone")
    ages = page.get_by_role("group", name=t("option_ages"))
    fields = ages.get_by_role("spinbutton")
    expect(fields).to_have_count(2)
    expect(fields.first).to_have_value("6")
    # Before everything else that can be agreed on.
    more = page.get_by_text(t("more_options"))
    assert ages.bounding_box()["y"] < more.bounding_box()["y"]  # type: ignore[index]
    fields.nth(0).fill("5")
    fields.nth(1).fill("43")
    page.get_by_role("button", name=t("one_player_more")).click()
    expect(fields).to_have_count(3)
    expect(fields.nth(1)).to_have_value("43")
    for seat in (2, 3):
        page.get_by_label(t("seat_number", number=seat), exact=True).select_option("guest")
        page.get_by_label(t("guest_name", number=seat), exact=True).fill(("Anna", "Bo")[seat - 2])
    with page.expect_request("**/api/tables") as sent:
        page.get_by_role("button", name=t("start"), exact=True).click()
    assert read_body(sent.value)["options"] == {"ages": [5, 43, 6]}
    # Five dominoes, nine, and six; the name with most letters a begins.
    expect(page.get_by_role("heading", name=t("pass_device", name="Anna"))).to_be_visible()


def read_body(request: Request) -> Any:
    """The JSON that a page has sent."""
    return request.post_data_json


def test_markers_of_72_are_asked_with_the_players(people: People) -> None:
    page = people.arrive()
    page.goto("/new/72")
    colours = page.get_by_role("group", name=t("option_colours")).get_by_role("combobox")
    expect(colours).to_have_count(2)
    expect(colours.first).to_have_value("black")
    colours.first.select_option("brown")
    # Who had it gets the other one.
    expect(colours.nth(1)).to_have_value("black")
    page.get_by_label(t("seat_number", number=2), exact=True).select_option("novice")
    with page.expect_request("**/api/tables") as sent:
        page.get_by_role("button", name=t("start"), exact=True).click()
    assert read_body(sent.value)["options"] == {"colours": ["brown", "black"]}
    expect(page.locator(".mark-icon.marker-brown").first).to_be_visible()


@pytest.mark.parametrize("phone", [False, True])
def test_only_the_hand_is_covered_between_players(
    people: People, server: Process, phone: bool
) -> None:
    new = table.create(server, seats=[None, None], guests=["Bob"])
    page = table.sit(people, new, phone=phone)
    for name in ("Ann", "Bob"):
        uncover = page.get_by_role("button", name=t("i_am_here", name=name))
        table.commit(uncover)
        table.play_turn(page)
    covered = page.locator(".privacy")
    expect(covered).to_be_visible()
    # The table with the last turn, and no hand.
    expect(table.laid(page)).to_have_count(2)
    expect(page.locator(".board .outlined.last")).to_have_count(1)
    expect(page.locator(".held-face")).to_have_count(0)
    board, cover = page.locator(".board").bounding_box(), covered.bounding_box()
    assert board
    assert cover
    assert (
        cover["y"] >= board["y"] + board["height"] - 1
        or cover["x"] >= board["x"] + board["width"] - 1
    )


def test_gone_reads_a_hint_aloud(people: People, server: Process) -> None:
    """A child who cannot read hears what to do, and sees where the domino fits."""
    new = table.create(server, "gone", seats=[None, "child"], options={"names": ["Anna", "Bo"]})
    page = people.arrive(tables=new.known)
    page.add_init_script(
        "window.said = []; speechSynthesis.speak = ({ text, lang }) => said.push([text, lang]);"
    )
    page.goto(new.path)
    table.my_turn(page)
    page.get_by_role("button", name=t("listen"), exact=True).click()
    expect(page.locator(".ghost.pinned")).to_be_attached()
    ((text, language),) = page.evaluate("said")
    assert language == "en"
    assert text.startswith(t("gone_hint"))
    assert text.endswith((t("gone_one"), t("gone_two"), t("gone_three")))


def test_arlequin_reads_aloud_what_is_expected(people: People, server: Process) -> None:
    new = table.create(server, "arlequin", seats=[None])
    page = people.arrive(tables=new.known)
    page.add_init_script("window.said = []; speechSynthesis.speak = ({ text }) => said.push(text);")
    page.goto(new.path)
    page.locator(".pool-item").first.wait_for()
    page.get_by_role("button", name=t("listen"), exact=True).click()
    assert page.evaluate("said") == [t("arlequin_empty")]


def test_a_figure_without_a_place_is_filled(people: People, server: Process) -> None:
    """The first domino lies anywhere in the field; then the field narrows to the figure."""
    new = table.create(server, "puzzle", seats=[None], options={"figure": "heart", "place": "free"})
    page = table.sit(people, new)
    page.locator(".pool-item").first.wait_for()
    box = page.locator(".board .frame-floor").bounding_box()
    assert box
    page.locator(".pool-item").first.click()
    page.mouse.click(box["x"] + box["width"] * 0.55, box["y"] + box["height"] * 0.55)
    expect(table.laid(page)).to_have_count(1)
    # No rectangle any more: all cells that the heart may still have.
    expect(page.locator(".board path.frame-floor")).to_have_count(1)
    page.get_by_role("button", name=t("show_place")).click()
    expect(page.locator(".ghost.pinned")).to_be_attached()
    page.get_by_role("button", name=t("lay_here")).click()
    expect(table.laid(page)).to_have_count(2)


def test_nothing_is_marked_and_nothing_taken_back_while_showing(
    people: People, server: Process
) -> None:
    new = table.create(server, "alex", seats=[None, None], guests=["Bob"])
    page = table.sit(people, new)
    page.get_by_text(t("no_announcements")).wait_for()
    moves = f"/tables/{new.id}/moves"
    announce = {"move": "announce", "player": 0, "announced": 1, "round": 1}
    server.ask(moves, move=announce, token=new.token)
    pass_on = {"move": "no_more", "player": 1, "announced": 1, "round": 1}
    server.ask(moves, move=pass_on, token=new.token)
    expect(page.locator(".held-face").first).to_be_visible()
    page.locator(".held-face").first.click()
    expect(page.locator(".board .places rect")).to_have_count(0)
    table.lay_by_keys(page)
    expect(page.get_by_role("button", name=t("end_showing"))).to_be_visible()
    expect(page.get_by_role("button", name=t("undo"))).to_have_count(0)
