"""Covers: the front of a box, a set or the booklet, and instructions on the back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...core.tiles import TileSet
from ...drawing.outlines import rectangle
from ..designs import NAME, choose_print_ink, look, mosaic, name_size, wordmark
from ..options import PrintOptions
from ..page_parts import design_words
from ..sheet import ACCENT, BLACK, GREY, MARGIN, WHITE, Item, Look, Path, Sheet, Text
from ..texts import COPYRIGHT, capital, lines, say
from .calibration import draw_flip

_MOSAIC = (8, 8)

FilePart = tuple[str, int, int]
"""A part of a file: its name, first page and last page."""


def cover_sheets(
    options: PrintOptions, tiles: TileSet, parts: Sequence[FilePart] = ()
) -> tuple[Sheet, ...]:
    """Make the cover of a design and, for prints on both sides, the instructions on its back."""
    paper, language = options.format, options.language
    chosen = look(options.design, options.ink, symbols=options.symbols)
    folded = options.what == "72"
    design, warning = design_words(options)
    subtitles = (
        say("cover_72" if folded else "cover_count", language, n=len(tiles)),
        capital(design),
    )
    front = front_page(
        (paper.width, paper.height), chosen, tiles, subtitles, language,
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
    subtitles: Sequence[str],
    language: str,
    *,
    number: str = "",
    warning: str = "",
    panel: bool = False,
) -> Iterator[Item]:
    """Draw a cover of any size: the name, subtitles, a mosaic, and the author.

    With `panel`, the ground has the colour of the design, else it is the paper.
    """
    width, height = size
    middle, unit = width / 2, width / 210
    dark = panel and chosen.body != WHITE
    main = choose_print_ink(chosen.body) if dark else BLACK
    quiet = "#b8b8b8" if dark else GREY
    if panel:
        box = rectangle(MARGIN, MARGIN, width - 2 * MARGIN, height - 2 * MARGIN, 4)
        yield Path(box, chosen.body) if dark else Path(box, stroke="#bbbbbb", width=0.4)
    cell = min(0.72 * width / _MOSAIC[0], 0.5 * height / _MOSAIC[1])
    left, top = middle - _MOSAIC[0] * cell / 2, height * 0.32
    # From the mosaic upwards: the warning, the subtitles, and above them the name.
    first, *others = subtitles
    y = top - 8 * unit
    if warning:
        for text in reversed(lines(warning, _MOSAIC[0] * cell, 3.6 * unit)):
            yield Text(left, y, text, 3.6 * unit, fill=main)
            y -= 4.8 * unit
        y -= 2 * unit
    for text in reversed(others):
        yield Text(left, y, text, 4.8 * unit, fill=quiet)
        y -= 6.6 * unit
    y -= 1.6 * unit
    yield Text(left, y, first, 7.4 * unit, "strong", fill=main)
    name = f"{NAME} {number}".strip()
    tall = name_size(_MOSAIC[0] * cell, name)
    yield wordmark(left, y - 8.5 * unit - 0.24 * tall, tall, main, name)
    yield from mosaic(chosen, tiles, _MOSAIC, (left, top), cell)
    y = top + _MOSAIC[1] * cell + 13 * unit
    yield Text(left, y, capital(say("game_by", language)), 6 * unit, "strong", fill=main)
    for row, text in enumerate(COPYRIGHT):
        yield Text(left, y + (7.5 + 5.2 * row) * unit, text, 3.8 * unit, fill=quiet)


def _making(options: PrintOptions, parts: Sequence[FilePart]) -> Iterator[Item]:
    """Write how to make the game from the paper, and where its parts are in the file."""
    paper, language = options.format, options.language
    left, width = MARGIN + 14, paper.width - 2 * MARGIN - 28
    y = MARGIN + 28.0
    yield Text(left, y, say("making", language), 9, "display")
    yield from draw_flip(options.flip, left + width - 50, MARGIN + 14, 1)
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
        yield Text(left, y, str(number), 7, "display", fill=ACCENT)
        for words in lines(step, width - 12, 5):
            yield Text(left + 12, y, words, 5)
            y += 6.8
        y += 5
    if parts:
        y += 8
        yield Text(left, y, say("in_this_file", language), 6, "display")
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
