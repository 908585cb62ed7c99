"""Jobs about prints: pure functions, which run in worker processes."""

from __future__ import annotations

from typing import Any

import msgspec

from ...printing import get_sheets, preview, print_options
from ..schemas import PrintedPage


def list_pages(data: dict[str, Any]) -> bytes:
    """The pages of a print as JSON."""
    sheets = get_sheets(print_options(data, from_page=True))
    return msgspec.json.encode(
        [PrintedPage(sheet.title, sheet.width, sheet.height) for sheet in sheets]
    )


def draw_page(data: dict[str, Any], number: int) -> bytes:
    """One page as SVG."""
    return preview(data, number, from_page=True).encode()
