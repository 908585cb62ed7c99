"""The score board: the spiral of the screen, 1 to 60, with laps up to 240 and pawns to cut out."""

from __future__ import annotations

from collections.abc import Iterator

from .furniture import cut_lines, head_line, paragraph, scale_bar
from .options import PrintOptions
from .outlines import circle, polygon, rectangle
from .sheet import GREY, MARGIN, WHITE, Font, Item, Path, Sheet, Text
from .texts import say

FIELDS, LAPS = 60, 4
_SIDE = 9
"""Fields along a side of the spiral."""

SEATS = ("#b3261e", "#1f5fd0", "#2e7d32", "#8a5a00")
"""The colours of the players, as on the screen; their number tells them apart, too."""

_PAPER, _TEN, _LAST, _RIM, _BAND = "#f5efe2", "#e6d5ad", "#d9a521", "#b9ad94", "#8f8063"


def spiral() -> list[tuple[int, int]]:
    """Column and row of the fields, from the outside inwards, beginning lower left."""
    places: list[tuple[int, int]] = []
    x, y, dx, dy = 0, _SIDE - 1, 1, 0
    while len(places) < FIELDS:
        places.append((x, y))
        ahead = x + dx, y + dy
        if ahead in places or not all(0 <= place < _SIDE for place in ahead):
            dx, dy = dy, -dx
        x, y = x + dx, y + dy
    return places


def board_sheets(options: PrintOptions) -> tuple[Sheet, ...]:
    """The board on one sheet."""
    paper, language = options.format, options.language
    title = say("board", language)
    field = (paper.width - 2 * MARGIN) / _SIDE
    left, top = MARGIN, MARGIN + 8
    items: list[Item] = [
        *head_line(paper, f"Dalapapa – {title}", say("game_by", language)),
        *scale_bar(paper, language),
    ]
    middles = [(left + (x + 0.5) * field, top + (y + 0.5) * field) for x, y in spiral()]
    # A band under the fields joins each to the next: where the spiral turns, it says which one.
    items.append(Path(polygon(middles, closed=False), stroke=_BAND, width=7))
    for number, (column, row) in enumerate(spiral(), start=1):
        items += _field(number, left + column * field, top + row * field, field)
    items += _middle(left, top, field, language)
    items += _pawns(left, top + _SIDE * field + 5, paper.width, language)
    return (Sheet(title, paper.width, paper.height, tuple(items)),)


def _field(number: int, x: float, y: float, side: float) -> Iterator[Item]:
    gap = 0.8
    fill = _LAST if number == FIELDS else _TEN if number % 10 == 0 else _PAPER
    size = side - 2 * gap
    yield Path(rectangle(x + gap, y + gap, size, size, 3), fill, _RIM, 0.3)
    height = 7.5 if number % 10 == 0 else 6.0 if number % 5 == 0 else 4.8
    font: Font = "bold" if number % 5 == 0 else "regular"
    # In the upper corner: the pawns stand below it.
    yield Text(x + 2.4, y + 1.8 + height * 0.74, str(number), height, font, fill="#3a3328")


def _middle(left: float, top: float, field: float, language: str) -> Iterator[Item]:
    """The laps, inside the spiral: five fields wide and four high are free."""
    x, y, width = left + 2 * field, top + 2 * field, 5 * field
    yield Text(x + width / 2, y + 14, "Dalapapa", 13, "bold", "middle")
    yield Text(x + width / 2, y + 20.5, say("game_by", language), 3.4, "italic", "middle", GREY)
    box = (width - 6) / LAPS
    yield Text(x + 3, y + 31, say("laps", language), 4.2, "bold")
    for lap in range(LAPS):
        at = x + 3 + lap * box
        yield Path(rectangle(at + 0.8, y + 33, box - 1.6, 27, 3), WHITE, _RIM, 0.3)
        first, last = lap * FIELDS + 1, (lap + 1) * FIELDS
        yield Text(at + box / 2, y + 38.2, f"{first}–{last}", 3.9, "bold", "middle")
        plus = f"+{lap * FIELDS}" if lap else "0"
        yield Text(at + box / 2, y + 58, plus, 3.6, anchor="middle", fill=GREY)
    yield from paragraph(x + 3, y + 67, width - 6, say("board_how", language), 3.4)


def _pawns(left: float, top: float, page_width: float, language: str) -> Iterator[Item]:
    """For each player a pawn for the track and a smaller one for the laps."""
    yield Text(left, top + 3, say("pawns", language), 3.2)
    boxes = []
    for player, colour in enumerate(SEATS):
        for size, at in ((13.0, 0.0), (10.0, 17.0)):
            x, y = left + 2 + player * 38 + at, top + 7 + (13 - size) / 2
            boxes.append((x, y, x + size, y + size))
            yield from seat_disc(x + size / 2, y + size / 2, size * 0.42, player, colour)
    yield from cut_lines(boxes, page_width)


def seat_disc(x: float, y: float, radius: float, player: int, colour: str) -> Iterator[Item]:
    """A disc in a player's colour, with the player's number."""
    yield Path(circle(x, y, radius), colour)
    yield Path(circle(x, y, radius * 0.8), stroke=WHITE, width=0.4)
    yield Text(x, y + radius * 0.36, str(player + 1), radius, "bold", "middle", WHITE)
