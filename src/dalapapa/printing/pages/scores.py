"""The score sheet of the classic game: four players, every turn in its parts."""

from __future__ import annotations

from collections.abc import Iterator

from ...core import points
from ...drawing.outlines import line, rectangle
from ..options import PrintOptions
from ..page_parts import head_line
from ..sheet import BLACK, GREY, MARGIN, Item, Path, Sheet, Text
from ..texts import say

PLAYERS = 4
DISC_POINTS = points.DISC_POINTS[1:]
"""The points for 1 to 6 discs (rules 0)."""

_TOP, _NAMES, _LABELS, _ROW, _FIRST = 30.0, 11.0, 6.0, 8.0, 10.0
"""The top of the table, the heights of its rows, and the width of its first column."""

_SHADE, _RULE = "#ececec", "#9a9a9a"


def score_sheets(options: PrintOptions) -> tuple[Sheet, ...]:
    """Make the score sheet."""
    paper, language = options.format, options.language
    title = say("scores", language)
    width = paper.width - 2 * MARGIN
    rows = int((paper.height - MARGIN - _TOP - _NAMES - _LABELS) // _ROW)
    items: list[Item] = [
        *head_line(paper, f"Dalapapa – {title}", say("game_by", language)),
        *_help(paper.width - MARGIN, language),
        Text(MARGIN, 19.5, f"{say('date', language)}  ........................", 3.6),
        Text(MARGIN, 26, f"{say('target', language)}  ........................", 3.6),
        *_table(width, rows, language),
    ]
    return (Sheet(title, paper.width, paper.height, tuple(items)),)


def _help(right: float, language: str) -> Iterator[Item]:
    """Draw the points of a domino in the upper right corner."""
    box = 9.0
    left = right - len(DISC_POINTS) * box
    for number, earned in enumerate(DISC_POINTS, start=1):
        x = left + (number - 0.5) * box
        yield Text(x, 18, str(number), 3.4, anchor="middle")
        yield Text(x, 22.6, str(earned), 3.4, "strong", "middle")
    for y, key in ((18, "disc_points"), (22.6, "points")):
        yield Text(left - 2, y, say(key, language), 3.0, anchor="end", fill=GREY)
    yield Path(line(left, 19.2, right, 19.2), stroke=_RULE, width=0.2)
    yield Text(right, 27, say("group_points", language), 3.0, anchor="end", fill=GREY)


def _table(width: float, rows: int, language: str) -> Iterator[Item]:
    column = (width - _FIRST) / PLAYERS
    parts = ("discs", "groups", "second", "total")
    part = column / len(parts)
    top = _TOP + _NAMES
    bottom = top + _LABELS + rows * _ROW
    for row in range(1, rows, 2):
        y = top + _LABELS + row * _ROW
        yield Path(rectangle(MARGIN, y, width, _ROW), "#f6f6f6")
    for player in range(PLAYERS):
        x = MARGIN + _FIRST + player * column
        yield Path(rectangle(x + 3 * part, top, part, bottom - top), _SHADE)
        yield Text(x + 1.2, _TOP + 4, str(player + 1), 3.4, "display", fill=GREY)
        for number, key in enumerate(parts):
            at = x + (number + 0.5) * part
            yield Text(at, top + 4, say(key, language), 2.3, anchor="middle")
            if number:
                x_line = x + number * part
                yield Path(line(x_line, top, x_line, bottom), stroke=_RULE, width=0.15)
    yield Text(MARGIN + _FIRST / 2, top + 4, say("turn", language), 2.5, anchor="middle")
    for row in range(rows + 1):
        y = top + _LABELS + row * _ROW
        yield Path(line(MARGIN, y, MARGIN + width, y), stroke=_RULE, width=0.15)
        if row:
            y -= _ROW / 2 - 1.1
            yield Text(MARGIN + _FIRST / 2, y, str(row), 3, anchor="middle", fill=GREY)
    yield Path(line(MARGIN, top, MARGIN + width, top), stroke=BLACK, width=0.3)
    for player in range(PLAYERS + 1):
        x = MARGIN + _FIRST + player * column
        yield Path(line(x, _TOP, x, bottom), stroke=BLACK, width=0.4)
    yield Path(rectangle(MARGIN, _TOP, width, bottom - _TOP), stroke=BLACK, width=0.4)
