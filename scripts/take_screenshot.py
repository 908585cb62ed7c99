"""Take the picture of the README: a classic game under way, in a real Chromium.

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
from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parents[1] / "docs" / "play.png"
TURNS = 9


def main(url: str) -> None:
    """Play some turns by keyboard, point at a place, and take the picture."""
    asked = {"game": "classic", "seats": [None, "medium"], "host": "Alice", "pace": 100}
    request = urllib.request.Request(
        f"{url}/api/tables", json.dumps(asked).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        new = json.load(answer)
    known = json.dumps({new["id"]: {"token": new["token"], "game": "classic", "at": 0}})
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
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
        data = page.screenshot()
        browser.close()
    Image.open(io.BytesIO(data)).quantize(128).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"))
