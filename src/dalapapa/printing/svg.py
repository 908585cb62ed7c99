"""Writes sheets as SVG for previews: the same items in the same places as in the PDF."""

from __future__ import annotations

import io
import struct
from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache

from ..drawing.markup import escape_text
from .designs import flatten
from .sheet import Font, Path, Sheet, Text, short
from .texts import WEIGHTS, font, text_width


def write_svg(sheet: Sheet) -> str:
    """Write a page as a standalone SVG in millimetres; without ids, so that HTML can contain it."""
    width, height = _number(sheet.width), _number(sheet.height)
    elements = list(flatten(sheet))
    faces = _font_faces(item for item in elements if isinstance(item, Text))
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


def _font_faces(texts: Iterable[Text]) -> str:
    """Embed the letters of the texts as small fonts, because pictures cannot load fonts.

    reportlab, which prints need anyway, subsets a font in 1 to 3 ms. `fontTools.subset` would save
    20 lines here, but takes 35 to 90 ms for each weight, 100 ms for its import, and 24 MB on disk.
    """
    used: dict[Font, set[str]] = {}
    for text in texts:
        used.setdefault(text.font, set()).update(text.text)
    return "".join(_font_face(name, "".join(sorted(used[name]))) for name in sorted(used))


@lru_cache(64)  # Similar pages, such as those of dominoes, use the same letters.
def _font_face(name: Font, letters: str) -> str:
    data = b64encode(_small_font(name, letters)).decode()
    return (
        f"@font-face{{font-family:Outfit;font-weight:{WEIGHTS[name]};"
        f"src:url(data:font/ttf;base64,{data})}}"
    )


def _small_font(name: Font, letters: str) -> bytes:
    """Make a TrueType font of the given letters.

    reportlab subsets for PDF, where letters are numbered from 0. A browser also needs the table
    from letters to glyphs.
    """
    from reportlab.pdfbase.ttfonts import TTFontMaker, TTFontParser

    codes = [ord(letter) for letter in letters]
    small = TTFontParser(io.BytesIO(font(name).face.makeSubset(codes)))
    glyphs = struct.unpack_from(f">{len(codes)}H", small.get_table("cmap"), 22)
    maker = TTFontMaker()
    for tag in small.table:
        maker.add(tag, small.get_table(tag))
    maker.add("cmap", _character_map(dict(zip(codes, glyphs, strict=True))))
    return bytes(maker.makeStream())


def _character_map(glyphs: dict[int, int]) -> bytes:
    """Write a table from Unicode to glyphs, with a group for each letter (format 12)."""
    groups = [struct.pack(">3I", code, code, glyph) for code, glyph in sorted(glyphs.items())]
    table = struct.pack(">HHHHI", 0, 1, 3, 10, 12)
    return (
        table
        + struct.pack(">HHIII", 12, 0, 16 + 12 * len(groups), 0, len(groups))
        + b"".join(groups)
    )
