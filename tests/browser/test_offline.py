"""Without a server: after one visit it is stopped for good; what was done counts when it is back.

The exact answers of the client alone are the business of `web/test/alone.test.ts`.
"""

from __future__ import annotations

import json
import re
import shutil
import signal
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from dalapapa.games import REGISTRY
from dalapapa.problems import make_request, problem_to_json
from dalapapa.server.http.static import FOLDER
from tests.support.browser import table
from tests.support.browser.hints import follow_hints
from tests.support.browser.people import People
from tests.support.browser.printed_pages import wait_for_pages
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.waiting import wait_until_sync

GONE = ("ERR_CONNECTION", "ERR_EMPTY", "ERR_FAILED", "WebSocket connection to", "404", "503")


def visit(people: People, server: Process, days: int = 1) -> Page:
    """One visit: until texts, rules and the problems of so many days are kept."""
    page = people.arrive(server=server, service_workers="allow")
    page.goto("/")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    pages = [f"/api/rules/{name}?language=en" for name in REGISTRY]
    wait_until_sync(
        lambda: page.evaluate(
            """async ([pages, count]) => {
              const kept = await Promise.all(pages.map((page) => caches.match(page)));
              const week = JSON.parse(localStorage.getItem("dalapapa.week") ?? '{"problems":[]}');
              return kept.every(Boolean) && week.problems.length >= count;
            }""",
            [pages, 2 * days],
        ),
        "all is kept",
    )
    return page


def today(page: Page) -> str:
    """As the calendar on the player's wall says."""
    day: str = page.evaluate("new Date().toLocaleDateString('sv')")
    return day


def problem_of(date: str, kind: str = "turn") -> dict[str, Any]:
    return problem_to_json(make_request(kind, date=date), solution=True)


def solve_and_preview(page: Page) -> None:
    """What the solver has found, and a print: once seen, they can be seen again offline."""
    page.goto("/solver")
    page.get_by_role("button", name=t("solver_next")).click()
    expect(
        page.get_by_role("main").get_by_text(t("solver_found", number=2, count=2))
    ).to_be_visible()
    page.goto("/print?what=scores&paper=a4&language=en")
    wait_for_pages(page)


def test_after_one_visit_the_server_may_go(people: People, own_server: Process) -> None:
    people.expected = GONE
    page = visit(people, own_server, days=2)
    date = today(page)
    tomorrow = (datetime.fromisoformat(date) + timedelta(days=1)).date().isoformat()
    solve_and_preview(page)
    own_server.stop()

    page.goto("/rules/arlequin")
    expect(page.locator(".rules-head h1")).to_be_visible()
    expect(page.locator(".header").get_by_text(t("offline"), exact=True)).to_be_visible()
    page.goto("/dominoes")
    expect(page.locator("h1")).to_be_visible()
    page.goto("/lesson")
    page.locator(".held-face").first.click()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name=t("lay_here")).click()
    expect(table.laid(page)).to_have_count(2)
    solve_and_preview(page)

    refuse_new_game(page)

    page.goto(f"/problem?date={date}")
    follow_hints(page, problem_of(date))
    expect(page.locator(".lesson-task.reaction")).to_be_visible()
    wait_until_sync(lambda: len(kept(page, "finds")) == 1, "it waits to be counted")
    page.clock.set_fixed_time(datetime.fromisoformat(f"{tomorrow}T09:00"))
    page.goto(f"/problem?kind=frame&date={tomorrow}")
    expect(page.locator(".pool-item").first).to_be_visible()
    assert page.locator(".pool-item").count() > 0

    # It is back: the page notices, and what was found is counted, once.
    own_server.start()
    counted = f"/problem/found?date={date}"
    wait_until_sync(lambda: own_server.ask(counted)["count"] == 1, "it is counted")
    expect(page.locator(".header").get_by_text(t("offline"), exact=True)).to_have_count(0)
    page.wait_for_function("() => localStorage.getItem('dalapapa.finds') === null")
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert own_server.ask(counted)["count"] == 1


def kept(page: Page, name: str) -> Any:
    return json.loads(page.evaluate(f"localStorage.getItem('dalapapa.{name}')") or "[]")


def refuse_new_game(page: Page) -> None:
    """Without the engine, no game begins, and the page says what would help."""
    page.goto("/rules/puzzle")
    page.locator(".rules-play button").click()
    expect(page.get_by_role("main").get_by_text(t("refused_needs_engine"))).to_be_visible()
    assert page.url.endswith("/rules/puzzle")


def test_a_table_that_an_older_edition_kept_here_says_that_it_has_ended(people: People) -> None:
    page = people.arrive()
    known = {"here-abc": {"token": "t" * 22, "game": "puzzle", "at": 1}}
    page.goto("/")
    page.evaluate("(known) => localStorage.setItem('dalapapa.tables', known)", json.dumps(known))
    page.reload()
    sentence = page.get_by_role("main").get_by_text(t("refused_retired_table"))
    expect(sentence).to_be_visible()
    page.goto("/t/here-abc")
    expect(sentence).to_be_visible()


def second_build(folder: Path) -> tuple[Path, str, str, str]:
    """The same client under other names, as the next release would have: its folder, the letters
    that all files of this one and of that one end in, and the name of its cache."""
    (main,) = (FOLDER / "assets").glob("main-*.css")
    before = main.stem.removeprefix("main-")
    after = "".join(sorted(before))[::-1] if "".join(sorted(before))[::-1] != before else "X" * 8
    made = folder / "web"
    shutil.copytree(FOLDER, made, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    for path in [*made.rglob("*")]:
        if path.suffix in (".js", ".css", ".html", ".json"):
            path.write_text(path.read_text().replace(before, after))
        if before in path.name:
            path.rename(path.with_name(path.name.replace(before, after)))
    worker = made / "worker.js"
    version = re.search(r'const DIGEST = "(\w+)"', worker.read_text())
    assert version
    cache = version[1][::-1]
    worker.write_text(worker.read_text().replace(version[1], cache))
    return made, before, after, cache


def builds(page: Page) -> set[str]:
    """The letters of the builds that a page has loaded code of."""
    names: list[str] = page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name)"
    )
    found = [re.search(r"/assets/.*-(\w{8})\.(?:js|css)$", name) for name in names]
    return {one[1] for one in found if one}


@pytest.mark.thorough
def test_two_versions_never_mix(people: People, own_server: Process, tmp_path: Path) -> None:
    people.expected = GONE
    made, before, after, cache = second_build(tmp_path)
    page = visit(people, own_server)
    old = page.context.new_page()
    old.goto("/problems")
    expect(old.locator("h1")).to_be_visible()
    own_server.stop()
    own_server.environment["DALAPAPA_WEB"] = str(made)
    own_server.start()
    page.reload()
    expect(page.locator("h1").first).to_be_visible()
    assert builds(page) == {after}
    wait_until_sync(
        lambda: page.evaluate(
            """async (name) => {
              const { installing, waiting } = await navigator.serviceWorker.getRegistration();
              return !installing && !waiting && !!(await (await caches.open(name)).match("/"));
            }""",
            cache,
        ),
        "the new build is kept",
    )
    # What is still open goes on with its own files, which the server does not have any more.
    old.get_by_role("link", name=t("solver")).first.click()
    expect(old.locator(".board").first).to_be_visible()
    assert builds(old) == {before}
    # Without a server, all is of the new one.
    own_server.stop()
    for one in (page, old):
        one.goto("/solver")
        expect(one.locator(".board").first).to_be_visible()
        assert builds(one) == {after}


BLOCKED = """for (const name of ["localStorage", "sessionStorage"]) {
  const refuse = () => { throw new DOMException("", "SecurityError"); };
  Object.defineProperty(window, name, { get: refuse });
}"""
FULL = """Storage.prototype.setItem = () => {
  throw new DOMException("", "QuotaExceededError");
};"""


@pytest.mark.parametrize(
    "memory", [BLOCKED, pytest.param(FULL, marks=pytest.mark.thorough)], ids=["blocked", "full"]
)
def test_a_browser_without_memory(people: People, memory: str) -> None:
    """Players who sit down play, every page works, and it says once what is not kept."""
    page = people.arrive()
    page.add_init_script(memory)
    paths = ("problems", "problem", "analysis", "solver", "print", "lesson", "dominoes", "replay")
    for path in paths:
        page.goto(f"/{path}")
        expect(page.locator("main :is(h1, .status)").first).to_be_visible()
    page.goto("/")
    expect(page.get_by_text(t("storage_full"))).to_have_count(0)
    page.get_by_role("button", name=t("play_now"), exact=True).first.click()
    page.wait_for_url(re.compile("/t/"))
    expect(page.get_by_role("main").get_by_text(t("storage_full"))).to_be_visible()
    table.play_turn(page)
    table.my_turn(page)
    page.get_by_role("button", name=t("settings")).click()
    page.get_by_label(t("theme_dark")).check()
    expect(page.locator("html[data-theme=dark]")).to_be_attached()


def test_offline_a_language_that_was_never_loaded_falls_back_to_a_cached_one(
    people: People, own_server: Process
) -> None:
    """The page stays readable, says why, and changes once the server is back."""
    people.expected = GONE
    page = visit(people, own_server)
    own_server.stop()
    page.get_by_role("combobox").first.select_option("it")
    note = page.get_by_role("main").get_by_text(t("language_unavailable", wanted="Italiano"))
    expect(note).to_be_visible()
    for path in ("/", "/rules/gone", "/solver"):
        page.goto(path)
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.locator("main :is(h1, .board)").first).to_be_visible()
        expect(note).to_be_visible()
        expect(page.get_by_role("combobox").first).to_have_value("en")
    page.goto("/")
    # Links load only the texts of the next page, without a reload.
    page.get_by_role("link", name=t("problems")).first.click()
    expect(page.locator("h1")).to_have_text(t("problems"))
    own_server.start()
    expect(page.locator("html")).to_have_attribute("lang", "it")
    expect(page.locator("h1")).to_have_text(t("problems", "it"))
    expect(page.get_by_role("combobox").first).to_have_value("it")
    expect(page.locator("main .tinted")).to_have_count(0)


@pytest.mark.thorough
def test_a_server_that_never_answers_leaves_a_cached_language(
    people: People, own_server: Process
) -> None:
    people.expected = GONE
    page = visit(people, own_server)
    assert own_server.child
    own_server.child.send_signal(signal.SIGSTOP)
    try:
        page.evaluate("localStorage.setItem('dalapapa.setting.language', '\"it\"')")
        page.reload()
        note = page.get_by_role("main").get_by_text(t("language_unavailable", wanted="Italiano"))
        expect(note).to_be_visible()
        expect(page.locator("h1").first).to_be_visible()
    finally:
        own_server.child.send_signal(signal.SIGCONT)
    expect(page.locator("html")).to_have_attribute("lang", "it")
