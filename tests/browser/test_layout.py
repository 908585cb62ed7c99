"""Geometry on phones, tablets and desks: what is needed is in sight, apart and large enough."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.support.browser import table
from tests.support.browser.geometry import (
    DESK,
    FINGER,
    LARGE_PHONE,
    PHONE,
    PHONE_SIDEWAYS,
    SCREENS,
    SETTLED,
    TABLET,
    assert_apart,
    assert_touchable,
    box,
    boxes,
    resize,
    screen,
    text_box,
    wait_for_layout,
)
from tests.support.browser.people import WAIT, People
from tests.support.browser.process import Process
from tests.support.browser.texts import LANGUAGES, t
from tests.support.thoroughness import daily
from tests.support.waiting import wait_until_sync

EVERY_DAY = ("phone", "tablet")


def open_table(
    people: People, server: Process, size: ViewportSize, game: str, **settings: object
) -> Page:
    """A table at a size, by touch unless it is a desk."""
    new = table.create(server, game, **settings)
    page = people.arrive(tables=new.known, phone=size != DESK)
    page.set_viewport_size(size)
    page.goto(new.path)
    return page


@pytest.mark.parametrize("name", daily(SCREENS, EVERY_DAY))
@pytest.mark.parametrize("game", daily(["puzzle", "arlequin"], ["puzzle"]))
def test_the_buttons_of_the_colour_filter_lie_apart(
    people: People, server: Process, game: str, name: str
) -> None:
    page = open_table(people, server, SCREENS[name], game, seats=[None])
    page.locator(".edge-filter summary").click()
    edges = page.locator(".edge[data-edge]")
    expect(edges).to_have_count(6)
    assert_touchable(page, edges)
    assert_apart(edges)

    # Two above, one at each end, two below.
    def lie_as_on_a_domino() -> None:
        at = {str(one.get_attribute("data-edge")): box(one) for one in edges.all()}
        assert at["nw"].top == at["ne"].top < at["w"].top == at["e"].top
        assert at["e"].top < at["sw"].top == at["se"].top
        assert at["w"].left < at["nw"].left == at["sw"].left < at["ne"].left < at["e"].left

    wait_for_layout(lie_as_on_a_domino)
    for one in edges.all():
        one.click()
    clear = page.get_by_role("button", name=t("filter_clear"))
    assert_touchable(page, clear)
    assert_apart(page.locator(".edge"))
    clear.click()
    expect(clear).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, LARGE_PHONE], ids=["phone", "large-phone"])
@pytest.mark.parametrize("game", daily(["puzzle", "arlequin"], ["puzzle"]))
def test_a_held_domino_can_be_put_back_by_touch(
    people: People, server: Process, game: str, size: ViewportSize
) -> None:
    page = open_table(people, server, size, game, seats=[None])
    page.locator(".pool-item").first.tap()
    expect(page.locator(".held-face")).to_have_count(2)
    parts = page.locator(".race-hand :is(button)")
    assert_touchable(page, parts, 40)
    assert_apart(parts)
    back = page.locator(".put-back")
    assert_touchable(page, back)
    wait_until_sync(lambda: text_box(back).lies_in(box(back)), "a button as large as its words")
    back.tap()
    expect(page.locator(".held-face")).to_have_count(0)


def test_beside_show_the_solution_a_tap_shows_nothing(people: People) -> None:
    page = people.arrive(phone=True)
    page.goto("/problem?date=2026-11-14")
    show = page.get_by_role("button", name=t("problem_show"))
    show.wait_for()
    for size in (PHONE, TABLET):
        resize(page, size)
        wait_until_sync(
            lambda: box(show).right <= text_box(show).right + 16, "a button as wide as its words"
        )
        words = text_box(show)
        page.touchscreen.tap(words.right + 40, words.middle[1])
    expect(show).to_be_visible()
    show.tap()
    expect(show).to_have_count(0)


ALIKE = [{"name": f"T{i}", "recto": "YYGRYRR", "verso": "BBGRBGG"} for i in range(40)]
"""Dominoes that make every game the same, with many groups after three turns."""


def open_with_many_groups(people: People, server: Process, size: ViewportSize) -> Page:
    """A game of Conquest in which more groups may be marked than fit beside each other."""
    page = open_table(people, server, size, "conquest", options={"set": ALIKE})
    for _ in range(2):
        table.play_turn(page)
    table.my_turn(page)
    table.lay_by_keys(page)
    expect(page.locator(".choosing-marks .chip").nth(5)).to_be_attached()
    return page


@pytest.mark.parametrize(
    "name", daily([one for one in SCREENS if one != "desk"], ["phone-sideways"])
)
def test_a_mark_is_confirmed_however_many_groups_there_are(
    people: People, server: Process, name: str
) -> None:
    page = open_with_many_groups(people, server, SCREENS[name])
    chips = page.locator(".choosing-marks .chip")
    chips.first.tap()
    confirm = page.locator(".choosing-marks .primary")
    assert_touchable(page, confirm)
    chips.last.scroll_into_view_if_needed()
    chips.last.tap()
    assert_touchable(page, confirm)
    end = page.get_by_role("button", name=t("end_turn"))
    wait_until_sync(lambda: not box(confirm).overlaps(box(end)), "buttons that lie apart")
    confirm.tap()
    ann = page.get_by_role("list", name=t("players")).get_by_role("listitem").first
    expect(ann.get_by_role("img", name=t("marks_left", count=2))).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, PHONE_SIDEWAYS], ids=["phone", "phone-sideways"])
def test_the_table_keeps_its_room_beside_an_open_log(
    people: People, server: Process, size: ViewportSize
) -> None:
    page = open_table(people, server, size, "classic")
    table.play_turn(page)
    table.my_turn(page)
    page.get_by_role("button", name=t("show_side")).tap()
    expect(page.locator(".log li").first).to_be_visible()
    close = page.get_by_role("button", name=t("close"), exact=True)
    assert_touchable(page, close)
    board, log = page.locator(".board"), page.locator(".log")

    def share_the_screen() -> None:
        assert box(log).overlaps(box(page.locator(".room-side")))
        assert box(board).lies_in(screen(page))
        assert box(board).height >= 0.23 * size["height"]
        assert box(log).top + 1.5 * FINGER <= box(close).top, "it is read"

    wait_for_layout(share_the_screen)
    with_log = box(board).height
    # The turn goes on with the log open.
    before = table.laid(page).count()
    table.lay_by_keys(page)
    expect(table.laid(page)).to_have_count(before + 1)
    wait_for_layout(share_the_screen)
    close.tap()
    expect(close).to_have_count(0)
    wait_until_sync(lambda: box(board).height >= with_log, "a board that is no smaller")


@pytest.mark.parametrize("size", [DESK, PHONE, TABLET], ids=["desk", "phone", "tablet"])
def test_names_and_scores_stay_apart_at_twice_the_text_size(
    people: People, server: Process, size: ViewportSize
) -> None:
    new = table.create(server, host="Player 1")
    page = people.arrive(tables=new.known, phone=size != DESK)
    page.set_viewport_size(size)
    page.goto(new.path)
    page.locator(".score").first.wait_for()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.evaluate(SETTLED)

    def lie_apart() -> None:
        for player in page.locator(".player").all():
            name, score = player.locator(".name"), player.locator(".score")
            letters, number = text_box(name), text_box(score)
            em = score.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
            apart = number.left - letters.right >= 0.4 * em or not (
                letters.top < number.bottom and number.top < letters.bottom
            )
            assert apart, f"the name {letters} and the score {number} read as one word"
            assert number.lies_in(box(player))
            assert not name.evaluate("(one) => one.scrollWidth > one.clientWidth"), "it is cut off"

    wait_for_layout(lie_apart)


@pytest.mark.parametrize("name", daily(SCREENS, ["phone", "phone-sideways"]))
def test_the_news_of_alex_do_not_cover_the_turn_in_question(
    people: People, server: Process, name: str
) -> None:
    new = table.create(server, "alex", seats=[None, None], options={"set": ALIKE, "end": "rounds"})
    bobs = server.ask(f"/tables/{new.id}/seats/1", name="Bob")["token"]
    pages = []
    for token in (new.token, bobs):
        page = people.arrive(tables={new.id: (token, "alex")}, phone=SCREENS[name] != DESK)
        page.set_viewport_size(SCREENS[name])
        page.goto(new.path)
        page.locator(".drawn .wood").nth(3).wait_for()
        pages.append(page)
    ann, bob = pages
    news = ann.locator(".alex-news")

    def assert_in_sight(dominoes: str) -> None:
        expect(news).to_be_visible()
        expect(ann.locator(".world")).not_to_have_class(re.compile("moving"))

        def check() -> None:
            covered = box(news)
            shown = boxes(ann.locator(dominoes))
            assert shown
            board = box(ann.locator(".board"))
            for one in shown:
                assert one.lies_in(board), f"{one} is off the board {board}"
                assert not one.overlaps(covered), f"{one} is below the news {covered}"

        wait_for_layout(check)

    # Ann announces more than there is to show: she is punished, and the best turn is shown.
    ann.keyboard.press("9")
    ann.keyboard.press("9")
    ann.keyboard.press("Enter")
    expect(ann.locator(".leading")).to_be_visible()
    bob.locator(".announcements li").wait_for()
    table.commit(bob.get_by_role("button", name=t("no_more")))
    table.commit(ann.get_by_role("button", name=t("end_showing")))
    expect(ann.locator(".alex-news p")).not_to_have_count(1)
    expect(ann.locator(".best-turn .wood")).not_to_have_count(0)
    assert_in_sight(".best-turn .wood")


@pytest.mark.parametrize("name", daily(["phone", "tablet"], ["tablet"]))
@pytest.mark.parametrize("game", daily(["classic", "auction", "72", "alex"], ["classic"]))
def test_the_turn_bar_has_room_for_its_words(
    people: People, server: Process, game: str, name: str
) -> None:
    page = open_table(people, server, SCREENS[name], game)
    if game != "alex":
        table.play_turn(page)
        table.my_turn(page)
    status = page.locator(".turn-bar .status")
    expect(status).not_to_be_empty()
    parts = page.locator(".turn-bar > *:visible")

    def has_room() -> None:
        line = status.evaluate("(one) => parseFloat(getComputedStyle(one).lineHeight)")
        assert text_box(status).height <= 2.2 * line, "two lines are enough"
        for one in boxes(parts):
            assert one.lies_in(box(page.locator(".turn-bar")))
        assert box(page.locator(".board")).width >= 0.95 * SCREENS[name]["width"]

    wait_for_layout(has_room)
    assert_apart(parts)
    assert_apart(page.locator(".room-tray > :is(.turn-bar, .hand):visible"))


def test_faces_on_a_tablet_are_as_large_as_on_a_phone(people: People, server: Process) -> None:
    page = open_table(people, server, PHONE, "classic")
    table.my_turn(page)
    face = page.locator(".held-face").first
    page.evaluate(SETTLED)
    on_a_phone = box(face)
    for size in (TABLET, {"width": 768, "height": 1024}, {"width": 1024, "height": 1366}):
        resize(page, size)  # type: ignore[arg-type]
        expect(page.locator(".board")).to_be_visible()
        wait_until_sync(
            lambda: box(face).width >= on_a_phone.width and box(face).height >= on_a_phone.height,
            lambda: f"faces as large as {on_a_phone}: {box(face)}",
            WAIT / 1000,
        )
        assert_touchable(page, page.locator(".held-face"))
        assert_apart(page.locator(".held-face"))


def assert_not_cut_off(page: Page) -> None:
    """The parts of the header are on the screen, and all links can be seen."""
    for one in boxes(page.locator(".header > *:visible")):
        assert one.lies_in(screen(page)), f"{one} is off the screen"
    links = page.locator(".header nav")
    assert not links.evaluate("(one) => one.scrollWidth > one.clientWidth"), screen(page)


@pytest.mark.parametrize("language", daily(LANGUAGES, ["en", "de"]))
def test_the_header_cuts_off_no_link(people: People, server: Process, language: str) -> None:
    new = table.create(server, seats=[None, None])
    server.ask(f"/tables/{new.id}/seats/1", name="Bob")
    page = people.arrive(tables=new.known, language=language, phone=True)
    for path in ("/", new.path):
        page.goto(path)
        page.locator("main :is(h1, .board)").first.wait_for()
        for width in (PHONE["width"], TABLET["width"], 1024, 1280):
            resize(page, {"width": width, "height": 1180})
            parts = page.locator(".header > *:visible")
            assert_apart(parts)
            wait_for_layout(partial(assert_not_cut_off, page))
    # At a table the pages are in its menu.
    resize(page, TABLET)
    page.get_by_role("button", name=t("table_menu_label", language)).click()
    for name in ("problems", "analysis", "result_replay", "solver", "print_nav"):
        link = page.get_by_role("dialog").get_by_role("link", name=t(name, language))
        expect(link).to_be_visible()
        assert_touchable(page, link)
    page.get_by_role("dialog").get_by_role("link", name=t("solver", language)).click()
    page.wait_for_url("**/solver")
