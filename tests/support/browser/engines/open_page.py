"""A page in one of the three engines."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from tests.support.browser.engines.page import Page
from tests.support.browser.engines.start import started
from tests.support.browser.people import DESK
from tests.support.browser.process import Process


@contextlib.contextmanager
def open_page(name: str, folder: Path, server: Process, *, dark: bool = False) -> Iterator[Page]:
    """Open a page on a desktop screen; an error in it fails the test."""
    folder = folder / f"{name}-{'dark' if dark else 'light'}"
    folder.mkdir()
    with started(name, folder, dark=dark) as driver:
        page = Page(driver, server.url)
        page.remember()
        page.resize(DESK["width"], DESK["height"])
        yield page
        assert page.troubles() == []
