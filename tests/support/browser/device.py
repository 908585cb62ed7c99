"""Games on a device, which browser tests begin and play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser import table
from tests.support.browser.people import People
from tests.support.browser.process import Process
from tests.support.browser.texts import t
from tests.support.engine import find_engine

LOADED_MS = 120_000
"""For the engine, on a busy machine."""


@pytest.fixture
def engine_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Process]:
    """A server with the engine for browsers, which a test may stop."""
    monkeypatch.setenv("DALAPAPA_ENGINE", str(find_engine()))
    process = Process(tmp_path)
    yield process
    process.stop()


def begin(people: People, server: Process, game: str = "classic", **options: Any) -> Page:
    """Begin a game against a bot by the form for a new table."""
    page = people.arrive(server=server, **options)
    if "service_workers" in options:
        page.goto("/")
        page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.goto(f"/new/{game}")
    page.locator("fieldset select").nth(1).select_option("novice")
    switch = page.get_by_role("switch", name=t("device_switch"))
    expect(switch).to_have_accessible_description(t("device_switch_note"))
    switch.check()
    page.get_by_role("button", name=t("start"), exact=True).click()
    page.wait_for_url(re.compile("/t/device-"), timeout=LOADED_MS)
    expect(page.locator("header").get_by_text(t("device_here"))).to_be_visible()
    return page


def play_turns(page: Page, count: int) -> None:
    for _ in range(count):
        table.my_turn(page)
        table.play_turn(page)
