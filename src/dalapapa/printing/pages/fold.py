"""Dalapapa 72 to fold and glue: fronts above a red line, backs mirrored below it.

Folded paper always lines up, so this needs no printer for both sides. After the dominoes come the
small pieces: 24 tokens, the premium and 38 markers.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...core.tiles import TileSet
from ...drawing.outlines import Segments, circle, line, polygon, rectangle
from ..designs import choose_print_ink, look
from ..options import PrintOptions
from ..page_parts import HAIRLINE, bleed, bounds, cut_lines, head_line, scale_bar
from ..sheet import BLACK, CAPITAL, MARGIN, RED, WHITE, Item, Look, Path, Sheet, Text
from ..texts import capital, say
from .dominoes import arrange_pieces, count_solved_sheets, grid, list_filled_boxes, room, turn_over

_GAP = 5.6
"""The gap between the fold and the pieces, on both sides: for a line of text and the ends of the
cuts."""

_HEAD = 6.0
"""The space for the head line above the upper pieces."""

_BLEED = 0.6
"""Less than `_BEYOND`, so that the cut lines stay visible."""

_BEYOND = 1.5
"""How far the cut lines extend beyond the pieces."""

TOKENS = 24
MARKERS = {
    "black": ("#1f1f1f", 12),
    "brown": ("#7d4a2a", 12),
    "beige": ("#e6d3ac", 8),
    "orange": ("#f08a1d", 6),
}
"""The markers of rules 8: the author's colours, and the count of each."""

_TOKEN, _PREMIUM, _MARKER = 18.0, 36.0, 12.0
"""Sides in millimetres; a marker must not cover its whole disc."""

_RIM = 0.5
"""The white rim of a marker for the cuts: black lines are invisible on black markers."""

_GOLD, _PALE, _VALUE = "#d9a521", "#f6e3a1", "#3b2c05"


def fold_sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    """Make the sheets of dominoes, and one with tokens, premium and markers."""
    count_solved_sheets(options, tiles)  # Refuses solved rectangles: these lie in a grid.
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
        group = tiles.tiles[start : start + every]
        top = fold - _GAP - -(-len(group) // columns) * down
        block = arrange_pieces(group, columns, left, top, cell, rotation)
        backs = [turn_over(piece, tiles, y=2 * fold - piece.y) for piece in block]
        items: list[Item] = []
        for pieces in (block, backs):
            for box in list_filled_boxes(pieces):
                items += bleed(box, chosen.body, paper, _BLEED)
            items += pieces
        boxes = [bounds(piece) for piece in (*block, *backs)]
        # Black lines would be invisible on black.
        items += cut_lines(boxes, paper.width, over=HAIRLINE, beyond=_BEYOND)
        name = f"{say('sheet', language, n=number, all=count)}, {say('dominoes', language)}"
        sheets.append(_sheet(options, capital(name), items, chosen))
    small = list(small_pieces(options, fold - _GAP))
    name = f"{say('sheet', language, n=count, all=count)}, {say('tokens_title', language)}"
    sheets.append(_sheet(options, capital(name), small, chosen))
    return tuple(sheets)


def _sheet(options: PrintOptions, title: str, items: list[Item], chosen: Look) -> Sheet:
    """Make a sheet with a fold line and instructions."""
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


def small_pieces(options: PrintOptions, bottom: float) -> Iterator[Item]:
    """Draw the small pieces above the middle of the page, down to `bottom`, and mirrored below."""
    paper = options.format
    left, top = (paper.width - 8 * _TOKEN - 8 - _PREMIUM) / 2, bottom - 107
    places: list[tuple[float, float, float, str]] = [
        (left + number % 8 * _TOKEN, top + number // 8 * _TOKEN, _TOKEN, "token")
        for number in range(TOKENS)
    ]
    places.append((left + 8 * _TOKEN + 8, top + 9, _PREMIUM, "premium"))
    for row, (colour, (_, count)) in enumerate(MARKERS.items()):
        y = bottom - (4 - row) * _MARKER
        places += [(left + n * _MARKER, y, _MARKER, colour) for n in range(count)]
    boxes = []
    for x, y, side, kind in places:
        for at, turn in ((y, 0), (paper.height - y - side, 2)):
            boxes.append((x, at, x + side, at + side))
            middle = x + side / 2, at + side / 2
            if kind in MARKERS:
                yield from _marker(*middle, kind, options.ink)
            else:
                value = "5" if kind == "premium" else "1"
                label = say("premium", options.language) if kind == "premium" else ""
                yield from _coin(*middle, side, value, label, turn, options.ink)
    yield from cut_lines(boxes, paper.width, beyond=1.5)


def _coin(
    x: float, y: float, side: float, value: str, label: str, turn: int, mode: str
) -> Iterator[Item]:
    """Draw a token or the premium: a coin with its value."""
    radius = side * 0.41
    rim, inner = (WHITE, WHITE) if mode == "low" else (_GOLD, _PALE)
    yield Path(circle(x, y, radius), rim, _GOLD, 0.5)
    yield Path(circle(x, y, radius * 0.76), inner, _GOLD, 0.4)
    size = radius * (0.95 if label else 1.0)
    down = -1 if turn else 1
    yield Text(
        x, y + down * (size * CAPITAL / 2 - (1.5 if label else 0)), value, size,
        "display", "middle", _VALUE if mode == "colour" else BLACK, turn,
    )  # fmt: skip
    if label:
        yield Text(x, y + down * radius * 0.52, label, 3.2, anchor="middle", turn=turn)


def _sign(kind: str, x: float, y: float) -> Iterator[Segments]:
    """Draw the sign of a marker, so that players need not see its colour."""
    if kind == "black":
        yield circle(x, y, 2)
    elif kind == "brown":
        yield rectangle(x - 1.8, y - 1.8, 3.6, 3.6)
    elif kind == "beige":
        yield polygon([(x, y - 2.6), (x + 2.6, y), (x, y + 2.6), (x - 2.6, y)])
    else:
        yield rectangle(x - 2, y - 2.2, 1.3, 4.4)
        yield rectangle(x + 0.7, y - 2.2, 1.3, 4.4)


def _marker(x: float, y: float, kind: str, mode: str) -> Iterator[Item]:
    """Draw a marker: its colour in a white rim, and its sign."""
    colour = MARKERS[kind][0]
    side = _MARKER - 2 * _RIM
    if mode == "low":
        inner = side - 2.4
        yield Path(rectangle(x - inner / 2, y - inner / 2, inner, inner), stroke=colour, width=1.2)
    else:
        yield Path(rectangle(x - side / 2, y - side / 2, side, side), colour)
    for sign in _sign(kind, x, y):
        yield Path(sign, colour if mode == "low" else choose_print_ink(colour))
