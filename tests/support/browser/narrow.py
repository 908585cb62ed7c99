"""What is in the way of those who see a page on a small screen, enlarged four times, with more
space between letters, or in the colours of their system.

Measured is what WCAG 2.2 asks for: reflow (1.4.10), text spacing (1.4.12), a focus that nothing
hides (2.4.11) and targets of a least size (2.5.8); and that no colour is ours where a system has
its own.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page, ViewportSize

PHONE: ViewportSize = {"width": 320, "height": 640}
ENLARGED: ViewportSize = {"width": 320, "height": 256}
"""1280 x 1024 at 400 %."""

FINGER, POINTER = 40, 24
"""The least size of what is touched, and of what is clicked, in pixels."""

TABLES = ".side-by-side > div, .missed-bars"
"""What is wider than any small screen: several games turn by turn, a bar for each turn."""
STRIPS = f"{TABLES}, .chip-row, .pool-grid, .hand.large, .finished-games.strip"
"""What a finger moves sideways on a phone; enlarged, it lies in several rows."""

DRAWN = "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"

SPACED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
    word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }`);
  document.adoptedStyleSheets = [sheet];
}"""
UNSPACED = "() => { document.adoptedStyleSheets = []; }"


@cache
def script() -> str:
    return Path(__file__).with_suffix(".js").read_text()


def found(page: Page, what: str, **given: Any) -> list[str]:
    """What one of the functions of the script finds."""
    reports: list[str] = page.evaluate(f"(given) => {script().strip()}.{what}(given)", given)
    return reports


def barriers(page: Page, size: ViewportSize) -> list[str]:
    """All that is in the way at a size, as the page is; then with more space between letters."""
    page.set_viewport_size(size)
    page.evaluate(DRAWN)
    enlarged = size == ENLARGED
    scrollers = TABLES if enlarged else STRIPS
    reports = [
        *found(page, "sideways", scrollers=scrollers),
        *found(page, "small", least=POINTER if enlarged else FINGER),
        *found(page, "hidden", scrollers=scrollers),
    ]
    page.evaluate(SPACED)
    reports += [f"spaced: {one}" for one in found(page, "sideways", scrollers=scrollers)]
    page.evaluate(UNSPACED)
    return reports


def foreign(page: Page) -> list[str]:
    """What does not have the colours of a system that has its own, by day and by night."""
    reports = []
    scheme: Literal["light", "dark"]
    for scheme in ("light", "dark"):
        page.emulate_media(forced_colors="active", color_scheme=scheme)
        page.evaluate(DRAWN)
        reports += [f"{scheme}: {one}" for one in found(page, "foreign")]
    return reports
