"""The score board: a spiral of discs from 1 to 60, laps up to 240, and pawns to cut out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import cos, dist, pi, sin

from msgspec.structs import replace

from ...core.tiles import TileSet
from ...drawing.outlines import Segments, circle, line, polygon, rectangle
from ...drawing.palettes import SEATS
from ..designs import choose_print_ink, disc, look, mosaic, name_size, sign_colour, wordmark
from ..options import PrintOptions
from ..page_parts import Box, cut_lines, scale_bar
from ..sheet import CAPITAL, GREY, MARGIN, WHITE, Font, Item, Look, Path, Sheet, Text
from ..texts import capital, lines, paragraph, say, text_width
from .scores import DISC_POINTS

FIELDS, LAPS = 60, 4
COLUMNS, ROWS = 10, 6
"""A rectangle of fields, starting with six up the left side."""

INNER_COLUMNS, INNER_ROWS = 4, 11
"""The fields 17 to 60 of the author's own board, inside the first 16."""

OUTER, WAY = 1.45, 0.4
"""The size of the first 16, and the height of the way from the last of them to 17."""

PLAYERS = 4
"""The players for whom there are pawns and marks to cut out."""

_TENS = "RYGBRY"
"""The colours of the tens: ten fields in a row are one group of discs."""

_RIM = "#b3b3b3"
"""Neutral, so that a printer uses only its black ink."""

_FOOT = 7.0
"""The space below the ground for the bar of 100 mm."""

_TITLE, _START = 29.0, 22.0
"""The minimum heights above the spiral, for the name, and below it, for the start."""

_LEGEND, _GAP = 50.0, 6.0
"""The minimum width of the explanation beside the ground, and the gap between them."""

Field = tuple[float, float, float]
"""The middle of a field and its size."""

_EDGE = 2.0
"""The distance from the edge of the ground to its fields."""

_POINT_ROW, _PAWN_ROW = 8.2, 16.8
"""The heights of a row of the points table, and of the pawns of a player."""

_CUT_PAWNS = ((13.0, 0.0), (10.0, 18.0))
"""The side and the offset of each pawn of a player."""


def spiral(columns: int = COLUMNS, rows: int = ROWS) -> list[tuple[int, int]]:
    """List column and row of the fields: from the lower left upwards, clockwise to the middle."""
    places: list[tuple[int, int]] = []
    x, y, dx, dy = 0, rows - 1, 0, -1
    while len(places) < columns * rows:
        places.append((x, y))
        u, v = x + dx, y + dy
        if (u, v) in places or not (0 <= u < columns and 0 <= v < rows):
            dx, dy = -dy, dx
        x, y = x + dx, y + dy
    return places


def author_fields() -> list[tuple[float, float, float]]:
    """The middle and the size of the author's fields, in rows and columns of those inside.

    Six fields go up the left side, three along the top and seven down the right side. Inside,
    17 begins a spiral in four columns and eleven rows, from the lower left to the middle.
    """
    right, top = INNER_COLUMNS + 1.5 * OUTER, 0.5 * OUTER
    fields = [
        *((OUTER / 2, OUTER + (5.5 - n) * INNER_ROWS / 6, OUTER) for n in range(6)),
        *((OUTER + (n + 0.5) * INNER_COLUMNS / 3, top, OUTER) for n in range(3)),
        *((right, OUTER + (n + 0.5) * INNER_ROWS / 7, OUTER) for n in range(7)),
    ]
    inside = spiral(INNER_COLUMNS, INNER_ROWS)
    return fields + [(OUTER + x + 0.5, OUTER + y + 0.5, 1.0) for x, y in inside]


def board_sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    """Make the sheet of the board, in the design of the dominoes, with explanation and pawns."""
    is_own = options.layout == "author"
    paper, language = options.format if is_own else options.format.across, options.language
    places = author_fields() if is_own else [(x + 0.5, y + 0.5, 1.0) for x, y in spiral()]
    columns, rows = (
        (INNER_COLUMNS + 2 * OUTER, INNER_ROWS + OUTER + WAY) if is_own else (COLUMNS, ROWS)
    )
    chosen = look(options.design, options.ink, symbols=options.symbols)
    title = say("board", language)
    left, top = MARGIN, MARGIN
    right, bottom = paper.width - MARGIN, paper.height - MARGIN - _FOOT
    field = min(
        (right - left - _LEGEND - _GAP - 2 * _EDGE) / columns,
        (bottom - top - _TITLE - _START) / rows,
    )
    # The name and the start share the spare height of the paper.
    spare = bottom - top - _TITLE - _START - rows * field
    high = top + _TITLE + spare / 2
    first, last = left + _EDGE, left + _EDGE + columns * field
    edge = last + _EDGE
    fields = [(first + x * field, high + y * field, size * field) for x, y, size in places]
    # No head line: the name is on the ground, and the title beside it.
    items: list[Item] = [
        *scale_bar(paper, language),
        *_ground(chosen, (left, top, edge, bottom)),
        *_name(chosen, tiles, (left, top, edge, high), language),
        *(_way_inside(chosen, fields, field) if is_own else ()),
        *_links(chosen, fields),
        *_discs(chosen, fields),
        *_arrows(chosen, fields),
        *_start(chosen, (first, high + rows * field, last, bottom), fields[0], language),
        *_legend(chosen, (edge + _GAP, top, right, bottom), options),
    ]
    return (Sheet(title, paper.width, paper.height, tuple(items)),)


def _ground(chosen: Look, box: Box) -> Iterator[Item]:
    left, top, right, bottom = box
    width, height, line_width = right - left, bottom - top, 0.4
    if chosen.body == WHITE:
        inset = line_width / 2  # So that the line stays inside the edge, which may be the margin.
        inner = width - line_width, height - line_width
        shape = rectangle(left + inset, top + inset, *inner, 4)
        yield Path(shape, stroke=_RIM, width=line_width)
    else:
        yield Path(rectangle(left, top, width, height, 4), chosen.body)


def _name(chosen: Look, tiles: TileSet, box: Box, language: str) -> Iterator[Item]:
    """Draw the name of the game, its author and a mosaic above the spiral."""
    left, top, right, bottom = box
    pad, size = 5.0, 4.4
    room, middle = right - left - 3 * pad, (top + bottom) / 2 + 0.5
    high = (bottom - top) * 0.68
    columns = 8
    cell = min(high / 2, room * 0.45 / columns)
    corner = right - pad - columns * cell, middle - cell
    yield from mosaic(chosen, tiles, (columns, 2), corner, cell)
    # The name and the author together are as high as the mosaic.
    tall = min(name_size(room - columns * cell), (2 * cell - 1.5 * size) / (CAPITAL + 0.2))
    y = middle - cell + CAPITAL * tall
    yield wordmark(left + pad, y, tall, choose_print_ink(chosen.body))
    author, quiet = say("game_by", language), GREY if chosen.body == WHITE else _RIM
    yield Text(left + pad, middle + cell - 0.25 * size, author, size, fill=quiet)


def _colour(number: int) -> str:
    return _TENS[(number - 1) // 10]


def _are_beside(here: Field, there: Field) -> bool:
    """Whether the track goes straight from one field to the next."""
    return dist(here[:2], there[:2]) < 1.5 * max(here[2], there[2])


def _way_inside(chosen: Look, fields: list[Field], field: float) -> Iterator[Item]:
    """Draw the way from the last field outside to the first one inside, below the others."""
    (x, y, size), (u, v, _) = fields[15:17]
    low = v + (0.5 + WAY / 2) * field
    stroke = chosen.paints[_colour(16)]
    for part in (line(x, y + size / 3, x, low), line(x, low, u, low), line(u, low, u, v)):
        yield Path(part, stroke=stroke, width=0.12 * field, round=True)
    fill = choose_print_ink(chosen.body)
    yield Path(_arrow((x + u) / 2, low, -1, 0, 0.16 * field), fill)


def _links(chosen: Look, fields: list[Field]) -> Iterator[Item]:
    """Draw links between the discs of a ten."""
    for number, (here, there) in enumerate(pairwise(fields), start=1):
        if _colour(number) == _colour(number + 1) and _are_beside(here, there):
            width = 0.8 if chosen.hollow else 0.3 * min(here[2], there[2])
            segments = line(*here[:2], *there[:2])
            yield Path(segments, stroke=chosen.paints[_colour(number)], width=width)


def _discs(chosen: Look, fields: list[Field]) -> Iterator[Item]:
    for number, (x, y, field) in enumerate(fields, start=1):
        ten, colour = number % 10 == 0, _colour(number)
        if number == FIELDS:
            shine = chosen.paints["R"] if chosen.body == WHITE else WHITE
            yield Path(_star(x, y, 0.56 * field), shine)
        yield from disc(chosen, colour, x, y, (0.47 if ten else 0.43) * field)
        fill = sign_colour(chosen, colour)
        if ten:
            yield Path(circle(x, y, 0.28 * field), stroke=fill, width=0.5)
        size = field * (0.34 if ten else 0.3)
        font: Font = "display" if ten else "strong"
        yield Text(x, y + size * CAPITAL / 2, str(number), size, font, "middle", fill)


def _star(x: float, y: float, radius: float) -> Segments:
    """Draw the rays behind the last disc, the goal."""
    points = []
    for number in range(32):
        reach = radius if number % 2 else radius * 0.86
        angle = number * pi / 16
        points.append((x + reach * cos(angle), y + reach * sin(angle)))
    return polygon(points)


def _arrows(chosen: Look, fields: list[Field]) -> Iterator[Item]:
    """Draw arrows where the path turns and where a ten begins."""
    for number, (here, there) in enumerate(pairwise(fields), start=1):
        if (number % 10 and not _turns(fields, number)) or not _are_beside(here, there):
            continue
        joined = _colour(number) == _colour(number + 1) and not chosen.hollow
        fill = choose_print_ink(chosen.paints[_colour(number)] if joined else chosen.body)
        dx, dy = there[0] - here[0], there[1] - here[1]
        length, field = dist(here[:2], there[:2]), min(here[2], there[2])
        x, y = here[0] + dx / 2, here[1] + dy / 2
        yield Path(_arrow(x, y, dx / length, dy / length, 0.085 * field), fill)


def _turns(fields: list[Field], number: int) -> bool:
    """Whether the path turns at a field."""
    if number == 1:
        return False
    (x, y, _), _, (u, v, _) = fields[number - 2 : number + 1]
    return abs(x - u) > 0.1 and abs(y - v) > 0.1


def _arrow(x: float, y: float, dx: float, dy: float, size: float) -> Segments:
    """Draw a triangle around x, y that points in the direction dx, dy."""
    base_x, base_y = x - dx * size * 0.8, y - dy * size * 0.8
    across = size * 1.25
    return polygon(
        (
            (x + dx * size, y + dy * size),
            (base_x - dy * across, base_y + dx * across),
            (base_x + dy * across, base_y - dx * across),
        )
    )


def _start(chosen: Look, box: Box, one: Field, language: str) -> Iterator[Item]:
    """Draw an arrow to field 1, space for four pawns, and the laps, below the spiral."""
    left, top, right, bottom = box
    fill = choose_print_ink(chosen.body)
    y = (top + bottom) / 2
    x, _, field = one
    is_narrow = field > (right - left) / COLUMNS + 1
    if is_narrow:
        y -= 3.4
        yield Text(x, bottom - 2.8, say("start", language), 5.2, "display", "middle", fill)
    else:
        yield Text(left + field, y + 2.6, say("start", language), 7.4, "display", fill=fill)
    yield Path(line(x, y + 5, x, y - 1), stroke=fill, width=2.6)
    yield Path(_arrow(x, y - 2.6, 0, -1, 4.2), fill)
    # The laps are below the last seven columns of the spiral, aligned with their discs.
    y = (top + bottom) / 2
    rim = _RIM if chosen.body == WHITE else fill
    inset, gap = 0.07 * field, 2.0
    start = left + (field + 4 if is_narrow else 3 * field) + inset
    laps, high = say("laps", language), bottom - top - 5
    size = 3.8 * min(1, high / text_width(laps, 3.8, "strong"))
    yield Text(start - 1.6, y, laps, size, "strong", "middle", fill, 3)
    wide = (right - inset - start - (LAPS - 1) * gap) / LAPS
    for lap in range(LAPS):
        x = start + lap * (wide + gap)
        yield Path(rectangle(x, top + 2, wide, high, 3), stroke=rim, width=0.4)
        low, last = lap * FIELDS + 1, (lap + 1) * FIELDS
        yield Text(x + 2.5, top + 6.6, f"{low}–{last}", 3.8, "strong", fill=fill)
        if lap:
            low_line = 11.6 if is_narrow else 6.6
            yield Text(
                x + wide - 2.5, top + low_line, f"+{lap * FIELDS}", 3.8, "reading", "end", fill
            )


def _legend(chosen: Look, box: Box, options: PrintOptions) -> Iterator[Item]:
    """Explain the board and the points of a domino beside the ground, and draw the pawns."""
    left, top, right, bottom = box
    width, language = right - left, options.language
    title = lines(say("board", language), width, 6.4, "display")
    yield from paragraph(left, top + 5, width, " ".join(title), 6.4, "display")
    how, y = say("board_how", language), top + 5 + len(title) * 6.4 * 1.3
    yield from paragraph(left, y, width, how, 4)
    pawns = bottom - PLAYERS * _PAWN_ROW
    words = lines(say("pawns", language), width, 3.4)
    pawn_text = pawns - 3 - (len(words) - 1) * 3.4 * 1.3
    yield from paragraph(left, pawn_text, width, " ".join(words), 3.4)
    yield from _pawns(left, pawns, right + MARGIN, options)
    # The points table is in the middle of the remaining height.
    after = y + (len(lines(how, width, 4)) - 1) * 4 * 1.3
    high = 4 + len(DISC_POINTS) * _POINT_ROW
    yield from _points(chosen, left, (after + pawn_text - 3.4 - high) / 2 + 2, right, language)


def _points(chosen: Look, left: float, top: float, right: float, language: str) -> Iterator[Item]:
    """Draw the table of points for the number of discs."""
    step = min(7.0, (right - left - 12) / len(DISC_POINTS))
    yield Text(left, top, capital(say("discs", language)), 3.6, fill=GREY)
    yield Text(right, top, capital(say("points", language)), 3.6, "reading", "end", GREY)
    yield Path(line(left, top + 2, right, top + 2), stroke=_RIM, width=0.3)
    bare = replace(chosen, body=WHITE)
    for number, points in enumerate(DISC_POINTS, start=1):
        y = top + 2 + (number - 0.45) * _POINT_ROW
        for place in range(number):
            yield from disc(bare, _TENS[place], left + (place + 0.5) * step, y, step * 0.44)
        yield Text(right, y + 2, str(points), 5.6, "display", "end")


def _pawns(left: float, top: float, page_width: float, options: PrintOptions) -> Iterator[Item]:
    """Draw a pawn for the track and a smaller one for the laps, for each player."""
    boxes = []
    for player in range(PLAYERS):
        for size, at in _CUT_PAWNS:
            x, y = left + 2 + at, top + player * _PAWN_ROW + 2 + (13 - size) / 2
            boxes.append((x, y, x + size, y + size))
            yield from seat_disc(x + size / 2, y + size / 2, size * 0.42, player, options.ink)
    yield from cut_lines(boxes, page_width)


def seat_disc(x: float, y: float, radius: float, player: int, ink: str) -> Iterator[Item]:
    """Draw a disc in a player's colour with the number; a ring in the low-ink version."""
    colour, low = SEATS[player], ink == "low"
    if low:
        yield Path(circle(x, y, radius * 0.88), stroke=colour, width=radius * 0.24)
    else:
        yield Path(circle(x, y, radius), colour)
        yield Path(circle(x, y, radius * 0.8), stroke=WHITE, width=0.4)
    number, fill = str(player + 1), colour if low else WHITE
    yield Text(x, y + radius * CAPITAL / 2, number, radius, "display", "middle", fill)
