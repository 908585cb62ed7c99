"""Covers: the front of a box, a set or the booklet, and behind it how the game is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..drawing.outlines import rectangle
from ..tiles import TileSet
from .calibration import flip_picture
from .designs import ink, look, mosaic, wordmark
from .options import PrintOptions
from .page_parts import design_words
from .sheet import BLACK, GREY, MARGIN, WHITE, Item, Look, Path, Sheet, Text
from .texts import COPYRIGHT, capital, lines, say

_MOSAIC = (8, 8)

Part = tuple[str, int, int]
"""A part of a file: its name, first page and last page."""


def cover_sheets(
    options: PrintOptions, tiles: TileSet, parts: Sequence[Part] = ()
) -> tuple[Sheet, ...]:
    """The cover of a design; behind it, for prints on both sides, how the game is made."""
    paper, language = options.format, options.language
    chosen = look(options.design, options.ink, symbols=options.symbols)
    folded = options.what == "72"
    design, warning = design_words(options)
    told = (
        say("cover_72" if folded else "cover_count", language, n=len(tiles)),
        capital(design),
    )
    front = front_page(
        (paper.width, paper.height), chosen, tiles, told, language,
        number="72" if folded else "",
        warning=warning,
        panel=True,
    )  # fmt: skip
    sheets = [Sheet(say("cover", language), paper.width, paper.height, tuple(front))]
    if not folded:
        back = tuple(_making(options, parts))
        sheets.append(Sheet(say("making", language), paper.width, paper.height, back))
    return tuple(sheets)


def front_page(
    size: tuple[float, float],
    chosen: Look,
    tiles: TileSet,
    told: Sequence[str],
    language: str,
    *,
    number: str = "",
    warning: str = "",
    panel: bool = False,
) -> Iterator[Item]:
    """A cover of any size: the name, what it is, a mosaic, and whose game.

    On a `panel` all of it stands on the ground of the design, else on the paper.
    """
    width, height = size
    middle, unit = width / 2, width / 210
    dark = panel and chosen.body != WHITE
    main = ink(chosen.body) if dark else BLACK
    quiet = "#b8b8b8" if dark else GREY
    if panel:
        box = rectangle(MARGIN, MARGIN, width - 2 * MARGIN, height - 2 * MARGIN, 4)
        yield Path(box, chosen.body) if dark else Path(box, stroke="#bbbbbb", width=0.4)
    cell = min(0.72 * width / _MOSAIC[0], 0.5 * height / _MOSAIC[1])
    left, top = middle - _MOSAIC[0] * cell / 2, height * 0.31
    name_width = 144 * unit
    yield from wordmark(chosen, middle - (13 * unit if number else 0), height * 0.135, name_width)
    if number:
        y = height * 0.135 + 7 * unit
        yield Text(middle + 64 * unit, y, number, 20 * unit, "bold", "start", main)
    y = height * 0.135 + 25 * unit
    first, *others = told
    yield Text(middle, y, first, 7.4 * unit, "bold", "middle", main)
    for row, text in enumerate(others, start=1):
        yield Text(middle, y + 8.5 * row * unit, text, 5 * unit, "regular", "middle", quiet)
    if warning:
        for row, text in enumerate(lines(warning, 112 * unit, 3.6 * unit, "italic")):
            below = y + (15 + 4.6 * row) * unit
            yield Text(middle, below, text, 3.6 * unit, "italic", "middle", main)
    yield from mosaic(chosen, tiles, _MOSAIC, (left, top), cell)
    y = height * 0.865
    yield Text(middle, y, capital(say("game_by", language)), 6 * unit, "italic", "middle", main)
    for row, text in enumerate(COPYRIGHT):
        below = (8.5 + 5.2 * row) * unit
        yield Text(middle, y + below, text, 3.8 * unit, "regular", "middle", quiet)


def _making(options: PrintOptions, parts: Sequence[Part]) -> Iterator[Item]:
    """How to make the game from the paper, and where its parts are in the file."""
    paper, language = options.format, options.language
    left, width = MARGIN + 14, paper.width - 2 * MARGIN - 28
    y = MARGIN + 28.0
    yield Text(left, y, say("making", language), 9, "bold")
    yield from flip_picture(options.flip, left + width - 50, MARGIN + 14, 1)
    y += 42
    steps = [
        say("make_print", language),
        say(f"flip_{options.flip}", language),
        say(f"make_cut_{options.arrangement}", language),
        say("make_bag", language),
    ]
    if parts:
        steps += [say("make_board", language), say(f"make_rules_{options.pages}", language)]
    for number, step in enumerate(steps, start=1):
        yield Text(left, y, str(number), 7, "bold", fill="#b3261e")
        for words in lines(step, width - 12, 5):
            yield Text(left + 12, y, words, 5)
            y += 6.8
        y += 5
    if parts:
        y += 8
        yield Text(left, y, say("in_this_file", language), 6, "bold")
        y += 3
        for name, first, last in parts:
            y += 7.5
            pages = f"{first}–{last}" if last > first else str(first)
            yield Text(left, y, name, 4.4)
            yield Text(left + width, y, pages, 4.4, anchor="end")
    y = paper.height - MARGIN - 16
    credits = (f"Dalapapa, {say('game_by', language)}", *COPYRIGHT)
    for row, text in enumerate(credits):
        yield Text(left, y + 5 * row, text, 3.4, fill=GREY)
