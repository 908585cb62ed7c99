"""Problems: today's by keyboard, one for practice by mouse, a frame with a finger."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from dalapapa.core.notation import Laying
from tests.support.browser import table
from tests.support.browser.hints import follow_hints
from tests.support.browser.people import People
from tests.support.browser.process import DATE, Process
from tests.support.browser.texts import t

MONDAY = datetime.fromisoformat(DATE)


def asked(page: Page, server: Process) -> dict[str, Any]:
    """The problem that is shown, with its solution."""
    found: dict[str, Any] = server.ask(f"/problem?{urlsplit(page.url).query}&solution=true")
    return found


def listed_name(laying: Laying) -> str:
    """How the list of all possible places names a laying."""
    face = t("recto" if laying.side == "+" else "verso")
    way = t(f"direction_{laying.rotation}")
    return f"{face}, {t('place_words', row=laying.y, column=laying.x, direction=way)}"


def test_the_problem_of_the_day_by_keyboard(people: People, server: Process) -> None:
    page = people.arrive()
    page.clock.set_fixed_time(MONDAY)
    page.goto("/")
    page.get_by_role("link", name=re.compile(t("problem_of_the_day"))).focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/problem.date=2026-11-16"))
    status = page.locator(".lesson-task")
    expect(status).to_have_text(t("problem_how"))
    # What is laid first is not the best: the page says what is missing, and it is taken back.
    (best,) = map(Laying.parse, asked(page, server)["solution"])
    table.lay_by_keys(page)
    assert table.positions(page)[-1] != str(best)
    page.keyboard.press("e")
    expect(status).to_contain_text(re.compile(r"but \d more point"))
    expect(page.locator(".problem-parts li").first).to_be_visible()
    # A button that is gone leaves the focus where the next key is wanted.
    page.get_by_role("button", name=t("undo")).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".held-face:focus")).to_have_count(1)
    expect(status).to_have_text(t("problem_how"))
    page.get_by_text(t("layings_list")).focus()
    page.keyboard.press("Enter")
    section = page.get_by_role("region", name=t("domino_number", number=1, tile=best.tile))
    button = section.get_by_role("button", name=listed_name(best), exact=True)
    button.focus()
    page.keyboard.press("Enter")
    expect(table.laid(page)).to_have_count(9)
    page.keyboard.press("e")
    expect(status).to_contain_text("Found on try 2")
    expect(page.get_by_role("button", name=t("problem_all"))).to_be_focused()
    # It can be shared, in words and as a picture, without the solution.
    card = page.locator(".result-card")
    expected = re.compile(r"^Dalapapa .*16.* ●○○○○ ✓ found on try 2$")
    expect(card.get_by_role("img", name=expected)).to_be_visible()
    with page.expect_download() as download:
        card.get_by_role("button", name=t("share_picture")).click()
    assert download.value.suggested_filename == "dalapapa-2026-11-16.png"
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    # The day is solved, here and on the calendar, and one day in a row is one.
    page.get_by_role("button", name=t("problem_all")).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=t("problems"), level=1)).to_be_visible()
    expect(page.locator(".problem-streak")).to_contain_text("1 day in a row")
    expect(page.locator(".problem-day.solved")).to_have_text("16")
    # At midnight a new day begins, also for those who have left the page open.
    page.clock.set_fixed_time(MONDAY + timedelta(days=1))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".problem-day.turn[aria-current]")).to_have_text("17")
    expect(page.locator(".problem-streak")).to_contain_text("1 day in a row")
    # Each day has a frame, too, which follows its turn.
    page.locator(".problem-day.solved").focus()
    page.keyboard.press("Tab")
    frame = page.get_by_role("link", name=f"{t('problem_frame_of_the_day')}, 16 November 2026")
    expect(frame).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/problem\?kind=frame&date=2026-11-16"))
    expect(page.locator(".lesson-task")).to_contain_text(t("problem_frame_how"))


def test_practice_by_mouse_with_hints_and_the_solution(people: People, server: Process) -> None:
    page = people.arrive()
    page.goto("/problems")
    page.get_by_role("button", name=t("problem_grade_3")).click()
    page.wait_for_url(re.compile(r"/problem.*seed="))
    first = parse_qs(urlsplit(page.url).query)["seed"]
    status = page.locator(".lesson-task")
    follow_hints(page, asked(page, server))
    expect(status).to_contain_text("Found on the first try, with 3 hints")
    page.get_by_role("button", name=t("problem_next")).click()
    expect(status).to_have_text(t("problem_how"))
    assert parse_qs(urlsplit(page.url).query)["seed"] != first
    page.get_by_role("button", name=t("problem_show")).click()
    expect(status).to_contain_text("This is the best turn")
    problem = asked(page, server)
    assert table.positions(page)[-1] == problem["solution"][-1]
    # A player who has seen it may still do it; the page says that it does not count.
    page.reload()
    analysis = page.get_by_role("link", name=t("replay_analysis"))
    expect(status).to_have_text(t("problem_how"))
    expect(analysis).to_have_count(0)
    follow_hints(page, problem)
    expect(status).to_contain_text(t("problem_seen"))
    # There is more to see in its position: all turns with these dominoes, each of them once.
    analysis.click()
    page.wait_for_url(re.compile("/analysis"))
    best = page.locator(".best-turns li")
    expect(best).to_have_count(10)
    expect(best.first).to_contain_text(str(problem["points"]))
    assert table.positions(page) == problem["position"]


def test_a_frame_on_a_telephone(people: People, server: Process) -> None:
    page = people.arrive(phone=True)
    page.goto("/problem?kind=frame&grade=1&seed=phone")
    problem = asked(page, server)
    page.get_by_role("button", name=t("problem_hint"), exact=True).tap()
    expect(page.locator(".ghost.pinned")).to_be_attached()
    page.get_by_role("button", name=t("lay_here")).tap()
    expect(table.laid(page)).to_have_count(1)
    # Touched in the frame, it comes out and into the hand; from there, back to the others.
    page.locator(".board .domino").tap(force=True)
    expect(table.laid(page)).to_have_count(0)
    page.get_by_role("button", name=t("put_back")).tap()
    for number, laying in enumerate(map(Laying.parse, problem["solution"])):
        if number == 2:  # A player who comes back later finds it as it was.
            page.reload()
            expect(table.laid(page)).to_have_count(number)
        page.locator(f".pool-item[data-tile={laying.tile}]").tap()
        if number in (0, 2):
            page.get_by_text(t("layings_list")).tap()
        page.get_by_role("button", name=listed_name(laying), exact=True).tap()
        expect(table.laid(page)).to_have_count(number + 1)
    solved = f"{t('problem_frame_solved')} With 1 hint."
    expect(page.locator(".lesson-task")).to_have_text(solved)


def test_a_problem_that_does_not_exist(people: People) -> None:
    people.expected = ("422",)
    page = people.arrive()
    page.goto("/problem?date=2026-02-30")
    expect(page.locator(".trouble")).to_have_text(t("problem_missing"))
    page.get_by_role("link", name=t("problem_all")).click()
    expect(page.get_by_role("heading", name=t("problems"), level=1)).to_be_visible()


def test_two_browsers_are_counted_once_they_have_found_it(people: People, server: Process) -> None:
    """The count is hidden before; the same browser does not count twice."""
    ann, bob = people.arrive(), people.arrive()
    counted = None
    for page, more in ((ann, 1), (bob, 1), (bob, 0)):
        page.goto("/")
        page.get_by_role("link", name=re.compile(t("problem_of_the_day"))).first.click()
        expect(page.locator(".lesson-task")).to_have_text(t("problem_how"))
        expect(page.locator(".problem .found-by")).to_have_count(0)
        if counted is None:  # Other tests may have found it.
            counted = server.ask(f"/problem/found?{urlsplit(page.url).query}")["count"]
        counted += more
        follow_hints(page, asked(page, server))
        words = t("problem_found_by", count=counted) if counted > 1 else t("problem_found_first")
        expect(page.locator(".problem .found-by")).to_have_text(words)
    ann.goto("/")
    expect(ann.locator(".found-by")).to_have_text(t("problem_found_by", count=counted))
