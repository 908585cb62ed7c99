"""Replay, analysis and solver begin with something to see, and with one's own games."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t

NOTATION = re.compile(r"[A-Z]{5}[+-][0-3]@")


def test_the_replay_begins_with_an_example(people: People, server: Process) -> None:
    page = people.arrive()
    page.goto("/replay")
    place = page.get_by_label(t("replay_position"))
    expect(place).to_be_visible()
    count = table.laid(page).count()
    assert count > 5
    page.get_by_role("button", name=t("replay_last")).click()
    expect(table.laid(page)).not_to_have_count(count)
    expect(page.get_by_text(t("finished_none"))).to_be_visible()
    # The coach is only asked by those who open that part.
    expect(page.locator(".review")).to_have_count(0)
    assert not NOTATION.search(page.locator("main").inner_text())


def test_own_games_are_replayed_and_studied(people: People, server: Process) -> None:
    new = table.create(server, seats=["medium", "novice"], host=None)
    watching = people.arrive()
    watching.goto(new.path)
    table.result(watching)
    page = people.arrive(tables={new.id: ("x" * 24, "classic")})
    page.goto("/replay")
    games = page.locator(".finished-games a")
    expect(games).to_have_count(1)
    expect(games.locator(".picture")).to_be_visible()
    games.click()
    page.wait_for_url(re.compile(f"/replay/{new.id}"))
    expect(page.get_by_role("heading", level=1)).to_have_text(
        t("replay_of", game=t("game_classic"))
    )

    page.goto("/analysis")
    expect(page.locator(".best-turns li").first).to_be_visible()
    games.click()
    answer = server.ask(f"/tables/{new.id}/replay")
    last = next(turn for turn in reversed(answer["turns"]) if turn["layings"])
    before = answer["steps"][last["first"] - 1]["view"]["table"].split()
    expect(table.laid(page)).to_have_count(len(before))
    expect(page.locator(".best-turns li").first).to_contain_text(str(last["best"]["points"]))


def test_all_of_many_own_games_can_be_seen(people: People, server: Process) -> None:
    new = table.create(server, seats=["medium", "novice"], host=None)
    watching = people.arrive()
    watching.goto(new.path)
    table.result(watching)
    page = people.arrive(tables={f"copy-{i}": ("x" * 24, "classic") for i in range(8)})
    answer = server.ask(f"/tables/{new.id}")
    page.route(re.compile(r"/api/tables/copy-\d$"), lambda route: route.fulfill(json=answer))
    page.goto("/analysis")
    games = page.locator(".finished-games li")
    expect(games).to_have_count(8)
    widths = games.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width)")
    assert min(widths) > 100


def test_the_analysis_shows_turns_as_pictures(people: People) -> None:
    page = people.arrive()
    page.goto("/analysis")
    first = page.locator(".best-turns li").first
    expect(first.get_by_role("img")).to_have_count(2)
    assert not NOTATION.search(page.locator("main").inner_text())
    count = table.laid(page).count()
    first.get_by_role("button").hover()
    expect(page.locator(".board .ghost-domino")).to_have_count(2)
    first.get_by_role("button").click()
    expect(table.laid(page)).to_have_count(count + 2)
    page.get_by_role("button", name=t("analysis_another")).click()
    expect(first.get_by_role("img")).to_have_count(2)
    page.get_by_role("button", name=t("analysis_empty_table")).click()
    expect(table.laid(page)).to_have_count(0)
    expect(page.locator(".picker-tiles li")).to_have_count(120)
    # An empty table stays one when the page is loaded again.
    page.wait_for_url(re.compile("#p=$"))
    page.reload()
    expect(page.get_by_role("main").get_by_text(t("analysis_empty"))).to_be_visible()


def test_the_solver_begins_with_an_answer(people: People) -> None:
    page = people.arrive()
    page.goto("/solver")
    expect(
        page.get_by_role("main").get_by_text(t("solver_found", number=1, count=1))
    ).to_be_visible()
    expect(table.laid(page)).to_have_count(18)
    page.get_by_role("button", name=t("solver_next")).click()
    expect(
        page.get_by_role("main").get_by_text(t("solver_found", number=2, count=2))
    ).to_be_visible()
    page.get_by_role("button", name=t("solver_back")).click()
    expect(table.laid(page)).to_have_count(4)
