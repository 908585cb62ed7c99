"""The card of a sandglass round for Alex, and three marks per player for Conquest."""

from __future__ import annotations

from collections.abc import Iterator

from ...drawing.outlines import parse_outline, rectangle, trace
from ..options import PrintOptions
from ..page_parts import cut_lines, head_line, scale_bar
from ..sheet import ACCENT, MARGIN, Item, Path, Sheet, Text
from ..texts import lines, say
from .board import PLAYERS, seat_disc

MARKS = 3
"""The marks of each player (rules 3)."""

_CARD = (105.0, 148.0)
_MARK = 14.0
_CROSS = "M6 6L18 18M18 6L6 18"
"""The icon `close` of the screen, on its grid of 24."""

_SAND, _GLASS, _WOOD = "#e3b13c", "#eef3f5", "#7d4a2a"


def extra_sheets(options: PrintOptions) -> tuple[Sheet, ...]:
    """Make a sheet with card and marks to cut out."""
    paper, language = options.format, options.language
    title = say("extras", language)
    left, top = (paper.width - _CARD[0]) / 2, MARGIN + 12
    boxes = [(left, top, left + _CARD[0], top + _CARD[1])]
    items: list[Item] = [
        *head_line(paper, f"Dalapapa – {title}", say("game_by", language)),
        *scale_bar(paper, language, say("cut_only", language)),
        *_card(left, top, language),
        Text(paper.width / 2, top + _CARD[1] + 14, say("marks", language), 3.6, "strong", "middle"),
    ]
    row = top + _CARD[1] + 19
    # Two rows of two players, so that the three marks of one stay together.
    for player in range(PLAYERS):
        for mark in range(MARKS):
            x = paper.width / 2 - 3 * _MARK - 4 + player % 2 * (3 * _MARK + 8) + mark * _MARK
            y = row + player // 2 * (_MARK + 6)
            boxes.append((x, y, x + _MARK, y + _MARK))
            items += seat_disc(x + _MARK / 2, y + _MARK / 2, 5.8, player, options.ink)
    items += cut_lines(boxes, paper.width)
    return (Sheet(title, paper.width, paper.height, tuple(items)),)


def _card(left: float, top: float, language: str) -> Iterator[Item]:
    """Draw the five steps of a round, and the three punishments."""
    inner, width = left + 7, _CARD[0] - 14
    yield from sandglass(left + _CARD[0] - 31, top + 7, 0.4)
    yield Text(inner, top + 15, say("card_title", language), 7, "display")
    y = top + 30.0
    for step in range(1, 6):
        room = width - 8 - (24 if step <= 2 else 0)
        yield Text(inner, y, str(step), 5, "display", fill=ACCENT)
        for words in lines(say(f"card_{step}", language), room, 4):
            yield Text(inner + 7, y, words, 4)
            y += 5.2
        y += 3.6
    box = top + _CARD[1] - 42
    yield Path(rectangle(left + 5, box, _CARD[0] - 10, 37, 3), "#f3ece0")
    yield Text(inner + 2, box + 7.5, say("card_wrong", language), 4.6, "strong")
    for mistake in range(1, 4):
        at = box + 8 + 7 * mistake
        for cross in range(mistake):
            outline = trace(parse_outline(_CROSS), inner + 1 + 3.7 * cross, at - 3.8, 0.2)
            yield Path(outline, stroke="#a3271f", width=0.7, round=True)
        yield Text(inner + 15, at, say(f"wrong_{mistake}", language), 4)
    # The lake.
    for depth, fill in enumerate(("#7fb2e5", "#4a8fd8", "#2b7de9")):
        x, y = left + 5, top + _CARD[1] - 10 + 1.6 * depth
        waves = "".join(f"q2.375 {-1.6 if n % 2 else 1.6} 4.75 0" for n in range(20))
        yield Path(trace(parse_outline(f"M0 0{waves}V{5 - 1.6 * depth}H0Z"), x, y), fill)


def sandglass(x: float, y: float, scale: float) -> Iterator[Item]:
    """Draw a sandglass of 60 x 90 units, as on the screen."""

    def part(outline: str, fill: str, stroke: str | None = None) -> Path:
        return Path(trace(parse_outline(outline), x, y, scale), fill, stroke, 0.5, round=True)

    upper = "M11 9H49Q49 30 31.5 45H28.5Q11 30 11 9Z"
    lower = "M11 81H49Q49 60 31.5 45H28.5Q11 60 11 81Z"
    yield part(upper, _GLASS, _WOOD)
    yield part(lower, _GLASS, _WOOD)
    yield part("M15.5 24H44.5Q41 35 31 44H29Q19 35 15.5 24Z", _SAND)
    yield part("M29.3 44H30.7V70H29.3Z", _SAND)
    yield part("M13.5 80Q20 66 30 64Q40 66 46.5 80Z", _SAND)
    for top in (3, 81):
        yield part(f"M5 {top}H55V{top + 6}H5Z", _WOOD)
