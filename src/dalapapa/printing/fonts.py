"""The font of everything printed: Lato, from the package font-lato, embedded in every file.

It is under the SIL Open Font License and has all letters of our six languages.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from typing import Any

from .sheet import Font

FILES = {"regular": "Lato-Regular.ttf", "bold": "Lato-Bold.ttf", "italic": "Lato-Italic.ttf"}


@cache
def font(name: Font) -> Any:
    """The font as reportlab knows it, registered on first use."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    with as_file(files("font_lato").joinpath("files", FILES[name])) as path:
        found = TTFont(f"Lato-{name}", str(path))
    pdfmetrics.registerFont(found)
    return found


def text_width(text: str, size: float, name: Font = "regular") -> float:
    """The width of a text, in the unit of `size`."""
    return float(font(name).stringWidth(text, size))
