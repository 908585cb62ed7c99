"""Writes sheets as SVG for previews: the same items in the same places as in the PDF."""

from __future__ import annotations

from ..drawing.markup import escape_text
from .designs import flatten
from .letters import font_faces
from .sheet import Path, Sheet, Text, short
from .texts import WEIGHTS, text_width


def write_svg(sheet: Sheet) -> str:
    """Write a page as a standalone SVG in millimetres; without ids, so that HTML can contain it."""
    width, height = _number(sheet.width), _number(sheet.height)
    elements = list(flatten(sheet))
    faces = font_faces(item for item in elements if isinstance(item, Text))
    style = f"<style>{faces}</style>" if faces else ""
    items = "".join(_path(item) if isinstance(item, Path) else _text(item) for item in elements)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}mm"'
        f' height="{height}mm" viewBox="0 0 {width} {height}">'
        f"<title>{escape_text(sheet.title)}</title>"
        f'<rect width="{width}" height="{height}" fill="#fff"/>{style}{items}</svg>\n'
    )


def _number(value: float) -> str:
    return short(f"{value:.3f}")


def _path(path: Path) -> str:
    d = "".join(
        op + " ".join(_number(value) for point in points for value in point)
        for op, points in path.segments
    )
    looks = f' fill="{path.fill or "none"}"'
    if path.stroke:
        looks += f' stroke="{path.stroke}" stroke-width="{_number(path.width)}"'
    if path.dash:
        looks += f' stroke-dasharray="{" ".join(map(_number, path.dash))}"'
    if path.round:
        looks += ' stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{d}"{looks}/>'


def _text(text: Text) -> str:
    x, y = _number(text.x), _number(text.y)
    turn = f' transform="rotate({90 * text.turn} {x} {y})"' if text.turn else ""
    # A program that ignores our font fits the text of another font into the width of ours.
    width = _number(text_width(text.text, text.size, text.font))
    return (
        f'<text x="{x}" y="{y}" font-family="Outfit, sans-serif" font-size="{_number(text.size)}"'
        f' font-weight="{WEIGHTS[text.font]}" text-anchor="{text.anchor}" fill="{text.fill}"{turn}'
        f' textLength="{width}" lengthAdjust="spacingAndGlyphs">{escape_text(text.text)}</text>'
    )
