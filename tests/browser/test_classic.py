"""The classic table, and what all tables share."""

from __future__ import annotations

from playwright.sync_api import expect

import table
from people import People
from process import Process


def test_smoke(people: People, server: Process) -> None:
    page = table.sit(people, table.create(server))
    expect(page.locator(".status")).to_contain_text("first domino")
    page.screenshot(path="/tmp/tester/one.png")
