"""The dominoes of a set on sheets for both sides of the paper.

Arranged *straight*, they lie in a grid whose cuts go from edge to edge. Arranged as a *sheet*, each
pile of Arlequin is a solved rectangle of 8 x 10 cells (`layouts.json`), on the front and on the
back. That is possible for the 120 dominoes, if they are small enough.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from math import floor

from msgspec.structs import replace

from ...core.errors import BadOptions
from ...core.notation import Laying, Side, parse_position
from ...core.tiles import Tile, TileSet, standard
from ...drawing.outlines import UNIT
from ...drawing.shapes import GAP
from ..designs import look, place_piece
from ..options import PrintOptions
from ..page_parts import (
    BAND_MM,
    BLEED_MM,
    CUT_WIDTH_MM,
    HAIRLINE,
    Box,
    bleed,
    bounding_box,
    bounds,
    cut_lines,
    cut_marks,
    design_words,
    head_line,
    scale_bar,
)
from ..sheet import MARGIN, Item, Look, Paper, Piece, Sheet
from ..texts import capital, say

FRAME = (8, 10)
"""The cells of a pile's rectangle (rules 6)."""

_MIN_BLEED_MM = 1.0
"""Eight cells of 24 mm leave no more beside the dominoes on A4."""

_GAP_MM = 6.0
"""The gap between two rectangles on one sheet."""

Block = list[Piece]
"""Dominoes that lie together without a gap."""


@cache
def layouts() -> dict[int, tuple[Laying, ...]]:
    """Read a full rectangle for each pile of Arlequin, all rectos up."""
    text = files(__package__).joinpath("layouts.json").read_text(encoding="utf-8")
    return {int(pile): tuple(parse_position(layout)) for pile, layout in json.loads(text).items()}


def room(paper: Paper) -> tuple[float, float]:
    """Return width and height for dominoes on a paper."""
    return (
        paper.width - 2 * (MARGIN + _MIN_BLEED_MM),
        paper.height - 2 * (MARGIN + BAND_MM),
    )


def domino_sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    """Make front and back of every sheet, in the order of printing."""
    paper = options.format
    chosen = look(options.design, options.ink, symbols=options.symbols, names=options.names)
    cell, piles = options.size / 2, count_solved_sheets(options, tiles)
    fronts = _piles(paper, cell, tiles, *piles) if piles else _rows(paper, cell, tiles)
    sheets = []
    for number, blocks in enumerate(fronts, start=1):
        backs = [_back(block, tiles, options) for block in blocks]
        pile = _pile(blocks, tiles)
        for side, shown in (("recto", blocks), ("verso", backs)):
            name = say("sheet", options.language, n=number, all=len(fronts))
            title = f"{capital(name)}, {say(side, options.language)}"
            if pile:
                title += f" ({say('pile', options.language, n=pile)})"
            laid = _draw_blocks(shown, chosen, paper, hairs=side == "recto")
            items = (*_surroundings(options, title), *laid)
            sheets.append(Sheet(title, paper.width, paper.height, items, chosen))
    return tuple(sheets)


def _pile(blocks: Sequence[Block], tiles: TileSet) -> int | None:
    """Return the pile of Arlequin on a sheet, if it is exactly one whole pile."""
    names = [piece.tile for block in blocks for piece in block]
    pile = tiles[names[0]].pile
    whole = {tile.name for tile in tiles.tiles if tile.pile == pile}
    return pile if whole == set(names) else None


def _surroundings(options: PrintOptions, title: str) -> Iterator[Item]:
    language = options.language
    name, warning = design_words(options)
    right = f"{name} – {say('game_by', language)}"
    # The warning is on every sheet, because people see the colours before the options.
    yield from head_line(options.format, f"Dalapapa – {title}", right, warning)
    yield from scale_bar(options.format, language, say(f"flip_{options.flip}", language))


def _draw_blocks(
    blocks: Sequence[Block], chosen: Look, paper: Paper, *, hairs: bool
) -> Iterator[Item]:
    """Draw blocks with bleed, cut marks, and hairlines to cut along.

    The hairlines are only on the fronts, where people cut. On a back that is a little off, they
    would be on the pieces.
    """
    reach = _GAP_MM / 2 - 0.5 if len(blocks) > 1 else BLEED_MM + 2.5
    for block in blocks:
        boxes = [bounds(piece) for piece in block]
        for part in list_filled_boxes(block):
            yield from bleed(part, chosen.body, paper)
        yield from block
        if hairs:
            # The line must fit into the seam between discs of any size.
            width = min(CUT_WIDTH_MM, 1.8 * GAP / UNIT * block[0].cell)
            yield from cut_lines(boxes, paper.width, over=HAIRLINE, beyond=0, width=width)
        yield from cut_marks(bounding_box(boxes), boxes, chosen.body, paper, reach)


def list_filled_boxes(block: Block) -> Iterator[Box]:
    """List the boxes that a block fills: one, or one for each row if rows differ in length."""
    boxes = [bounds(piece) for piece in block]
    left, top, right, bottom = whole = bounding_box(boxes)
    if len(block) * 2 * block[0].cell ** 2 > (right - left) * (bottom - top) - 1e-3:
        yield whole
        return
    for row in sorted({round(box[1], 6) for box in boxes}):
        yield bounding_box(box for box in boxes if round(box[1], 6) == row)


def count_solved_sheets(options: PrintOptions, tiles: TileSet) -> tuple[int, int] | None:
    """Count the columns and rows of solved rectangles on a sheet; None for a grid.

    Refuse options that ask for rectangles where they are impossible.
    """
    if options.arrangement != "sheet":
        return None
    cell = options.size / 2
    width, height = room(options.format)
    columns = int((width + _GAP_MM + 1e-6) // (FRAME[0] * cell + _GAP_MM))
    rows = int((height + _GAP_MM + 1e-6) // (FRAME[1] * cell + _GAP_MM))
    if options.what == "72" or not _are_the_120(tiles) or not columns or not rows:
        most = floor(10 * 2 * min(width / FRAME[0], height / FRAME[1])) / 10
        raise BadOptions(
            f"Solved sheets need the set of 120 with dominoes of at most {most:g} mm:"
            " choose the arrangement straight.",
            "bad_arrangement",
            most=most,
        )
    return columns, rows


def _are_the_120(tiles: TileSet) -> bool:
    """Whether these are the standard dominoes, in any order."""
    ours, theirs = (
        {(tile.name, tile.recto, tile.verso) for tile in some.tiles} for some in (standard(), tiles)
    )
    return ours == theirs


def _piles(paper: Paper, cell: float, tiles: TileSet, columns: int, rows: int) -> list[list[Block]]:
    """Arrange the solved rectangles in columns and rows on sheets."""
    wide, high = (cells * cell for cells in FRAME)
    piles = list(layouts().values())
    fronts = []
    for start in range(0, len(piles), columns * rows):
        group = piles[start : start + columns * rows]
        across = min(columns, len(group))
        down = -(-len(group) // across)
        left = (paper.width - across * wide - (across - 1) * _GAP_MM) / 2
        top = (paper.height - down * high - (down - 1) * _GAP_MM) / 2
        blocks = []
        for number, layings in enumerate(group):
            x = left + number % across * (wide + _GAP_MM)
            y = top + number // across * (high + _GAP_MM)
            blocks.append([place_piece(laying, tiles, x, y, cell) for laying in layings])
        fronts.append(blocks)
    return fronts


def _rows(paper: Paper, cell: float, tiles: TileSet) -> list[list[Block]]:
    """Arrange all dominoes in a grid, pile by pile, in the orientation that needs fewer sheets."""
    columns, rows, rotation = grid(paper, cell, *room(paper))
    across, down = (2 * cell, cell) if rotation == 0 else (cell, 2 * cell)
    left = (paper.width - columns * across) / 2
    top = (paper.height - rows * down) / 2
    every = sorted(tiles.tiles, key=lambda tile: tile.pile or 0)
    return [
        [arrange_pieces(every[start : start + columns * rows], columns, left, top, cell, rotation)]
        for start in range(0, len(every), columns * rows)
    ]


def grid(paper: Paper, cell: float, width: float, height: float) -> tuple[int, int, int]:
    """Find columns, rows and rotation for as many dominoes as fit; refuse if none fits."""
    found = []
    for rotation, across, down in ((0, 2 * cell, cell), (1, cell, 2 * cell)):
        columns, rows = int((width + 1e-6) // across), int((height + 1e-6) // down)
        found.append((columns * rows, columns, rows, rotation))
    most, columns, rows, rotation = max(found, key=lambda entry: entry[0])
    if not most:
        largest = max(min(width, 2 * height), min(2 * width, height))
        largest = floor(10 * largest) / 10  # Never rounded up: that would be too large.
        raise BadOptions(
            f"A domino of {2 * cell:g} x {cell:g} mm is too large for {paper.name}: it can"
            f" be at most {largest:g} mm long.",
            "domino_too_large",
            most=largest,
        )
    return columns, rows, rotation


def arrange_pieces(
    tiles: Sequence[Tile], columns: int, left: float, top: float, cell: float, rotation: int
) -> Block:
    """Arrange the rectos of dominoes row by row."""
    across, down = (2 * cell, cell) if rotation == 0 else (cell, 2 * cell)
    return [
        Piece(
            tile.name, "+", tile.recto,
            left + (number % columns + 0.5) * across, top + (number // columns + 0.5) * down,
            rotation, cell,
        )
        for number, tile in enumerate(tiles)
    ]  # fmt: skip


def _back(block: Block, tiles: TileSet, options: PrintOptions) -> Block:
    """Make the back of a block, as the printer turns the paper, moved by the offset."""
    dx, dy = options.offset
    paper = options.format
    if options.flip == "long":
        turned = [turn_over(piece, tiles, x=paper.width - piece.x) for piece in block]
    else:
        turned = [turn_over(piece, tiles, y=paper.height - piece.y) for piece in block]
    return [replace(piece, x=piece.x + dx, y=piece.y + dy) for piece in turned]


def turn_over(
    piece: Piece, tiles: TileSet, *, x: float | None = None, y: float | None = None
) -> Piece:
    """Turn a piece over from left to right (to its new x) or from top to bottom (to its new y).

    A recto turned over from left to right shows its verso, both upright. A quarter-turn clockwise
    becomes a quarter-turn counterclockwise; from top to bottom, add a half-turn.
    """
    side: Side = "-" if piece.side == "+" else "+"
    face = tiles[piece.tile].face(side)
    if x is not None:
        return replace(piece, side=side, face=face, x=x, rotation=-piece.rotation % 4)
    return replace(piece, side=side, face=face, y=y, rotation=(2 - piece.rotation) % 4)
