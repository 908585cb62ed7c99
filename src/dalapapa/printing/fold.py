"""Dalapapa 72 to fold and glue: fronts above a red line, backs mirrored below it.

Paper that is folded cannot be off: this needs no printer that prints on both sides.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..drawing.palettes import luminance
from ..tiles import TileSet
from .designs import look
from .dominoes import behind, grid, room, rows_of
from .furniture import CUT, Box, around, bleed, bounds, head_line, scale_bar
from .options import PrintOptions
from .outlines import Segments, circle, line, polygon, rectangle
from .pieces import ink
from .sheet import BLACK, MARGIN, RED, WHITE, Item, Look, Path, Sheet, Text
from .texts import say

TOKENS = 24
MARKERS = {
    "black": ("#1f1f1f", 12),
    "brown": ("#7d4a2a", 12),
    "beige": ("#e6d3ac", 8),
    "orange": ("#f08a1d", 6),
}
"""The markers of rules 8, in the author's colours and numbers."""

_TOKEN, _PREMIUM, _MARKER = 18.0, 36.0, 12.0
"""Sides in millimetres; a marker leaves its disc to be seen."""

_GOLD, _PALE = "#d9a521", "#f6e3a1"

_GAP = 4.0
"""Between the fold and the pieces, on both sides of it."""

_HEAD = 6.0
"""For the head line, above the upper pieces."""

_OVERHANG, _BLEED = 1.8, 0.6
"""How far a cut line goes on beyond the pieces, and how far their body: the line is seen."""


def fold_sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    """The dominoes, and at last tokens, premium and markers."""
    paper, language = options.sheet, options.language
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
            items += bleed(around(map(bounds, pieces)), chosen.body, paper, _BLEED)
            items += pieces
        boxes = [bounds(piece) for piece in (*block, *backs)]
        items += cut_lines(boxes, paper.width)
        name = f"{say('sheet', language, n=number, all=count)}, {say('dominoes', language)}"
        title = name[0].upper() + name[1:]
        sheets.append(_sheet(options, title, items, chosen))
    small = [item for piece in _small_pieces(options) for item in piece]
    name = f"{say('sheet', language, n=count, all=count)}, {say('tokens_title', language)}"
    sheets.append(_sheet(options, name[0].upper() + name[1:], small, chosen))
    return tuple(sheets)


def _sheet(options: PrintOptions, title: str, items: list[Item], chosen: Look) -> Sheet:
    """A sheet with its fold line, and what to do with it."""
    paper, language = options.sheet, options.language
    fold = paper.height / 2
    surroundings = [
        *head_line(paper, f"Dalapapa 72 – {title}", say("game_by", language)),
        *scale_bar(paper, language),
        Path(line(MARGIN, fold, paper.width - MARGIN, fold), stroke=RED, width=0.3),
        Text(paper.width / 2, fold - 0.6, say("fold", language), 2.1, anchor="middle", fill=RED),
        Text(paper.width / 2, fold + 2.1, say("cut", language), 2.1, anchor="middle"),
    ]
    return Sheet(title, paper.width, paper.height, (*items, *surroundings), chosen)


def cut_lines(boxes: list[Box], page_width: float) -> Iterator[Path]:
    """Black lines along all edges of the boxes, joined where they meet, a little longer."""
    across: dict[float, list[tuple[float, float]]] = {}
    upright: dict[float, list[tuple[float, float]]] = {}
    for box in boxes:
        left, top, right, bottom = (round(edge, 4) for edge in box)
        for y in (top, bottom):
            across.setdefault(y, []).append((left, right))
        for x in (left, right):
            upright.setdefault(x, []).append((top, bottom))
    for y, spans in sorted(across.items()):
        for start, end in _joined(spans):
            near = max(start - _OVERHANG, MARGIN)
            far = min(end + _OVERHANG, page_width - MARGIN)
            yield Path(line(near, y, far, y), stroke=BLACK, width=CUT)
    for x, spans in sorted(upright.items()):
        for start, end in _joined(spans):
            points = (x, start - _OVERHANG, x, end + _OVERHANG)
            yield Path(line(*points), stroke=BLACK, width=CUT)


def _joined(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Spans on one line, those that touch made one."""
    found: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1] + 1e-3:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _small_pieces(options: PrintOptions) -> Iterator[list[Item]]:
    """Tokens, premium and markers, front and back, and their cut lines."""
    paper = options.sheet
    fold = paper.height / 2
    left, top = (paper.width - 8 * _TOKEN - 8 - _PREMIUM) / 2, fold - _GAP - 107
    places: list[tuple[float, float, float, str]] = [
        (left + number % 8 * _TOKEN, top + number // 8 * _TOKEN, _TOKEN, "token")
        for number in range(TOKENS)
    ]
    places.append((left + 8 * _TOKEN + 8, top + 9, _PREMIUM, "premium"))
    for row, (colour, (_, count)) in enumerate(MARKERS.items()):
        y = fold - _GAP - (4 - row) * _MARKER
        places += [(left + n * _MARKER, y, _MARKER, colour) for n in range(count)]
    boxes = []
    for x, y, side, kind in places:
        for at, turn in ((y, 0), (2 * fold - y - side, 2)):
            boxes.append((x, at, x + side, at + side))
            middle = x + side / 2, at + side / 2
            if kind in MARKERS:
                yield list(_marker(*middle, kind, options.ink))
            else:
                value = "5" if kind == "premium" else "1"
                label = say("premium", options.language) if kind == "premium" else ""
                yield list(_coin(*middle, side, value, label, turn, options.ink))
    yield list(cut_lines(boxes, paper.width))


def _tone(colour: str, mode: str) -> str:
    """A colour, or its grey."""
    if mode != "grey":
        return colour
    level = round(255 * luminance(colour) ** (1 / 2.2))
    return f"#{level:02x}{level:02x}{level:02x}"


def _coin(
    x: float, y: float, side: float, value: str, label: str, turn: int, mode: str
) -> Iterator[Item]:
    """A token or the premium: a coin with its value."""
    radius = side * 0.41
    gold = _tone(_GOLD, mode)
    pale = WHITE if mode == "low" else _tone(_PALE, mode)
    yield Path(circle(x, y, radius), WHITE if mode == "low" else gold, gold, 0.5)
    yield Path(circle(x, y, radius * 0.76), pale, gold, 0.4)
    size = radius * (0.95 if label else 1.0)
    down = -1 if turn else 1
    yield Text(
        x, y + down * (size * 0.36 - (1.5 if label else 0)), value, size, "bold", "middle",
        "#3b2c05" if mode == "colour" else BLACK, turn,
    )  # fmt: skip
    if label:
        yield Text(x, y + down * radius * 0.52, label, 3.2, anchor="middle", turn=turn)


def _sign(kind: str, x: float, y: float) -> Iterator[Segments]:
    """A sign for each colour of the markers, so that the colour need not be seen."""
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
    """A marker: its colour to the edge, and its sign."""
    colour = _tone(MARKERS[kind][0], mode)
    side = _MARKER
    if mode == "low":
        inner = side - 2.4
        yield Path(rectangle(x - inner / 2, y - inner / 2, inner, inner), stroke=colour, width=1.2)
    else:
        yield Path(rectangle(x - side / 2, y - side / 2, side, side), colour)
    for sign in _sign(kind, x, y):
        yield Path(sign, colour if mode == "low" else ink(colour))
