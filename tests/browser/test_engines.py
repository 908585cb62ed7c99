"""The same journeys in Firefox, WebKit and Chromium."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from engines import journeys
from engines.page import Page
from engines.start import CANNOT, started
from people import DESK
from process import Process

ENGINES = ("firefox", "webkit", "chromium")
DOCS = Path(__file__).parents[2] / "docs" / "browsers.md"

pytestmark = pytest.mark.waits


@contextlib.contextmanager
def opened(name: str, folder: Path, server: Process) -> Iterator[Page]:
    """A page on a desk's screen; nothing may go wrong in it."""
    with started(name, folder) as driver:
        page = Page(driver, server.url)
        page.remember()
        page.resize(DESK["width"], DESK["height"])
        yield page
        assert page.troubles() == []


@pytest.mark.parametrize("name", ENGINES)
def test_a_short_journey(name: str, tmp_path: Path, server: Process) -> None:
    with opened(name, tmp_path, server) as page:
        journeys.home(page)
        journeys.classic(page, server, "mouse", 2)
        journeys.classic(page, server, "keyboard", 1)
        journeys.race(page, server)
        journeys.problem(page, server)
        journeys.dark(page)
        journeys.phone(page, server)


def test_what_an_engine_cannot_do_is_documented() -> None:
    words = DOCS.read_text()
    for name, limits in CANNOT.items():
        for limit, reason in limits.items():
            assert f"| {name} | {limit} | {reason} |" in words
