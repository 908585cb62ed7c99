"""The rule booklet: all games in one language, as pages, or as half pages to fold and staple."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import msgspec

from ..rulebook import GAMES, page
from .figures import Figure, figure, style_of
from .options import PrintOptions
from .outlines import Segments, line
from .sheet import GREY, Item, Paper, Path, Piece, Sheet, Text
from .texts import say
from .typeset import Flow, Format, set_page


def booklet_sheets(options: PrintOptions) -> tuple[Sheet, ...]:
    """The sides of the booklet, in the order of printing."""
    if options.pages == "whole":
        return tuple(_pages(options, _whole(options.format)))
    return tuple(_imposed(_pages(options, _half(options.format.half)), options))


def _whole(paper: Paper) -> Format:
    return Format(paper.width, paper.height, 2, 18, 20, 20, 9, 10.5, 8.5)


def _half(paper: Paper) -> Format:
    return Format(paper.width, paper.height, 1, 14, 15, 16, 0, 9.4, 8)


def _pages(options: PrintOptions, form: Format) -> list[Sheet]:
    """Cover, contents and games, page by page."""
    style = style_of(options)

    @cache
    def picture(name: str) -> Figure:
        return figure(name, style)

    language = options.language
    flow = Flow(form)
    starts: list[tuple[str, int]] = []
    for game in GAMES:
        text = page(game, language)
        flow.new_page()
        starts.append((text.splitlines()[0].removeprefix("# "), len(flow.pages)))
        set_page(flow, text, picture)
    before = 2
    contents = [(title, first + before) for title, first in starts]
    pages = [
        Sheet(say("booklet", language), form.width, form.height, _cover(form, language, picture)),
        Sheet(
            say("contents", language), form.width, form.height, _contents(form, language, contents)
        ),
    ]
    titles = dict.fromkeys(range(1, len(flow.pages) + 1), "")
    for title, first in starts:
        titles |= dict.fromkeys(range(first, len(flow.pages) + 1), title)
    for number, items in enumerate(flow.pages, start=1):
        foot = _foot(form, number + before, titles[number])
        pages.append(Sheet(titles[number], form.width, form.height, (*items, *foot)))
    return pages


def _cover(form: Format, language: str, picture: Callable[[str], Figure]) -> tuple[Item, ...]:
    middle, low = form.width / 2, form.height * 0.86
    unit = form.width / 148
    shown = picture("puzzle")
    scale = 0.62 * form.width / shown.width
    return (
        Text(middle, form.height * 0.2, "Dalapapa", 20 * unit, "bold", "middle"),
        Text(middle, form.height * 0.2 + 13 * unit, say("booklet", language), 7 * unit,
             anchor="middle"),
        *shown.at(middle - shown.width * scale / 2, form.height * 0.34, scale),
        Text(middle, low, say("eight_games", language), 5 * unit, "italic", "middle"),
        Text(middle, low + 8 * unit, say("game_by", language), 4.2 * unit,
             anchor="middle", fill=GREY),
    )  # fmt: skip


def _contents(form: Format, language: str, entries: Sequence[tuple[str, int]]) -> tuple[Item, ...]:
    unit = form.width / 148
    left, right = form.side, form.width - form.side
    y = form.top + 14 * unit
    items: list[Item] = [Text(left, y, say("contents", language), 7 * unit, "bold")]
    y += 6 * unit
    for title, number in entries:
        y += 9 * unit
        items.append(Text(left, y, title, 4.4 * unit))
        items.append(Text(right, y, str(number), 4.4 * unit, anchor="end"))
        items.append(Path(line(left, y + 2.2, right, y + 2.2), stroke="#cccccc", width=0.2))
    return tuple(items)


def _foot(form: Format, number: int, title: str) -> tuple[Item, ...]:
    y = form.height - form.bottom / 2 - 1
    outside = number % 2 == 0
    x, anchor = (form.side, "start") if outside else (form.width - form.side, "end")
    return (
        Text(x, y, str(number), 3.2, "bold", "start" if anchor == "start" else "end"),
        Text(form.width / 2, y, title, 2.8, anchor="middle", fill=GREY),
    )


def _imposed(pages: list[Sheet], options: PrintOptions) -> list[Sheet]:
    """Two half pages on each side of a sheet, in saddle-stitch order."""
    first = pages[0]
    blank = Sheet("", first.width, first.height, ())
    pages = [*pages, *[blank] * (-len(pages) % 4)]
    sides = []
    seen: set[str] = set()
    for number, (left, right) in enumerate(saddle_stitch(len(pages))):
        width, height = 2 * first.width, first.height
        items: tuple[Item, ...] = (
            *pages[left].items,
            *(shifted(item, first.width) for item in pages[right].items),
        )
        # Sideways pages turned over on the long edge of the paper stand on their head.
        if number % 2 and options.flip == "long":
            items = tuple(headlong(item, width, height) for item in items)
        entries = tuple(
            title for title in sorted({pages[left].title, pages[right].title} - {""} - seen)
        )
        seen |= set(entries)
        title = f"{left + 1} | {right + 1}"
        sides.append(Sheet(title, width, height, items, entries=entries or (title,)))
    return sides


def saddle_stitch(count: int) -> list[tuple[int, int]]:
    """For each side, the pages left and right, from 0; `count` is a multiple of four."""
    sides = []
    for sheet in range(count // 4):
        sides.append((count - 1 - 2 * sheet, 2 * sheet))
        sides.append((2 * sheet + 1, count - 2 - 2 * sheet))
    return sides


def shifted(item: Item, dx: float) -> Item:
    """An item further to the right."""
    if isinstance(item, Path):
        moved = tuple([(op, tuple([(x + dx, y) for x, y in pts])) for op, pts in item.segments])
        return msgspec.structs.replace(item, segments=moved)
    return msgspec.structs.replace(item, x=item.x + dx)


def headlong(item: Item, width: float, height: float) -> Item:
    """An item on a page that is turned by half a turn."""
    assert not isinstance(item, Piece)
    if isinstance(item, Path):
        turned: Segments = tuple(
            [(op, tuple([(width - x, height - y) for x, y in pts])) for op, pts in item.segments]
        )
        return msgspec.structs.replace(item, segments=turned)
    return msgspec.structs.replace(
        item, x=width - item.x, y=height - item.y, turn=(item.turn + 2) % 4
    )
