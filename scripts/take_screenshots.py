"""Take the small pictures of README and those of docs/design.md, in a real Chromium.

python scripts/take_screenshots.py

Games and problems come from seeds and dates, so every run shows the same.
"""

from __future__ import annotations

import io
from collections.abc import Callable

from pictures import (
    DOCS,
    chromium,
    make_table_line,
    open_page,
    play_best_turns,
    save_picture,
    serve,
    take_picture,
)
from PIL import Image
from playwright.sync_api import Browser, Page

from dalapapa import Match

SIZE = (1024, 640)
WIDTH = 400
COACH_TIMEOUT_MS = 180_000
SAMPLES = {
    "light": ("type", "space", "colours", "icons", "parts"),
    "dark": ("colours", "parts"),
}
"""The parts of the page of samples, by theme: the others look the same in the dark."""


def take_samples(browser: Browser, url: str) -> None:
    """Take the page of samples part by part, light and dark."""
    for theme, parts in SAMPLES.items():
        page = browser.new_page(viewport={"width": 960, "height": 800}, locale="en-GB")
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.goto(f"{url}/samples")
        for name in parts:
            data = page.locator(f".samples-{name}").screenshot(animations="disabled")
            picture = Image.open(io.BytesIO(data)).quantize(256)
            picture.save(DOCS / "design" / f"{name}.{theme}.png", optimize=True)
        page.close()


# -- the features of README ----------------------------------------------------------------------


COMPLETE = """() => document.fonts.status === "loaded"
  && [...document.images].every((image) => image.complete)"""


def open_games(page: Page) -> None:
    """Open the first page at the list of games."""
    page.goto("/")
    page.locator("#games").evaluate("(heading) => heading.scrollIntoView()")


def open_invitation(page: Page) -> None:
    """Open a table that waits for a guest."""
    page.goto("/t/invitation")


def open_review(page: Page) -> None:
    """Open a replay at the biggest missed chance."""
    page.goto("/t/finished")
    page.locator("dialog.result").get_by_role("button", name="Ask the coach").click()
    card = page.locator(".missed-cards li").first
    card.get_by_role("link").click(timeout=COACH_TIMEOUT_MS)
    page.locator(".ghost-domino").first.wait_for(timeout=COACH_TIMEOUT_MS)


def open_problem(page: Page) -> None:
    """Open the problem of a Monday."""
    page.goto("/problem?date=2026-11-16")


def open_table_in_words(page: Page) -> None:
    """Open a table, and what it has in words."""
    page.goto("/t/running")
    page.locator(".held-face:not(.stuck)").first.wait_for()
    page.keyboard.press("w")


def open_prints(page: Page) -> None:
    """Open the print page."""
    page.goto("/print")


FEATURES: dict[str, Callable[[Page], None]] = {
    "games": open_games,
    "invitation": open_invitation,
    "coach": open_review,
    "problem": open_problem,
    "words": open_table_in_words,
    "print": open_prints,
}


def main() -> None:
    """Take all pictures."""
    running = Match("classic", players=["Ann", "medium"], seed="readme-1101")
    play_best_turns(running, 11)
    finished = Match("classic", players=["Ann", "medium"], seed="readme-1101")
    play_best_turns(finished)
    tables = [
        make_table_line("running", running),
        make_table_line("finished", finished),
        make_table_line("invitation", Match("classic", players=["Ann", "Ben"]), guests=1),
    ]
    with serve(tables) as url, chromium() as browser:
        take_samples(browser, url)
        for name, show in FEATURES.items():
            still = {"base_url": url, "reduced_motion": "reduce"}
            page = open_page(browser, url, *tables, size=SIZE, **still)
            show(page)
            page.wait_for_load_state("networkidle")
            page.wait_for_function(COMPLETE)
            save_picture(take_picture(page), name, WIDTH)
            page.context.close()


if __name__ == "__main__":
    main()
