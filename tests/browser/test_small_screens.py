"""320 pixels, 400 %, more space between letters, the system's colours, and no motion: nothing is
lost, and everything can be done."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from dalapapa.games import REGISTRY
from tests.support.browser import narrow, table
from tests.support.browser.frames import find_cell as cell
from tests.support.browser.frames import find_floor
from tests.support.browser.people import People
from tests.support.browser.played_games import choose_few_dominoes
from tests.support.browser.played_games import play_against_bot as played
from tests.support.browser.process import Process
from tests.support.browser.rooms import ROOMS, Room, at
from tests.support.browser.texts import t
from tests.support.browser.touch import aim_at_place
from tests.support.thoroughness import daily


def ended(game: str) -> Room:
    """The end of a game of two programs."""

    def visit(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
        new: dict[str, Any] = {"game": game, "seats": ["greedy", "greedy"], "pace": 0}
        answer = server.ask("/tables", **new, options=choose_few_dominoes(game))
        page = people.arrive(**look)
        page.goto(f"/t/{answer['id']}")
        table.result(page)
        return page

    return visit


def challenged(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    id, token = played(server)
    page = people.arrive(tables={id: (token, "classic")}, **look)
    page.goto(f"/t/{id}")
    page.get_by_role("button", name=t("challenge_friends")).click()
    page.get_by_role("link", name=t("challenge_compare")).click()
    page.locator(".ranking li").wait_for()
    return page


def in_words(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    page = ROOMS["classic"](people, server, finished, look)
    page.keyboard.press("w")
    page.get_by_role("dialog").get_by_role("heading").first.wait_for()
    closed = page.locator("dialog [aria-expanded=false]")
    while closed.count():
        closed.first.click()
    return page


def lost(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    people.expected = ("404",)
    return at("/nothing-here")(people, server, finished, look)


EVERYWHERE: dict[str, Room] = {
    **ROOMS,
    **{f"end of {game}": ended(game) for game in REGISTRY},
    "challenge": challenged,
    "words": in_words,
    "missing": lost,
    "own-replay": at("/replay"),
}

DAILY = ("home", "new-classic", "settings", "ghost", "puzzle", "alex", "lesson")
"""What is most used, and of each kind of page one."""


def look_around(people: People, server: Process, finished: str, room: str) -> list[str]:
    """What is in the way in a room, in every look."""
    page = EVERYWHERE[room](people, server, finished, {"phone": True})
    page.wait_for_load_state("networkidle")
    troubles = [
        f"{room}, {size['height']} high: {one}"
        for size in (narrow.PHONE, narrow.ENLARGED)
        for one in narrow.barriers(page, size)
    ]
    troubles += [f"{room}, colours of the system: {one}" for one in narrow.foreign(page)]
    people.leave()
    people.contexts.clear()
    return troubles


def test_nothing_is_in_the_way(people: People, server: Process, finished: str) -> None:
    assert [one for room in DAILY for one in look_around(people, server, finished, room)] == []


@pytest.mark.thorough
@pytest.mark.parametrize("room", [room for room in EVERYWHERE if room not in DAILY])
def test_nothing_is_in_the_way_elsewhere(
    people: People, server: Process, finished: str, room: str
) -> None:
    assert look_around(people, server, finished, room) == []


def seated(people: People, server: Process, game: str, size: ViewportSize, **look: Any) -> Page:
    """A person at a table of a game, alone where it is a race."""
    alone = {"seats": [None]} if game == "puzzle" else {}
    new = table.create(server, game, **alone)
    page = people.arrive(tables=new.known, **look)
    page.set_viewport_size(size)
    page.goto(new.path)
    return page


FAMILIES = ["classic", "puzzle", "gone"]


@pytest.mark.parametrize("game", daily(FAMILIES, ["puzzle"]))
def test_a_turn_with_a_finger_at_320_pixels(people: People, server: Process, game: str) -> None:
    page = seated(people, server, game, narrow.PHONE, phone=True)
    lay = page.get_by_role("button", name=t("lay_here"))
    if game == "puzzle":
        page.locator(".pool-item").first.wait_for()
        assert find_floor(page)["width"] / 4 >= 36, "a finger finds the cells"
        page.touchscreen.tap(*cell(page, 1, 1))
        page.locator(".pool-item.fits").first.tap()
    else:
        table.my_turn(page)
        aim_at_place(page)
    before = table.laid(page).count()
    lay.tap()
    expect(table.laid(page)).not_to_have_count(before)


@pytest.mark.parametrize("game", daily(FAMILIES, ["classic"]))
def test_a_turn_by_keyboard_at_400_percent(people: People, server: Process, game: str) -> None:
    page = seated(people, server, game, narrow.ENLARGED)
    if game == "puzzle":
        page.locator(".pool-item").first.wait_for()
        page.keyboard.press("o")
        expect(page.locator(".board .hole")).to_have_count(1)
        page.keyboard.press("Enter")
        expect(page.locator(".pool-item:focus")).to_be_in_viewport(ratio=0.5)
        page.keyboard.press("Enter")
    else:
        table.my_turn(page)
        page.locator(".held-face").last.focus()
        page.keyboard.press("ArrowRight")
    # However far the page is scrolled, the domino is seen where it would lie.
    expect(page.locator(".ghost.pinned .wood")).to_be_in_viewport(ratio=0.9)
    before = table.laid(page).count()
    page.keyboard.press("Enter")
    expect(table.laid(page)).not_to_have_count(before)


MOVING = """
  window.moved = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...given) {
    moved.push(`animated: ${this.getAttribute("class")}`);
    return animate.apply(this, given);
  };
  const long = (one) => one.effect.getComputedTiming().activeDuration > 20;
  addEventListener("animationstart", ({ target, animationName }) => {
    if (target.getAnimations({ subtree: true }).some(long)) moved.push(animationName);
  }, true);
  addEventListener("transitionrun", ({ propertyName }) => moved.push(propertyName), true);
"""


def test_reduced_motion_stops_all_motion(people: People, server: Process) -> None:
    """And nothing waits for the end of one: dominoes are laid, points counted, groups closed."""
    new = table.create(server, "gone")
    page = people.arrive(tables=new.known)
    page.add_init_script(MOVING)
    page.goto("/")
    expect(page.locator(".demonstration .laid")).not_to_have_count(0)
    expect(page.locator(".demonstration button")).to_have_attribute("title", t("replay_play"))
    moved = page.evaluate("moved")
    page.goto(new.path)
    table.my_turn(page)
    page.locator(".held-face").first.click()
    page.keyboard.press("f")
    table.play_by_keys(page)
    table.result(page)
    assert moved + page.evaluate("moved") == []
