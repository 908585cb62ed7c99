"""Draw the picture of docs/printing.md: pages of paper beside each other.

python scripts/draw_paper.py

Needs what pictures.py does, which `make test` installs.
"""

from __future__ import annotations

from pathlib import Path

from pictures import join_pictures, render_page

from dalapapa.printing import make_pdf

PICTURE = Path(__file__).parents[1] / "docs" / "printing.webp"
PAGES = (("box", 1), ("booklet", 3), ("booklet", 14), ("extras", 1), ("board", 1))
"""Prints and their pages."""
HIGH = 380
"""Pixels."""


def main() -> None:
    """All pages in one picture."""
    pages = [render_page(make_pdf({"what": what}), number) for what, number in PAGES]
    join_pictures(pages, HIGH).save(PICTURE, quality=72, method=6)


if __name__ == "__main__":
    main()
