"""Reads dominoes back from printed pages, knowing shapes and dominoes but not the printing code.

python -m tests.support.printed

draws the reference pictures of `tests/printing/references` again.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

import pdfplumber
import pypdfium2
from PIL import Image, ImageChops, ImageFilter, ImageStat

from dalapapa.core.notation import Laying, Side
from dalapapa.core.tiles import COLOURS, Tile, TileSet
from dalapapa.printing import PrintOptions, make_sheets, print_options, to_pdf
from tests.support.paths import TESTS

POINT = 25.4 / 72
REFERENCES = TESTS / "printing" / "references"
SCALE = 0.32
"""Of the reference pictures: a page is about 190 pixels wide."""

SIZES = {"rounds": (33.2, 33.174, 33.2), "squares": (47.4, 46.1, 47.4), "octagons": (33.4,) * 3}
"""In hundredths of a cell: half of a disc's width, half of a half-disc's, and its depth."""

GAP = 1.3
"""From the edge to a half-disc."""

OUTWARDS = ((0, -1), (1, 0), (0, 1), (-1, 0))

PAGES: dict[str, tuple[dict[str, Any], int]] = {
    "set-squares-original": ({"design": "squares-original", "arrangement": "sheet"}, 1),
    "set-squares-black": ({"design": "squares-black", "paper": "letter"}, 2),
    "set-squares-white": ({"design": "squares-white", "names": True}, 3),
    "set-rounds-black": ({}, 1),
    "set-rounds-black-sheet": ({"arrangement": "sheet"}, 1),
    "set-rounds-white": ({"design": "rounds-white", "flip": "short", "arrangement": "sheet"}, 4),
    "set-octagons-black": ({"design": "octagons-black", "offset": (4, -3)}, 2),
    "set-octagons-white": ({"design": "octagons-white", "language": "fr"}, 5),
    "set-low": ({"ink": "low", "symbols": True}, 1),
    "set-grey": ({"ink": "grey", "design": "octagons-black"}, 6),
    "set-large": ({"size": 62, "paper": "letter", "flip": "short"}, 12),
    "set-short-row": ({"size": 50}, 7),
    "set-small": ({"size": 24, "arrangement": "sheet"}, 1),
    "cover": ({"cover": True, "design": "octagons-black", "language": "de"}, 1),
    "cover-white": ({"cover": True, "design": "squares-original", "paper": "letter"}, 1),
    "cover-72": ({"what": "72", "cover": True, "language": "es"}, 1),
    "box-making": ({"what": "box", "language": "fr", "arrangement": "sheet"}, 2),
    "72-dominoes": ({"what": "72", "language": "fr"}, 4),
    "72-dominoes-letter": ({"what": "72", "paper": "letter", "design": "squares-white"}, 6),
    "72-tokens": ({"what": "72", "paper": "letter"}, 7),
    "72-tokens-low": ({"what": "72", "ink": "low"}, 7),
    "board": ({"what": "board", "language": "nl"}, 1),
    "board-original": ({"what": "board", "design": "squares-original", "paper": "letter"}, 1),
    "board-low": ({"what": "board", "ink": "low", "language": "it"}, 1),
    "board-grey": ({"what": "board", "ink": "grey", "design": "octagons-black"}, 1),
    "board-author": ({"what": "board", "layout": "author", "language": "fr"}, 1),
    "scores-auction": ({"what": "scores", "game": "auction", "language": "fr"}, 1),
    "scores-conquest": ({"what": "scores", "game": "conquest", "language": "it"}, 1),
    "scores-alex": ({"what": "scores", "game": "alex", "paper": "letter"}, 1),
    "scores-72": ({"what": "scores", "game": "72", "language": "es"}, 1),
    "puzzle-heart": ({"what": "puzzle", "frame": "heart", "language": "nl"}, 1),
    "puzzle-ring": ({"what": "puzzle", "frame": "ring", "ink": "low"}, 1),
    "scores": ({"what": "scores", "language": "de"}, 1),
    "extras": ({"what": "extras", "language": "es", "paper": "letter"}, 1),
    "booklet-cover": ({"what": "booklet", "language": "it"}, 1),
    "booklet-contents": ({"what": "booklet", "paper": "letter"}, 2),
    "booklet-page": ({"what": "booklet", "language": "en"}, 3),
    "booklet-half": ({"what": "booklet", "language": "de", "pages": "half"}, 4),
    "booklet-back": ({"what": "booklet", "language": "nl"}, 0),
    "calibration-front": ({"what": "calibration", "language": "fr"}, 1),
    "calibration-back": ({"what": "calibration", "flip": "short", "offset": (0.6, -1.1)}, 2),
    "position": ({"what": "position", "position": "PRYGB+0@0,0 BYRGB+0@0,-1", "names": True}, 1),
    "puzzle": ({"what": "puzzle"}, 1),
    "puzzle-solution": ({"what": "puzzle"}, 2),
    "solution": ({"what": "solution", "pile": 3, "design": "squares-white"}, 1),
}
"""Every kind of page: options, and the number of the page; 0 is the last one."""


class Shown(NamedTuple):
    """A domino found on a page, in millimetres."""

    tile: Tile
    side: str
    x: float
    y: float
    halves: dict[tuple[float, float], str]
    """Colours of the half-discs by the middle of their edge."""


class Filled(NamedTuple):
    """A filled shape on a page, in millimetres."""

    left: float
    top: float
    right: float
    bottom: float
    colour: tuple[float, ...]
    corners: int


def filled(page: Any) -> list[Filled]:
    """All filled shapes of a page, in the order of drawing."""
    found = []
    for shape in (*page.curves, *page.rects):
        if shape["fill"]:
            left, top, right, bottom = (
                shape[edge] * POINT for edge in ("x0", "top", "x1", "bottom")
            )
            colour = shape["non_stroking_color"]
            colours = tuple(colour) if isinstance(colour, tuple | list) else (colour,)
            found.append(Filled(left, top, right, bottom, colours, len(shape["pts"])))
    return found


def letters(paints: dict[str, str]) -> dict[tuple[float, ...], str]:
    """Colour letters by what a page says of a paint."""
    found = {}
    for letter in COLOURS:
        channels = [round(int(paints[letter][i : i + 2], 16) / 255, 3) for i in (1, 3, 5)]
        found[tuple(channels[:1] if len(set(channels)) == 1 else channels)] = letter
    return found


def dominoes(
    page: Any, tiles: TileSet, shape: str, paints: dict[str, str], cell: float
) -> list[Shown]:
    """Every domino on a page, recognized by its seven colours."""
    faces = {face: (tile, side) for tile in tiles.tiles for side, face in _faces(tile)}
    names = letters(paints)
    whole, wide, deep = (size * cell / 100 for size in SIZES[shape])
    gap = GAP * cell / 100
    centres: list[tuple[float, float, str]] = []
    halves: dict[tuple[tuple[float, float], int], str] = {}
    for left, top, right, bottom, paint, _ in filled(page):
        x, y = (left + right) / 2, (top + bottom) / 2
        across, down = right - left, bottom - top
        if paint not in names:
            continue
        if _near(across, 2 * whole) and _near(down, 2 * whole):
            centres.append((x, y, names[paint]))
        # A half-disc lies behind its edge: that is on the side of its flat end.
        elif _near(across, 2 * wide) and _near(down, deep - gap):
            halves[_key(x, top - gap), 0] = halves[_key(x, bottom + gap), 2] = names[paint]
        elif _near(down, 2 * wide) and _near(across, deep - gap):
            halves[_key(right + gap, y), 1] = halves[_key(left - gap, y), 3] = names[paint]
    found = []
    for x, y, colour in centres:
        for turn in range(4):
            sides = list(_sides(x, y, turn, cell))
            if all((_key(*edge), direction) in halves for edge, direction in sides):
                around = [halves[_key(*edge), direction] for edge, direction in sides]
                face = "".join([colour, *around])
                if face in faces:
                    edges = [edge for edge, _ in sides]
                    colours = dict(zip(edges, around, strict=True))
                    found.append(Shown(*faces[face], x, y, colours))
    return found


def box(shown: Shown, cell: float) -> tuple[float, float, float, float]:
    """The edges of a domino: left, top, right, bottom."""
    west = next(iter(shown.halves))
    upright = abs(west[1] - shown.y) > abs(west[0] - shown.x)
    across, down = (cell / 2, cell) if upright else (cell, cell / 2)
    return shown.x - across, shown.y - down, shown.x + across, shown.y + down


def layings(side: list[Shown], cell: float) -> list[Laying]:
    """The dominoes of a page as they would be laid: the first on cell 0,0, then all that touch."""
    found = []
    for shown in side:
        west = next(iter(shown.halves))
        dx, dy = (round((a - b) / cell) for a, b in zip(west, (shown.x, shown.y), strict=True))
        rotation = ((-1, 0), (0, -1), (1, 0), (0, 1)).index((dx, dy))
        found.append((shown, rotation, shown.x + dx * cell / 2, shown.y + dy * cell / 2))
    _, _, left, top = found[0]
    waiting = []
    for shown, rotation, x, y in found:
        at = (x - left) / cell, (y - top) / cell
        assert all(abs(value - round(value)) < 0.01 for value in at), shown
        side_up: Side = "+" if shown.side == "+" else "-"
        waiting.append(Laying(shown.tile.name, side_up, rotation, round(at[0]), round(at[1])))
    laid = [waiting.pop(0)]
    near = _beside(laid[0])
    while waiting:
        following = next(laying for laying in waiting if near & set(laying.cells))
        waiting.remove(following)
        laid.append(following)
        near |= _beside(following)
    return laid


def _beside(laying: Laying) -> set[tuple[int, int]]:
    """The cells next to a laying."""
    steps = ((0, -1), (1, 0), (0, 1), (-1, 0))
    return {(x + dx, y + dy) for x, y in laying.cells for dx, dy in steps}


def _faces(tile: Tile) -> Iterator[tuple[str, str]]:
    yield "+", tile.recto
    yield "-", tile.verso


def _near(a: float, b: float) -> bool:
    return abs(a - b) < 0.02


def _key(x: float, y: float) -> tuple[float, float]:
    """A place to the nearest half millimetre: no two edges are so near."""
    return round(x * 2) / 2, round(y * 2) / 2


def _sides(x: float, y: float, turn: int, cell: float) -> Iterator[tuple[tuple[float, float], int]]:
    """The middles of the edges W NW NE E SE SW of a domino, and which way each looks."""
    flat = ((-1.0, 0.0, 3), (-0.5, -0.5, 0), (0.5, -0.5, 0), (1.0, 0.0, 1), (0.5, 0.5, 2),
            (-0.5, 0.5, 2))  # fmt: skip
    for dx, dy, direction in flat:
        for _ in range(turn):
            dx, dy = -dy, dx
        yield (x + dx * cell, y + dy * cell), (direction + turn) % 4


sheets_of = cache(make_sheets)
"""A booklet takes a second or two, and many tests look at the same one."""


def pdf(asked: dict[str, Any]) -> bytes:
    """A PDF, made once for all tests that look at it."""
    return _pdf(print_options(asked))


@cache
def _pdf(options: PrintOptions) -> bytes:
    return to_pdf(sheets_of(options), options)


def pdf_of(name: str) -> bytes:
    """The PDF of which `PAGES` shows a page."""
    return pdf(PAGES[name][0])


@lru_cache(maxsize=6)
def pages(data: bytes) -> list[Any]:
    """The pages of a PDF as pdfplumber reads them, which takes longer than making them."""
    return list(pdfplumber.open(io.BytesIO(data)).pages)


def drawn(data: bytes, number: int) -> Image.Image:
    """Page `number`, from 1, as a small picture; 0 is the last one."""
    document = pypdfium2.PdfDocument(data)
    try:
        page = document[(number - 1) % len(document)]
        picture: Image.Image = page.render(scale=SCALE).to_pil().convert("RGB")
    finally:
        document.close()
    return picture


def alike(one: Image.Image, other: Image.Image) -> bool:
    """Whether two pictures of a page show the same.

    Renderers smooth edges and place lines to a pixel; that is blurred away. A piece that is
    missing or turned is not.
    """
    if one.size != other.size:
        return False
    soft = [picture.filter(ImageFilter.GaussianBlur(1.2)) for picture in (one, other)]
    difference = ImageChops.difference(*soft).convert("L")
    far = sum(difference.histogram()[96:])
    return ImageStat.Stat(difference).mean[0] < 2.5 and far < 0.001 * one.width * one.height


def main() -> None:
    REFERENCES.mkdir(exist_ok=True)
    for name, (_, number) in PAGES.items():
        picture = drawn(pdf_of(name), number)
        picture.quantize(160).save(REFERENCES / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
