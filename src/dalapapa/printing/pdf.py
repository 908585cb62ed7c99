"""Writes sheets as PDF: exact vectors, embedded fonts, and the same bytes for the same sheets."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

from .. import __version__
from ..core.extras import require
from .designs import flatten
from .sheet import POINT, Path, Sheet, Text, short
from .texts import font, say

PUBLISHER = "The Dalapapa digital edition"


def write_pdf(
    sheets: Sequence[Sheet],
    title: str,
    language: str,
    advance: Callable[[int], None] = lambda _: None,
) -> bytes:
    """Write a PDF with a page for each sheet. `advance` is called after every page."""
    require("print")
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0  # Binary streams are a fifth smaller than ASCII.
    stream = io.BytesIO()
    # Invariant: the file contains no time. The initial font is ours: Helvetica is not embedded.
    canvas = Canvas(
        stream,
        pageCompression=1,
        invariant=1,
        initialFontName=font("reading").fontName,
        lang=language,
    )
    canvas.setTitle(title)
    canvas.setSubject(f"Dalapapa, {say('game_by', language)}")
    # Every page names François Haffner as the author of the game; the file and its texts are ours.
    canvas.setAuthor(PUBLISHER)
    canvas.setCreator(f"{PUBLISHER} {__version__}")
    canvas.setProducer(f"{PUBLISHER} {__version__}")
    canvas.setKeywords("Dalapapa, François Haffner, print and play")
    canvas.setViewerPreference("PrintScaling", "None")
    if len(sheets) > 1:
        canvas.showOutline()
    last = ""
    for number, sheet in enumerate(sheets, start=1):
        canvas.setPageSize((sheet.width / POINT, sheet.height / POINT))
        for entry in sheet.entries or (sheet.title,):
            if entry != last:
                key = f"{number} {entry}"
                canvas.bookmarkPage(key)
                canvas.addOutlineEntry(entry, key)
            last = entry
        for item in flatten(sheet):
            if isinstance(item, Path):
                canvas.addLiteral(_path(item, sheet.height))
            else:
                _text(canvas, item, sheet.height)
        canvas.showPage()
        advance(1)
    canvas.save()
    return stream.getvalue()


def _number(value: float) -> str:
    """Format a length in points. A hundredth of a point, 0.004 mm, is finer than any printer."""
    return short(f"{value:.2f}")


def _colour(colour: str, stroke: bool = False) -> str:
    """Write the operator for a colour; for a grey, the one that uses only black ink."""
    red, green, blue = (f"{int(colour[i : i + 2], 16) / 255:.3f}" for i in (1, 3, 5))
    if red == green == blue:
        return f"{red} {'G' if stroke else 'g'}"
    return f"{red} {green} {blue} {'RG' if stroke else 'rg'}"


def _path(path: Path, height: float) -> str:
    """Write the operators of a path; PDF counts from the lower left corner.

    Coordinates are relative to the first point, so that equal discs are equal text: compression
    then makes the file half as large.
    """
    (_, ((left, top),)), *_ = path.segments
    words = [f"q 1 0 0 1 {_number(left / POINT)} {_number((height - top) / POINT)} cm"]
    if path.fill:
        words.append(_colour(path.fill))
    if path.stroke:
        dash = " ".join(_number(length / POINT) for length in path.dash)
        ends = int(path.round)
        words.append(_colour(path.stroke, stroke=True))
        words.append(f"{path.width / POINT:.4g} w [{dash}] 0 d {ends} J {ends} j")
    for op, points in path.segments:
        for x, y in points:
            words.append(_number((x - left) / POINT))
            words.append(_number((top - y) / POINT))
        words.append({"M": "m", "L": "l", "C": "c", "Z": "h"}[op])
    words.append("B Q" if path.fill and path.stroke else "f Q" if path.fill else "S Q")
    return " ".join(words)


def _text(canvas: Any, text: Text, height: float) -> None:
    colour = [int(text.fill[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    x, y = round(text.x / POINT, 3), round((height - text.y) / POINT, 3)
    canvas.saveState()
    if colour[0] == colour[1] == colour[2]:
        canvas.setFillGray(colour[0])
    else:
        canvas.setFillColorRGB(*colour)
    canvas.setFont(font(text.font).fontName, round(text.size / POINT, 3))
    draw = {
        "start": canvas.drawString,
        "middle": canvas.drawCentredString,
        "end": canvas.drawRightString,
    }[text.anchor]
    canvas.translate(x, y)
    canvas.rotate(-90 * text.turn)
    draw(0, 0, text.text)
    canvas.restoreState()
