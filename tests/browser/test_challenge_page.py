"""A challenge from end to end: made after a game, taken up in another browser, compared in both."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from dalapapa.client import Server
from tests.support.browser.accessibility import find_barriers
from tests.support.browser.people import PHONE, People
from tests.support.browser.played_games import play_against_bot, play_to_the_end, run_in_thread
from tests.support.browser.process import Process
from tests.support.browser.texts import t


def play_out(server: Process, page: Page) -> None:
    """A quick player finishes the game that a page shows."""
    table = page.url.rpartition("/")[2]
    kept = page.evaluate("JSON.parse(localStorage.getItem('dalapapa.tables'))")

    async def play() -> None:
        async with Server(server.url) as at:
            await play_to_the_end(at, table, kept[table]["token"])

    run_in_thread(play())


def test_a_friend_plays_the_same_game(people: People, server: Process) -> None:
    table, token = play_against_bot(server)
    ann = people.arrive(tables={table: (token, "classic")})
    ann.goto(f"/t/{table}")
    ann.get_by_role("button", name=t("challenge_friends")).click()
    expect(ann.locator(".note", has_text=t("challenge_ready"))).to_be_visible()
    ann.get_by_role("link", name=t("challenge_compare")).click()
    ann.wait_for_url(re.compile("/challenge/"))
    expect(ann.locator(".ranking li")).to_have_count(1)
    expect(ann.get_by_text(t("challenge_alone"))).to_be_visible()

    # Bob knows nothing of the game but who has played it; he plays it by keyboard.
    bob = people.arrive(phone=True)
    bob.goto(ann.url)
    expect(bob.get_by_text(t("challenge_from", name="Ann"))).to_be_visible()
    expect(bob.locator(".ranking, .side-by-side")).to_have_count(0)
    assert not find_barriers(bob)
    bob.get_by_label(t("your_name")).fill("Bob")
    bob.keyboard.press("Enter")
    bob.wait_for_url(re.compile("/t/"))
    expect(bob.locator(".room-board")).to_be_visible()
    # A player who comes back goes on with the same game.
    bob.goto(ann.url)
    expect(bob.get_by_role("button", name=t("challenge_play"))).to_have_count(0)
    bob.get_by_role("link", name=t("challenge_go_on")).click()
    bob.wait_for_url(re.compile("/t/"))
    play_out(server, bob)
    bob.get_by_role("link", name=t("challenge_compare")).click()
    expect(bob.locator(".ranking li")).to_have_count(2)
    expect(bob.locator(".side-by-side thead th")).to_have_count(3)
    expect(bob.locator(".challenge")).to_contain_text(t("challenge_original"))
    assert not find_barriers(bob)
    assert bob.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    bob.get_by_text(t("challenge_bag")).click()
    expect(bob.locator(".more code")).to_have_count(2)

    # Ann's page learns of it by itself.
    ann.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ann.locator(".ranking li")).to_have_count(2)
    expect(ann.get_by_role("link", name="Bob")).to_be_visible()
    ann.get_by_role("link", name="Bob").click()
    ann.wait_for_url(re.compile("/replay/"))


def test_a_challenge_that_is_not_there(people: People) -> None:
    people.expected = ("404",)
    page = people.arrive()
    page.goto("/challenge/nothing")
    expect(page.locator(".trouble")).to_have_text(t("challenge_missing"))


def test_no_button_where_a_challenge_is_impossible(people: People, server: Process) -> None:
    table, token = play_against_bot(server, visibility="public")
    page = people.arrive(tables={table: (token, "classic")})
    page.goto(f"/t/{table}")
    # The header has a link of that name, too.
    result = page.locator("#main")
    expect(result.get_by_role("link", name=t("result_replay"))).to_be_visible()
    expect(result.get_by_role("button", name=t("challenge_friends"))).to_have_count(0)
