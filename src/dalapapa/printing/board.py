"""The score board: a spiral of discs from 1 to 60, laps up to 240, and pawns to cut out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import cos, pi, sin

from msgspec.structs import replace

from ..tiles import standard
from .art import disc, mosaic, wordmark, written
from .designs import look, tone
from .furniture import capital, cut_lines, head_line, paragraph, scale_bar
from .options import PrintOptions
from .outlines import Segments, circle, line, polygon, rectangle
from .pieces import ink
from .scores import DISC_POINTS
from .sheet import GREY, MARGIN, WHITE, Font, Item, Look, Path, Sheet, Text
from .texts import say

FIELDS, LAPS = 60, 4
_SIDE = 9
"""Fields along a side of the spiral."""

SEATS = ("#b3261e", "#1f5fd0", "#2e7d32", "#8a5a00")
"""The colours of the players, as on the screen; their number tells them apart, too."""

_TENS = "RYGBRY"
"""Ten fields in a row are one group of discs."""

_RIM = "#b9ad94"

_START = 15.0
"""Height of the place where the pawns start, below the spiral."""


def spiral() -> list[tuple[int, int]]:
    """Column and row of the fields: from the lower left up the side, clockwise inwards."""
    places: list[tuple[int, int]] = []
    x, y, dx, dy = 0, _SIDE - 1, 0, -1
    while len(places) < FIELDS:
        places.append((x, y))
        ahead = x + dx, y + dy
        if ahead in places or not all(0 <= place < _SIDE for place in ahead):
            dx, dy = -dy, dx
        x, y = x + dx, y + dy
    return places


def board_sheets(options: PrintOptions) -> tuple[Sheet, ...]:
    """The board on one sheet, in the design of the dominoes."""
    paper, language = options.format, options.language
    chosen = look(options.design, options.ink, symbols=options.symbols)
    title = say("board", language)
    field = (paper.width - 2 * MARGIN) / _SIDE
    left, top = MARGIN, MARGIN + 7
    bottom = top + _SIDE * field
    middles = [(left + (x + 0.5) * field, top + (y + 0.5) * field) for x, y in spiral()]
    items: list[Item] = [
        *head_line(paper, f"Dalapapa – {title}", say("game_by", language)),
        *scale_bar(paper, language),
        *_ground(chosen, left, top, field),
        *_links(chosen, middles, field),
        *_discs(chosen, middles, field),
        *_arrows(chosen, middles, field),
        *_start(chosen, left, bottom, field, language),
        *_points(left + 3 * field, bottom, paper.width - MARGIN, language),
        *_middle(chosen, left + 3 * field, top + 2 * field, field, language),
        # At the foot: what is above them is the poster.
        *_pawns(left, paper.height - MARGIN - 32, paper.width, options),
    ]
    return (Sheet(title, paper.width, paper.height, tuple(items)),)


def _ground(chosen: Look, left: float, top: float, field: float) -> Iterator[Item]:
    """What the discs lie on, with a tongue under field 1 for the start."""
    side, reach, r = _SIDE * field, 3 * field, 4.0
    corners = [
        (left, top), (left + side, top), (left + side, top + side), (left + reach, top + side),
        (left + reach, top + side + _START), (left, top + side + _START),
    ]  # fmt: skip
    if chosen.body == WHITE:
        yield Path(polygon(corners), stroke=_RIM, width=0.4)
    else:
        yield Path(rectangle(left, top, side, side, r), chosen.body)
        yield Path(rectangle(left, top + side - 2 * r, reach, _START + 2 * r, r), chosen.body)


def _colour(number: int) -> str:
    return _TENS[(number - 1) // 10]


def _links(chosen: Look, middles: list[tuple[float, float]], field: float) -> Iterator[Item]:
    """Discs of one ten hang together."""
    width = 0.8 if chosen.hollow else 0.3 * field
    for number, (here, there) in enumerate(pairwise(middles), start=1):
        if _colour(number) == _colour(number + 1):
            yield Path(line(*here, *there), stroke=chosen.paints[_colour(number)], width=width)


def _discs(chosen: Look, middles: list[tuple[float, float]], field: float) -> Iterator[Item]:
    for number, (x, y) in enumerate(middles, start=1):
        ten, colour = number % 10 == 0, _colour(number)
        if number == FIELDS:
            shine = chosen.paints["R"] if chosen.body == WHITE else WHITE
            yield Path(_star(x, y, 0.56 * field), shine)
        yield from disc(chosen, colour, x, y, (0.47 if ten else 0.43) * field)
        fill = written(chosen, colour)
        if ten:
            yield Path(circle(x, y, 0.28 * field), stroke=fill, width=0.5)
        size = field * (0.34 if ten else 0.3)
        font: Font = "bold" if number % 5 == 0 or number == 1 else "regular"
        yield Text(x, y + size * 0.36, str(number), size, font, "middle", fill)


def _star(x: float, y: float, radius: float) -> Segments:
    """Behind the last disc, so that the goal shines."""
    points = []
    for number in range(32):
        reach = radius if number % 2 else radius * 0.86
        angle = number * pi / 16
        points.append((x + reach * cos(angle), y + reach * sin(angle)))
    return polygon(points)


def _arrows(chosen: Look, middles: list[tuple[float, float]], field: float) -> Iterator[Item]:
    """Every five fields an arrow says which way it goes."""
    for number, (here, there) in enumerate(pairwise(middles), start=1):
        if number % 5:
            continue
        joined = _colour(number) == _colour(number + 1) and not chosen.hollow
        fill = ink(chosen.paints[_colour(number)]) if joined else ink(chosen.body)
        dx, dy = (b - a for a, b in zip(here, there, strict=True))
        x, y = here[0] + dx / 2, here[1] + dy / 2
        yield Path(_arrow(x, y, dx / field, dy / field, 0.085 * field), fill)


def _arrow(x: float, y: float, dx: float, dy: float, size: float) -> Segments:
    """A triangle around x, y that points the way of dx, dy."""
    base_x, base_y = x - dx * size * 0.8, y - dy * size * 0.8
    across = size * 1.25
    return polygon(
        (
            (x + dx * size, y + dy * size),
            (base_x - dy * across, base_y + dx * across),
            (base_x + dy * across, base_y - dx * across),
        )
    )


def _start(chosen: Look, left: float, top: float, field: float, language: str) -> Iterator[Item]:
    """Where all begin: an arrow up to field 1, and room for four pawns."""
    fill = ink(chosen.body)
    x, y = left + field / 2, top + _START * 0.44
    yield Path(line(x, y + 3.5, x, y - 1), stroke=fill, width=2.2)
    yield Path(_arrow(x, y - 2.2, 0, -1, 3.4), fill)
    yield Text(
        left + field, top + _START * 0.44 + 2.6, say("start", language), 7, "bold", fill=fill
    )


def _points(left: float, top: float, right: float, language: str) -> Iterator[Item]:
    """What a domino earns, under the spiral: discs above, points below."""
    box = 10.6
    start = right - len(DISC_POINTS) * box
    for number, points in enumerate(DISC_POINTS, start=1):
        x = start + (number - 0.5) * box
        yield Text(x, top + 6.6, str(number), 4, anchor="middle")
        yield Text(x, top + 13, str(points), 5, "bold", "middle")
    yield Path(line(start, top + 8, right, top + 8), stroke=_RIM, width=0.3)
    room = start - left - 6
    for y, key in ((6.6, "discs"), (13, "points")):
        text = capital(say(key, language))
        yield Text(left + 4 + room, top + y, text, 3.6, "regular", "end", GREY)


def _middle(chosen: Look, x: float, y: float, field: float, language: str) -> Iterator[Item]:
    """Inside the spiral, four fields wide and five high: the name, the laps, and how it works."""
    gap, width, height = 1.5, 4 * field, 5 * field
    yield Path(rectangle(x + gap, y + gap, width - 2 * gap, height - 2 * gap, 4), WHITE, _RIM, 0.4)
    middle, inner = x + width / 2, width - 12
    yield from wordmark(replace(chosen, body=WHITE), middle, y + 12, inner)
    yield Text(middle, y + 22, say("game_by", language), 3.6, "italic", "middle", GREY)
    cell = inner / 6
    yield from mosaic(chosen, standard(), (6, 2), (x + 6, y + 26), cell)
    top = y + 26 + 2 * cell + 8
    yield Text(x + 6, top, say("laps", language), 4.2, "bold")
    box = inner / LAPS
    for lap in range(LAPS):
        at = x + 6 + lap * box
        yield Path(rectangle(at + 0.5, top + 2, box - 1, 27, 2.5), WHITE, _RIM, 0.3)
        first, last = lap * FIELDS + 1, (lap + 1) * FIELDS
        yield Text(at + box / 2, top + 6.4, f"{first}–{last}", 3.1, "bold", "middle")
        plus = f"+{lap * FIELDS}" if lap else "0"
        yield Text(at + box / 2, top + 27, plus, 3.1, anchor="middle", fill=GREY)
    yield from paragraph(x + 6, top + 35.5, inner, say("board_how", language), 3.3)


def _pawns(left: float, top: float, page_width: float, options: PrintOptions) -> Iterator[Item]:
    """For each player a pawn for the track and a smaller one for the laps."""
    yield Text(left, top, say("pawns", options.language), 3.2)
    boxes = []
    for player, colour in enumerate(SEATS):
        for size, at in ((13.0, 0.0), (10.0, 17.0)):
            x, y = left + 2 + player * 38 + at, top + 4 + (13 - size) / 2
            boxes.append((x, y, x + size, y + size))
            fill = tone(colour, options.ink)
            yield from seat_disc(x + size / 2, y + size / 2, size * 0.42, player, fill)
    yield from cut_lines(boxes, page_width)


def seat_disc(x: float, y: float, radius: float, player: int, colour: str) -> Iterator[Item]:
    """A disc in a player's colour, with the player's number."""
    yield Path(circle(x, y, radius), colour)
    yield Path(circle(x, y, radius * 0.8), stroke=WHITE, width=0.4)
    yield Text(x, y + radius * 0.36, str(player + 1), radius, "bold", "middle", WHITE)
