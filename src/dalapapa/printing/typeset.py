"""Rule pages in lines, columns and pages: the Markdown of `rulebook`, which is plain.

A title, one line about players, a goal, then headings, paragraphs, list items and figures, each on
one line; **bold** and *italic* in them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .figures import Figure
from .fonts import text_width
from .sheet import BLACK, GREY, POINT, Font, Item, Text

_MARKED = re.compile(r"\*\*(.+?)\*\*|\*(.+?)\*")
_FIGURE = re.compile(r"!\[(.*)\]\(figure:(.+)\)")

_HEADING = "#8a2a1c"

_EVEN = 1.0
"""Millimetres to which the end of the columns is found."""

Word = tuple[str, Font]


class Format(NamedTuple):
    """A page and its columns, in millimetres; `size` is the text's in points."""

    width: float
    height: float
    columns: int
    side: float
    """Margins left and right."""
    top: float
    bottom: float
    gutter: float
    size: float
    cell: float
    """The largest cell of a figure."""

    @property
    def foot(self) -> float:
        """Where a column ends."""
        return self.height - self.bottom

    @property
    def column(self) -> float:
        """The width of a column."""
        free = self.width - 2 * self.side - (self.columns - 1) * self.gutter
        return free / self.columns


class Flow:
    """Fills columns and pages from the top; `pages` are their items.

    `short` is the number of a page, from 1, whose columns end at `limit` already.
    """

    def __init__(self, form: Format, short: int = 0, limit: float = 0) -> None:
        self.form = form
        self.short, self.limit = short, limit
        self.pages: list[list[Item]] = []
        self.column = 0
        self.y = 0.0
        self.size = form.size * POINT

    @property
    def x(self) -> float:
        """The left edge of the column."""
        return self.form.side + self.column * (self.form.column + self.form.gutter)

    @property
    def bottom(self) -> float:
        """Where a column ends."""
        return self.limit if len(self.pages) == self.short else self.form.foot

    def new_page(self) -> None:
        """Go on at the top of a new page."""
        self.pages.append([])
        self.column, self.y = 0, self.form.top

    def need(self, height: float) -> None:
        """Go on in the next column unless so much is free here."""
        if self.y + height <= self.bottom or self.y == self.form.top:
            return
        self.column += 1
        self.y = self.form.top
        if self.column == self.form.columns:
            self.new_page()

    def skip(self, height: float) -> None:
        """Leave some space, though not at the top of a column."""
        if self.y > self.form.top:
            self.y += height

    def lines(
        self,
        words: list[Word],
        size: float,
        *,
        indent: float = 0,
        bullet: str = "",
        fill: str = BLACK,
        leading: float = 1.36,
    ) -> None:
        """A paragraph; its first two lines stay together, and so do its last two."""
        rows = broken(words, self.form.column - indent, size)
        step = size * leading
        for number, row in enumerate(rows):
            together = 2 if len(rows) > 1 and number in (0, len(rows) - 2) else 1
            self.need(together * step)
            self.y += step
            base = self.y - step * 0.28
            if bullet and number == 0:
                self.pages[-1].append(Text(self.x, base, bullet, size, fill=fill))
            self.pages[-1] += set_row(row, self.x + indent, base, size, fill)

    def figure(self, picture: Figure, caption: list[Word]) -> None:
        """A picture in the middle of the column, and its caption below."""
        scale = self.scale(picture)
        self.need(self.figure_height(picture, caption))
        left = self.x + (self.form.column - picture.width * scale) / 2
        self.pages[-1] += picture.at(left, self.y, scale)
        self.y += picture.height * scale
        self.lines(caption, self.size * 0.88, fill=GREY)
        self.skip(self.size * 0.7)

    def scale(self, picture: Figure) -> float:
        """How large a picture is printed."""
        return min(self.form.cell / 100, self.form.column / picture.width)

    def figure_height(self, picture: Figure, caption: list[Word]) -> float:
        """What a picture and its caption need."""
        small = self.size * 0.88
        rows = len(broken(caption, self.form.column, small))
        return picture.height * self.scale(picture) + rows * small * 1.4


def inline(text: str, base: Font = "regular") -> list[Word]:
    """The words of a line with their fonts. A mark inside a word keeps it in one piece."""
    parts: list[Word] = []
    end = 0
    for found in _MARKED.finditer(text):
        parts.append((text[end : found.start()], base))
        parts.append((found[1], "bold") if found[1] else (found[2], "italic"))
        end = found.end()
    parts.append((text[end:], base))
    words: list[Word] = []
    glued = False
    for part, font in parts:
        pieces = part.split(" ")
        for number, piece in enumerate(pieces):
            if piece:
                # A word that goes on without a space is marked by what joins it.
                words.append(("\u2060" + piece if glued and number == 0 else piece, font))
            glued = bool(piece) if number == len(pieces) - 1 else False
    return words


def broken(words: Iterable[Word], width: float, size: float) -> list[list[Word]]:
    """Words in rows that fit; those glued together stay in one row."""
    rows: list[list[Word]] = [[]]
    for unit in _units(words):
        if rows[-1] and row_width([*rows[-1], *unit], size) > width:
            rows.append([])
        rows[-1] += unit
    return rows


def _units(words: Iterable[Word]) -> list[list[Word]]:
    units: list[list[Word]] = []
    for text, font in words:
        if text.startswith("\u2060") and units:
            units[-1].append((text, font))
        else:
            units.append([(text, font)])
    return units


def _chunks(row: list[Word]) -> list[Word]:
    """A row in stretches of one font, with the spaces between them."""
    chunks: list[Word] = []
    for text, font in row:
        glued = text.startswith("\u2060")
        word = text.lstrip("\u2060")
        if chunks and chunks[-1][1] == font:
            chunks[-1] = (chunks[-1][0] + ("" if glued else " ") + word, font)
        elif chunks and not glued:
            chunks[-1] = (chunks[-1][0] + " ", chunks[-1][1])
            chunks.append((word, font))
        else:
            chunks.append((word, font))
    return chunks


def row_width(row: list[Word], size: float) -> float:
    """How wide a row of words is."""
    return sum(text_width(text, size, font) for text, font in _chunks(row))


def set_row(row: list[Word], x: float, y: float, size: float, fill: str = BLACK) -> list[Item]:
    """A row of words on its baseline."""
    items: list[Item] = []
    for text, font in _chunks(row):
        items.append(Text(x, y, text.rstrip(" "), size, font, fill=fill))
        x += text_width(text, size, font)
    return items


def set_page(flow: Flow, markdown: str, picture: Callable[[str], Figure]) -> None:
    """Set a page of the rulebook from where the flow stands."""
    size = flow.size
    blocks = [text for text in markdown.splitlines() if text]
    for number, text in enumerate(blocks):
        found = _FIGURE.fullmatch(text)
        if found:
            flow.skip(size * 0.4)
            flow.figure(picture(found[2]), inline(found[1], "italic"))
        elif text.startswith("# "):
            flow.lines(_bold(text[2:]), size * 2.1, leading=1.2)
            flow.skip(size * 0.3)
        elif text.startswith("## "):
            flow.skip(size * 0.9)
            # A heading never stands alone at the foot of a column.
            after = _FIGURE.fullmatch(blocks[number + 1])
            below = 2.4 * size * 1.36
            if after:
                below = flow.figure_height(picture(after[2]), inline(after[1], "italic"))
            flow.need(size * 2.2 + below)
            flow.lines(_bold(text[3:]), size * 1.22, fill=_HEADING)
            flow.skip(size * 0.15)
        elif text.startswith("- "):
            flow.lines(inline(text[2:]), size, indent=size * 1.1, bullet="•")
            flow.skip(size * 0.25)
        elif number == 1:
            flow.lines(inline(text), size * 0.95, fill=GREY)
            flow.skip(size * 0.5)
        else:
            flow.lines(inline(text), size)
            flow.skip(size * 0.5)


def balanced(form: Format, markdown: str, picture: Callable[[str], Figure]) -> list[list[Item]]:
    """The pages of a rulebook page; on the last one all columns are about as long.

    The last page is made as short as it can be without needing another one.
    """

    def flow(short: int = 0, limit: float = 0) -> Flow:
        found = Flow(form, short, limit)
        found.new_page()
        set_page(found, markdown, picture)
        return found

    best = flow().pages
    low, high = form.top, form.foot
    while form.columns > 1 and high - low > _EVEN:
        middle = (low + high) / 2
        tried = flow(len(best), middle).pages
        if len(tried) == len(best):
            best, high = tried, middle
        else:
            low = middle
    return best


def _bold(text: str) -> list[Word]:
    return [(word, "bold") for word in text.split(" ")]
