"""The static edition at a plain web host, below a deep path, in Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from dalapapa import rulebook
from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.static_site import PREFIX, Host, add_documentation, host_site, make_site
from tests.support.browser.texts import t
from tests.support.engine import ask, find_engine
from tests.support.engine_games import make_game

RULES_TITLE = rulebook.page("classic", "en").splitlines()[0].removeprefix("# ")

LOADED_MS = 120_000
"""For the engine, on a busy machine."""


@pytest.fixture(scope="module")
def plain_host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """The edition without its engine."""
    with host_site(make_site(tmp_path_factory.mktemp("site"))) as host:
        yield host


@pytest.fixture
def engine_host(tmp_path: Path) -> Iterator[Host]:
    """The edition with its engine, at a host that a test may stop."""
    with host_site(make_site(tmp_path / "site", find_engine())) as host:
        yield host


def path_of(page: Page) -> str:
    """The address below the folder of the edition."""
    address = urlsplit(page.url)
    assert address.path.startswith(PREFIX)
    return page.url.removeprefix(f"{address.scheme}://{address.netloc}{PREFIX}")


# -- without the engine --------------------------------------------------------------------------


def test_pages_are_reached_by_links_and_stay_after_a_reload(
    people: People, plain_host: Host
) -> None:
    page = people.arrive(server=plain_host)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("")
    page.locator("nav").get_by_role("link", name=t("rules")).click()
    heading = page.get_by_role("heading", level=1, name=RULES_TITLE)
    expect(heading).to_be_visible()
    assert path_of(page) == "/rules/?/classic"
    page.reload()
    expect(heading).to_be_visible()
    page.get_by_role("link", name=t("game_gone"), exact=True).click()
    expect(page).to_have_url(re.compile(r"/rules/\?/gone$"))
    page.go_back()
    expect(heading).to_be_visible()
    page.locator("header .brand").click()
    expect(page.get_by_role("button", name=t("play_now"), exact=True).first).to_be_visible()
    assert path_of(page) == "/"
    assert all(urlsplit(url).path.startswith(f"{PREFIX}/") for url in asked)
    assert not any("/engine/" in url or "/api/" in url for url in asked)


def test_what_needs_a_server_says_so_with_a_way_forward(people: People, plain_host: Host) -> None:
    page = people.arrive(server=plain_host)
    page.goto("")
    sentence = page.get_by_role("main").get_by_text(t("needs_server_tables"))
    expect(sentence).to_be_visible()
    link = sentence.get_by_role("link", name=t("needs_server_how"))
    expect(link).to_have_attribute("href", f"{PREFIX}/docs/hosting.html")
    page.goto("new/?/classic")
    expect(page.get_by_role("main").get_by_text(t("needs_server_tables"))).to_be_visible()
    seats = page.locator("fieldset select").nth(1).locator("option")
    assert t("seat_link") not in seats.all_inner_texts()
    for address in ("t/?/abcdef", "challenge/?/abcdef"):
        page.goto(address)
        expect(page.get_by_role("main").get_by_text(t("refused_needs_server"))).to_be_visible()


def test_prints_are_files(people: People, plain_host: Host) -> None:
    people.expected = ("404",)  # This host has no prints: tests/edition checks them.
    page = people.arrive(server=plain_host, language="fr-FR")
    page.goto("print/")
    link = page.get_by_role("link", name=t("print_open", "fr"))
    prefix = f"{PREFIX}/prints/dalapapa"
    expect(link).to_have_attribute("href", f"{prefix}-box-a4-fr.pdf")
    page.get_by_role("radio", name=t("print_what_booklet", "fr")).check(force=True)
    page.get_by_role("radio", name=t("print_paper_letter", "fr")).check()
    expect(link).to_have_attribute("href", f"{prefix}-booklet-letter-fr.pdf")


def test_the_first_page_is_light(people: People, plain_host: Host) -> None:
    """Even from a host that compresses nothing, no file of the engine is among them."""
    page = people.arrive(server=plain_host)
    loaded: list[str] = []
    page.on("response", lambda answer: loaded.append(urlsplit(answer.url).path))
    page.goto("")
    page.get_by_role("button", name=t("play_now"), exact=True).first.wait_for()
    page.wait_for_load_state("networkidle")
    assert len(loaded) < 12, "\n".join(loaded)


def test_pages_open_without_a_connection(people: People, tmp_path: Path) -> None:
    people.expected = ("ERR_", "manifest.json", "404")
    with host_site(make_site(tmp_path / "site")) as host:
        page = people.arrive(server=host, service_workers="allow")
        page.goto("")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
        host.stop()
        page.goto("lesson/")
        expect(page.locator(".board").first).to_be_visible()
        page.goto("solver/")
        expect(page.locator(".board").first).to_be_visible()
        names: list[str] = page.evaluate("caches.keys()")
        assert all(name.startswith(f"{PREFIX}/ ") for name in names), "others share the host"
        page.goto("about:blank")


# -- with the engine -----------------------------------------------------------------------------


def begin_game(page: Page) -> None:
    page.goto("")
    page.get_by_role("button", name=t("play_now"), exact=True).first.click()
    page.wait_for_url(re.compile(r"/t/\?/device-"), timeout=LOADED_MS)
    table.my_turn(page)


@pytest.mark.thorough
def test_a_game_against_a_bot_survives_a_reload(people: People, engine_host: Host) -> None:
    page = people.arrive(server=engine_host)
    begin_game(page)
    table.play_turn(page)
    table.my_turn(page)
    before = table.positions(page)
    page.reload()
    expect(page.locator(".board .domino")).to_have_count(len(before), timeout=LOADED_MS)
    assert table.positions(page) == before
    table.play_turn(page)
    table.my_turn(page)
    address = page.url
    page.goto("")
    page.get_by_role("link", name=t("resume")).first.click()
    expect(page).to_have_url(address)


@pytest.mark.thorough
def test_studies_need_no_server(people: People, engine_host: Host) -> None:
    page = people.arrive(server=engine_host)
    page.set_default_timeout(LOADED_MS)
    page.goto("analysis/#p=PRYGB+0@0,0_BYRGB+0@0,-1&h=CRYGB,ZYRBG")
    expect(page.locator(".best-turns li")).to_have_count(10, timeout=LOADED_MS)
    page.get_by_role("button", name=t("review_ask")).press("Enter")
    expect(page.locator(".coach-turns li")).to_have_count(5, timeout=LOADED_MS)
    page.goto("solver/")
    page.get_by_role("button", name=t("solver_next")).click()
    found = page.get_by_role("main").get_by_text(t("solver_found", number=2, count=2))
    expect(found).to_be_visible(timeout=LOADED_MS)
    page.goto("replay/")
    expect(page.get_by_label(t("replay_position"))).to_be_visible(timeout=LOADED_MS)
    assert table.laid(page).count() > 5


@pytest.mark.thorough
def test_a_record_is_saved_opened_and_verified(
    people: People, engine_host: Host, tmp_path: Path
) -> None:
    page = people.arrive(server=engine_host)
    record = tmp_path / "game.json"
    record.write_text(ask("simulate", **make_game("gone", "novice")))
    page.goto("replay/")
    page.locator("input[type=file]").set_input_files(record)
    expect(page.get_by_role("heading", level=1)).to_have_text(
        t("replay_of", game=t("game_gone")), timeout=LOADED_MS
    )
    with page.expect_download() as download:
        page.get_by_role("button", name=t("replay_download")).click()
    assert json.loads(download.value.path().read_text()) == json.loads(record.read_text())
    page.get_by_role("button", name=t("replay_others")).click()
    record.write_text(record.read_text().replace('"seed":', '"seeds":'))
    page.locator("input[type=file]").set_input_files(record)
    expect(page.locator(".trouble")).to_be_visible(timeout=LOADED_MS)


@pytest.mark.thorough
def test_problems_of_any_day_are_judged(people: People, engine_host: Host) -> None:
    page = people.arrive(server=engine_host)
    page.goto("problem/?date=2026-11-16")
    expect(page.locator(".lesson-task")).to_have_text(t("problem_how"), timeout=LOADED_MS)
    table.lay_by_keys(page)
    page.keyboard.press("e")
    expect(page.locator(".problem-parts li").first).to_be_visible(timeout=LOADED_MS)
    page.goto("problem/?kind=frame&date=2026-10-12")
    page.get_by_role("button", name=t("problem_show")).click(timeout=LOADED_MS)
    expect(page.get_by_role("main").get_by_text(t("problem_frame_shown"))).to_be_visible(
        timeout=LOADED_MS
    )


@pytest.mark.thorough
def test_examples_of_the_documentation_run(people: People, tmp_path: Path) -> None:
    site = make_site(tmp_path / "site", find_engine())
    add_documentation(site, tmp_path / "documentation")
    with host_site(site) as host:
        page = people.arrive(server=host)
        page.goto("docs/library.html")
        second = page.get_by_role("button", name="Run example 2")
        second.click()
        output = page.get_by_role("status").last
        expect(output).to_have_text(">>> points + 4\n7\n", timeout=LOADED_MS)
        page.get_by_role("textbox", name="Example 1").fill(">>> points = 30")
        second.click()
        expect(output).to_have_text(">>> points + 4\n34\n", timeout=LOADED_MS)


@pytest.mark.thorough
def test_everything_is_there_without_a_connection(people: People, engine_host: Host) -> None:
    """After the first visit, in which only the first page was opened."""
    people.expected = ("ERR_",)
    page = people.arrive(server=engine_host, service_workers="allow")
    page.goto("")
    page.wait_for_function(
        """async () => {
          const manifest = await (await fetch("engine/manifest.json")).json();
          const names = (await caches.keys()).filter((name) => name.endsWith(" engine"));
          const kept = await Promise.all(names.map(async (n) => (await caches.open(n)).keys()));
          return kept.flat().length === manifest.files.length + 1;
        }""",
        timeout=LOADED_MS,
    )
    engine_host.stop()
    begin_game(page)
    table.play_turn(page)
    page.goto("problem/?date=2026-11-15")
    expect(page.locator(".board .domino").first).to_be_visible(timeout=LOADED_MS)
    page.goto("rules/?/classic")
    expect(page.get_by_role("heading", level=1, name=RULES_TITLE)).to_be_visible()
    page.goto("about:blank")
