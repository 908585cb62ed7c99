"""Tables on this device: the engine hosts them in the browser, with a server or without one."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Worker, expect

from tests.support.browser import table
from tests.support.browser.device import LOADED_MS, begin, engine_server, play_turns
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.waiting import wait_until_sync

__all__ = ["engine_server"]

pytestmark = pytest.mark.thorough

FULL = """() => {
  IDBObjectStore.prototype.put = IDBObjectStore.prototype.add = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
}"""


def find_host(page: Page) -> Worker:
    """The worker that hosts tables."""
    (host,) = [worker for worker in page.workers if "tables-worker" in worker.url]
    return host


def test_a_game_goes_on_after_a_reload(people: People, engine_server: Process) -> None:
    page = begin(people, engine_server)
    play_turns(page, 2)
    table.my_turn(page)
    before = table.positions(page)
    page.reload()
    expect(page.locator(".board .domino")).to_have_count(len(before), timeout=LOADED_MS)
    assert table.positions(page) == before
    play_turns(page, 1)
    assert len(table.positions(page)) > len(before)


def test_a_game_goes_on_without_the_server(people: People, engine_server: Process) -> None:
    """The page, the engine and the table come from this device, also after a reload."""
    people.expected = ("ERR_CONNECTION", "ERR_EMPTY", "ERR_FAILED", "503")
    page = begin(people, engine_server, service_workers="allow")
    play_turns(page, 1)
    table.my_turn(page)
    engine_server.stop()
    play_turns(page, 1)
    before = table.positions(page)
    page.reload()
    expect(page.locator(".board .domino").nth(len(before) - 1)).to_be_visible(timeout=LOADED_MS)
    play_turns(page, 1)
    assert len(table.positions(page)) > len(before)
    page.goto("about:blank")


def test_two_tabs_see_the_same_table(people: People, engine_server: Process) -> None:
    """The first tab hosts it; when that is closed, the other one does."""
    first = begin(people, engine_server)
    second = first.context.new_page()
    second.goto(first.url)
    play_turns(second, 1)
    table.my_turn(second)
    laid = table.positions(second)
    expect(first.locator(".board .domino")).to_have_count(len(laid))
    assert table.positions(first) == laid
    assert _count_workers(second) == 0
    first.close()
    wait_until_sync(lambda: _count_workers(second) == 2, "the workers of the second tab")
    expect(second.locator(".reconnecting")).to_have_count(0, timeout=LOADED_MS)
    before = table.positions(second)
    play_turns(second, 1)
    assert len(table.positions(second)) > len(before)


def test_a_tab_takes_over_from_one_that_the_system_has_frozen(
    people: People, engine_server: Process
) -> None:
    """The tab that is looked at hosts the table, and the other one follows when it is woken.

    A debugger stops the page: Chromium without a screen does not freeze any.
    """
    people.expected = ("The worker of the tables ended",)
    first = begin(people, engine_server)
    table.my_turn(first)
    second = first.context.new_page()
    second.goto(first.url)
    table.my_turn(second)
    assert _count_workers(second) == 0
    session = first.context.new_cdp_session(first)
    session.send("Debugger.enable")
    session.send("Debugger.pause")
    wait_until_sync(lambda: _count_workers(second) == 2, "the workers of the second tab")
    expect(second.locator(".reconnecting")).to_have_count(0, timeout=LOADED_MS)
    play_turns(second, 1)
    table.my_turn(second)
    laid = table.positions(second)
    session.send("Debugger.resume")
    session.send("Debugger.disable")
    expect(first.locator(".board .domino")).to_have_count(len(laid), timeout=LOADED_MS)
    assert table.positions(first) == laid
    wait_until_sync(lambda: _count_workers(first) == 0, "the first tab follows")
    assert _count_workers(second) == 2


def _count_workers(page: Page) -> int:
    page.evaluate("0")  # Events of the page arrive with its answer.
    return len(page.workers)


def test_a_worker_that_ends_loses_nothing(people: People, engine_server: Process) -> None:
    people.expected = ("The worker of the tables ended",)
    page = begin(people, engine_server)
    play_turns(page, 1)
    table.my_turn(page)
    before = table.positions(page)
    find_host(page).evaluate("setTimeout(() => { throw new Error('a test'); })")
    play_turns(page, 1)
    after = table.positions(page)
    assert after[: len(before)] == before
    assert len(after) > len(before)


def test_a_full_storage_says_so_and_the_game_goes_on(
    people: People, engine_server: Process
) -> None:
    page = begin(people, engine_server)
    play_turns(page, 1)
    table.my_turn(page)
    find_host(page).evaluate(FULL)
    before = table.positions(page)
    play_turns(page, 1)
    assert len(table.positions(page)) > len(before)
    expect(page.get_by_text(t("storage_full")).first).to_be_visible()


def test_the_first_page_lists_tables_without_loading_python(
    people: People, engine_server: Process
) -> None:
    page = begin(people, engine_server)
    address = urlsplit(page.url).path
    table.my_turn(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    expect(page.locator(f'a[href="{address}"]').first).to_be_visible()
    assert any("engine.device" in url for url in asked)
    assert not any("pyodide" in url for url in asked)


def test_a_whole_game_has_a_result_a_replay_and_a_rematch(
    people: People, engine_server: Process
) -> None:
    page = begin(people, engine_server, "gone")
    address = page.url
    table.play_by_keys(page)
    dialog = table.result(page)
    expect(dialog).to_be_visible()
    page.goto(address.replace("/t/", "/replay/"))
    expect(page.locator(".board .domino").first).to_be_attached(timeout=LOADED_MS)
    page.goto(address)
    table.result(page).get_by_role("button", name=t("result_rematch")).click()
    page.wait_for_url(lambda url: "/t/device-" in url and url != address, timeout=LOADED_MS)
    table.my_turn(page)
