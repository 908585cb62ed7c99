"""Dalapapa 72 to fold and glue: fronts above a red line, backs mirrored below it.

Paper that is folded cannot be off: this needs no printer that prints on both sides.
"""

from __future__ import annotations

from ..tiles import TileSet
from .designs import look
from .dominoes import behind, filled, grid, room, rows_of, solved
from .options import PrintOptions
from .outlines import line
from .page_parts import HAIR, bleed, bounds, capital, cut_lines, head_line, scale_bar
from .sheet import MARGIN, RED, Item, Look, Path, Sheet, Text
from .texts import say
from .tokens import small_pieces

_GAP = 5.6
"""Between the fold and the pieces, on both sides of it: for a line of words and the ends of the
cuts, clear of each other."""

_HEAD = 6.0
"""For the head line, above the upper pieces."""

_BLEED = 0.6
"""Less than the cut lines go on beyond the pieces: they are seen."""

_BEYOND = 1.5
"""How far they go on."""


def fold_sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    """The dominoes, and at last tokens, premium and markers."""
    solved(options, tiles)  # It refuses: these lie in a grid.
    paper, language = options.format, options.language
    fold = paper.height / 2
    cell = options.size / 2
    width, _ = room(paper)
    height = fold - _GAP - MARGIN - _HEAD
    columns, rows, rotation = grid(paper, cell, width, height)
    across, down = (2 * cell, cell) if rotation == 0 else (cell, 2 * cell)
    left = (paper.width - columns * across) / 2
    chosen = look(options.design, options.ink, symbols=options.symbols, names=options.names)
    every = columns * rows
    count = -(-len(tiles) // every) + 1
    sheets = []
    for number, start in enumerate(range(0, len(tiles), every), start=1):
        some = tiles.tiles[start : start + every]
        top = fold - _GAP - -(-len(some) // columns) * down
        block = rows_of(some, columns, left, top, cell, rotation)
        backs = [behind(piece, tiles, y=2 * fold - piece.y) for piece in block]
        items: list[Item] = []
        for pieces in (block, backs):
            for box in filled(pieces):
                items += bleed(box, chosen.body, paper, _BLEED)
            items += pieces
        boxes = [bounds(piece) for piece in (*block, *backs)]
        # Black would not be seen on black.
        items += cut_lines(boxes, paper.width, over=HAIR, beyond=_BEYOND)
        name = f"{say('sheet', language, n=number, all=count)}, {say('dominoes', language)}"
        sheets.append(_sheet(options, capital(name), items, chosen))
    small = list(small_pieces(options, fold - _GAP))
    name = f"{say('sheet', language, n=count, all=count)}, {say('tokens_title', language)}"
    sheets.append(_sheet(options, capital(name), small, chosen))
    return tuple(sheets)


def _sheet(options: PrintOptions, title: str, items: list[Item], chosen: Look) -> Sheet:
    """A sheet with its fold line, and what to do with it."""
    paper, language = options.format, options.language
    fold = paper.height / 2
    surroundings = [
        *head_line(paper, f"Dalapapa 72 – {title}", say("game_by", language)),
        *scale_bar(paper, language),
        Path(line(MARGIN, fold, paper.width - MARGIN, fold), stroke=RED, width=0.3),
        Text(paper.width / 2, fold - 0.9, say("fold", language), 2.6, anchor="middle", fill=RED),
        Text(paper.width / 2, fold + 2.7, say("cut", language), 2.6, anchor="middle"),
    ]
    return Sheet(title, paper.width, paper.height, (*items, *surroundings), chosen)
