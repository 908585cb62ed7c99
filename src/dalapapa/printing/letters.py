"""Embeds the letters of a page in a picture as a small font, because pictures cannot load fonts.

reportlab, which prints need anyway, subsets a font in 1 to 3 ms. `fontTools.subset` would save 20
lines here, but takes 35 to 90 ms for each weight, 100 ms for its import, and 24 MB on disk.
"""

from __future__ import annotations

import io
import struct
from base64 import b64encode
from collections.abc import Iterable
from functools import lru_cache

from .sheet import Font, Text
from .texts import WEIGHTS, font


def font_faces(texts: Iterable[Text]) -> str:
    """Write style rules with all letters of the texts, in their weights."""
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
