"""Take the pictures of README and docs, in a real Chromium: a game under way, and the samples.

python scripts/take_screenshot.py URL

URL is a server that runs (`dalapapa play --no-browser`). Needs Playwright and Pillow, which
`make test` installs.
"""

from __future__ import annotations

import io
import json
import sys
import urllib.request
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

DOCS = Path(__file__).parents[1] / "docs"
TURNS = 9
SAMPLES = {
    "light": ("type", "space", "colours", "icons", "parts"),
    "dark": ("colours", "parts"),
}
"""The parts of the page of samples, by theme: the others look the same by night."""


def main(url: str) -> None:
    """All pictures, of the server at this address."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        take_samples(browser, url)
        take_game(browser, url)
        browser.close()


def save(data: bytes, path: Path, colours: int) -> None:
    """A picture of few colours, which is small."""
    path.parent.mkdir(exist_ok=True)
    Image.open(io.BytesIO(data)).quantize(colours).save(path, optimize=True)


def take_samples(browser: Browser, url: str) -> None:
    """The page of samples, part by part, by day and by night."""
    for theme, parts in SAMPLES.items():
        page = browser.new_page(viewport={"width": 960, "height": 800}, locale="en-GB")
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.goto(f"{url}/samples")
        for name in parts:
            data = page.locator(f".samples-{name}").screenshot(animations="disabled")
            save(data, DOCS / "design" / f"{name}.{theme}.png", 256)
        page.close()


def take_game(browser: Browser, url: str) -> None:
    """Play some turns by keyboard, point at a place, and take the picture."""
    asked = {"game": "classic", "seats": [None, "medium"], "host": "Alice", "pace": 100}
    request = urllib.request.Request(
        f"{url}/api/tables", json.dumps(asked).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        new = json.load(answer)
    known = json.dumps({new["id"]: {"token": new["token"], "game": "classic", "at": 0}})
    memory = {"origin": url, "localStorage": [{"name": "dalapapa.tables", "value": known}]}
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, locale="en-GB", color_scheme="light",
        storage_state={"cookies": [], "origins": [memory]},
    )  # fmt: skip
    page = context.new_page()
    page.goto(f"{url}/t/{new['id']}")
    for turn in range(TURNS):
        page.wait_for_function("() => document.title.startsWith('●')")
        page.locator(".held-face:not(.stuck)").first.wait_for()
        page.keyboard.press("ArrowRight" if turn % 2 else "ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_timeout(500)
        page.keyboard.press("e")
        page.wait_for_timeout(1000)
    page.wait_for_function("() => document.title.startsWith('●')")
    page.locator(".held-face:not(.stuck)").first.wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(2500)  # Until nothing flies or flashes.
    save(page.screenshot(), DOCS / "play.png", 128)
    context.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))
