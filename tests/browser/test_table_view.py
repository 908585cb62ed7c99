"""What a player sees of the table: it stays where it is, and is large enough."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from dalapapa.client import Refused, Server
from tests.support.browser import table
from tests.support.browser.geometry import (
    DESK,
    SETTLED,
    TABLET,
    box,
    boxes,
    resize,
    wait_for_layout,
)
from tests.support.browser.people import People
from tests.support.browser.played_games import run_in_thread
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.waiting import wait_until_sync

SMALL_PHONE: ViewportSize = {"width": 360, "height": 640}
MIN_FACE = (110, 55)
MIN_TABLE_SHARE = 0.55


def make_mid_game(server: Process, dominoes: int, game: str = "classic") -> table.Table:
    """A game in which so many dominoes lie, and Ann has to lay the next one."""

    async def play() -> table.Table:
        async with Server(server.url) as at:
            new = await at.create(
                game=game, seats=[None, "greedy"], host="Ann", pace=0, options={"target": 240}
            )
            async with at.watch(new["id"], new["token"]) as seat:
                while True:
                    moves = await seat.legal(0)
                    lays = [move for move in moves if move["move"] == "lay"]
                    laid = len(seat.views["0"]["table"].split())
                    if laid >= dominoes and len({move["laying"][:5] for move in lays}) > 1:
                        return table.Table(new["id"], new["token"], game)
                    if not moves:
                        await seat.changed()
                        continue
                    ends = [move for move in moves if move["move"] == "end"]
                    try:
                        await seat.move((ends or lays or moves)[-1])
                    except Refused:
                        await seat.changed()

    return run_in_thread(play())


def watch_world(page: Page) -> None:
    """From now on, note where the table is drawn and how large."""
    page.evaluate(SETTLED)
    page.evaluate("""() => {
      const world = document.querySelector(".world");
      window.drawn = new Set([world.style.transform]);
      new MutationObserver(() => drawn.add(world.style.transform)).observe(world, {
        attributes: true, attributeFilter: ["style"],
      });
    }""")


def drawn(page: Page) -> list[str]:
    page.evaluate(SETTLED)
    found: list[str] = page.evaluate("() => [...window.drawn]")
    return found


def cell_size(page: Page) -> float:
    """The pixels of a cell of the table."""
    scale: float = page.evaluate(
        "new DOMMatrix(getComputedStyle(document.querySelector('.world')).transform).a"
    )
    turned: float = page.evaluate(
        "new DOMMatrix(getComputedStyle(document.querySelector('.world')).transform).b"
    )
    return 100 * max(abs(scale), abs(turned))


@pytest.mark.parametrize("motion", [False, True], ids=["still", "motion"])
def test_choosing_and_turning_never_move_the_table(
    people: People, server: Process, motion: bool
) -> None:
    page = table.sit(people, make_mid_game(server, 20), motion=motion)
    table.my_turn(page)
    expect(page.locator(".held-face").nth(3)).to_be_visible()
    watch_world(page)
    before = boxes(table.laid(page))
    for face in page.locator(".held-face").all():
        face.click()
        expect(face).to_have_attribute("aria-pressed", "true")
        for key in ("r", "f", "r", "Shift+R", "f", "ArrowRight", "ArrowDown", "ArrowLeft", "r"):
            page.keyboard.press(key)
            page.evaluate(SETTLED)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert len(drawn(page)) == 1, "the table has moved"
    assert boxes(table.laid(page)) == before
    # Every place of every face was in sight.
    board = box(page.locator(".board"))
    for face in page.locator(".held-face:not(.stuck)").all():
        face.click()
        for place in boxes(page.locator(".places rect")):
            assert place.lies_in(board)


def test_a_high_table_is_turned_and_large(people: People, server: Process) -> None:
    page = table.sit(people, make_mid_game(server, 26))
    page.set_viewport_size(DESK)
    table.my_turn(page)
    page.evaluate(SETTLED)
    upright = cell_size(page)
    page.keyboard.press("t")
    expect(page.locator(".world.turned")).to_be_visible()
    page.evaluate(SETTLED)
    assert max(upright, cell_size(page)) >= 44
    # Arrows walk as they point, and what is laid lies where it was shown.
    page.locator(".held-face:not(.stuck)").first.click()
    page.keyboard.press("ArrowRight")
    ghost = page.locator(".ghost .domino, .ghost").first
    expect(ghost).to_be_visible()
    at = box(ghost).middle
    page.keyboard.press("ArrowDown")
    page.evaluate(SETTLED)
    below = box(ghost).middle
    assert below == at or below[1] > at[1]
    count = table.laid(page).count()
    page.keyboard.press("Enter")
    expect(table.laid(page)).to_have_count(count + 1)
    assert box(table.laid(page).last).lies_in(box(page.locator(".board")))
    # The view is remembered.
    wait_until_sync(
        lambda: page.evaluate("JSON.stringify(sessionStorage)").count("turned") > 0, "a saved view"
    )
    page.reload()
    expect(page.locator(".world.turned")).to_be_visible()
    button = page.get_by_role("button", name=t("turn_table"))
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(page.locator(".world:not(.turned)")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 1440])
def test_faces_on_a_desktop_are_large_and_keep_their_size(
    people: People, server: Process, width: int
) -> None:
    new = table.create(server, seats=[None, None])
    bobs = server.ask(f"/tables/{new.id}/seats/1", name="Bob")["token"]
    ann = table.sit(people, new)
    bob = table.sit(people, table.Table(new.id, bobs, "classic"))
    for page in (ann, bob):
        page.set_viewport_size({"width": width, "height": 800})

    def faces(page: Page) -> list[tuple[int, int]]:
        page.evaluate(SETTLED)
        pictures = page.locator(":is(.held-face, .resting) .face")
        expect(pictures.first).to_be_visible()
        return sorted({(round(one.width), round(one.height)) for one in boxes(pictures)})

    table.play_turn(ann)
    table.play_turn(bob)
    table.my_turn(ann)
    own, waiting = faces(ann), faces(bob)
    assert own == waiting, "another player's turn changes the size of the hand"
    assert own[0][0] >= MIN_FACE[0]
    assert own[0][1] >= MIN_FACE[1]
    ann.evaluate("document.documentElement.style.fontSize = '125%'")
    assert faces(ann)[0][0] >= 1.1 * own[0][0], "the hand grows with the text"


def test_an_upright_tablet_has_a_row_for_a_large_hand(people: People, server: Process) -> None:
    page = table.sit(people, make_mid_game(server, 8), phone=True)
    page.set_viewport_size(TABLET)
    table.my_turn(page)
    page.evaluate(SETTLED)
    for face in boxes(page.locator(".held-face .face")):
        assert face.width >= 160
    hand, bar = box(page.locator(".hand")), box(page.locator(".turn-bar"))
    assert hand.width >= 0.9 * TABLET["width"]
    assert hand.top >= bar.bottom
    assert box(page.locator(".board")).height >= MIN_TABLE_SHARE * TABLET["height"]


@pytest.mark.parametrize("game", ["classic", "conquest", "72", "auction"])
def test_on_a_small_phone_the_table_has_most_of_the_screen(
    people: People, server: Process, game: str
) -> None:
    new = table.create(server, game, seats=[None, "random"])
    page = table.sit(people, new, phone=True)
    resize(page, SMALL_PHONE)
    table.my_turn(page)

    def has_most() -> None:
        assert box(page.locator(".board")).height >= MIN_TABLE_SHARE * SMALL_PHONE["height"]

    wait_for_layout(has_most)
    table.lay_by_keys(page)
    wait_for_layout(has_most)
    if game in ("classic", "conquest"):
        expect(page.get_by_role("button", name=t("show_side"))).to_contain_text("60")


def test_in_an_auction_on_a_small_phone_the_table_has_most_of_the_screen(
    people: People, server: Process
) -> None:
    new = table.create(server, "auction", seats=[None, None])
    bobs = server.ask(f"/tables/{new.id}/seats/1", name="Bob")["token"]
    ann = table.sit(people, new, phone=True)
    bob = table.sit(people, table.Table(new.id, bobs, "auction"), phone=True)
    for page in (ann, bob):
        resize(page, SMALL_PHONE)

    def check(page: Page) -> None:
        page.evaluate(SETTLED)
        assert box(page.locator(".board")).height >= MIN_TABLE_SHARE * SMALL_PHONE["height"]
        tray = page.locator(".room-tray")
        for button in page.locator(".game-panel :is(button, input)").all():
            assert box(button).lies_in(box(tray))

    table.play_turn(ann)
    table.play_turn(bob)
    table.my_turn(ann)
    expect(bob.locator(".bid-field")).to_be_visible()
    for page in (ann, bob):
        check(page)
    table.commit(bob.locator(".bid-field .primary"))
    expect(ann.locator(".answers")).to_be_visible()
    for page in (ann, bob):
        check(page)
    table.commit(ann.locator(".answers .primary"))
    expect(bob.locator(".answers")).to_be_visible()
    for page in (ann, bob):
        check(page)


def test_a_small_table_is_shown_larger_below_a_carried_domino(
    people: People, server: Process
) -> None:
    page = table.sit(people, make_mid_game(server, 30), phone=True)
    resize(page, SMALL_PHONE)
    table.my_turn(page)
    page.evaluate(SETTLED)
    small = cell_size(page)
    assert small < 28
    face = box(page.locator(".held-face:not(.stuck)").first).middle
    board = box(page.locator(".board")).middle
    device = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        found: list[dict[str, Any]] = [{"x": x, "y": y, "id": 1} for x, y in points]
        device.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": found})

    touch("touchStart", face)
    for part in (0.2, 0.5, 0.8, 1.0):
        point = (face[0] + part * (board[0] - face[0]), face[1] + part * (board[1] - face[1]))
        touch("touchMove", point)
    wait_until_sync(lambda: cell_size(page) >= 28, "a table that is shown larger")
    # Back to the hand, or given up: the whole table again.
    touch("touchCancel")
    wait_until_sync(lambda: abs(cell_size(page) - small) < 0.5, "the whole table again")
