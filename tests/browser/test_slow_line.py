"""A move on a slow line: seen at once, made once; and places without a question."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from tests.support.browser import table
from tests.support.browser.geometry import resting_box
from tests.support.browser.held_socket import Held
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t


def test_a_move_is_seen_at_once_and_made_once(people: People, server: Process) -> None:
    new = table.create(server)
    page = people.arrive(tables=new.known)
    line = Held(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(new.path)
    table.my_turn(page)
    before = table.laid(page).count()
    line.held = True
    page.keyboard.press("ArrowRight")
    # The key is held: it lays once, and does not end the turn that it has begun.
    page.keyboard.down("Enter")
    for _ in range(3):
        page.keyboard.down("Enter")
    expect(page.locator(".board .sent-domino")).to_have_count(1)
    expect(page.locator(".held")).to_have_count(0)
    expect(page.locator(".room-tray")).to_have_attribute("aria-busy", "true")
    assert table.laid(page).count() == before
    page.keyboard.up("Enter")
    page.keyboard.press("Enter")
    page.keyboard.press("e")
    line.expect(lay=1)
    line.release()
    expect(page.locator(".board .sent-domino")).to_have_count(0)
    expect(page.locator(".room-tray")).to_have_attribute("aria-busy", "false")
    assert table.laid(page).count() > before
    assert line.moves("lay") == 1
    assert line.moves("end") == 0
    # What may be done came with the table.
    assert not any('"legal"' in one for one in line.said)
    assert not any(url.endswith("/api/legal") for url in asked)


AT_ONCE = """(keys) => {
  for (const key of keys) {
    const press = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(press);
  }
}"""
"""Keys that are pressed sooner than anything can be drawn."""


def test_a_race_goes_on_while_the_server_is_silent(people: People, server: Process) -> None:
    new = table.create(server, "puzzle", seats=[None])
    page = people.arrive(tables=new.known)
    line = Held(page)
    page.goto(new.path)
    free = page.locator(".pool-item:not(.gone):not(.held-here)")
    expect(free.first).to_be_visible()
    line.held = True
    free.first.click()
    expect(page.locator(".board .places rect").first).to_be_attached()
    # Another one instead, as slowly as people click twice; and not back again.
    free.first.dblclick(delay=100)
    expect(page.locator(".held")).to_have_count(1)
    line.expect(take=2, put_back=1)
    page.evaluate(AT_ONCE, ["ArrowRight", "Enter"])
    expect(page.locator(".board .sent-domino")).to_have_count(1)
    line.release()
    expect(page.locator(".board .sent-domino")).to_have_count(0)
    expect(table.laid(page)).to_have_count(1)
    expect(page.locator(".notice")).to_have_count(0)


def test_the_result_takes_no_stray_key(people: People, server: Process) -> None:
    new = table.create(server, "puzzle", seats=[None])
    page = people.arrive(tables=new.known)
    page.goto(new.path)
    page.get_by_role("button", name=t("give_up")).click()
    page.locator("dialog").get_by_role("button", name=t("give_up")).click()
    dialog = page.locator("dialog.result")
    expect(dialog).to_be_visible()
    expect(dialog.locator("> span")).to_be_focused()  # No button has the focus.
    page.keyboard.press("Enter")
    page.keyboard.press(" ")
    expect(dialog).to_be_visible()
    assert page.url.endswith(new.path), "no rematch was asked for"


def test_a_double_tap_announces_once(people: People, server: Process) -> None:
    """In Alex the button offers the next number at once, to the next one at the same screen."""
    new = table.create(server, "alex", seats=[None, None], guests=["Bob"])
    page = people.arrive(tables=new.known)
    line = Held(page)
    page.goto(new.path)
    announce = page.locator(".announcing button[type=submit]")
    announce.dblclick()
    expect(page.locator(".announcements li")).to_have_count(1)
    expect(announce).to_be_enabled()
    line.expect(announce=1)
    assert page.locator(".notice").count() == 0


def drag_to_frame(page: Page, domino: Locator) -> None:
    """Press on a domino and drag it to the middle of the frame; the mouse button stays down."""
    start, board = resting_box(domino), resting_box(page.locator(".board"))
    page.mouse.move(start.middle[0], start.top + start.height / 4)
    page.mouse.down()
    page.mouse.move(*board.middle, steps=5)


def test_a_dragged_domino_that_another_player_took_is_dropped_with_a_word(
    people: People, server: Process
) -> None:
    new = table.create(server, "puzzle", seats=[None, None])
    seat = server.ask(f"/tables/{new.id}/seats/1", name="Bob")
    bob = table.sit(people, table.Table(new.id, seat["token"], new.game))
    ann = people.arrive(tables=new.known)
    line = Held(ann)
    ann.goto(new.path)
    domino = ann.locator(".pool-item").first
    expect(domino).to_be_visible()
    name = domino.get_attribute("data-tile")
    line.held = True
    bob.locator(f".pool-item[data-tile={name}]").click()
    expect(bob.locator(f".held-face[data-tile={name}]").first).to_be_visible()
    expect(bob.locator("[aria-busy=true]")).to_have_count(0)
    drag_to_frame(ann, domino)
    expect(ann.locator(".ghost-domino")).to_be_attached()
    line.expect(take=1)
    line.release()
    # The button of the mouse is still down.
    expect(ann.locator(".notice")).to_contain_text(t("refused_taken"))
    expect(ann.locator(".ghost-domino, .carried, html.carrying")).to_have_count(0)
    expect(ann.locator(".held-face")).to_have_count(0)
    ann.mouse.up()
    expect(ann.locator(".carried")).to_have_count(0)
    # The next domino can be dragged and laid.
    drag_to_frame(ann, ann.locator(".pool-item:not(.gone)").first)
    ann.mouse.up()
    expect(table.laid(ann)).to_have_count(1)
