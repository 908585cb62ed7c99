"""Typesets the Markdown of `rulebook` in lines, columns and pages.

A rule page has a title, a line about players, a goal, then headings, paragraphs, list items and
figures, each on one line, with **strong** and *emphasised* words. Both are set in the strong font,
because the family has no italics.

A rule page becomes strips, which are as wide as a column and never split: a line of text, or one or
two figures with their captions. Of all ways to divide the strips into columns, `plan_pages` chooses
the one whose columns end nearest to each other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from .figures import Figure
from .sheet import ACCENT, BLACK, GREY, POINT, Font, Item, Text
from .texts import text_width

_MARKED = re.compile(r"\*\*(.+?)\*\*|\*(.+?)\*")
_FIGURE = re.compile(r"!\[(.*)\]\(figure:(.+)\)")

_GAP_MM = 6.0
"""The gap between two figures side by side."""

_MIN_CELL_MM = 6.5
"""Two figures stand side by side if their cells are at least this large."""

_CELLS = (1.0, 0.92, 0.84, 0.76)
"""Scales of figures to try, from the largest, so that the columns end nearer to each other."""

_COST_OF_SMALLER = 5.0
"""The cost of each smaller scale. A cost of 1 is a millimetre between the ends of the columns."""

_COST_OF_FREE_MM, _COST_OF_SPLIT, _MIN_LAST_PAGE_MM = 0.35, 3.0, 45.0
"""The cost of a free millimetre at the foot of a page that is not the last, and of a paragraph that
continues in another column. Each millimetre less than the minimum on the last page costs 1."""

Word = tuple[tuple[str, Font], ...]
"""The parts of a word with their fonts: a word may be partly strong."""
Picture = Callable[[str], Figure]


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
        """The lower end of a column."""
        return self.height - self.bottom

    @property
    def column(self) -> float:
        """The width of a column."""
        free = self.width - 2 * self.side - (self.columns - 1) * self.gutter
        return free / self.columns


class Strip(NamedTuple):
    """A part of a column that is never split. Its items have coordinates relative to its corner."""

    height: float
    items: tuple[Item, ...]
    gap: float
    """Space above, though not at the top of a column."""
    begins: bool
    """Whether a column may begin with it."""
    splits_paragraph: bool = False
    """Whether a column that begins with it splits a paragraph."""


def parse_words(text: str) -> list[Word]:
    """Split a line into words with their fonts."""
    parts: list[tuple[str, Font]] = []
    end = 0
    for found in _MARKED.finditer(text):
        parts.append((text[end : found.start()], "reading"))
        parts.append((found[1] or found[2], "strong"))
        end = found.end()
    parts.append((text[end:], "reading"))
    words: list[Word] = []
    glued = False
    for part, font in parts:
        first, *others = part.split(" ")
        if first and glued:
            words[-1] += ((first, font),)
        words += [((piece, font),) for piece in ([] if glued else [first]) + others if piece]
        glued = bool((others or [first])[-1])
    return words


def break_rows(words: Iterable[Word], width: float, size: float) -> list[list[Word]]:
    """Break words into rows that fit."""
    rows: list[list[Word]] = [[]]
    for word in words:
        if rows[-1] and row_width([*rows[-1], word], size) > width:
            rows.append([])
        rows[-1].append(word)
    return rows


def _chunks(row: list[Word]) -> list[tuple[str, Font]]:
    """Join the words of a row to texts of one font, with the spaces between them."""
    chunks: list[tuple[str, Font]] = []
    for word in row:
        for number, (text, font) in enumerate(word):
            space = " " if chunks and number == 0 else ""
            if chunks and chunks[-1][1] == font:
                chunks[-1] = (chunks[-1][0] + space + text, font)
            else:
                if chunks:
                    chunks[-1] = (chunks[-1][0] + space, chunks[-1][1])
                chunks.append((text, font))
    return chunks


def row_width(row: list[Word], size: float) -> float:
    """Measure a row of words."""
    return sum(text_width(text, size, font) for text, font in _chunks(row))


def set_row(row: list[Word], x: float, y: float, size: float, fill: str = BLACK) -> list[Item]:
    """Set a row of words on its baseline."""
    items: list[Item] = []
    for text, font in _chunks(row):
        items.append(Text(x, y, text.rstrip(" "), size, font, fill=fill))
        x += text_width(text, size, font)
    return items


def make_strips(form: Format, markdown: str, picture: Picture, cell: float) -> list[Strip]:
    """Typeset a rule page; the cells of its figures have `cell` millimetres at most."""
    size = form.size * POINT
    found: list[Strip] = []
    after = 0.0
    tied = True
    """Whether the next block must stay with the one above it."""

    def add(strips: Sequence[Strip], before: float, below: float) -> None:
        nonlocal after
        first, *others = strips
        found.append(first._replace(gap=after + before, begins=not tied))
        found.extend(others)
        after = below

    blocks = [text for text in markdown.splitlines() if text]
    number = 0
    while number < len(blocks):
        text = blocks[number]
        if _FIGURE.fullmatch(text):
            names = [_FIGURE.fullmatch(other) for other in blocks[number : number + 2]]
            shown = [(picture(one[2]), parse_words(one[1])) for one in names if one]
            if len(shown) == 2 and not _side_by_side(form, shown):
                shown.pop()
            add([_figures(form, shown, cell)], size * 0.4, size * 0.7)
            number += len(shown) - 1
        elif text.startswith("# "):
            rows = _lines(form, _words_in_font(text[2:], "display"), size * 2.1, leading=1.2)
            add(rows, 0, size * 0.3)
        elif text.startswith("## "):
            tied = False
            rows = _lines(form, _words_in_font(text[3:], "strong"), size * 1.22, fill=ACCENT)
            add(rows, size * 0.9, size * 0.15)
        elif text.startswith("- "):
            rows = _lines(form, parse_words(text[2:]), size, indent=size * 1.1, bullet="•")
            add(rows, 0, size * 0.25)
        elif number == 1:
            about = parse_words(text.strip("*"))
            add(_lines(form, about, size * 0.95, fill=GREY), 0, size * 0.5)
        else:
            add(_lines(form, parse_words(text), size), 0, size * 0.5)
        # A title, a heading or the sentence before a list must not end a column.
        tied = number < 2 or text.startswith("#") or text.endswith(":")
        number += 1
    return found


def _lines(
    form: Format,
    words: list[Word],
    size: float,
    *,
    indent: float = 0,
    bullet: str = "",
    fill: str = BLACK,
    leading: float = 1.36,
) -> list[Strip]:
    """Typeset a paragraph; its first two lines stay together, and so do its last two."""
    rows = break_rows(words, form.column - indent, size)
    step = size * leading
    base = step * 0.72
    found = []
    for number, row in enumerate(rows):
        items = set_row(row, indent, base, size, fill)
        if bullet and number == 0:
            items.insert(0, Text(0, base, bullet, size, fill=fill))
        begins = number not in (1, len(rows) - 1)
        found.append(Strip(step, tuple(items), 0, begins, splits_paragraph=number > 0))
    return found


def _side_by_side(form: Format, shown: Sequence[tuple[Figure, list[Word]]]) -> bool:
    """Whether two figures are large enough when they share a row."""
    width = (form.column - _GAP_MM) / 2
    return all(100 * width / picture.width >= _MIN_CELL_MM for picture, _ in shown)


def _figures(form: Format, shown: Sequence[tuple[Figure, list[Word]]], cell: float) -> Strip:
    """Typeset one or two figures of equal scale, each above its caption."""
    count = len(shown)
    width = (form.column - (count - 1) * _GAP_MM) / count
    scale = min(cell / 100, *(width / picture.width for picture, _ in shown))
    size = form.size * POINT * 0.88
    step = size * 1.36
    high = max(picture.height for picture, _ in shown) * scale
    items: list[Item] = []
    height = 0.0
    for number, (picture, caption) in enumerate(shown):
        left = number * (width + _GAP_MM)
        rows = break_rows(caption, width, size)
        x = left + (width - picture.width * scale) / 2
        y = high - picture.height * scale
        items += [item.move(x, y, scale) for item in picture.items]
        y = high + size * 0.3
        for row in rows:
            y += step
            items += set_row(row, left, y - step * 0.28, size, GREY)
        height = max(height, y)
    return Strip(height, tuple(items), 0, True)


class Plan(NamedTuple):
    """The columns of each page as ranges of strips, and the cost of this division."""

    cost: float
    pages: tuple[tuple[tuple[int, int], ...], ...]


def plan_pages(form: Format, strips: Sequence[Strip]) -> Plan:
    """Divide strips into as few pages as possible, and choose the best columns."""
    end = len(strips)
    starts = [0, *accumulate(strip.gap + strip.height for strip in strips)]
    places = [number for number in range(1, end) if strips[number].begins] + [end]
    room = form.foot - form.top

    def height(first: int, last: int) -> float:
        return starts[last] - starts[first] - strips[first].gap

    def split_cost(place: int) -> float:
        return _COST_OF_SPLIT if place < end and strips[place].splits_paragraph else 0

    def page(first: int, last: int) -> Plan | None:
        """Find the best page of these strips; None if they do not fit."""
        tries: Iterable[tuple[tuple[int, int], ...]] = [((first, last),)]
        if form.columns == 2:
            tries = [((first, place), (place, last)) for place in places if first < place < last]
        best: Plan | None = None
        for columns in tries:
            heights = [height(*column) for column in columns]
            if max(heights) > room + 1e-6:
                continue
            # If the columns cannot end together, the first should be the longer one.
            cost = heights[0] - heights[-1]
            cost = (
                max(cost, -1.2 * cost)
                + split_cost(columns[-1][0]) * (len(columns) - 1)
                + split_cost(last)
            )
            if last < end:
                # A page that ends early should end with a paragraph.
                cost += _COST_OF_FREE_MM * (room - max(heights)) * (2 if split_cost(last) else 1)
            else:
                cost += max(0, _MIN_LAST_PAGE_MM - max(heights))
            if best is None or cost < best.cost:
                best = Plan(cost, (columns,))
        return best

    reached: dict[int, Plan] = {0: Plan(0, ())}
    while end not in reached:
        further: dict[int, Plan] = {}
        for first, before in reached.items():
            for last in places:
                if last <= first or starts[last] - starts[first] > (form.columns + 0.5) * room:
                    continue
                found = page(first, last)
                if not found:
                    continue
                cost = before.cost + found.cost
                if last not in further or cost < further[last].cost:
                    further[last] = Plan(cost, before.pages + found.pages)
        assert further, "A strip is higher than a page."
        reached = further
    return reached[end]


def lay_out_pages(form: Format, markdown: str, picture: Picture) -> list[list[Item]]:
    """Divide a rule page into pages whose columns have about the same length."""
    tried = []
    for step, share in enumerate(_CELLS):
        strips = make_strips(form, markdown, picture, share * form.cell)
        plan = plan_pages(form, strips)
        tried.append((len(plan.pages), plan.cost + step * _COST_OF_SMALLER, step, plan, strips))
    _, _, _, plan, strips = min(tried, key=lambda entry: entry[:3])
    return [list(_draw_columns(form, columns, strips)) for columns in plan.pages]


def _draw_columns(
    form: Format, columns: Sequence[tuple[int, int]], strips: Sequence[Strip]
) -> Iterator[Item]:
    for number, (first, last) in enumerate(columns):
        x = form.side + number * (form.column + form.gutter)
        y = form.top
        for place in range(first, last):
            strip = strips[place]
            y += strip.gap if place > first else 0
            for item in strip.items:
                yield item.move(x, y)
            y += strip.height


def _words_in_font(text: str, font: Font) -> list[Word]:
    return [((word, font),) for word in text.split(" ")]
