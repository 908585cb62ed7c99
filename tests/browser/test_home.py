"""The first page: what to do now comes first, then the games by families, and whose game it is."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from playwright.sync_api import Page, expect

from dalapapa.games import REGISTRY
from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.process import DATE, Process
from tests.support.browser.texts import t
from tests.support.waiting import wait_until_sync


def tops(page: Page, *selectors: str) -> list[float]:
    """Where these begin, from the top of the page."""
    found: list[float] = page.evaluate(
        "(all) => all.map((one) => document.querySelector(one).getBoundingClientRect().top)",
        list(selectors),
    )
    return found


def test_the_next_action_comes_first(people: People, server: Process) -> None:
    new = table.create(server, clock={"kind": "turn", "seconds": 3 * 86_400})
    for phone in (False, True):
        page = table.sit(people, new, phone=phone)
        table.my_turn(page)
        page.goto("/")
        expect(page.locator(".your-turns")).to_contain_text("3 days left")
        order = tops(page, ".your-turns", ".now-play", ".families", ".story")
        assert order == sorted(order)
        problem = tops(page, ".now .problem-card", ".families")
        assert problem == sorted(problem)


def test_a_time_that_runs_out_is_shown_to_the_second(people: People, server: Process) -> None:
    new = table.create(server, "alex", options={"sandglass": 120, "look": 60})
    page = people.arrive(tables=new.known)
    deadline = server.ask(f"/tables/{new.id}")["table"]["deadline"]
    page.clock.install(time=deadline / 1000 - 90)
    page.goto("/")
    row = page.locator(".table-row")
    expect(row).to_contain_text(re.compile(r"\d+ seconds left"))
    page.clock.run_for(120_000)
    expect(row).to_contain_text("Time is up")
    expect(row).not_to_contain_text("left")


def test_a_table_taken_off_the_list_keeps_its_place_and_comes_back(
    people: People, server: Process
) -> None:
    one, other = (table.create(server, game, seats=[None, None]) for game in ("gone", "auction"))
    page = people.arrive(tables={**one.known, **other.known})
    page.goto("/")
    cards = page.locator(".table-row")
    expect(cards).to_have_count(2)
    boxes = [cards.nth(i).bounding_box() for i in range(2)]
    first = cards.first.locator("b").first.inner_text()
    remove = cards.first.get_by_role("button", name=re.compile(t("forget")))
    table.commit(remove)
    page.mouse.down()  # A second click finds nothing in its place.
    page.mouse.up()
    expect(cards.first).to_contain_text(t("forgotten"))
    assert [cards.nth(i).bounding_box() for i in range(2)] == boxes
    expect(cards.nth(1).get_by_role("link", name=t("resume"))).to_be_visible()
    cards.first.get_by_role("button", name=t("undo")).click()
    expect(cards.first.get_by_role("link", name=t("resume"))).to_be_visible()
    assert [cards.nth(i).bounding_box() for i in range(2)] == boxes
    # On a later visit it is restored from a list of its own.
    table.commit(remove)
    expect(cards.first).to_contain_text(t("forgotten"))
    page.reload()
    expect(cards).to_have_count(1)
    page.locator("details.more").get_by_text(re.compile("removed")).click()
    page.get_by_role("button", name=t("restore")).click()
    expect(cards).to_have_count(2)
    expect(cards.first).to_contain_text(first)
    expect(page.locator("details.more")).to_have_count(0)
    page.goto(one.path)
    expect(page.get_by_role("list", name=t("seats"))).to_contain_text(t("you"))


def test_games_stand_in_families_with_one_action_each(people: People) -> None:
    page = people.arrive()
    page.goto("/")
    counts = {"turns": 4, "races": 3, "small": 1}
    assert sum(counts.values()) == len(REGISTRY)
    for family, count in counts.items():
        cards = page.get_by_role("region", name=t(f"family_{family}")).locator(".game-card")
        expect(cards).to_have_count(count)
        expect(cards.locator("button, select")).to_have_count(count)


def test_the_moving_picture_can_be_stopped(people: People) -> None:
    page = people.arrive(motion=True)
    # Only `run_for` moves the clock, however slow the machine is.
    page.clock.install(time=DATE)
    page.clock.pause_at(datetime.fromisoformat(DATE) + timedelta(seconds=1))
    page.goto("/")
    laid = page.locator(".demonstration .laid")

    def appear() -> bool:
        page.clock.run_for(20)
        return laid.count() == 3

    wait_until_sync(appear, "the first dominoes")
    page.clock.run_for(2500)
    expect(laid).to_have_count(5)
    page.get_by_role("button", name=t("replay_pause")).click()
    page.clock.run_for(5000)
    expect(laid).to_have_count(5)
    page.get_by_role("button", name=t("replay_play"), exact=True).click()
    page.clock.run_for(6600)
    expect(laid).to_have_count(10)
    expect(page.locator(".demonstration .badge")).to_have_text("+12")


def test_reduced_motion_shows_the_final_state(people: People) -> None:
    page = people.arrive()
    page.goto("/")
    expect(page.locator(".demonstration .laid")).to_have_count(10)
    picture = page.get_by_role("img", name=re.compile("12 points"))
    expect(picture).to_be_visible()
    expect(page.get_by_role("button", name=t("replay_play"), exact=True)).to_be_visible()
