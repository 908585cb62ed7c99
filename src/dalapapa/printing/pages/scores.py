"""The score sheets: a column for each player, every turn or round in its parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...core import points
from ...drawing.outlines import line, rectangle
from ..options import PrintOptions
from ..page_parts import head_line
from ..sheet import BLACK, GREY, MARGIN, Item, Path, Sheet, Text
from ..texts import say, text_width

DISC_POINTS = points.DISC_POINTS[1:]
"""The points for 1 to 6 discs (rules 0)."""

_TOP, _NAMES, _LABELS, _ROW, _FIRST = 30.0, 11.0, 6.0, 8.0, 10.0
"""The top of the table, the heights of its rows, and the width of its first column."""

_HOW_WIDTH = 128.0
"""The room for the reminder, beside the target."""

_SHADE, _RULE = "#ececec", "#9a9a9a"


class _Form(NamedTuple):
    """What a game writes down."""

    how: str
    """A reminder of its rules."""
    parts: tuple[str, ...]
    """The columns of each player; the last one is the total."""
    players: int = 4
    rows: int | None = None
    """As many as the page has room for, unless the game has a number of them."""
    row: str = "turn"
    boxes: int = 0
    """To tick beside each name: marks, mistakes."""
    last: tuple[str, ...] = ()
    """The rows of the final count."""
    name: str = ""
    """Behind the title; the classic game needs none."""
    has_target: bool = True


FORMS = {
    "classic": _Form("group_points", ("discs", "groups", "second", "total")),
    "auction": _Form(
        "scores_auction_how",
        ("discs", "groups", "second", "bid", "total"),
        name="scores_auction",
    ),
    "conquest": _Form(
        "scores_conquest_how",
        ("discs", "groups", "second", "total"),
        boxes=3,
        last=("marked", "total"),
        name="scores_conquest",
    ),
    "alex": _Form(
        "scores_alex_how",
        ("points", "total"),
        players=10,
        row="round",
        boxes=3,
        name="scores_alex",
    ),
    "72": _Form(
        "scores_72_how",
        ("cells", "total"),
        rows=12,
        row="territory",
        last=("premium", "total"),
        name="scores_72",
        has_target=False,
    ),
}

TOKENS = ((1, -1), (2, 0), (3, 1), (4, 2), (5, 3), (6, 4))
"""The tokens for so many connections in Dalapapa 72 (rules 8)."""


def score_sheets(options: PrintOptions) -> tuple[Sheet, ...]:
    """Make the score sheet of a game."""
    paper, language, game = options.format, options.language, options.game
    form = FORMS[game]
    title = say("scores", language)
    if form.name:
        title = f"{title} – {say(form.name, language)}"
    width = paper.width - 2 * MARGIN
    room = paper.height - MARGIN - _TOP - _NAMES - _LABELS
    rows, high = int(room // _ROW) - len(form.last), _ROW
    if form.rows is not None:
        rows, high = form.rows, room / (form.rows + len(form.last))
    items: list[Item] = [
        *head_line(paper, f"Dalapapa – {title}", say("game_by", language)),
        *_help(paper.width - MARGIN, game, language),
        Text(MARGIN, 19.5, f"{say('date', language)}  ........................", 3.6),
        *_table(width, rows, high, form, language),
    ]
    if form.has_target:
        items.insert(
            -1, Text(MARGIN, 26, f"{say('target', language)}  ........................", 3.6)
        )
    return (Sheet(title, paper.width, paper.height, tuple(items)),)


def _help(right: float, game: str, language: str) -> Iterator[Item]:
    """Draw the points of a domino in the upper right corner, or its tokens, and a reminder."""
    box = 9.0
    left = right - len(DISC_POINTS) * box
    first, second = "disc_points", "points"
    columns = [(str(number), str(earned)) for number, earned in enumerate(DISC_POINTS, start=1)]
    if game == "72":
        first, second = "token_moves", "tokens"
        columns = [(str(made), f"{moved:+}".replace("-", "−")) for made, moved in TOKENS]
    for number, (above, below) in enumerate(columns, start=1):
        x = left + (number - 0.5) * box
        yield Text(x, 18, above, 3.4, anchor="middle")
        yield Text(x, 22.6, below.replace("+0", "0"), 3.4, "strong", "middle")
    for y, key in ((18, first), (22.6, second)):
        yield Text(left - 2, y, say(key, language), 3.0, anchor="end", fill=GREY)
    yield Path(line(left, 19.2, right, 19.2), stroke=_RULE, width=0.2)
    how = say(FORMS[game].how, language)
    size = min(3.0, 3.0 * _HOW_WIDTH / text_width(how, 3.0))
    yield Text(right, 27, how, size, anchor="end", fill=GREY)


def _table(width: float, rows: int, high: float, form: _Form, language: str) -> Iterator[Item]:
    column = (width - _FIRST) / form.players
    parts = form.parts
    part = column / len(parts)
    top = _TOP + _NAMES
    numbered, rows = rows, rows + len(form.last)
    bottom = top + _LABELS + rows * high
    for row in range(1, rows, 2):
        y = top + _LABELS + row * high
        yield Path(rectangle(MARGIN, y, width, high), "#f6f6f6")
    for player in range(form.players):
        x = MARGIN + _FIRST + player * column
        total = x + (len(parts) - 1) * part
        yield Path(rectangle(total, top, part, bottom - top), _SHADE)
        yield Text(x + 1.2, _TOP + 4, str(player + 1), 3.4, "display", fill=GREY)
        for number in range(form.boxes):
            at = x + column - 1 - (form.boxes - number) * 3.6
            yield Path(rectangle(at, _TOP + 1.2, 3, 3), stroke=_RULE, width=0.25)
        for number, key in enumerate(parts):
            at = x + (number + 0.5) * part
            yield _fitting(at, top + 4, say(key, language), 2.3, part)
            if number:
                x_line = x + number * part
                yield Path(line(x_line, top, x_line, bottom), stroke=_RULE, width=0.15)
    yield _fitting(MARGIN + _FIRST / 2, top + 4, say(form.row, language), 2.5, _FIRST)
    for row in range(rows + 1):
        y = top + _LABELS + row * high
        yield Path(line(MARGIN, y, MARGIN + width, y), stroke=_RULE, width=0.15)
        if row:
            y -= high / 2 - 1.1
            is_last = row > numbered
            name = say(form.last[row - numbered - 1], language) if is_last else str(row)
            middle, size = MARGIN + _FIRST / 2, 2.4 if is_last else 3.0
            yield _fitting(middle, y, name, size, _FIRST, GREY)
    for row in range(numbered, rows):
        y = top + _LABELS + row * high
        yield Path(line(MARGIN, y, MARGIN + width, y), stroke=BLACK, width=0.3)
    yield Path(line(MARGIN, top, MARGIN + width, top), stroke=BLACK, width=0.3)
    for player in range(form.players + 1):
        x = MARGIN + _FIRST + player * column
        yield Path(line(x, _TOP, x, bottom), stroke=BLACK, width=0.4)
    yield Path(rectangle(MARGIN, _TOP, width, bottom - _TOP), stroke=BLACK, width=0.4)


def _fitting(x: float, y: float, text: str, size: float, width: float, fill: str = BLACK) -> Text:
    """A text in the middle of a column, smaller if it is too long."""
    fitting = (width - 0.8) / text_width(text, size)
    return Text(x, y, text, size * min(1.0, fitting), anchor="middle", fill=fill)
