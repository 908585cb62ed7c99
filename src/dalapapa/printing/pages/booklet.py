"""The rule booklet: all games in one language, as whole pages or as half pages to staple."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from msgspec.structs import replace

from ... import __version__
from ...core.tiles import TileSet
from ...drawing.outlines import Segments, line
from ...rulebook import GAMES, page
from ..designs import disc, logo, look, sign_colour, wordmark
from ..figures import Figure, figure, screen_style
from ..options import PrintOptions
from ..sheet import (
    ACCENT,
    BLACK,
    CAPITAL,
    GREY,
    WHITE,
    Font,
    Item,
    Look,
    Paper,
    Path,
    Piece,
    Sheet,
    Text,
)
from ..texts import COPYRIGHT, capital, lines, say
from ..typeset import Format, lay_out_pages
from .cover import front_page
from .scores import DISC_POINTS


def booklet_sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    """Make the sides of the booklet, in the order of printing."""
    if options.pages == "whole":
        pages = _pages(options, tiles, whole_pages(options.format))
        if options.flip == "short":
            # Upright pages are upside down after a turn on the short edge.
            pages[1::2] = [_turn_page(page) for page in pages[1::2]]
        return tuple(pages)
    return tuple(_impose(_pages(options, tiles, half_pages(options.format.half)), options))


def whole_pages(paper: Paper) -> Format:
    """The format of a whole page."""
    return Format(paper.width, paper.height, 2, 18, 20, 20, 9, 11.5, 12)


def half_pages(paper: Paper) -> Format:
    """The format of a half page; `paper` is half a sheet."""
    return Format(paper.width, paper.height, 1, 14, 15, 16, 0, 9.4, 11)


def _pages(options: PrintOptions, tiles: TileSet, form: Format) -> list[Sheet]:
    """Make cover, contents, games, pages for notes and back cover, to fill all sides."""
    style = screen_style(options)

    @cache
    def picture(name: str) -> Figure:
        return figure(name, style)

    language = options.language
    chosen = look(options.design, options.ink, symbols=options.symbols)
    before = 2
    games: list[tuple[str, list[Item]]] = []
    entries: list[tuple[str, str, int]] = []
    for game in GAMES:
        text = page(game, language)
        title, _, about, *_ = text.splitlines()
        title = title.removeprefix("# ")
        entries.append((title, about.strip("*"), before + len(games) + 1))
        games += [(title, items) for items in lay_out_pages(form, text, picture)]
    subtitles = say("booklet", language), say("eight_games", language)
    cover = front_page((form.width, form.height), chosen, tiles, subtitles, language)
    contents: list[tuple[str, Iterable[Item]]] = [
        (say("booklet", language), cover),
        (say("contents", language), _contents(form, language, entries)),
    ]
    for number, (title, items) in enumerate(games, start=before + 1):
        contents.append((title, (*items, *_foot(form, number, title))))
    # The back cover must be the outside of the last sheet of paper.
    sides = 4 if options.pages == "half" else 2
    for number in range(len(contents) + 1, len(contents) + 1 + -(len(contents) + 1) % sides):
        title = say("notes", language)
        contents.append((title, (*_notes(form, title), *_foot(form, number, title))))
    contents.append((say("back_cover", language), _back_cover(form, chosen, language)))
    return [Sheet(title, form.width, form.height, tuple(items)) for title, items in contents]


def _contents(
    form: Format, language: str, entries: Sequence[tuple[str, str, int]]
) -> Iterator[Item]:
    """List the games with their pages, players and minutes."""
    unit = form.width / 148
    left, right = form.side, form.width - form.side
    y = form.top + 14 * unit
    yield Text(left, y, say("contents", language), 7 * unit, "display")
    y += 3 * unit
    for title, about, number in entries:
        y += 16.5 * unit
        yield Text(left, y, title, 4.6 * unit, "strong")
        yield Text(right, y, str(number), 4.6 * unit, "strong", "end")
        yield Text(left, y + 5 * unit, about, 3.2 * unit, fill=GREY)
        line_y = y + 8.6 * unit
        yield Path(line(left, line_y, right, line_y), stroke="#cccccc", width=0.2)


def _notes(form: Format, title: str) -> Iterator[Item]:
    """Draw a page for notes, where a sheet of paper has a spare side."""
    yield Text(form.side, form.top + 6, title, 6, "display")
    y = form.top + 18.0
    while y < form.foot:
        yield Path(line(form.side, y, form.width - form.side, y), stroke="#cccccc", width=0.2)
        y += 9


def _back_cover(form: Format, chosen: Look, language: str) -> Iterator[Item]:
    """Draw a summary of the rules: a turn in five steps, its points, and the author."""
    unit = form.width / 148
    left, width = form.side, form.width - 2 * form.side
    y = form.top + 10 * unit
    yield from logo(chosen, left, form.top, 13 * unit)
    yield wordmark(left + 17 * unit, y, 11 * unit, BLACK)
    y += 19 * unit
    yield Text(left, y, say("quick_title", language), 6 * unit, "display")
    y += 9 * unit
    for step in range(1, 6):
        yield Text(left, y, str(step), 5 * unit, "display", fill=ACCENT)
        for words in lines(say(f"quick_{step}", language), width - 9 * unit, 3.7 * unit):
            yield Text(left + 9 * unit, y, words, 3.7 * unit)
            y += 5 * unit
        y += 2.6 * unit
    y += 3 * unit
    yield from _points_table(left, y, width, unit, chosen, language)
    y = form.foot - 17 * unit
    yield Path(line(left, y, left + width, y), stroke="#cccccc", width=0.3)
    credits = (
        f"Dalapapa, {say('game_by', language)}",
        " · ".join(COPYRIGHT),
        *lines(say("credits", language, version=__version__), width, 2.9 * unit),
    )
    for row, text in enumerate(credits, start=1):
        font: Font = "strong" if row == 1 else "reading"
        yield Text(left, y + 4.6 * row * unit, text, 2.9 * unit, font, fill=GREY)


def _points_table(
    left: float, top: float, width: float, unit: float, chosen: Look, language: str
) -> Iterator[Item]:
    """Draw the points for 1 to 6 discs; each number of discs is written on a disc."""
    yield Text(left, top, say("disc_points", language), 3.7 * unit, "strong")
    labels = 20 * unit
    step = (width - labels) / len(DISC_POINTS)
    y = top + 11 * unit
    below = y + 15 * unit
    paper = replace(chosen, body=WHITE)
    for at, key in ((y, "discs"), (below, "points")):
        text = capital(say(key, language))
        yield Text(left, at + 1.2 * unit, text, 3.4 * unit, fill=GREY)
    for number, (points, colour) in enumerate(zip(DISC_POINTS, "RYGBRY", strict=True)):
        x = left + labels + (number + 0.5) * step
        yield from disc(paper, colour, x, y, 6.6 * unit)
        fill = sign_colour(paper, colour)
        size = 6 * unit
        yield Text(x, y + CAPITAL / 2 * size, str(number + 1), size, "display", "middle", fill)
        yield Text(x, below + 2.2 * unit, str(points), 6.4 * unit, "display", "middle")


def _foot(form: Format, number: int, title: str) -> tuple[Item, ...]:
    y = form.height - form.bottom / 2 - 1
    outside = number % 2 == 0
    x = form.side if outside else form.width - form.side
    return (
        Text(x, y, str(number), 3.2, "strong", "start" if outside else "end"),
        Text(form.width / 2, y, title, 2.8, anchor="middle", fill=GREY),
    )


def _turn_page(page: Sheet) -> Sheet:
    items = tuple(upside_down(item, page.width, page.height) for item in page.items)
    return replace(page, items=items)


def _impose(pages: list[Sheet], options: PrintOptions) -> list[Sheet]:
    """Put two half pages on each side of a sheet, in saddle-stitch order."""
    first = pages[0]
    blank = Sheet("", first.width, first.height, ())
    pages = [*pages, *[blank] * (-len(pages) % 4)]
    sides = []
    seen: set[str] = set()
    for number, (left, right) in enumerate(saddle_stitch(len(pages))):
        width, height = 2 * first.width, first.height
        items: tuple[Item, ...] = (
            *pages[left].items,
            *(item.move(first.width, 0) for item in pages[right].items),
        )
        # Landscape pages are upside down after a turn on the long edge of the paper.
        if number % 2 and options.flip == "long":
            items = tuple(upside_down(item, width, height) for item in items)
        entries = tuple(
            title for title in sorted({pages[left].title, pages[right].title} - {""} - seen)
        )
        seen |= set(entries)
        title = f"{left + 1} | {right + 1}"
        sides.append(Sheet(title, width, height, items, entries=entries or (title,)))
    return sides


def saddle_stitch(count: int) -> list[tuple[int, int]]:
    """List the left and right page of each side, from 0; `count` is a multiple of four."""
    sides = []
    for sheet in range(count // 4):
        sides.append((count - 1 - 2 * sheet, 2 * sheet))
        sides.append((2 * sheet + 1, count - 2 - 2 * sheet))
    return sides


def upside_down(item: Item, width: float, height: float) -> Item:
    """Turn an item with its page by half a turn."""
    assert not isinstance(item, Piece)
    if isinstance(item, Path):
        turned: Segments = tuple(
            [(op, tuple([(width - x, height - y) for x, y in pts])) for op, pts in item.segments]
        )
        return replace(item, segments=turned)
    return replace(item, x=width - item.x, y=height - item.y, turn=(item.turn + 2) % 4)
