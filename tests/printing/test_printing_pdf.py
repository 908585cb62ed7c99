"""PDFs read back: pages, each domino with its back behind it, colours, fonts, bytes, pictures.

What is printed is what is played: sheets are taken apart and laid on the engine's own table.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from functools import cache
from hashlib import sha256
from itertools import pairwise, product
from math import dist
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image

from dalapapa.core.errors import IllegalLaying
from dalapapa.core.tiles import standard
from dalapapa.drawing.palettes import PALETTES
from dalapapa.kernel.table import Table
from dalapapa.printing import make_pdf, make_sheets, print_options, to_pdf
from dalapapa.printing.designs import DESIGNS
from dalapapa.printing.pages.dominoes import FRAME
from dalapapa.printing.sheet import Piece
from dalapapa.printing.texts import COPYRIGHT, say
from dalapapa.texts import LANGUAGES
from tests.support import serving
from tests.support.printed import (
    PAGES,
    POINT,
    REFERENCES,
    Filled,
    Shown,
    alike,
    box,
    dominoes,
    drawn,
    filled,
    layings,
    letters,
    pages,
    pdf,
    pdf_of,
)
from tests.support.thoroughness import THOROUGH, daily

SIZES = {"a4": (210, 297), "letter": (215.9, 279.4)}
HAIR = 0x9A
"""The grey of a line to cut along."""

NEAR = 0.01
"""Millimetres that a back may be off."""


uncounted = pytest.mark.usefixtures("uncounted")
"""For reading: counting would more than double its time, though it runs no line of ours."""


@cache
def read(
    data: bytes, design: str, ink: str = "colour", cell: float = 24, most: int = 99
) -> list[list[Shown]]:
    """The dominoes of each page, of the first so many."""
    shape, palette, _ = DESIGNS[design]
    paints = PALETTES["grey" if ink == "grey" else palette].paints
    return [dominoes(page, standard(), shape, paints, cell) for page in pages(data)[:most]]


BEHIND = (3, 2, 1, 0, 5, 4)
"""Of W NW NE E SE SW: what lies behind each when a domino is turned over from left to right."""


def check_back(front: list[Shown], back: list[Shown], mirrored: Any) -> None:
    """Behind every domino of the front lies its own other face, disc behind disc.

    `mirrored` says where a place of the front is when the paper has been turned over.
    """
    assert len(front) == len(back)
    places = {shown.tile.name: shown for shown in back}
    for shown in front:
        behind = places[shown.tile.name]
        assert {shown.side, behind.side} == {"+", "-"}
        assert mirrored(shown.x, shown.y) == pytest.approx((behind.x, behind.y), abs=NEAR)
        face = shown.tile.face(behind.side)
        for slot, place in enumerate(shown.halves):
            wanted = mirrored(*place)
            (found,) = (
                other
                for (x, y), other in behind.halves.items()
                if abs(x - wanted[0]) < NEAR and abs(y - wanted[1]) < NEAR
            )
            assert found == face[1 + BEHIND[slot]]


@uncounted
@pytest.mark.parametrize("arrangement", ["straight", "sheet"])
@pytest.mark.parametrize(
    ("design", "paper", "flip"),
    [
        ("octagons-white", "a4", "long"),
        ("squares-original", "letter", "short"),
        pytest.param("rounds-black", "a4", "short", marks=pytest.mark.thorough),
        pytest.param("rounds-black", "letter", "long", marks=pytest.mark.thorough),
        *(
            pytest.param(design, "a4", "long", marks=pytest.mark.thorough)
            for design in DESIGNS
            if design != "octagons-white"
        ),
        *(
            pytest.param(design, "letter", "short", marks=pytest.mark.thorough)
            for design in DESIGNS
            if design != "squares-original"
        ),
    ],
)
def test_every_domino_once_with_its_verso_behind_it(
    design: str, paper: str, flip: str, arrangement: str
) -> None:
    asked = {"design": design, "paper": paper, "flip": flip, "arrangement": arrangement}
    data = pdf(asked)
    width, height = SIZES[paper]
    sides = read(data, design)
    assert len(sides) == 6
    for page in pages(data):
        assert (page.width * POINT, page.height * POINT) == pytest.approx((width, height), abs=NEAR)

    def mirrored(x: float, y: float) -> tuple[float, float]:
        return (width - x, y) if flip == "long" else (x, height - y)

    for front, back in zip(sides[::2], sides[1::2], strict=True):
        assert len(front) == 40
        check_back(front, back, mirrored)
    names = sorted(shown.tile.name for front in sides[::2] for shown in front)
    assert names == sorted(standard().names)


@uncounted
@pytest.mark.parametrize(
    ("design", "ink"),
    daily(
        product(["squares-original", "rounds-black", "octagons-white"], ["low", "grey"]),
        [("squares-original", "low"), ("octagons-white", "grey")],
    ),
)
def test_other_inks_show_the_same_dominoes(design: str, ink: str) -> None:
    data = pdf({"design": design, "ink": ink})
    assert [len(side) for side in read(data, design, ink, most=2)] == [40, 40]


@uncounted
@pytest.mark.parametrize("flip", daily(["long", "short"], ["long"]))
def test_offset_and_size_are_exact(flip: str) -> None:
    data = pdf({"size": 60, "flip": flip, "offset": (0.6, -1.1), "design": "octagons-white"})
    sides = read(data, "octagons-white", cell=30)

    def mirrored(x: float, y: float) -> tuple[float, float]:
        return (210 - x + 0.6, y - 1.1) if flip == "long" else (x + 0.6, 297 - y - 1.1)

    for front, back in zip(sides[::2], sides[1::2], strict=True):
        check_back(front, back, mirrored)
    assert sum(len(front) for front in sides[::2]) == 120


@uncounted
@pytest.mark.parametrize(
    ("paper", "flip", "design"),
    daily(
        [
            ("a4", "long", "rounds-black"),
            ("a4", "short", "octagons-white"),
            ("letter", "long", "squares-original"),
            ("letter", "short", "rounds-white"),
        ],
        [("a4", "long", "rounds-black"), ("letter", "short", "rounds-white")],
    ),
)
def test_a_sheet_is_a_solved_pile_on_both_sides(paper: str, flip: str, design: str) -> None:
    """Fronts and backs lie on the table as they are printed: it refuses what does not match."""
    asked = {"arrangement": "sheet", "paper": paper, "flip": flip, "design": design}
    for number, side in enumerate(read(pdf(asked), design)):
        laid = layings(side, 24)
        assert {laying.side for laying in laid} == {"+-"[number % 2]}
        assert {standard()[laying.tile].pile for laying in laid} == {number // 2 + 1}
        assert len(Table(laid)) == FRAME[0] * FRAME[1] // 2
        across, down = zip(*(cell for laying in laid for cell in laying.cells), strict=True)
        size = max(across) - min(across) + 1, max(down) - min(down) + 1
        assert size == FRAME
        assert _contacts(side) == 7 * 10 + 8 * 9 - 40


def _contacts(side: list[Shown]) -> int:
    """How many half-discs meet another; all of them of its colour."""
    halves: dict[tuple[float, float], list[str]] = {}
    for shown in side:
        for (x, y), colour in shown.halves.items():
            halves.setdefault((round(x * 2), round(y * 2)), []).append(colour)
    met = [colours for colours in halves.values() if len(colours) == 2]
    assert all(one == other for one, other in met)
    return len(met)


@uncounted
def test_a_straight_sheet_would_not_match() -> None:
    """The check above can fail: in a grid, colours meet as they come."""
    side = read(pdf({}), "rounds-black", most=1)[0]
    with pytest.raises(IllegalLaying):
        Table(layings(side, 24))


@uncounted
@pytest.mark.parametrize(
    ("paper", "size"),
    [
        ("a4", 48),
        *(
            pytest.param(paper, size, marks=pytest.mark.thorough)
            for paper in SIZES
            for size in (48, 62, 50, 30)
            if (paper, size) != ("a4", 48)
        ),
    ],
)
def test_straight_cuts_go_from_edge_to_edge(paper: str, size: float) -> None:
    """Also on a last sheet that is not full, as with 50 mm."""
    data = pdf({"paper": paper, "size": size})
    sides = read(data, "rounds-black", cell=size / 2)
    for page, side in zip(pages(data), sides, strict=True):
        boxes = [box(shown, size / 2) for shown in side]
        left, top = (min(edges) for edges in list(zip(*boxes, strict=True))[:2])
        right, bottom = (max(edges) for edges in list(zip(*boxes, strict=True))[2:])
        for low, high, start, end in ((0, 2, top, bottom), (1, 3, left, right)):
            cuts = {round(edges[i], 2) for edges in boxes for i in (low, high)}
            for cut in cuts:
                crossed = [b for b in boxes if b[low] + NEAR < cut < b[high] - NEAR]
                assert not crossed, cut
                # A mark before the first piece and one behind the last.
                marks = [
                    line
                    for line in straight_lines(page.lines, upright=low == 0)
                    if abs(line[0] - cut) < 0.02
                ]
                assert any(far <= start for _, _, far in marks), cut
                assert any(near >= end for _, near, _ in marks), cut


def straight_lines(lines: list[Any], upright: bool) -> list[tuple[float, float, float]]:
    """Lines of one direction: where they are, where they start and end, in millimetres."""
    found = []
    for mark in lines:
        x0, x1, y0, y1 = (mark[key] * POINT for key in ("x0", "x1", "top", "bottom"))
        if upright and abs(x0 - x1) < NEAR:
            found.append((x0, y0, y1))
        if not upright and abs(y0 - y1) < NEAR:
            found.append((y0, x0, x1))
    return found


def is_hair(line: dict[str, Any]) -> bool:
    """Whether it is a line to cut along that runs over pieces."""
    colour = line["stroking_color"]
    return list(colour if isinstance(colour, tuple | list) else [colour]) == [round(HAIR / 255, 3)]


@uncounted
@pytest.mark.parametrize("arrangement", ["straight", "sheet"])
@pytest.mark.parametrize("design", ["rounds-black", "squares-white"])
def test_a_hairline_runs_along_every_cut_of_a_front(arrangement: str, design: str) -> None:
    """It is seen on black and on white, and touches no disc."""
    data = pdf({"arrangement": arrangement, "design": design})
    front, back = pages(data)[:2]
    side = read(data, design, most=1)[0]
    hairs = [line for line in front.lines if is_hair(line)]
    for mark in hairs:
        assert mark["linewidth"] * POINT == pytest.approx(0.15, abs=NEAR)
    lines = {upright: straight_lines(hairs, upright) for upright in (True, False)}
    for shown in side:
        left, top, right, bottom = box(shown, 24)
        for upright, at, start, end in (
            (True, left, top, bottom), (True, right, top, bottom),
            (False, top, left, right), (False, bottom, left, right),
        ):  # fmt: skip
            assert any(
                abs(where - at) < NEAR and near <= start + NEAR and far >= end - NEAR
                for where, near, far in lines[upright]
            )
    assert not [line for line in back.lines if is_hair(line)]
    for ground in (0x16, 0xFF):
        assert contrast(ground, HAIR) > 2.5


def contrast(one: int, other: int) -> float:
    """Between two greys, as WCAG measures it."""
    light = sorted(float(((grey / 255 + 0.055) / 1.055) ** 2.4) for grey in (one, other))
    return (light[1] + 0.05) / (light[0] + 0.05)


@uncounted
@pytest.mark.parametrize("paper", daily(SIZES, ["a4"]))
def test_fold_sheets_are_mirrored_about_the_red_line(paper: str) -> None:
    data = pdf({"what": "72", "paper": paper, "design": "rounds-white"})
    width, height = SIZES[paper]
    names = []
    sides = read(data, "rounds-white", cell=30)
    assert [len(side) for side in sides] == [24] * 6 + [0]
    for page, side in zip(pages(data), sides, strict=True):
        (red,) = (line for line in page.lines if line["stroking_color"] == (0.878, 0, 0))
        fold = red["top"] * POINT
        assert fold == pytest.approx(height / 2, abs=NEAR)
        assert (red["x0"] * POINT, red["x1"] * POINT) == pytest.approx((8, width - 8), abs=NEAR)
        check_back(
            [shown for shown in side if shown.y < fold],
            [shown for shown in side if shown.y > fold],
            lambda x, y, fold=fold: (x, 2 * fold - y),
        )
        names += [shown.tile.name for shown in side if shown.y < fold]
        assert any(_black(line) and line["linewidth"] * POINT < 0.2 for line in page.lines)
    assert sorted(names) == sorted(standard("72").names)
    # Tokens and markers: every filled shape has its like on the other side of the fold.
    shapes = {_about(shape, 0) for shape in filled(pages(data)[-1]) if shape.bottom > 0}
    assert shapes == {_about(shape, height) for shape in filled(pages(data)[-1])}


@uncounted
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", daily(SIZES, ["a4"]))
def test_no_cut_runs_through_words(paper: str, language: str) -> None:
    # A sheet of dominoes, and that of the small pieces.
    for page in pages(pdf({"what": "72", "paper": paper, "language": language}))[5:]:
        lines = [
            tuple(line[key] for key in ("x0", "top", "x1", "bottom"))
            for line in page.lines
            if line["stroking_color"] != (0.878, 0, 0)
        ]
        height = SIZES[paper][1] / POINT
        for char in page.chars:
            if not 0.4 * height < char["top"] < 0.6 * height or char["size"] * POINT > 3:
                continue
            for left, top, right, bottom in lines:
                apart = (
                    right < char["x0"] or left > char["x1"]
                    or bottom < char["top"] or top > char["bottom"]
                )  # fmt: skip
                assert apart, char["text"]


@uncounted
def test_cuts_are_seen_on_black_pieces() -> None:
    """On dominoes they are light; markers have a white rim, so that black lines run on white."""
    printed = pages(pdf({"what": "72"}))
    black = (0.086,)
    for page in printed[:-1]:
        inside = [line for line in page.lines if is_hair(line)]
        assert len(inside) == 2 * (4 + 5)
        bodies = [shape for shape in filled(page) if shape.colour == black]
        assert len(bodies) == 2
    markers = [s for s in filled(printed[-1]) if s.right - s.left == pytest.approx(11, abs=NEAR)]
    assert len(markers) == 2 * 38
    for where, start, end in straight_lines(printed[-1].lines, upright=True):
        for shape in markers:
            if start < shape.bottom and end > shape.top:
                assert not shape.left < where < shape.right


def _about(shape: Any, height: float) -> tuple[Any, ...]:
    """Where a shape is, to a tenth of a millimetre; mirrored if a height is given."""
    middle = (shape.top + shape.bottom) / 2
    y = height - middle if height else middle
    return round((shape.left + shape.right) / 2, 1), round(y, 1), shape.colour


def _black(line: dict[str, Any]) -> bool:
    colour = line["stroking_color"]
    return set(colour if isinstance(colour, tuple | list) else [colour]) == {0}


@uncounted
@pytest.mark.parametrize("design", daily(DESIGNS, ["rounds-black", "squares-original"]))
def test_cut_marks_are_thin_and_outside_the_pieces(design: str) -> None:
    for page in pages(pdf({"design": design}))[:2]:
        marks = [line for line in page.lines if line["bottom"] * POINT < 280 and not is_hair(line)]
        assert len(marks) >= 20
        for mark in marks:
            assert mark["linewidth"] * POINT == pytest.approx(0.15, abs=NEAR)
            left, right = mark["x0"] * POINT, mark["x1"] * POINT
            top, bottom = mark["top"] * POINT, mark["bottom"] * POINT
            outside = right < 9 or left > 201 or bottom < 28.5 or top > 268.5
            assert outside, mark
        assert not [shape for shape in (*page.curves, *page.rects) if shape["stroke"]]


@uncounted
def test_the_bleed_goes_on_beyond_the_cut() -> None:
    (body,) = (s for s in filled(pages(pdf({}))[0]) if s.right - s.left > 150)
    assert tuple(body[:4]) == pytest.approx((8, 26.5, 202, 270.5), abs=NEAR)


@uncounted
@pytest.mark.parametrize("paper", daily(SIZES, ["a4"]))
@pytest.mark.parametrize(
    "what", daily(["set", "72", "board", "extras", "puzzle", "calibration"], ["set", "extras"])
)
def test_the_scale_bar_is_100_mm(what: str, paper: str) -> None:
    for page in pages(pdf({"what": what, "paper": paper})):
        low = [line for line in page.lines if (page.height - line["top"]) * POINT < 12]
        (bar,) = (line for line in low if line["x1"] - line["x0"] > 100)
        assert (bar["x1"] - bar["x0"]) * POINT == pytest.approx(100, abs=NEAR)


@uncounted
def test_names_are_printed_on_request() -> None:
    named = pages(pdf({"names": True}))
    text = "".join(char["text"] for page in named for char in page.chars)
    for tile in standard().tiles:
        for side in "+-":
            assert text.count(f"{tile.name}{side}") == 1
    plain = "".join(char["text"] for char in pages(pdf({}))[0].chars)
    assert "PRYGB" not in plain


@uncounted
@pytest.mark.parametrize("design", daily(DESIGNS, ["rounds-black", "octagons-white"]))
def test_grey_prints_have_symbols_for_the_colours(design: str) -> None:
    page = pages(pdf({"design": design, "ink": "grey"}))[0]
    shapes = filled(page)
    assert {len(shape.colour) for shape in shapes} == {1}
    paints = PALETTES["grey"].paints
    shown = dominoes(page, standard(), DESIGNS[design][0], paints, 24)
    assert len(shown) == 40
    names = letters(paints)
    signs = [s for s in shapes if s.colour not in names and s.right - s.left < 9]
    for domino in shown:
        assert symbol_at(domino.x, domino.y, signs) == domino.tile.face(domino.side)[0]
        west, _, _, east, _, _ = domino.halves
        cells = [((x + domino.x) / 2, (y + domino.y) / 2) for x, y in (west, east)]
        for (x, y), colour in domino.halves.items():
            # The symbol of a half-disc lies between its edge and the middle of its square.
            _, middle = min((dist(cell, (x, y)), cell) for cell in cells)
            inwards = [(m - e) * 0.37 for m, e in zip(middle, (x, y), strict=True)]
            assert symbol_at(x + inwards[0], y + inwards[1], signs) == colour


def symbol_at(x: float, y: float, signs: list[Filled]) -> str:
    """The colour that the symbol at a place stands for."""
    found = [
        sign
        for sign in signs
        if abs((sign.left + sign.right) / 2 - x) < 0.9
        and abs((sign.top + sign.bottom) / 2 - y) < 0.9
    ]
    # A ring is two circles, a flame has three corners, a sun twelve, a leaf only curves.
    if len(found) == 2:
        return "B"
    (sign,) = found
    return {3: "R", 4: "R", 12: "Y", 13: "Y"}.get(sign.corners, "G")


@uncounted
def test_symbols_come_on_request_and_with_low_ink() -> None:
    count = {
        (ink, symbols): len(filled(pages(pdf({"ink": ink, "symbols": symbols}))[0]))
        for ink in ("colour", "low")
        for symbols in (False, True)
    }
    for ink in ("colour", "low"):
        assert count[ink, True] >= count[ink, False] + 40 * 7


# Files


@pytest.mark.parametrize(
    ("design", "ink"),
    [
        *((design, "colour") for design in DESIGNS),
        ("rounds-black", "low"),
        ("rounds-black", "grey"),
    ],
)
def test_a_full_design_is_small_and_quick(design: str, ink: str) -> None:
    started = time.process_time()
    data = make_pdf({"design": design, "ink": ink, "names": True, "symbols": True})
    assert time.process_time() - started < 2
    assert len(data) < 300_000


def test_the_same_options_give_the_same_bytes() -> None:
    prints = ("set", "booklet", "72", "box") if THOROUGH else ("set", "72")
    code = (
        "from hashlib import sha256; from dalapapa.printing import make_pdf;"
        "make_pdf({'what': 'board'});"
        f"print(*(sha256(make_pdf({{'what': what}})).hexdigest() for what in {prints}))"
    )
    first, second = (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, text=True,
            env={**serving.uncounted(), "PYTHONHASHSEED": seed, "TZ": zone},
        ).stdout.split()
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    )  # fmt: skip
    assert first == second == [sha256(pdf({"what": what})).hexdigest() for what in prints]


@pytest.mark.parametrize("name", daily(PAGES, [*PAGES][::4]))
def test_fonts_are_embedded(name: str) -> None:
    data = pdf_of(name)
    assert b"Helvetica" not in data
    fonts = set(re.findall(rb"/BaseFont /(\S+)", data))
    assert fonts
    ours = re.compile(rb"[A-Z]{6}\+Outfit-(Regular|SemiBold|ExtraBold)")
    assert all(ours.fullmatch(font) for font in fonts)
    assert data.count(b"/FontFile2") == data.count(b"/Type /FontDescriptor") == len(fonts)


def test_metadata_and_outline() -> None:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf({"what": "booklet", "language": "fr"}))
    metadata = document.get_metadata_dict()
    assert metadata["Title"] == "Dalapapa – Les règles"
    # The game is François Haffner's; the file is ours.
    assert metadata["Author"] == "The Dalapapa digital edition"
    assert metadata["Subject"] == "Dalapapa, un jeu de François Haffner"
    for key in ("Creator", "Producer"):
        assert metadata[key].startswith("The Dalapapa digital edition ")
    assert "François Haffner" in metadata["Keywords"]
    entries = [entry.get_title() for entry in document.get_toc()]
    document.close()
    assert entries[:3] == ["Les règles", "Sommaire", "Le jeu classique"]
    assert entries[-1] == "Quatrième de couverture"
    # Cover, contents, eight games, perhaps notes, back cover.
    assert len(entries) - ("Notes" in entries) == 11
    document = pypdfium2.PdfDocument(pdf({}))
    assert len(list(document.get_toc())) == 6
    document.close()
    document = pypdfium2.PdfDocument(pdf({"what": "booklet", "pages": "half"}))
    entries = [entry.get_title() for entry in document.get_toc()]
    document.close()
    assert {"The classic game", "Dalapapa 72", "Contents"} <= set(entries)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_properties_speak_the_language_of_the_file(language: str) -> None:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf({"what": "scores", "language": language}))
    metadata = document.get_metadata_dict()
    document.close()
    assert metadata["Title"] == f"Dalapapa – {say('scores', language)}"
    assert metadata["Subject"] == f"Dalapapa, {say('game_by', language)}"
    assert "game" not in metadata["Keywords"]


@uncounted
@pytest.mark.parametrize("what", ["set", "72", "board", "scores", "extras", "puzzle"])
def test_every_page_names_the_author_of_the_game(what: str) -> None:
    for page in pages(pdf({"what": what})):
        assert "François Haffner" in page.extract_text()


@uncounted
@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ({"cover": True}, 0),
        ({"cover": True}, 1),
        ({"what": "72", "cover": True}, 0),
        ({"what": "box"}, 0),
        ({"what": "booklet"}, 0),
        ({"what": "booklet"}, -1),
    ],
)
def test_covers_say_whose_game_it_is(asked: dict[str, Any], number: int) -> None:
    text = pages(pdf(asked))[number].extract_text()
    for words in COPYRIGHT:
        assert words in text


def test_the_box_is_one_print_on_both_sides() -> None:
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf({"what": "box"}))
    entries: dict[str, int] = {}
    for entry in document.get_toc():
        entries.setdefault(entry.get_title(), entry.get_dest().get_index())
    count = len(document)
    document.close()
    keys = ("cover", "cover_count", "board", "extras", "scores", "booklet")
    parts = [say(key, "en", n=120) for key in keys]
    # Each part begins on a new sheet of paper.
    assert [entries[part] % 2 for part in parts] == [0] * len(parts)
    assert count % 2 == 0
    assert [entries[part] for part in parts] == sorted(entries[part] for part in parts)


@pytest.mark.parametrize("name", PAGES)
def test_pages_look_as_they_should(name: str) -> None:
    now = drawn(pdf_of(name), PAGES[name][1])
    assert alike(now, reference(name))


def reference(name: str) -> Image.Image:
    return Image.open(REFERENCES / f"{name}.png").convert("RGB")


def test_the_pictures_would_show_a_mistake() -> None:
    for one, other in pairwise(sorted(PAGES)):
        assert not alike(reference(one), reference(other))
    options = print_options({})
    sheet = make_sheets(options)[0]
    place = next(i for i, item in enumerate(sheet.items) if isinstance(item, Piece))
    piece = sheet.items[place]
    assert isinstance(piece, Piece)
    for wrong in ((), (replace(piece, rotation=piece.rotation + 2),)):
        items = (*sheet.items[:place], *wrong, *sheet.items[place + 1 :])
        picture = drawn(to_pdf([replace(sheet, items=items)], options), 1)
        assert not alike(picture, reference("set-rounds-black"))
