"""The documentation as a site, built and read in a real browser, from files alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

from tests.support.paths import ROOT

SITE = ROOT / "build" / "site"


class Reader:
    """A page that notes all that it loads from elsewhere, and what goes wrong."""

    def __init__(self, browser: Browser, width: int, scheme: str) -> None:
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
        )
        self.page: Page = context.new_page()
        self.troubles: list[str] = []
        self.page.on("request", self._asked)
        self.page.on("requestfailed", self._failed)
        self.page.on("console", self._logged)
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))

    def open(self, path: Path) -> None:
        self.page.goto(path.as_uri())

    def _asked(self, request: Request) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            self.troubles.append(request.url)

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # By leaving the page.
            self.troubles.append(f"{request.url}: {request.failure}")

    def _logged(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.troubles.append(message.text)


@pytest.mark.thorough
def test_the_site_is_built_and_read(browser: Browser) -> None:
    """Broken links end the build; pages load nothing from other hosts, and the search finds."""
    subprocess.run([sys.executable, "scripts/build_site.py"], cwd=ROOT, check=True)
    pages = sorted(SITE.rglob("*.html"))
    assert len(pages) > 80
    reader = Reader(browser, 1280, "light")
    for page in pages:
        # Other languages look alike; the addresses of 404 begin at a server's root.
        if page.name.count(".") == 1 and page.name != "404.html":
            reader.open(page)
            assert reader.page.locator("h1").count() >= 1, page
            assert reader.troubles == [], page

    reader.open(SITE / "index.html")
    reader.page.locator(".md-search__button").first.click()
    reader.page.locator("input[placeholder=Search]").fill("sandglass")
    expect(reader.page.locator("mark", has_text="sandglass").first).to_be_visible()

    for width, scheme in ((390, "light"), (390, "dark")):
        phone = Reader(browser, width, scheme)
        for name in ("index", "play/classic", "protocol", "environments/classic"):
            phone.open(SITE / f"{name}.html")
            beyond = "document.documentElement.scrollWidth - innerWidth"
            assert phone.page.evaluate(beyond) <= 0, name
            assert phone.troubles == []
