"""Draw the picture of docs/printing.md: pages of paper beside each other.

python scripts/draw_paper.py

Needs Pillow and pypdfium2, which `make test` installs.
"""

from __future__ import annotations

from pathlib import Path

import pypdfium2
from PIL import Image

from dalapapa.printing import make_pdf

PICTURE = Path(__file__).parents[1] / "docs" / "printing.webp"
PAGES = (("box", 1), ("booklet", 3), ("booklet", 14), ("extras", 1), ("board", 1))
"""Prints and their pages."""
HIGH, APART, GROUND = 380, 14, "#e9e2d3"


def drawn(what: str, number: int) -> Image.Image:
    """A page of a print."""
    page = pypdfium2.PdfDocument(make_pdf({"what": what}))[number - 1]
    picture: Image.Image = page.render(scale=1.6).to_pil().convert("RGB")
    width = round(picture.width * HIGH / picture.height)
    return picture.resize((width, HIGH), Image.Resampling.LANCZOS)


def main() -> None:
    """All pages in one picture."""
    pages = [drawn(what, number) for what, number in PAGES]
    width = sum(page.width + APART for page in pages) + APART
    whole = Image.new("RGB", (width, HIGH + 2 * APART), GROUND)
    x = APART
    for page in pages:
        whole.paste(page, (x, APART))
        x += page.width + APART
    whole.save(PICTURE, quality=72, method=6)


if __name__ == "__main__":
    main()
