"""Every page of the client and every state that deserves a look, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.support.browser import pads, table
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t

Room = Callable[[People, Process, str, dict[str, Any]], Page]
"""How a person gets there; the text is the id of a finished game."""


def at(path: str) -> Room:
    """A page with an address of its own."""

    def visit(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
        page = people.arrive(**look)
        page.goto(path.replace("FINISHED", finished))
        page.locator("main :is(h1, h2, .board, .status)").first.wait_for()
        return page

    return visit


def playing(game: str, **settings: Any) -> Room:
    """A table where it is one's turn, after the first moves."""

    def visit(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
        page = table.sit(people, table.create(server, game, **settings), **look)
        page.locator(".status").first.wait_for()
        if game in ("classic", "auction", "conquest", "72"):
            table.play_turn(page)
            table.my_turn(page)
        return page

    return visit


def counting(kind: str) -> Room:
    """A score pad of a real table."""

    def visit(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
        page = people.arrive(**look)
        pads.open_pad(page, kind)
        return page

    return visit


def with_a_ghost(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    page = playing("classic")(people, server, finished, look)
    page.locator(".held-face:not(.stuck)").first.click()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name=t("lay_here")).wait_for()
    return page


def with_the_settings(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    page = at("/")(people, server, finished, look)
    page.get_by_role("button", name=t("settings")).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def with_the_levels(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    page = at("/new/classic")(people, server, finished, look)
    page.get_by_label(t("seat_number", number=2), exact=True).select_option("easy")
    page.get_by_text(t("levels_title")).click()
    page.locator(".levels").scroll_into_view_if_needed()
    return page


def with_the_keys(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    page = playing("classic")(people, server, finished, look)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    return page


def with_the_list(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    page = playing("classic")(people, server, finished, look)
    page.get_by_text(t("layings_list")).click()
    return page


def covered(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    new = table.create(server, seats=[None, None], guests=["Bob"])
    page = table.sit(people, new, **look)
    page.get_by_role("button", name=t("i_am_here", name="Ann")).wait_for()
    return page


def waiting(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    page = table.sit(people, table.create(server, seats=[None, None, "greedy"]), **look)
    page.get_by_role("heading", name=t("waiting_title")).wait_for()
    return page


def invited(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    new = table.create(server, seats=[None, None, None])
    page = people.arrive(**look)
    page.goto(new.path)
    page.get_by_role("button", name=t("sit_down")).wait_for()
    return page


def with_the_review(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    page = at("/replay/FINISHED")(people, server, finished, look)
    page.locator(".missed-cards").wait_for(state="attached", timeout=180_000)
    return page


def with_the_coach(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    page = people.arrive(**look)
    page.goto("/analysis#p=PRYGB+0@0,0_BYRGB+0@0,-1&h=CRYGB,ZYRBG")
    page.locator(".best-turns").wait_for()
    page.get_by_role("button", name=t("review_ask")).click()
    page.locator(".coach-turns").scroll_into_view_if_needed()
    return page


def over(people: People, server: Process, finished: str, look: dict[str, Any]) -> Page:
    page = people.arrive(**look)
    page.goto(f"/t/{finished}")
    table.result(page)
    return page


ROOMS: dict[str, Room] = {
    "home": at("/"),
    "new": at("/new"),
    "new-classic": with_the_levels,
    "new-puzzle": at("/new/puzzle"),
    "lesson": at("/lesson"),
    "rules": at("/rules/classic"),
    "rules-alex": at("/rules/alex"),
    "analysis": with_the_coach,
    "solver": at("/solver"),
    "problems": at("/problems"),
    "problem": at("/problem?date=2026-11-14"),
    "frame-problem": at("/problem?kind=frame&date=2026-11-12"),
    "dominoes": at("/dominoes"),
    "print": at("/print"),
    "companion": at("/companion"),
    "companion-sand": at("/companion/sand"),
    "companion-first": at("/companion/first"),
    "companion-fit": at("/companion/fit"),
    "companion-count": at("/companion/count"),
    **{f"pad-{kind}": counting(kind) for kind in pads.PADS},
    "samples": at("/samples"),
    "replay": with_the_review,
    "no-table": at("/t/nothing-here"),
    "waiting": waiting,
    "invited": invited,
    "covered": covered,
    "classic": playing("classic"),
    "ghost": with_a_ghost,
    "list": with_the_list,
    "keys": with_the_keys,
    "settings": with_the_settings,
    "auction": playing("auction"),
    "conquest": playing("conquest"),
    "gone": playing("gone"),
    "puzzle": playing("puzzle", seats=[None, None], guests=["Bob"]),
    "arlequin": playing("arlequin", seats=[None]),
    "alex": playing("alex"),
    "72": playing("72"),
    "over": over,
}

LOOKS: dict[str, dict[str, Any]] = {"light": {}, "phone": {"phone": True}}

SEEN_ELSEWHERE = {
    "new-puzzle", "rules-alex", "solver", "frame-problem", "no-table", "covered", "list", "keys",
    "settings", "auction", "conquest", "waiting", "new-classic", "problems", "print", "samples",
}  # fmt: skip
"""Built of the same parts as other rooms; `make test-all` looks at them, too."""

SAME_ON_A_PHONE = SEEN_ELSEWHERE | {
    "new", "new-classic", "analysis", "problems", "problem", "dominoes", "print", "lesson",
    "waiting", "invited", "auction", "conquest", "arlequin", "samples", "replay", "over", "gone",
    "rules",
}  # fmt: skip
"""The same of a phone."""
