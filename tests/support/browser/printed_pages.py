"""Pages of the print page."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect


def find_pictures(page: Page) -> Locator:
    return page.locator(".print-sheet img")


def wait_for_pages(page: Page) -> None:
    """Wait until the requested pages are shown and the first picture is loaded."""
    expect(page.locator(".print-sheets")).to_have_attribute("aria-busy", "false")
    find_pictures(page).first.scroll_into_view_if_needed()  # Those out of sight do not come at all.
    page.wait_for_function(
        """() => {
          const first = document.querySelector(".print-sheet img");
          return first?.complete && first.naturalWidth > 0;
        }"""
    )
