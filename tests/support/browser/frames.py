"""Cells of a frame on the screen."""

from __future__ import annotations

from playwright.sync_api import Page


def find_floor(page: Page) -> dict[str, float]:
    """Find where the cells of the frame are."""
    box = page.locator(".board .frame-floor").bounding_box()
    assert box
    return {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"]}


def find_cell(page: Page, column: int, row: int, cells: int = 4) -> tuple[float, float]:
    """Find the middle of a cell of the frame."""
    found = find_floor(page)
    cell = found["width"] / cells
    return found["x"] + (column + 0.5) * cell, found["y"] + (row + 0.5) * cell
