"""A game and a program by others (`examples`): in the menus, at the table, and after it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from dalapapa.bots import NICKNAMES
from tests.support.browser import table
from tests.support.browser.held_socket import Held
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.installing import put_example

CLOSES = "Closes the largest group in reach, and else plays as Nora does."
FITS = re.compile("fits (in|nowhere)")
PITCH = "Lay up to three dominoes; the second and the third cost the charge."


@pytest.fixture(scope="module")
def with_three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server where the packages of the examples are installed."""
    packages = tmp_path_factory.mktemp("packages")
    put_example(packages)
    put_example(packages, "magpie")
    process = Process(tmp_path_factory.mktemp("with-three"), packages)
    yield process
    process.stop()


def test_the_menus_list_it(people: People, with_three: Process) -> None:
    page = people.arrive(server=with_three)
    page.goto("/")
    cards = page.locator(".game-card")
    expect(cards).to_have_count(9)
    # It says of itself no family: it is among the games with turns.
    three = page.get_by_role("region", name=t("family_turns")).locator(".game-card").last
    expect(three).to_contain_text("Three")
    expect(three).to_contain_text(PITCH)
    three.get_by_role("link", name="Three").click()
    page.wait_for_url(re.compile("/new/three$"))
    expect(page.get_by_role("link", name=t("rules_game", game="Three"))).to_have_count(0)
    chosen = page.get_by_label(t("which_game"))
    expect(chosen).to_have_value("three")
    expect(chosen.locator("option")).to_have_count(9)
    second = page.get_by_label(t("seat_number", number=2), exact=True)
    assert second.locator("option").all_inner_texts()[-4:] == [
        *(
            t("program_level", level=f"{NICKNAMES[name]} · {t(f'level_{name}')}")
            for name in ("novice", "easy", "medium")
        ),
        t("program_level", level="Magpie"),
    ]
    page.get_by_text(t("more_options")).click()
    charge = page.get_by_label("charge", exact=True)
    expect(charge).to_have_value("3")
    expect(page.get_by_text("for the second domino, and again")).to_be_visible()


def test_a_bot_of_another_package_is_an_opponent(people: People, with_three: Process) -> None:
    page = people.arrive(server=with_three)
    page.goto("/new/classic")
    second = page.get_by_label(t("seat_number", number=2), exact=True)
    group = second.locator("optgroup")
    expect(group).to_have_attribute("label", t("programs_of_others"))
    expect(group.locator("option")).to_have_text(t("program_level", level="Magpie"))
    second.select_option("magpie")
    expect(second).to_have_accessible_description(CLOSES)
    page.goto("/new/gone")
    expect(
        page.get_by_label(t("seat_number", number=2), exact=True).locator("optgroup")
    ).to_have_count(0)
    page.goto("/")
    page.get_by_role("radio", name="Magpie").check(force=True)
    expect(page.locator(".chooser")).to_contain_text(CLOSES)
    page.get_by_role("button", name=t("play_now"), exact=True).click()
    page.wait_for_url(re.compile("/t/"))
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("Magpie"))


def test_an_early_enter_does_not_end_the_turn(people: People, with_three: Process) -> None:
    """Enter that follows an arrow was meant to lay a domino, also where no place is known yet."""
    page = people.arrive(server=with_three)
    socket = Held(page, of='"moves":[')
    start(page, "novice")
    table.lay_by_keys(page)
    faces = page.locator(".held-face")
    expect(faces.first).to_have_accessible_name(FITS)
    table.lay_by_keys(page)
    expect(page.get_by_role("button", name=t("end_turn"))).to_be_visible()
    expect(faces.first).to_have_accessible_name(FITS)
    socket.held = True
    table.lay_by_keys(page)
    expect(faces.first).not_to_have_accessible_name(FITS)
    page.wait_for_timeout(400)  # Sooner after a laying, Enter is a mistake.
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    socket.release()
    expect(faces.first).to_have_accessible_name(FITS)
    socket.expect(end=0)
    page.wait_for_timeout(400)  # As above: an Enter that comes sooner is ignored.
    page.keyboard.press("Enter")
    socket.expect(end=1)


def test_it_is_played_with_three_dominoes_in_a_turn(people: People, with_three: Process) -> None:
    page = people.arrive(server=with_three)
    start(page, "medium")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Three: Ann"))
    assert play(page) == 3, "never a third domino"
    dialog = table.result(page)
    expect(dialog.locator(".ranking li")).to_have_count(2)
    expect(dialog.locator(".ranking")).to_contain_text("Ann")
    # It has no review; the page says so and does not ask again.
    people.expected = ("review?language", "422")
    dialog.get_by_role("button", name=t("review_ask")).click()
    expect(dialog.locator(".review")).to_contain_text(t("refused_no_review"))
    expect(dialog.get_by_role("button", name=t("review_again"))).to_have_count(0)
    dialog.get_by_role("link", name=t("result_replay")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(t("replay_of", game="Three"))
    expect(page.locator(".review")).to_contain_text(t("refused_no_review"))
    page.keyboard.press("End")
    expect(page.locator(".replay-now")).to_contain_text(t("reason_target"))


def start(page: Page, opponent: str) -> None:
    page.goto("/new/three")
    page.get_by_label(t("your_name")).fill("Ann")
    page.get_by_label(t("seat_number", number=2), exact=True).select_option(opponent)
    page.get_by_text(t("more_options")).click()
    page.get_by_label("charge", exact=True).fill("0")
    page.get_by_label(t("pace"), exact=True).select_option("fast")
    page.get_by_role("button", name=t("start"), exact=True).click()
    page.wait_for_url(re.compile("/t/"))


def play(page: Page) -> int:
    """Play to the end by keyboard, as many dominoes in a turn as can be; how many that were."""
    until = time.monotonic() + table.GAME_S
    most = 0
    while time.monotonic() < until:
        page.wait_for_function(table.IDLE)  # Until then, no domino in hand can be laid.
        now = table.seen(page)
        if now["over"]:
            return most
        if now["mine"]:
            most = max(most, page.locator(".board .outlined.staged").count())
            if page.locator(".held-face:not(.stuck)").count():
                page.keyboard.press("ArrowRight")
                page.keyboard.press("Enter")
            elif t("end_turn") in now["buttons"]:
                page.keyboard.press("e")
            elif t("pass") in now["buttons"]:
                page.keyboard.press("p")
        table.changed(page, now)
    raise AssertionError(f"the game does not end: {table.seen(page)}")
