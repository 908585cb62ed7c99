"""The calibration sheet: a target on the front and a grid on the back.

A pinhole through the middle of the target shows on the grid how far the back must move. The two
numbers on the grid are the option `offset`. The sheet says where to enter them: on the print page,
if it was made there, or on the command line.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...drawing.outlines import circle, line, parse_outline, trace
from ..options import MAX_OFFSET_MM, PrintOptions
from ..page_parts import head_line, scale_bar
from ..sheet import ACCENT, BLACK, GREY, MARGIN, RED, WHITE, Font, Item, Path, Sheet, Text
from ..texts import lines, say

TARGET = (0.36, 0.6)
"""The place of the target, in parts of the page. It is not in the middle, so that a turn on the
wrong edge is obvious."""

_FINE, _LINE = 0.1, 0.2


def calibration_sheets(options: PrintOptions) -> tuple[Sheet, ...]:
    """Make the front and the back of the sheet."""
    paper, language = options.format, options.language
    title = say("calibration", language)
    x, y = TARGET[0] * paper.width, TARGET[1] * paper.height
    front: list[Item] = [
        *head_line(paper, f"Dalapapa – {title}, {say('recto', language)}", ""),
        *scale_bar(paper, language),
        *draw_flip(options.flip, paper.width - 62, 34, 1),
    ]
    top = 34.0
    steps = ("calibration_front_1", f"flip_{options.flip}", "calibration_front_2",
             "calibration_front_3")  # fmt: skip
    for number, key in enumerate(steps):
        if number != 1:
            step = str(number + 1 if number == 0 else number)
            front.append(Text(MARGIN + 4, top, step, 5.5, "display", fill=ACCENT))
        for words in lines(say(key, language), paper.width - 96, 4.2):
            front.append(Text(MARGIN + 12, top, words, 4.2))
            top += 5.6
        top += 0 if number == 0 else 3.4
    front += _target(x, y)
    if options.flip == "long":
        back_x, back_y = paper.width - x, y
    else:
        back_x, back_y = x, paper.height - y
    back_x, back_y = back_x + options.offset[0], back_y + options.offset[1]
    back: list[Item] = [
        *head_line(paper, f"Dalapapa – {title}, {say('verso', language)}", ""),
        *scale_bar(paper, language),
        *_grid(back_x, back_y),
    ]
    top = 34.0 if back_y > paper.height / 2 else paper.height / 2 + 20
    for text, font in _what_to_do(options):
        for words in lines(text, paper.width - 2 * MARGIN - 20, 4.2, font):
            back.append(Text(MARGIN + 4, top, words, 4.2, font))
            top += 5.6
        top += 2.4
    sizes = paper.width, paper.height
    recto, verso = say("recto", language), say("verso", language)
    return (
        Sheet(f"{title}, {recto}", *sizes, tuple(front)),
        Sheet(f"{title}, {verso}", *sizes, tuple(back)),
    )


def _what_to_do(options: PrintOptions) -> Iterator[tuple[str, Font]]:
    """Say what to do with the two numbers, and what if there is no hole in the grid."""
    language = options.language
    other = "short" if options.flip == "long" else "long"
    yield say("calibration_back_1", language), "reading"
    if options.from_page:
        sentence = say(
            "calibration_back_page",
            language,
            offset=say("page_offset", language),
            right=say("page_offset_right", language),
            down=say("page_offset_down", language),
        )
        yield sentence, "strong"
        edge = say("quoted", language, text=say(f"page_flip_{other}", language))
    else:
        yield say("calibration_back_2", language), "reading"
        yield "dalapapa print set --offset 0.6,-1.1 -o dalapapa.pdf", "strong"
        edge = f"--flip {other}"
    yield say("calibration_wrong_edge", language, edge=edge), "reading"


def _target(x: float, y: float) -> Iterator[Item]:
    for radius in (2.0, 5.0, 10.0):
        yield Path(circle(x, y, radius), stroke=BLACK, width=_LINE)
    reach = 15
    yield Path(line(x - reach, y, x + reach, y), stroke=BLACK, width=_FINE)
    yield Path(line(x, y - reach, x, y + reach), stroke=BLACK, width=_FINE)


def _grid(x: float, y: float) -> Iterator[Item]:
    """Draw a grid of millimetres around the expected place of the hole, with numbers."""
    most = int(MAX_OFFSET_MM)
    for step in range(-most, most + 1):
        width = _LINE * 1.6 if step == 0 else _LINE if step % 5 == 0 else _FINE
        stroke = RED if step == 0 else BLACK if step % 5 == 0 else GREY
        yield Path(line(x + step, y - most, x + step, y + most), stroke=stroke, width=width)
        yield Path(line(x - most, y + step, x + most, y + step), stroke=stroke, width=width)
        if step % 5 == 0:
            label = f"−{-step}" if step < 0 else str(step)
            yield Text(x + step, y - most - 1.5, label, 2.4, anchor="middle")
            yield Text(x - most - 1.5, y + step + 1, label, 2.4, anchor="end")


_FLIPS = {
    "long": (
        "M25 12L9 5V33L25 40Z", "M25 12H45V40H25Z", "M25 10V42", "M38 8Q30 -1 16 3.4",
        "M19.6 0.6L15.6 3.5L20 5.6", "M35 31V19M31.5 23L35 19L38.5 23",
    ),
    "short": (
        "M14 20L20 5H48L42 20Z", "M14 20H42V48H14Z", "M14 20H42", "M44 36Q55 27 49 13",
        "M52.6 15.4L48.9 12.6L47.4 17", "M28 41V29M24.5 33L28 29L31.5 33",
    ),
}  # fmt: skip
"""The paper before and after the turn, its edge, and two arrows."""


def draw_flip(edge: str, x: float, y: float, scale: float) -> Iterator[Item]:
    """Draw how a printer turns the paper over: like a book (long edge) or a calendar (short)."""
    fills = ("#e8e8e8", WHITE, None, None, None, None)
    for number, (outline, fill) in enumerate(zip(_FLIPS[edge], fills, strict=True)):
        stroke, width = (RED, 0.9) if number == 2 else (BLACK, 0.35)
        path = trace(parse_outline(outline), x, y, scale)
        yield Path(path, fill, stroke, width * scale, round=True)


def flip_sheet(edge: str) -> Sheet:
    """Make a sheet of this picture only, for the print page."""
    return Sheet(edge, 56, 50, tuple(draw_flip(edge, 0, 1, 1)))
