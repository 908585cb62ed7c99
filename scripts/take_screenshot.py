"""Take the pictures of README and docs, in a real Chromium: a game under way, and the samples.

python scripts/take_screenshot.py URL

URL is a server that runs (`dalapapa play --no-browser`). Needs Playwright and Pillow, which
`make test` installs.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from pictures import chromium, open_new_table, play_turns
from PIL import Image
from playwright.sync_api import Browser

DOCS = Path(__file__).parents[1] / "docs"
TURNS = 9
SAMPLES = {
    "light": ("type", "space", "colours", "icons", "parts"),
    "dark": ("colours", "parts"),
}
"""The parts of the page of samples, by theme: the others look the same by night."""


def main(url: str) -> None:
    """All pictures, of the server at this address."""
    with chromium() as browser:
        take_samples(browser, url)
        take_game(browser, url)


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
    page = open_new_table(browser, url, "Alice", game="classic", seats=[None, "medium"])
    play_turns(page, TURNS)
    page.locator(".held-face:not(.stuck)").first.wait_for()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(2500)  # Until nothing flies or flashes.
    save(page.screenshot(), DOCS / "play.png", 128)
    page.context.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))
