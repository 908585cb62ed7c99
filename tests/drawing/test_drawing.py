"""Pictures: structure against the tile data, pixels against the geometry, palettes, refusals."""

from __future__ import annotations

import json
import math
import random
import struct
import sys
import zlib
from collections import Counter
from itertools import combinations
from typing import Any, Literal, get_args
from xml.etree import ElementTree

import pytest

from dalapapa.cli import commands
from dalapapa.core.errors import BadInput, BadOptions, MissingExtra, UnknownDomino
from dalapapa.core.notation import Laying, parse_position
from dalapapa.core.tiles import COLOURS, Tile, TileSet, standard
from dalapapa.drawing import (
    PALETTES,
    GroupMark,
    Marks,
    Style,
    draw,
    draw_face,
    draw_tile,
    find_clashes,
    to_png,
)
from dalapapa.drawing.glyphs import LETTERS, measure_lettering, write_strokes
from dalapapa.drawing.marks import group_outline
from dalapapa.drawing.outlines import format_number, format_numbers
from dalapapa.drawing.palettes import PIECES, PaletteName, ink, luminance
from tests.support.paths import ROOT

TILES = standard()
SHAPES: tuple[Literal["rounds", "squares", "octagons"], ...] = ("rounds", "squares", "octagons")
Element = ElementTree.Element

# Written by hand from docs/notation.md: where W NW NE E SE SW lie at each rotation, as
# (cells east, cells south) of the edge's middle from the corner of the first cell.
EDGES = (
    ((0, 0.5), (0.5, 0), (1.5, 0), (2, 0.5), (1.5, 1), (0.5, 1)),
    ((0.5, 0), (1, 0.5), (1, 1.5), (0.5, 2), (0, 1.5), (0, 0.5)),
    ((1, 0.5), (0.5, 1), (-0.5, 1), (-1, 0.5), (-0.5, 0), (0.5, 0)),
    ((0.5, 1), (0, 0.5), (0, -0.5), (0.5, -1), (1, -0.5), (1, 0.5)),
)


def parse(svg: str) -> Element:
    """The document without its name space."""
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        element.tag = element.tag.removeprefix("{http://www.w3.org/2000/svg}")
    return root


def of_class(root: Element, name: str) -> list[Element]:
    return [element for element in root.iter() if element.get("class") == name]


def scattered(seed: int, size: int = 4) -> list[Laying]:
    """Different dominoes on a square of blocks, every rotation, mostly clashing."""
    rng = random.Random(seed)
    layings = []
    for name, block in zip(rng.sample(TILES.names, size * size), range(size**2), strict=True):
        x, y = block % size * 2 - 3, block // size * 2 - 3
        rotation = rng.randrange(4)
        start = {0: (x, y), 1: (x, y), 2: (x + 1, y), 3: (x, y + 1)}[rotation]
        layings.append(Laying(name, rng.choice(("+", "-")), rotation, *start))
    return layings


def face(laying: Laying) -> str:
    return TILES[laying.tile].face(laying.side)


def edges(laying: Laying) -> list[tuple[float, float]]:
    return [(laying.x + dx, laying.y + dy) for dx, dy in EDGES[laying.rotation]]


def code(make: Any, *args: Any, **options: Any) -> str:
    with pytest.raises((BadOptions, BadInput, MissingExtra)) as caught:
        make(*args, **options)
    assert str(caught.value).endswith((".", "/"))
    return caught.value.code


class Bitmap:
    """A PNG of 8-bit RGBA, decoded with nothing but zlib."""

    def __init__(self, png: bytes) -> None:
        assert png[:8] == b"\x89PNG\r\n\x1a\n"
        self.width, self.height, depth, kind = struct.unpack(">IIBB", png[16:26])
        assert (depth, kind) == (8, 6)
        data, at = b"", 8
        while at < len(png):
            (length,) = struct.unpack(">I", png[at : at + 4])
            if png[at + 4 : at + 8] == b"IDAT":
                data += png[at + 8 : at + 8 + length]
            at += length + 12
        self.rows = self._unfiltered(zlib.decompress(data))

    def _unfiltered(self, raw: bytes) -> list[bytearray]:
        stride = self.width * 4
        rows = [bytearray(stride)]
        for start in range(0, len(raw), stride + 1):
            kind, above = raw[start], rows[-1]
            row = bytearray(raw[start + 1 : start + 1 + stride])
            for i in range(stride):
                left = row[i - 4] if i >= 4 else 0
                corner = above[i - 4] if i >= 4 else 0
                guess = left + above[i] - corner
                nearest = min((left, above[i], corner), key=lambda value: abs(guess - value))
                row[i] = row[i] + (0, left, above[i], (left + above[i]) // 2, nearest)[kind] & 255
            rows.append(row)
        return rows[1:]

    def paint(self, x: float, y: float) -> str:
        at = int(x) * 4
        return "#" + self.rows[int(y)][at : at + 3].hex()


# ------------------------------------------------------------------ the picture of a position


@pytest.mark.parametrize("seed", range(5))
def test_discs_and_halves_are_those_of_the_tiles(seed: int) -> None:
    layings = scattered(seed)
    root = parse(draw(layings, TILES, style=Style(shape=SHAPES[seed % 3])))
    for laying, group in zip(layings, of_class(root, "laying"), strict=True):
        assert group.findtext("title") == str(laying)
        found = {"half": Counter[str](), "disc": Counter[str]()}
        for colour in COLOURS:
            for parent in of_class(group, colour):
                assert parent.get("fill") == PALETTES["classic"].paints[colour]
                for kind, counter in found.items():
                    counter[colour] += len(of_class(parent, kind))
        assert +found["half"] == Counter(face(laying)[1:])
        assert +found["disc"] == Counter(face(laying)[0])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("pieces", ["black", "white"])
def test_every_half_is_painted_where_it_lies(shape: Any, pieces: Any) -> None:
    """Both sides of every edge show the paint of the domino that lies there."""
    layings = scattered(7, size=3)
    cell = 20
    style = Style(shape=shape, pieces=pieces, cell=cell)
    bitmap = Bitmap(to_png(draw(layings, TILES, style=style)))
    xs, ys = zip(*(cell for laying in layings for cell in laying.cells), strict=True)
    left, top = min(xs) - 0.5, min(ys) - 0.5  # the picture begins half a cell outside
    assert bitmap.width == (max(xs) + 1.5 - left) * cell
    assert bitmap.height == (max(ys) + 1.5 - top) * cell

    def paint(x: float, y: float) -> str:
        return bitmap.paint((x - left) * cell, (y - top) * cell)

    paints = PALETTES["classic"].paints
    for laying in layings:
        (x, y), (other_x, other_y) = laying.cells
        middle = (x + other_x + 1) / 2, (y + other_y + 1) / 2
        assert paint(*middle) == paints[face(laying)[0]]
        for (ex, ey), colour in zip(edges(laying), face(laying)[1:], strict=True):
            # Four pixels inwards, straight across the edge.
            upright = ex == int(ex)
            dx = math.copysign(0.2, middle[0] - ex) if upright else 0
            dy = 0 if upright else math.copysign(0.2, middle[1] - ey)
            assert paint(ex + dx, ey + dy) == paints[colour], (str(laying), ex, ey)


def test_links_join_neighbours_of_one_colour_only() -> None:
    def links(seven: str) -> int:
        return len(of_class(parse(draw_face(seven)), "link"))

    assert links("RRRRRRR") == 8  # four round each half
    # C W NW NE E SE SW: here no two neighbours are equal, then only W and NW.
    assert links("RGBBGBB") == 0
    assert links("RGGBGBB") == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_link_lies_between_its_discs(shape: Any) -> None:
    """Half-way from disc to disc there is paint where colours agree, and wood elsewhere."""
    tile = Tile("X", None, "RGGBGBB", "RGGBGBB", None)  # W and NW agree, no other neighbours
    cell = 100
    picture = draw(
        parse_position("X+0@0,0"), TileSet("one", (tile,)), style=Style(shape=shape, cell=cell)
    )
    bitmap = Bitmap(to_png(picture))
    between = {
        (x, y): bitmap.paint((x + 0.5) * cell, (y + 0.5) * cell)
        for x in (0.25, 0.75, 1.25, 1.75)
        for y in (0.25, 0.75)
    }
    assert between.pop((0.25, 0.25)) == PALETTES["classic"].paints["G"]
    assert set(between.values()) == {PIECES["black"].body}


def test_text_is_deterministic_and_self_contained() -> None:
    layings = scattered(1)
    style = Style(symbols=True, names=True, numbers=True, grid=True, cell=33.3)
    marks = Marks(clashes=find_clashes(layings, TILES), last=tuple(layings[:2]))
    text = draw(layings, TILES, style=style, marks=marks)
    assert text == draw(list(layings), TILES, style=style, marks=marks)
    for outside in ("<text", "<style", "<script", "<image", "href", "url(", " id=", "font"):
        assert outside not in text
    assert text.count("http") == 1  # the name space


def test_picture_is_described() -> None:
    legal = parse_position("PRYGB+0@0,0")
    for layings, words in ((legal, "1 domino, 1 disc."), (scattered(3), "16 dominoes, ")):
        root = parse(draw(layings, TILES))
        assert root.get("role") == "img"
        assert root.findtext("title") == "Dalapapa"
        assert (root.findtext("desc") or "").startswith(words)
    layings = scattered(3)
    colours: dict[tuple[float, float], list[str]] = {}
    for laying in layings:
        for place, colour in zip(edges(laying), face(laying)[1:], strict=True):
            colours.setdefault(place, []).append(colour)
    pairs = [two for two in colours.values() if len(two) == 2]
    contacts = sum(a == b for a, b in pairs)
    assert contacts > 0
    desc = parse(draw(layings, TILES)).findtext("desc")
    assert desc == f"16 dominoes, {16 + contacts} discs."
    assert len(find_clashes(layings, TILES)) == len(pairs) - contacts > 0


def test_view_holds_position_and_marks() -> None:
    one = parse_position("PRYGB+0@5,-4")
    assert parse(draw(one, TILES)).get("viewBox") == "450 -450 300 200"
    ghost = Marks(ghosts=(Laying("ZRYGB", "+", 1, 9, -4),))
    assert parse(draw(one, TILES, marks=ghost)).get("viewBox") == "450 -450 600 300"
    disc = Marks(clashes=((2, 1),))
    assert parse(draw(one, TILES, marks=disc)).get("viewBox") == "50 -450 700 600"
    wide = parse(draw(one, TILES, style=Style(cell=10)))
    assert (wide.get("width"), wide.get("height")) == ("30", "20")


def test_empty_table() -> None:
    root = parse(draw([], TILES))
    assert root.findtext("desc") == "0 dominoes, 0 discs."
    assert len(of_class(root, "empty")) == 1
    assert not of_class(root, "laying")
    assert not of_class(parse(draw(scattered(0), TILES)), "empty")


def test_unknown_domino_is_refused() -> None:
    with pytest.raises(UnknownDomino):
        draw([Laying("UNKNOWN", "+", 0, 0, 0)], TILES)


# ------------------------------------------------------------------ symbols, writing, grid


def test_symbols_once_on_discs_and_on_open_halves() -> None:
    """A pair with one contact: two centres, one contact, and ten open halves."""
    pair = parse_position("PRYGB+0@0,0 PRYGB+2@1,1")
    assert not find_clashes(pair, TILES)
    root = parse(draw(pair, TILES, style=Style(symbols=True)))
    desc = root.findtext("desc")
    contacts = 2
    assert desc == "2 dominoes, 4 discs."
    assert len(of_class(root, "symbol")) == 2 + contacts + (12 - 2 * contacts)
    assert not of_class(parse(draw(pair, TILES)), "symbol")


def test_symbols_differ_by_form() -> None:
    def forms(seven: str) -> set[str]:
        symbols = of_class(parse(draw_face(seven, Style(symbols=True))), "symbol")
        # Without the numbers of the first point: the form, wherever it is.
        return {"".join(c for c in s.attrib["d"] if c.isalpha()) for s in symbols}

    assert len(set().union(*(forms(colour * 7) for colour in COLOURS))) == 4
    assert all(len(forms(colour * 7)) == 1 for colour in COLOURS)


def test_grey_always_has_symbols() -> None:
    assert of_class(parse(draw(scattered(0), TILES, style=Style(palette="grey"))), "symbol")


def test_names_and_numbers_are_written() -> None:
    layings = scattered(2)
    for style, badges in ((Style(), 0), (Style(names=True), 16), (Style(numbers=True), 16)):
        assert len(of_class(parse(draw(layings, TILES, style=style)), "badge")) == badges
    both = parse(draw(layings, TILES, style=Style(names=True, numbers=True)))
    assert len(of_class(both, "badge")) == 32


def test_glyphs_are_all_there_and_all_different() -> None:
    assert set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ+-,@./") <= LETTERS
    drawn = [write_strokes(character, 0, 0, 12) for character in sorted(LETTERS - {" "})]
    assert len(set(drawn)) == len(drawn)
    assert write_strokes("\N{SNOWMAN}", 0, 0, 12) not in drawn
    assert (
        measure_lettering("AB", 12) == 2 * measure_lettering("AB", 6) > measure_lettering("A", 12)
    )


def test_grid_shows_cells_and_stays_small_on_a_huge_table() -> None:
    near = parse(draw(parse_position("PRYGB+0@0,0"), TILES, style=Style(grid=True)))
    (lines,) = of_class(near, "grid")
    assert lines.attrib["d"].count("M") == 3 + 2
    assert len(of_class(near, "text")) == 2 + 1
    far = parse_position("PRYGB+0@-99999,-7 ZRYGB+1@99999,7")
    text = draw(far, TILES, style=Style(grid=True))
    assert len(text) < 50_000
    assert of_class(parse(text), "text")


def test_numbers_are_compact() -> None:
    assert [format_number(v) for v in (1.0, -0.001, 0.5, -0.25, 100, 33.333)] == [
        *("1", "0", ".5", "-.25", "100", "33.33")
    ]
    assert format_numbers(1, -2, 3.5) == "1-2 3.5"


# ------------------------------------------------------------------ marks


def test_marks_are_drawn_and_differ_by_more_than_colour() -> None:
    layings = scattered(4)
    ghost = Laying("PRYGB", "+", 0, 20, 20)
    marks = Marks(
        groups=(GroupMark(((0, 1), (1, 2)), "A"), GroupMark(((4, 1),))),
        last=(layings[-1],),
        clashes=((2, 1), (3, 2)),
        ghosts=(ghost,),
        places=((9, 9), (10, 9)),
    )
    root = parse(draw(layings, TILES, marks=marks))
    count = {k: len(of_class(root, k)) for k in ("group", "last", "clash", "ghost", "place")}
    assert count == {"group": 2, "last": 1, "clash": 2, "ghost": 1, "place": 2}
    assert len(of_class(root, "badge")) == 1
    dashes = [
        element.get("stroke-dasharray")
        for kind in ("group", "last", "ghost-frame")
        for group in of_class(root, kind)
        for element in list(group)[1:]
    ]
    first, second, last, ghostly = dashes
    assert len({first, second, ghostly}) == 3
    assert last is None  # a solid rectangle, where a group's solid line is a curve


def test_clashing_ghost_shows_both_colours_and_a_warning() -> None:
    table = parse_position("PRYGB+0@0,0")  # its east half is red
    ghost = Laying("PRGBY", "+", 0, 2, 0)  # its west half is blue
    clashes = find_clashes([*table, ghost], TILES)
    assert clashes == ((4, 1),)
    cell = 40
    marks = Marks(ghosts=(ghost,), clashes=clashes)
    text = draw(table, TILES, style=Style(cell=cell), marks=marks)
    assert len(of_class(parse(text), "clash")) == 1
    bitmap = Bitmap(to_png(text))
    red = bitmap.paint(2.25 * cell, 1 * cell)
    blue = bitmap.paint(2.75 * cell, 1 * cell)
    assert red == PALETTES["classic"].paints["R"]
    assert int(blue[5:], 16) > int(blue[1:3], 16) + 60  # translucent, still blue
    assert bitmap.paint(2.5 * cell, 0.94 * cell) == "#ffffff"  # the badge, above its cross


@pytest.mark.parametrize("shape", SHAPES)
def test_group_outline_is_one_loop_with_holes(shape: str) -> None:
    around = [(3, 0), (4, 1), (5, 2), (4, 3), (3, 4), (2, 3), (1, 2), (2, 1)]
    assert group_outline([(0, 1)], shape).to_svg().count("M") == 1
    assert group_outline([(0, 1), (1, 2)], shape).to_svg().count("M") == 1
    assert group_outline([(0, 1), (2, 1)], shape).to_svg().count("M") == 2  # no neighbours
    assert group_outline(around, shape).to_svg().count("M") == 2  # a ring round 3,2
    # Two rings that touch in their corners only: two outlines and two holes.
    apart = [(x + 6, y) for x, y in around]
    assert group_outline(around + apart, shape).to_svg().count("M") == 4
    assert group_outline([], shape).to_svg() == ""


def test_wrong_marks_are_refused() -> None:
    assert code(Marks, clashes=((1, 1),)) == "bad_disc"
    assert code(Marks, groups=(GroupMark(((2, 2),)),)) == "bad_disc"
    assert code(Marks, groups=(GroupMark(((2, 1),), "<b>"),)) == "bad_label"
    assert code(Marks, groups=(GroupMark(((2, 1),), "A" * 13),)) == "bad_label"


# ------------------------------------------------------------------ single dominoes


def test_tile_shows_both_faces_without_ids() -> None:
    tile = TILES["PRYGB"]
    text = draw_tile(tile)
    root = parse(text)
    recto, verso = of_class(root, "face")
    for element, seven in ((recto, tile.recto), (verso, tile.verso)):
        drawn = Counter[str]()
        for colour in COLOURS:
            for parent in of_class(element, colour):
                drawn[colour] += len(of_class(parent, "half")) + len(of_class(parent, "disc"))
        assert +drawn == Counter(seven)
    assert "PRYGB" in (root.get("aria-label") or "")
    # All 120 on one page: small, and nothing that could collide.
    page = "".join(draw_tile(each) for each in TILES.tiles)
    assert len(page) < 300_000
    assert " id=" not in page


def test_face_is_checked() -> None:
    assert code(draw_face, "RYGB") == "bad_face"
    assert code(draw_face, "RRRRRR<") == "bad_face"


def test_hostile_names_stay_inside_the_text() -> None:
    wild = Tile("<&\"'\x00>", None, "RRRRRRR", "BBBBBBB", None)
    parse(draw_tile(wild))
    tiles = TileSet("wild", (wild,))
    root = parse(draw([Laying(wild.name, "+", 0, 0, 0)], tiles, style=Style(names=True)))
    assert of_class(root, "laying")[0].findtext("title") == "<&\"'?>+0@0,0"


# ------------------------------------------------------------------ style and palettes


def test_wrong_styles_are_refused() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"shape": "stars"}, "unknown_shape"),
        ({"shape": []}, "unknown_shape"),
        ({"palette": "neon"}, "unknown_palette"),
        ({"theme": "dusk"}, "unknown_theme"),
        ({"pieces": "pink"}, "unknown_pieces"),
        ({"cell": 1}, "bad_cell_size"),
        ({"cell": 1e9}, "bad_cell_size"),
        ({"cell": math.nan}, "bad_cell_size"),
        ({"cell": "48"}, "bad_cell_size"),
        ({"cell": True}, "bad_cell_size"),
        ({"symbols": "yes"}, "bad_switch"),
        ({"grid": 1}, "bad_switch"),
    ]
    for options, expected in wrong:
        assert code(Style, **options) == expected, options


def test_every_style_draws_differently() -> None:
    layings = scattered(5)
    styles = [Style(shape=shape) for shape in SHAPES]
    styles += [Style(palette=name) for name in PALETTES if name != "classic"]
    styles += [Style(theme="dark"), Style(pieces="white"), Style(symbols=True), Style(cell=9)]
    texts = {draw(layings, TILES, style=style) for style in styles}
    assert len(texts) == len(styles)
    for text in texts:
        parse(text)


# Machado, Oliveira and Fernandes 2009, severity 1, for linear RGB.
DEFICIENCIES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
NORMAL = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

Triple = tuple[float, float, float]


def lab(paint: str, seen_by: tuple[Triple, Triple, Triple] = NORMAL) -> Triple:
    """CIE Lab (D65) of `#rrggbb` as seen through a matrix."""
    values = (int(paint[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in values]
    r, g, b = (
        min(1, max(0, sum(m * c for m, c in zip(row, linear, strict=True)))) for row in seen_by
    )

    def f(t: float) -> float:
        return t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116

    x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
    y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b)
    z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Triple, two: Triple) -> float:
    """CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    c1, c2 = math.hypot(a1 * stretch, b1), math.hypot(a2 * stretch, b2)
    h1, h2 = (
        math.degrees(math.atan2(b, a * stretch)) % 360 if a or b else 0.0
        for a, b in ((a1, b1), (a2, b2))
    )
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    hue = h1 + h2 if c1 * c2 == 0 else (h1 + turn / 2) % 360
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2

    def cos(degrees: float) -> float:
        return math.cos(math.radians(degrees))

    t = 1 - 0.17 * cos(hue - 30) + 0.24 * cos(2 * hue)
    t += 0.32 * cos(3 * hue + 6) - 0.2 * cos(4 * hue - 63)
    dl = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    dc = (c2 - c1) / (1 + 0.045 * chroma)
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2)) / (1 + 0.015 * chroma * t)
    swing = math.radians(60 * math.exp(-(((hue - 275) / 25) ** 2)))
    rotation = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7)) * math.sin(swing)
    return math.sqrt(dl**2 + dc**2 + dh**2 + rotation * dc * dh)


def nearest(name: str, seen_by: tuple[Triple, Triple, Triple] = NORMAL) -> float:
    """The smallest difference between two paints of a palette."""
    seen = [lab(paint, seen_by) for paint in PALETTES[name].paints.values()]
    return min(difference(a, b) for a, b in combinations(seen, 2))


def test_difference_is_ciede2000() -> None:
    """Three pairs of the test data of Sharma, Wu and Dalal 2005."""
    assert difference((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert difference((50, 2.5, 0), (73, 25, -18)) == pytest.approx(27.1492, abs=1e-4)
    assert difference((2.0776, 0.0795, -1.135), (0.9033, -0.0636, -0.5514)) == pytest.approx(
        0.9082, abs=1e-4
    )


def test_palettes_suit_whom_they_say() -> None:
    suited = {deficiency for palette in PALETTES.values() for deficiency in palette.suits}
    assert suited == set(DEFICIENCIES)
    for name, palette in PALETTES.items():
        for deficiency in palette.suits:
            assert nearest(name, DEFICIENCIES[deficiency]) > 25, (name, deficiency)
    # The measure has teeth: red and green of the default look alike to many people.
    assert nearest("classic", DEFICIENCIES["deuteranopia"]) < 10


def test_paints_are_apart_from_each_other_and_from_the_wood() -> None:
    assert nearest("classic") > 30
    for name, palette in PALETTES.items():
        assert list(palette.paints) == list(COLOURS)
        assert nearest(name) > (10 if palette.needs_symbols else 18), name
        for paint in palette.paints.values():
            for wood in PIECES.values():
                assert difference(lab(paint), lab(wood.body)) > 10, (name, paint, wood)


def test_symbols_have_contrast() -> None:
    for palette in PALETTES.values():
        for paint in palette.paints.values():
            light, dark = sorted((luminance(paint), luminance(ink(paint))), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 3, paint


# ------------------------------------------------------------------ bitmaps


def size(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_png_has_the_size_asked_for() -> None:
    one = draw(parse_position("PRYGB+0@0,0"), TILES, style=Style(cell=20))
    assert size(to_png(one)) == (60, 40)
    assert size(to_png(one, 2.5)) == (150, 100)
    assert size(to_png(draw_tile(TILES["PRYGB"], Style(cell=50)))) == (218, 56)


def test_png_of_a_huge_table_is_bounded() -> None:
    wide = draw(parse_position("PRYGB+0@0,0 ZRYGB+0@238,3"), TILES)
    assert 'width="11568"' in wide
    width, height = size(to_png(wide, 3))
    assert width == 4096
    assert 70 <= height <= 90
    tall = draw(parse_position("PRYGB+0@0,0 ZRYGB+0@0,999"), TILES)
    assert size(to_png(tall))[1] == 4096


def test_png_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = draw([], TILES)
    assert code(to_png, "nothing") == "bad_picture"
    assert code(to_png, '<svg width="5" height="5">') == "bad_picture"
    for scale in (0, -1, math.inf, math.nan):
        assert code(to_png, picture, scale) == "bad_scale"
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert code(to_png, picture) == "no_png"


def test_a_palette_is_named_wherever_one_is_chosen() -> None:
    """ARCHITECTURE.md, Add a palette."""
    assert set(get_args(PaletteName)) == set(PALETTES)
    root = ROOT
    protocol = (root / "docs/http-api.md").read_text()
    [palette] = [option for option in commands.commands["draw"].params if option.name == "palette"]
    for name in PALETTES:
        assert name in str(palette.to_info_dict()["help"])
        assert f"`{name}`" in protocol
        for texts in (root / "web/src/texts/shell").glob("*.json"):
            assert f"palette_{name.replace('-', '_')}" in json.loads(texts.read_text())
