"""Cells of a frame on the screen."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.support.browser.geometry import resting_box


def find_floor(page: Page) -> dict[str, float]:
    """Find where the cells of the frame are."""
    floor = resting_box(page.locator(".board .frame-floor"))
    return {"x": floor.left, "y": floor.top, "width": floor.width, "height": floor.height}


def find_cell(page: Page, column: int, row: int, cells: int = 4) -> tuple[float, float]:
    """Find the middle of a cell of the frame."""
    found = find_floor(page)
    cell = found["width"] / cells
    return found["x"] + (column + 0.5) * cell, found["y"] + (row + 0.5) * cell
