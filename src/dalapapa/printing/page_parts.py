"""The surroundings of the pieces on a sheet: head line, scale bar, bleed, cut marks and lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..drawing.outlines import line, rectangle
from .options import PrintOptions
from .sheet import BLACK, GREY, MARGIN, WHITE, Item, Paper, Path, Piece, Text
from .texts import lines, say

CUT_WIDTH_MM = 0.15

HAIRLINE = "#9a9a9a"
"""The colour of a cut line over pieces: visible on black and on white."""

BLEED_MM = 2.0
"""How far the body extends beyond the outermost cut, where the margin allows it."""

BAND_MM = 11.0
"""The height of head line and scale bar, with the marks, above and below the pieces."""

_MARK_START_MM, _MARK_END_MM = 0.3, 4.5
"""How far outside the pieces a mark begins and ends."""

_OVERHANG_MM = 1.8
"""How far a cut line extends beyond the pieces."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

Span = tuple[float, float, float]
"""A straight line: its position, its start and its end."""


def design_words(options: PrintOptions) -> tuple[str, str]:
    """Return the name of a design, and the warning of the author's own cover, if it applies."""
    # With little ink, the ground of every design is the paper.
    design = options.design.replace("black", "white") if options.ink == "low" else options.design
    original = options.design == "squares-original" and options.ink != "grey"
    warning = say("warning_original", options.language) if original else ""
    return say(f"design_{design}", options.language), warning


def head_line(paper: Paper, left: str, right: str, below: str = "") -> Iterator[Item]:
    """Write the line at the top of a sheet: its title, and the author of the game."""
    yield Text(MARGIN, MARGIN + 2.6, left, 3.1, "strong")
    yield Text(paper.width - MARGIN, MARGIN + 2.6, right, 2.6, anchor="end", fill=GREY)
    if below:
        yield Text(MARGIN, MARGIN + 5.8, below, 2.5, "reading")


def scale_bar(paper: Paper, language: str, *more: str) -> Iterator[Item]:
    """Draw 100 mm at the foot of a sheet, and say what to do if they measure differently."""
    y = paper.height - MARGIN - 1.5
    for tick in range(0, 101, 10):
        at, reach = MARGIN + tick, 1.4 if tick % 50 == 0 else 0.7
        yield Path(line(at, y - reach, at, y + reach), stroke=BLACK, width=CUT_WIDTH_MM)
    yield Path(line(MARGIN, y, MARGIN + 100, y), stroke=BLACK, width=CUT_WIDTH_MM)
    x = MARGIN + 103
    room = paper.width - MARGIN - x
    texts = [line for text in (say("scale", language), *more) for line in lines(text, room, 2.2)]
    for number, text in enumerate(reversed(texts)):
        yield Text(x, y + 1.0 - 2.7 * number, text, 2.2, fill=GREY)


def bounds(piece: Piece) -> Box:
    """Return the edges of a domino."""
    long, short = piece.cell, piece.cell / 2
    across, down = (long, short) if piece.rotation % 2 == 0 else (short, long)
    return piece.x - across, piece.y - down, piece.x + across, piece.y + down


def bounding_box(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around all boxes."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def bleed(box: Box, body: str, paper: Paper, by: float = BLEED_MM) -> Iterator[Item]:
    """Draw the body under the dominoes in a box, with its bleed; nothing on white."""
    if body == WHITE:
        return
    left, top, right, bottom = _grow_box(box, paper, by)
    yield Path(rectangle(left, top, right - left, bottom - top), body)


def _grow_box(box: Box, paper: Paper, by: float) -> Box:
    """Grow a box on all sides, as far as the safe margin allows."""
    left, top, right, bottom = box
    return (
        max(left - by, min(left, MARGIN)),
        max(top - by, min(top, MARGIN)),
        min(right + by, max(right, paper.width - MARGIN)),
        min(bottom + by, max(bottom, paper.height - MARGIN)),
    )


def cut_marks(
    box: Box, boxes: Iterable[Box], body: str, paper: Paper, most: float = _MARK_END_MM
) -> Iterator[Item]:
    """Draw marks around a box where the cuts between its pieces end, but never on a piece.

    A cut from edge to edge has a mark at both ends, even where its last pieces are missing. On a
    dark bleed a mark is light, beyond it dark.
    """
    whole = [round(edge, 6) for edge in box]
    pieces = [[round(edge, 6) for edge in piece] for piece in boxes]
    dark = _grow_box(box, paper, 0 if body == WHITE else BLEED_MM)
    end = _grow_box(box, paper, most)
    # Upright cuts first: where they are is x, and they end at the top and at the bottom.
    for axis in (0, 1):
        edges = {piece[edge] for piece in pieces for edge in (axis, axis + 2)}
        through = {
            at for at in edges if not any(piece[axis] < at < piece[axis + 2] for piece in pieces)
        }
        for side, clear in ((1 - axis, -_MARK_START_MM), (3 - axis, _MARK_START_MM)):
            last = [piece for piece in pieces if piece[side] == whole[side]]
            for at in sorted(through.union(*([p[axis], p[axis + 2]] for p in last))):
                start = whole[side] + clear
                yield from _mark(at, start, dark[side], end[side], upright=axis == 0)


def _mark(at: float, start: float, bleed: float, end: float, upright: bool) -> Iterator[Path]:
    """Draw a mark from `start` outwards to `end`, light as far as `bleed`."""
    outwards = 1 if end > start else -1
    bleed = max(start * outwards, bleed * outwards) * outwards
    for near, far, colour in ((start, bleed, WHITE), (bleed, end, BLACK)):
        if (far - near) * outwards > 0.05:
            points = (at, near, at, far) if upright else (near, at, far, at)
            yield Path(line(*points), stroke=colour, width=CUT_WIDTH_MM)


def cut_lines(
    boxes: Sequence[Box], page_width: float, *, over: str = BLACK, beyond: float = _OVERHANG_MM,
    width: float = CUT_WIDTH_MM,
) -> Iterator[Path]:  # fmt: skip
    """Draw lines along all edges of the boxes: black outside them, in the colour `over` on them."""
    across, upright = _edges(boxes)
    for y, start, end in across:
        near, far = max(start - beyond, MARGIN), min(end + beyond, page_width - MARGIN)
        for left, right, colour in _parts(near, start, end, far, over):
            yield Path(line(left, y, right, y), stroke=colour, width=width)
    for x, start, end in upright:
        for top, bottom, colour in _parts(start - beyond, start, end, end + beyond, over):
            yield Path(line(x, top, x, bottom), stroke=colour, width=width)


def _parts(
    near: float, start: float, end: float, far: float, over: str
) -> Iterator[tuple[float, float, str]]:
    """Split a cut line into parts of one colour."""
    if over == BLACK:
        yield near, far, BLACK
        return
    for first, last, colour in ((near, start, BLACK), (start, end, over), (end, far, BLACK)):
        if first < last:
            yield first, last, colour


def _edges(boxes: Sequence[Box]) -> tuple[list[Span], list[Span]]:
    """Collect the edges of the boxes, joined where they touch: across (at y) and upright (at x)."""
    found = []
    for axis in (1, 0):
        lines: dict[float, list[tuple[float, float]]] = {}
        for box in boxes:
            edges = [round(edge, 4) for edge in box]
            for at in (edges[axis], edges[axis + 2]):
                lines.setdefault(at, []).append((edges[1 - axis], edges[3 - axis]))
        found.append(
            [(at, *span) for at, spans in sorted(lines.items()) for span in _join_spans(spans)]
        )
    return found[0], found[1]


def _join_spans(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Join the spans of one line that touch."""
    found: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1] + 1e-3:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
