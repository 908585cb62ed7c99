"""The texts of prints: sentences in six languages, their fonts and line breaks.

The font is that of the screen, Outfit, in the same three weights (`docs/design.md`), embedded in
every file. It is under the SIL Open Font License and has all letters of our six languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache, partial
from importlib.resources import as_file, files
from typing import Any

from ..core.extras import require
from ..texts import say as say_in
from .sheet import Font, Text

say: partial[str] = partial(say_in, "printing")

COPYRIGHT = ("Dalapapa © François Haffner, 2003", "Dalapapa 72, 2003–2020")
"""On every cover and in the booklet, in every language."""

FILES: dict[Font, str] = {
    "reading": "Outfit-Regular.ttf",
    "strong": "Outfit-SemiBold.ttf",
    "display": "Outfit-ExtraBold.ttf",
}
"""Text; names and headings; titles and large numbers."""

WEIGHTS: dict[Font, int] = {"reading": 400, "strong": 600, "display": 800}


@cache
def font(name: Font) -> Any:
    """Load a font for reportlab, and register it on first use."""
    require("print")
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    with as_file(files(__package__).joinpath("fonts", FILES[name])) as path:
        found = TTFont(f"Outfit-{name}", str(path))
    pdfmetrics.registerFont(found)
    return found


@lru_cache(10_000)  # Columns are typeset several times with figures of different sizes.
def text_width(text: str, size: float, name: Font = "reading") -> float:
    """Measure a text, in the unit of `size`."""
    return float(font(name).stringWidth(text, size))


def capital(text: str) -> str:
    """Make the first letter a capital."""
    return text[:1].upper() + text[1:]


def lines(text: str, width: float, size: float, font: Font = "reading") -> list[str]:
    """Break `text` into lines of at most `width`."""
    found = [""]
    for word in text.split(" "):
        longer = f"{found[-1]} {word}".strip()
        if found[-1] and text_width(longer, size, font) > width:
            found.append(word)
        else:
            found[-1] = longer
    return found


def paragraph(
    x: float, y: float, width: float, text: str, size: float, font: Font = "reading"
) -> Iterator[Text]:
    """Write a text in lines; y is the first baseline."""
    for number, words in enumerate(lines(text, width, size, font)):
        yield Text(x, y + number * size * 1.3, words, size, font)
