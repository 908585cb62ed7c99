"""The whole box in one file: everything that belongs to the game, for one print on both sides.

Every part begins on a new sheet of paper, so that the file can be printed as it is.
"""

from __future__ import annotations

from msgspec.structs import replace

from ...core.tiles import TileSet
from ..options import PrintOptions
from ..sheet import Sheet
from ..texts import say
from .board import board_sheets
from .booklet import booklet_sheets
from .cover import FilePart, cover_sheets
from .dominoes import domino_sheets
from .extras import extra_sheets
from .scores import score_sheets


def box_sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    """Make cover, dominoes, board, card and marks, score sheets and booklet."""
    language = options.language
    (scores,) = score_sheets(options)
    contents = (
        (say("cover_count", language, n=len(tiles)), domino_sheets(options, tiles)),
        (say("board", language), board_sheets(options, tiles)),
        (say("extras", language), extra_sheets(options)),
        # Two sheets: one for this game, and one for the return match.
        (say("scores", language), (scores, scores)),
        (say("booklet", language), booklet_sheets(options, tiles)),
    )
    sheets: list[Sheet] = []
    parts: list[FilePart] = []
    cover = len(cover_sheets(options, tiles))
    for name, pages in contents:
        first = cover + len(sheets) + 1
        parts.append((name, first, first + len(pages) - 1))
        whole = list(pages)
        if len(whole) % 2:
            last = whole[-1]
            whole.append(Sheet(say("blank", language), last.width, last.height, ()))
        if pages is not contents[-1][1]:
            # One entry in the outline for each part; the booklet has one for each game.
            whole = [replace(page, entries=(name,)) for page in whole]
        sheets += whole
    return (*cover_sheets(options, tiles, parts), *sheets)
