"""What the scripts share that take pictures for the docs.

Needs Playwright, Pillow and pypdfium2, which `make test` installs.
"""

from __future__ import annotations

import contextlib
import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pypdfium2
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

WIDE = (1280, 800)
APART, GROUND = 14, "#e9e2d3"
"""Between pictures that stand side by side."""


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """A browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def request(url: str, path: str, data: Any = None) -> bytes:
    """What a server answers."""
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(url + path, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        found: bytes = answer.read()
    return found


def open_new_table(browser: Browser, url: str, host: str = "Ann", **settings: Any) -> Page:
    """A player at a new table."""
    new = json.loads(request(url, "/api/tables", {"host": host, "pace": 100, **settings}))
    known = json.dumps({new["id"]: {"token": new["token"], "game": settings["game"], "at": 0}})
    page = open_page(browser, url, {"dalapapa.tables": known})
    page.goto(f"{url}/t/{new['id']}")
    return page


def open_page(browser: Browser, url: str, known: dict[str, str] | None = None) -> Page:
    """A page of a new browser, which knows its tables."""
    memory: Any = {
        "cookies": [],
        "origins": [
            {
                "origin": url,
                "localStorage": [{"name": n, "value": v} for n, v in (known or {}).items()],
            }
        ],
    }
    context = browser.new_context(
        viewport={"width": WIDE[0], "height": WIDE[1]}, locale="en-GB", color_scheme="light",
        storage_state=memory, service_workers="block",
    )  # fmt: skip
    return context.new_page()


def play_turns(page: Page, turns: int) -> None:
    """Some turns by keyboard, until it is one's own again."""
    for turn in range(turns):
        page.wait_for_function("() => document.title.startsWith('●')")
        page.locator(".held-face:not(.stuck)").first.wait_for()
        page.keyboard.press("ArrowRight" if turn % 2 else "ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_timeout(500)
        page.keyboard.press("e")
        page.wait_for_timeout(1000)
    page.wait_for_function("() => document.title.startsWith('●')")


def render_page(pdf: bytes, page: int) -> Image.Image:
    """A page of a print."""
    document = pypdfium2.PdfDocument(pdf)
    return document[page - 1].render(scale=1.6).to_pil().convert("RGB")  # type: ignore[no-any-return]


def join_pictures(pictures: list[Image.Image], high: int) -> Image.Image:
    """Pictures beside each other, equally high."""
    sized = [
        one.resize((round(one.width * high / one.height), high), Image.Resampling.LANCZOS)
        for one in pictures
    ]
    width = sum(one.width + APART for one in sized) + APART
    whole = Image.new("RGB", (width, high + 2 * APART), GROUND)
    x = APART
    for one in sized:
        whole.paste(one, (x, APART))
        x += one.width + APART
    return whole
