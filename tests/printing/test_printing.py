"""Sheets as data, options, and the command: what is asked for is what is there, or one sentence."""

from __future__ import annotations

import base64
import doctest
import html
import io
import itertools
import json
import math
import re
import runpy
import subprocess
import sys
from functools import partial
from pathlib import Path as File
from typing import Any, get_args

import pytest
from msgspec.structs import replace
from reportlab.pdfbase.ttfonts import TTFontFile

from dalapapa.core.errors import BadOptions, DalapapaError, NotFound
from dalapapa.core.figures import read_figure
from dalapapa.core.geometry import STEPS, edge
from dalapapa.core.layout import Layout
from dalapapa.core.notation import Laying
from dalapapa.core.tiles import TileSet, from_rows, standard
from dalapapa.drawing.outlines import circle, parse_outline, rectangle
from dalapapa.kernel.table import Table
from dalapapa.printing import (
    CUSTOM_SET_PRINTS,
    WHAT,
    catalogue,
    flip_picture,
    make_sheets,
    preview,
    print_options,
    read_texts,
)
from dalapapa.printing.designs import DESIGNS, flatten
from dalapapa.printing.figures import Figure, figure, screen_style
from dalapapa.printing.options import write_text
from dalapapa.printing.pages.board import OUTER, author_fields, spiral
from dalapapa.printing.pages.booklet import half_pages, saddle_stitch, whole_pages
from dalapapa.printing.pages.calibration import TARGET
from dalapapa.printing.pages.dominoes import FRAME, layouts
from dalapapa.printing.pages.fold import MARKERS, TOKENS
from dalapapa.printing.pages.pictures import empty_frame
from dalapapa.printing.pages.scores import FORMS
from dalapapa.printing.sheet import GREY, PAPERS, Font, Path, Piece, Sheet, Text
from dalapapa.printing.texts import FILES, WEIGHTS, font, say
from dalapapa.printing.typeset import (
    Format,
    Strip,
    break_rows,
    make_strips,
    parse_words,
    plan_pages,
    row_width,
)
from dalapapa.rulebook import GAMES, page
from dalapapa.texts import LANGUAGES, texts
from tests.support import command_line
from tests.support.paths import ROOT
from tests.support.printed import PAGES, sheets_of


def sheets(**data: Any) -> tuple[Sheet, ...]:
    return sheets_of(print_options(data))


def pieces(sheet: Sheet) -> list[Piece]:
    return [item for item in sheet.items if isinstance(item, Piece)]


def words(sheet: Sheet) -> str:
    return " ".join(item.text for item in sheet.items if isinstance(item, Text))


command = partial(command_line.run, "print")


# Layouts and sheets of dominoes


@pytest.mark.parametrize("pile", [1, 2, 3])
def test_each_front_is_a_solved_pile(pile: int) -> None:
    tiles = standard()
    layings = layouts()[pile]
    names = {tile.name for tile in tiles.tiles if tile.pile == pile}
    assert {laying.tile for laying in layings} == names
    assert {laying.side for laying in layings} == {"+"}
    cells = {(x, y) for x in range(FRAME[0]) for y in range(FRAME[1])}
    # The layout refuses a clash, an overlap, and what lies outside.
    layout = Layout(tiles, cells, layings)
    assert set(layout.owners) == cells
    contacts = sum(Layout(tiles, cells, layings[:n]).lay(layings[n]) for n in range(40))
    assert contacts == 7 * 10 + 8 * 9 - 40


@pytest.mark.thorough
def test_the_script_finds_the_same_fronts_again() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "find_layouts.py"))
    assert script["find"]() == script["FILE"].read_text()


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("arrangement", ["straight", "sheet"])
def test_the_usual_size_is_three_sheets_of_a_pile_each(paper: str, arrangement: str) -> None:
    made = sheets(paper=paper, arrangement=arrangement)
    assert len(made) == 6
    for number, sheet in enumerate(made):
        piles = {standard()[piece.tile].pile for piece in pieces(sheet)}
        assert piles == {number // 2 + 1}
        assert {piece.side for piece in pieces(sheet)} == {"+-"[number % 2]}


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(
    ("arrangement", "size", "count"),
    [
        *(
            ("straight", size, n)
            for size, n in ((12, 2), (24, 2), (40, 6), (48, 6), (50, 8), (70, 0))
        ),
        *(("sheet", size, n) for size, n in ((12, 2), (24, 4), (40, 6), (48, 6))),
    ],
)
def test_as_many_sheets_as_it_takes(paper: str, arrangement: str, size: float, count: int) -> None:
    made = sheets(paper=paper, size=size, arrangement=arrangement)
    for side, names in (("+", made[::2]), ("-", made[1::2])):
        found = [piece.tile for sheet in names for piece in pieces(sheet)]
        assert sorted(found) == sorted(standard().names), side
    if count and paper == "a4":
        assert len(made) == count
    for sheet in made:
        for piece in pieces(sheet):
            assert piece.cell == size / 2
            reach = piece.cell if piece.rotation % 2 == 0 else piece.cell / 2
            assert piece.x - reach >= 8
            assert piece.x + reach <= sheet.width - 8
        boxes = [(round(p.x, 3), round(p.y, 3)) for p in pieces(sheet)]
        assert len(set(boxes)) == len(boxes)


def test_straight_sheets_are_in_the_order_of_the_set() -> None:
    for pile, sheet in enumerate(sheets()[::2], start=1):
        names = [tile.name for tile in standard().tiles if tile.pile == pile]
        placed = sorted(pieces(sheet), key=lambda piece: (round(piece.y, 3), piece.x))
        assert [piece.tile for piece in placed] == names


def test_a_set_of_ones_own_lies_in_rows() -> None:
    rows = [
        (f"line {n}", {"name": f"T{n}", "recto": "YGYYRRR", "verso": "GBGGYBB"}) for n in range(50)
    ]
    made = make_sheets(print_options({}), from_rows("own", rows))
    assert [len(pieces(sheet)) for sheet in made] == [40, 40, 10, 10]


def renamed() -> TileSet:
    """As many dominoes as the standard set has, but not those."""
    return TileSet("own", tuple(replace(tile, name=f"T{tile.name}") for tile in standard().tiles))


@pytest.mark.parametrize(
    ("data", "tiles", "most"),
    [
        ({}, renamed(), 48),
        ({"cover": True}, renamed(), 48),
        ({"size": 70}, None, 48),
        ({"size": 48.1, "what": "box"}, None, 48),
        ({"size": 48.3, "paper": "letter"}, None, 48.2),
        ({"what": "72"}, None, 48),
    ],
)
def test_solved_sheets_are_refused_where_they_cannot_be(
    data: dict[str, Any], tiles: TileSet | None, most: float
) -> None:
    """Not a grid without a word, and no cover that speaks of an Arlequin."""
    with pytest.raises(BadOptions) as refused:
        make_sheets(print_options({**data, "arrangement": "sheet"}), tiles)
    assert refused.value.code == "bad_arrangement"
    assert refused.value.values == {"most": most}
    assert "straight" in str(refused.value)


def test_solved_sheets_do_not_mind_the_order_of_the_set() -> None:
    options = print_options({"arrangement": "sheet", "cover": True})
    rows = [
        (tile.name, {"name": tile.name, "recto": tile.recto, "verso": tile.verso})
        for tile in reversed(standard().tiles)
    ]
    made = make_sheets(options, from_rows("own", rows))
    assert made[2:] == make_sheets(options)[2:]
    assert "Arlequin" in words(made[1])


def test_an_option_without_a_meaning_is_ignored() -> None:
    assert sheets(what="board", arrangement="sheet", size=70) == sheets(what="board")


@pytest.mark.parametrize("what", WHAT)
def test_a_set_of_ones_own_is_used_or_refused(what: str) -> None:
    first = standard().tiles[0]
    options = print_options({"what": what, "position": f"T{first.name}+0@0,0", "frame": "2x2"})
    if what in CUSTOM_SET_PRINTS:
        found = {piece.tile for sheet in make_sheets(options, renamed()) for piece in pieces(sheet)}
        assert found
        assert all(name.startswith("T") for name in found)
    else:
        with pytest.raises(BadOptions) as refused:
            make_sheets(options, renamed())
        assert refused.value.code == "usage"


@pytest.mark.parametrize("design", DESIGNS)
def test_the_original_design_carries_its_warning(design: str) -> None:
    made = sheets(design=design, cover=True)
    for sheet in (made[0], *made[2:]):
        assert ("colour-blind" in words(sheet)) == (design == "squares-original")


def test_the_offset_moves_the_back_and_nothing_else() -> None:
    plain, moved = sheets(), sheets(offset=(0.6, -1.1))
    assert plain[0] == moved[0]
    for before, after in zip(pieces(plain[1]), pieces(moved[1]), strict=True):
        assert after.x - before.x == pytest.approx(0.6)
        assert after.y - before.y == pytest.approx(-1.1)


# The other things


def test_the_set_of_72_has_its_tokens_and_markers() -> None:
    made = sheets(what="72")
    assert len(made) == 7
    found = [piece.tile for sheet in made for piece in pieces(sheet)]
    assert sorted(found) == sorted(2 * standard("72").names)
    last = made[-1]
    assert [count for _, count in MARKERS.values()] == [12, 12, 8, 6]
    for paint, count in MARKERS.values():
        squares = [i for i in last.items if isinstance(i, Path) and i.fill == paint]
        # A marker and its back; the black sign of another marker is another black.
        assert len(squares) == 2 * count
    numbers = [item.text for item in last.items if isinstance(item, Text)]
    assert numbers.count("1") == 2 * TOKENS
    assert numbers.count("5") == 2


def test_small_pieces_in_grey_differ_by_their_greys() -> None:
    last = sheets(what="72", ink="grey")[-1]
    fills = {item.fill for item in last.items if isinstance(item, Path) and item.fill}
    assert all(fill[1:3] == fill[3:5] == fill[5:7] for fill in fills)
    assert len(fills) >= 6


def test_the_board_of_the_author_reads_as_his_sheet() -> None:
    """Six fields up, three across, seven down; inside, four columns of eleven rows."""
    fields = author_fields()
    assert len(fields) == 60
    outside, inside = fields[:16], fields[16:]
    assert {size for *_, size in outside} == {OUTER}
    assert [y for _, y, _ in outside[:6]] == sorted((y for _, y, _ in outside[:6]), reverse=True)
    assert len({x for x, *_ in outside[:6]}) == len({y for _, y, _ in outside[6:9]}) == 1
    assert [y for _, y, _ in outside[9:]] == sorted(y for _, y, _ in outside[9:])
    columns = sorted({x for x, *_ in inside})
    by_row = sorted(range(17, 61), key=lambda n: (inside[n - 17][1], inside[n - 17][0]))
    rows = [by_row[at : at + 4] for at in range(0, 44, 4)]
    assert len(columns) == 4
    # As on his sheet, from the top to the bottom.
    assert rows[0] == [27, 28, 29, 30]
    assert rows[1] == [26, 51, 52, 31]
    assert rows[5] == [22, 47, 56, 35]
    assert rows[-2:] == [[18, 43, 60, 39], [17, 42, 41, 40]]
    for here, there in itertools.combinations(fields, 2):
        apart = math.dist(here[:2], there[:2])
        assert apart > 0.43 * (here[2] + there[2]), "no two discs overlap"
    sheet = sheets(what="board", layout="author")[0]
    assert sheet.height > sheet.width
    shown = words(sheet).split()
    assert all(shown.count(str(number)) == 1 for number in range(11, 61))


@pytest.mark.parametrize("game", ["classic", "auction", "conquest", "alex", "72"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_score_sheets_of_the_games(game: str, language: str) -> None:
    (sheet,) = sheets(what="scores", game=game, language=language)
    form = FORMS[game]
    shown = words(sheet)
    assert say(form.how, language) in shown
    for key in (*form.parts, form.row, *form.last):
        assert say(key, language) in shown
    boxes = [item for item in flatten(sheet) if isinstance(item, Path) and item.width == 0.25]
    assert len(boxes) == form.boxes * form.players
    columns = [item for item in flatten(sheet) if isinstance(item, Path) and item.fill == "#ececec"]
    assert len(columns) == form.players


def test_an_empty_frame_is_drawn_as_its_figure() -> None:
    """The border is as long as the cells have free sides."""
    for name in ("heart", "ring", "cross", "staircase", "xxxx/xxxx/x..x/x..x/xxxx"):
        figure = read_figure(name)
        free = sum((x + dx, y + dy) not in figure for x, y in figure for dx, dy in STEPS)
        lines = [item for item in empty_frame(0, 0, figure, 10) if isinstance(item, Path)]
        long = {False: 0.0, True: 0.0}
        for item in lines:
            (_, (start,)), (_, (end,)) = item.segments
            long[item.round] += math.dist(start, end)
        assert long[True] == pytest.approx(10 * free)
        assert long[False] == pytest.approx(10 * (4 * len(figure) - free) / 2)


def test_the_spiral_leads_from_field_to_field() -> None:
    fields = spiral()
    # A full rectangle, ten by six.
    assert sorted(fields) == [(x, y) for x in range(10) for y in range(6)]
    # From the lower left up the side, then clockwise inwards, as on the author's own sheet.
    corners = {1: (0, 5), 6: (0, 0), 15: (9, 0), 20: (9, 5), 28: (1, 5), 29: (1, 4), 60: (3, 3)}
    assert {number: fields[number - 1] for number in corners} == corners
    for (x, y), (next_x, next_y) in itertools.pairwise(fields):
        assert abs(x - next_x) + abs(y - next_y) == 1
    shown = words(sheets(what="board")[0]).split()
    assert {str(number) for number in range(1, 61)} <= set(shown)
    assert {"1–60", "61–120", "121–180", "181–240"} <= set(shown)


def test_the_extras_have_three_marks_for_each_of_four_players() -> None:
    found = words(sheets(what="extras", language="de")[0]).split()
    # The numbers 1 to 4 also count the steps of the card.
    assert [found.count(str(player)) for player in range(1, 5)] == [4, 4, 4, 4]


@pytest.mark.parametrize("what", ["box", "72", "board", "extras", "booklet", "puzzle"])
def test_greys_need_black_ink_alone(what: str) -> None:
    for sheet in sheets(what=what, ink="grey"):
        colours = {item.fill for item in sheet.items if isinstance(item, Path | Text)}
        colours |= {item.stroke for item in sheet.items if isinstance(item, Path)}
        if sheet.look:
            colours |= {sheet.look.body, *sheet.look.paints.values()}
        for colour in filter(None, colours):
            assert colour[1:3] == colour[3:5] == colour[5:7], sheet.title


def test_the_calibration_grid_lies_behind_the_target() -> None:
    for flip in ("long", "short"):
        front, back = sheets(what="calibration", flip=flip, offset=(1, -2))
        x, y = front.width * TARGET[0], front.height * TARGET[1]
        lines = [i for i in back.items if isinstance(i, Path) and i.stroke == "#e00000"]
        (across,) = {p.segments[0][1][0][0] for p in lines if _upright(p)}
        (down,) = {p.segments[0][1][0][1] for p in lines if not _upright(p)}
        assert across - 1 == pytest.approx(front.width - x if flip == "long" else x)
        assert down + 2 == pytest.approx(y if flip == "long" else front.height - y)


def _upright(path: Path) -> bool:
    (_, ((x, _),)), (_, ((other, _),)) = path.segments
    return x == other


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", ["whole", pytest.param("half", marks=pytest.mark.thorough)])
def test_the_booklet_has_all_games_and_their_words(language: str, form: str) -> None:
    made = sheets(what="booklet", language=language, pages=form)
    text = " ".join(words(sheet) for sheet in made)
    for game in GAMES:
        for line in page(game, language).splitlines():
            for word in re.sub(r"!\[|\]\(figure:.*|[*#]|^- ", " ", line).split():
                assert word in text, (game, word)
    for sheet in made:
        for item in sheet.items:
            if isinstance(item, Text):
                assert 8 <= item.x <= sheet.width - 8, item
                assert 8 <= item.y <= sheet.height - 8, item


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_columns_end_together(language: str, paper: str) -> None:
    """On every page of a game, though a figure and its caption are not taken apart."""
    made = sheets(what="booklet", language=language, paper=paper)
    games = [
        sheet for sheet in made[2:] if sheet.title in {_title(game, language) for game in GAMES}
    ]
    apart = []
    for sheet in games:
        middle, foot = sheet.width / 2, sheet.height - 20
        ends = [
            max(
                (
                    y
                    for item in sheet.items
                    for x, y in _points(item)
                    if (x > middle) == right and y < foot
                ),
                default=0,
            )
            for right in (False, True)
        ]
        assert min(ends) > 20
        apart.append(abs(ends[0] - ends[1]) / sheet.height)
    assert max(apart) < 0.12
    assert sum(apart) / len(apart) < 0.04


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("form", ["whole", "half"])
def test_an_allowed_figure_and_its_forbidden_twin_stand_side_by_side(
    language: str, paper: str, form: str
) -> None:
    given = PAPERS[paper] if form == "whole" else PAPERS[paper].half
    size = (whole_pages if form == "whole" else half_pages)(given)
    style = screen_style(print_options({}))
    for game in ("classic", "72"):
        text = page(game, language)
        rows = [
            list(_captions(strip).values())
            for strip in make_strips(size, text, lambda name: figure(name, style), size.cell)
        ]
        captions = re.findall(r"!\[(.*)\]\(figure:(?:allowed|forbidden)", text)
        assert len(captions) == 4
        assert captions[:2] in rows
        assert captions[2:] in rows


def _captions(strip: Strip) -> dict[float, str]:
    """What stands below figures, by its place from left to right."""
    found: dict[float, str] = {}
    for item in strip.items:
        if isinstance(item, Text) and item.fill == GREY:
            found[item.x] = f"{found[item.x]} {item.text}" if item.x in found else item.text
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_second_domino_costs_points(language: str) -> None:
    """It does not earn them."""
    costs = {
        "fr": "coûte",
        "en": "costs",
        "de": "kostet",
        "nl": "kost",
        "es": "cuesta",
        "it": "costa",
    }
    assert costs[language] in texts("printing")["quick_3"][language]


def _title(game: str, language: str) -> str:
    return page(game, language).splitlines()[0].removeprefix("# ")


def _points(item: Any) -> list[tuple[float, float]]:
    if isinstance(item, Path):
        return [point for _, points in item.segments for point in points]
    return [(item.x, item.y)]


@pytest.mark.parametrize("form", ["whole", "half"])
def test_the_back_cover_is_the_last_page(form: str) -> None:
    made = sheets(what="booklet", pages=form)
    assert len(made) % 2 == 0
    # Half pages: the outside of the outermost sheet comes first.
    back = made[-1] if form == "whole" else made[0]
    assert "At a glance" in words(back)
    assert {"1", "2", "4", "6", "8", "10"} <= set(words(back).split())


def test_print_instructions_use_the_labels_of_the_page() -> None:
    """With the labels of the print page itself, in every language."""
    sources = ROOT / "web/src/texts/print"
    labels = {
        "page_offset": "print_option_offset",
        "page_offset_right": "print_offset_right",
        "page_offset_down": "print_offset_down",
        "page_flip_long": "print_flip_long",
        "page_flip_short": "print_flip_short",
    }
    for language in LANGUAGES:
        on_screen = json.loads((sources / f"{language}.json").read_text())
        asked = {"what": "calibration", "language": language}
        on_page = words(make_sheets(print_options(asked, from_page=True))[1])
        typed = words(make_sheets(print_options(asked))[1])
        for key, label in labels.items():
            assert texts("printing")[key][language] == on_screen[label]
            if key != "page_flip_long":
                assert on_screen[label] in on_page
        assert "--" not in on_page
        assert "--offset 0.6,-1.1" in typed
        assert "--flip short" in typed


def test_saddle_stitch() -> None:
    assert saddle_stitch(8) == [(7, 0), (1, 6), (5, 2), (3, 4)]
    made = sheets(what="booklet", pages="half", flip="short")
    assert made[0].width > made[0].height
    # Pages 2 and 3 of four on a sheet follow each other on the back and the next front.
    assert len(made) % 2 == 0


def test_backs_of_half_pages_stand_on_their_head_for_the_long_edge() -> None:
    upright = sheets(what="booklet", pages="half", flip="short")
    turned = sheets(what="booklet", pages="half", flip="long")
    assert upright[0] == turned[0]
    before, after = (
        [item for item in made[1].items if isinstance(item, Text)] for made in (upright, turned)
    )
    for one, other in zip(before, after, strict=True):
        assert (one.turn, other.turn) == (0, 2)
        assert one.x + other.x == pytest.approx(297)
        assert one.y + other.y == pytest.approx(210)


def test_backs_of_whole_pages_stand_on_their_head_for_the_short_edge() -> None:
    upright = sheets(what="booklet", flip="long")
    turned = sheets(what="booklet", flip="short")
    assert upright[::2] == turned[::2]
    for before, after in zip(upright[1::2], turned[1::2], strict=True):
        turns = {item.turn for item in after.items if isinstance(item, Text)}
        assert turns == {2}
        assert words(before) == words(after)


def test_a_position_is_printed_with_its_text() -> None:
    text = "PRYGB+0@0,0 BYRGB+0@0,-1"
    (sheet,) = sheets(what="position", position=text)
    assert [piece.tile for piece in pieces(sheet)] == ["PRYGB", "BYRGB"]
    assert text in words(sheet)


def test_the_example_of_the_print_page_can_be_laid() -> None:
    source = (ROOT / "web/src/print/what-cards.tsx").read_text()
    found = re.search(r"EXAMPLE = \[(.*?)\]", source, re.DOTALL)
    assert found
    text = " ".join(re.findall(r'"(.*?)"', found[1]))
    assert len(Table.parse(text, standard())) > 12


def test_a_large_position_is_made_smaller() -> None:
    text = " ".join(str(laying) for laying in layouts()[1])
    wide = [Laying.parse(word) for word in text.split()]
    shifted = [Laying(w.tile, w.side, w.rotation, w.x + 40, w.y) for w in wide[:1]] + wide[1:]
    (sheet,) = sheets(what="position", position=" ".join(map(str, shifted)))
    assert all(8 <= piece.x <= 202 for piece in pieces(sheet))


def test_a_puzzle_names_its_dominoes_and_hides_its_solution() -> None:
    front, solution = sheets(what="puzzle", frame="4x4", seed="a")
    names = {piece.tile for piece in pieces(front)}
    assert len(names) == 8
    assert {piece.tile for piece in pieces(solution)} == names
    assert "@" not in words(front)
    other = sheets(what="puzzle", frame="4x4", seed="b")[0]
    assert {piece.tile for piece in pieces(other)} != names


@pytest.mark.parametrize("seed", ["0", "other"])
def test_a_solution_fills_the_rectangle(seed: str) -> None:
    (sheet,) = sheets(what="solution", pile=2, seed=seed)
    assert {standard()[piece.tile].pile for piece in pieces(sheet)} == {2}
    layings = [Laying.parse(word) for word in words(sheet).split() if "@" in word]
    Layout(standard(), None, layings)
    assert len(layings) == 40


# Everything that is on pages


def is_moved(name: str) -> bool:
    """Dominoes that are moved for a printer's sake may leave the margin."""
    options, _ = PAGES[name]
    return "offset" in options and options.get("what", "set") == "set"


@pytest.mark.parametrize("name", [name for name in PAGES if not is_moved(name)])
def test_everything_lies_within_the_safe_margin(name: str) -> None:
    options, number = PAGES[name]
    sheet = sheets(**options)[number - 1]
    for item in flatten(sheet):
        if isinstance(item, Path):
            half = item.width / 2 if item.stroke else 0
            for _, points in item.segments:
                for x, y in points:
                    assert 8 - half - 1e-6 <= x <= sheet.width - 8 + half + 1e-6, item
                    assert 8 - half - 1e-6 <= y <= sheet.height - 8 + half + 1e-6, item


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("what", [what for what in WHAT if what not in ("booklet", "box")])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_no_line_of_text_leaves_its_page(language: str, what: str, paper: str) -> None:
    position = "PRYGB+0@0,0" if what == "position" else ""
    options = {"what": what, "language": language, "paper": paper, "position": position}
    for sheet in sheets(**options, design="squares-original", cover=True):
        for item in flatten(sheet):
            if isinstance(item, Text) and not item.turn:
                width = float(font(item.font).stringWidth(item.text, item.size))
                left = item.x - {"start": 0, "middle": width / 2, "end": width}[item.anchor]
                assert left >= 8 - 1e-6, item
                assert left + width <= sheet.width - 8 + 1e-6, item


def test_every_text_is_there_in_six_languages_and_used() -> None:
    source = "".join(
        path.read_text() for path in File("src/dalapapa/printing").resolve().rglob("*.py")
    )
    for key, translations in texts("printing").items():
        assert list(translations) == list(LANGUAGES), key
        assert all(translations.values()), key
        stem = re.sub(
            r"(?<=_)([0-9]|long|short|squares.*|rounds.*|octagons.*|straight|sheet|whole|half)$",
            "",
            key,
        )
        assert f'"{key}"' in source or f'"{stem}' in source or f"'{stem}" in source, key


@pytest.mark.parametrize("name", FILES)
def test_the_fonts_have_every_letter(name: Font) -> None:
    needed = set(json.dumps(texts("printing"), ensure_ascii=False))
    for game in GAMES:
        for language in LANGUAGES:
            needed |= set(page(game, language))
    # And what the code itself writes: bullets, dashes, minus and multiplication signs.
    for path in File("src/dalapapa/printing").resolve().rglob("*.py"):
        needed |= {letter for letter in path.read_text(encoding="utf-8") if ord(letter) > 127}
    needed -= {"\n"}
    assert {letter for letter in needed if ord(letter) not in font(name).face.charToGlyph} == set()


def test_previews_are_svg() -> None:
    svg = preview({"what": "board"}, 1)
    assert svg.startswith("<svg ")
    assert "Outfit" in svg
    assert "NaN" not in svg
    with pytest.raises(NotFound) as refused:
        preview({"what": "board"}, 2)
    assert refused.value.code == "unknown_page"
    assert flip_picture("long") != flip_picture("short")


def test_previews_bring_their_letters() -> None:
    """A picture loads no font: each has its own, with the letters it needs and their widths."""
    svg = preview({"what": "booklet", "language": "fr"}, 3)
    faces = re.findall(r"font-weight:(\d+);src:url\(data:font/ttf;base64,([^)]+)\)", svg)
    texts = re.findall(r'font-weight="(\d+)"[^>]*>([^<]*)</text>', svg)
    assert {weight for weight, _ in faces} == {weight for weight, _ in texts}
    for weight, data in faces:
        letters = set(html.unescape("".join(text for one, text in texts if one == weight)))
        small = TTFontFile(io.BytesIO(base64.b64decode(data)))
        whole = font(next(name for name in WEIGHTS if WEIGHTS[name] == int(weight))).face
        assert {chr(code) for code in small.charToGlyph} == letters | {"\xa0"}
        for letter in map(ord, letters):
            assert small.charWidths[letter] == whole.charWidths[letter]
    assert len(svg) < 100_000


# Typesetting


def test_words_keep_their_fonts_and_stay_together() -> None:
    assert parse_words("a **b c** d") == [
        (("a", "reading"),), (("b", "strong"),), (("c", "strong"),), (("d", "reading"),),
    ]  # fmt: skip
    glued = parse_words("**goal**: x *y*!")
    assert [[text for text, _ in word] for word in glued] == [["goal", ":"], ["x"], ["y", "!"]]
    rows = break_rows(glued * 9, 30, 4)
    assert [word for row in rows for word in row] == glued * 9
    assert all(row_width(row, 4) <= 30 for row in rows)


NARROW = Format(100, 100, 2, 10, 10, 10, 4, 10, 8)


def test_a_heading_stays_with_its_text_and_a_list_with_what_announces_it() -> None:
    text = "# T\n\n*a*\n\nGoal.\n\n## H\n\nOne.\n\nThese:\n\n- one\n- two\n\nEnd."
    made = make_strips(NARROW, text, lambda _: Figure((), 1, 1), 8)
    said = ["".join(i.text for i in strip.items if isinstance(i, Text)) for strip in made]
    assert said == ["T", "a", "Goal.", "H", "One.", "These:", "•one", "•two", "End."]
    begins = [name for name, strip in zip(said, made, strict=True) if strip.begins]
    assert begins == ["H", "These:", "•two", "End."]


def test_columns_are_as_even_as_they_can_be() -> None:
    def plan(*heights: float, fixed: int = -1) -> tuple[tuple[tuple[int, int], ...], ...]:
        some = [Strip(high, (), 2, number != fixed) for number, high in enumerate(heights)]
        return plan_pages(NARROW, some).pages

    assert plan(10, 10, 10, 10) == (((0, 2), (2, 4)),)
    # The gap at the top of a column is not there; and the first column is rather the longer one.
    assert plan(10, 10, 10) == (((0, 2), (2, 3)),)
    assert plan(10, 10, 10, 10, fixed=2) == (((0, 3), (3, 4)),)
    # Too much for one page; what is on the last one is not alone.
    (first, second) = plan(*[30] * 6)
    assert first[-1][1] == second[0][0]
    assert second[-1][1] == 6


# Outlines


def test_outlines_are_exact() -> None:
    box = [point for _, points in circle(5, 5, 2) for point in points]
    assert min(x for x, _ in box) == pytest.approx(3)
    assert max(y for _, y in box) == pytest.approx(7)
    assert parse_outline("M1 1h2v2h-2z").segments() == rectangle(1, 1, 2, 2)
    assert parse_outline("M0 0l1 1l2 2").segments()[-1] == ("L", ((3, 3),))
    # A quadratic curve keeps its ends, and its middle.
    one, two, end = parse_outline("M0 0Q2 2 4 0").segments()[1][1]
    assert end == pytest.approx((4, 0))
    assert (3 * one[1] + 3 * two[1]) / 8 == pytest.approx(1)


# Options


def test_every_documented_option_exists() -> None:
    (what,) = (option for option in catalogue() if option.name == "what")
    assert what.choices == tuple(WHAT)
    (design,) = (option for option in catalogue() if option.name == "design")
    assert design.choices == tuple(DESIGNS)
    for option in catalogue():
        assert set(option.of) <= set(WHAT)
        assert print_options(read_texts({option.name: write_text(option)})) == print_options({})


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"what": "poster"}, "unknown_print"),
        ({"design": "hexagons"}, "unknown_design"),
        ({"paper": "a3"}, "unknown_paper"),
        ({"pile": True}, "unknown_pile"),
        ({"offset": (10.1, 0)}, "bad_offset"),
        ({"offset": (0, -11)}, "bad_offset"),
        ({"offset": (float("nan"), 0)}, "bad_offset"),
        ({"offset": "1"}, "bad_offset"),
        ({"offset": (1, 2, 3)}, "bad_offset"),
        ({"size": 5}, "bad_size"),
        ({"size": float("inf")}, "bad_size"),
        ({"size": True}, "bad_size"),
        ({"size": 260}, "domino_too_large"),
        ({"size": 250, "what": "72"}, "domino_too_large"),
        ({"names": "yes"}, "bad_names"),
        ({"seed": 3}, "bad_seed"),
        ({"colour": "red"}, "unknown_option"),
        ({"arrangement": "sheet", "size": 49}, "bad_arrangement"),
        ({"what": "position"}, "bad_position"),
        ({"what": "position", "position": "PRYGB"}, "malformed_laying"),
        ({"what": "position", "position": "PRYGB+0@0,0 PRYGB+0@5,5"}, "already_laid"),
        ({"what": "position", "position": "PRYGB+0@0,0 BYRGB+0@1,0"}, "overlap"),
        ({"what": "position", "position": "XXXXX+0@0,0"}, "unknown_domino"),
        ({"what": "position", "position": "PRYGB+0@0,0 BYRGB+0@999,0"}, "position_too_large"),
        ({"what": "puzzle", "frame": "3x3"}, "bad_frame"),
        ({"what": "puzzle", "frame": "20x20"}, "bad_frame"),
        ({"what": "puzzle", "frame": "4"}, "bad_frame"),
    ],
)
def test_refusals(data: dict[str, Any], code: str) -> None:
    with pytest.raises(DalapapaError) as refused:
        sheets(**data)
    assert refused.value.code == code
    assert re.fullmatch(r"[A-Z'X].*\.", str(refused.value)), str(refused.value)


@pytest.mark.parametrize(
    ("position", "start"),
    [
        ("PRYGB+0@0,0 BYRGB+0@1,0", "Laying 2: BYRGB+0@1,0: PRYGB already"),
        ("PRYGB+0@0,0 PRYGB+0@5,5", "Laying 2: PRYGB+0@5,5: PRYGB is already"),
        ("XXXXX+0@0,0", "Laying 1: XXXXX+0@0,0: There is no domino"),
        ("PRYGB+0@0,0 nonsense", "Laying 2: 'nonsense' is not"),
    ],
)
def test_a_wrong_laying_is_reported_with_its_number(position: str, start: str) -> None:
    with pytest.raises(DalapapaError) as refused:
        sheets(what="position", position=position)
    assert str(refused.value).startswith(start)


def test_a_print_may_have_its_own_default() -> None:
    assert print_options({}).size == 48
    assert print_options({"what": "72"}).size == 60
    assert print_options({"what": "72", "size": 48}).size == 48


def test_options_may_be_typed() -> None:
    typed = {"size": "48x24", "offset": "0.6,-1.1", "pile": "2", "names": "true", "what": "72"}
    parsed = print_options(read_texts(typed))
    assert (parsed.size, parsed.offset, parsed.pile, parsed.names) == (48, (0.6, -1.1), 2, True)
    for wrong in ({"size": "48x20"}, {"size": "x"}, {"offset": "1;2"}, {"names": "maybe"}):
        with pytest.raises(BadOptions):
            print_options(read_texts(wrong))


def test_the_page_of_the_docs_is_complete_and_right() -> None:
    place = ROOT / "docs" / "printing.md"
    text = place.read_text()
    for what in WHAT:
        assert f"| `{what}` |" in text
    for option in catalogue():
        assert option.name == "what" or f"`--{option.name}`" in text
        assert all(f"`{choice}`" in text for choice in option.choices if option.name != "pile")
    assert doctest.testfile(str(place), module_relative=False).failed == 0


@pytest.mark.thorough
def test_the_page_of_the_docs_counts_right() -> None:
    """The usual print; then with half pages or a cover; then in German on Letter."""
    text = (ROOT / "docs" / "printing.md").read_text()
    documented = dict(
        re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", text.split("| option |")[0], re.M)
    )
    assert list(documented) == list(WHAT)
    for what, cell in documented.items():
        more: dict[str, Any] = {"position": "PRYGB+0@0,0"} if what == "position" else {}
        ways: list[dict[str, Any]] = [{}]
        if "half" in cell:
            ways.append({"pages": "half"})
        if "cover" in cell:
            ways.append({"cover": True})
        for paper in PAPERS:
            counts = [len(sheets(what=what, paper=paper, **more, **way)) for way in ways]
            usual = cell.split(";")[0]
            assert counts == list(map(int, re.findall(r"\d+", usual))), what
    for language, paper, what in itertools.product(LANGUAGES, PAPERS, ("box", "booklet")):
        long = (language, paper) == ("de", "letter")
        for form, place in (("whole", 2 if long else 0), ("half", 1)):
            count = len(sheets(what=what, language=language, paper=paper, pages=form))
            expected = int(re.findall(r"\d+", documented[what])[place])
            assert count == expected, (what, language, paper)


# The command


def test_the_command_writes_a_file(tmp_path: File) -> None:
    target = tmp_path / "set.pdf"
    done = command("-o", str(target), "--offset", "-0.6,1.1", "--design", "octagons-white")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"{target}: 6 pages, A4\n"
    assert target.read_bytes().startswith(b"%PDF-")


def test_the_command_reads_a_position_and_a_set(tmp_path: File) -> None:
    rows = [{"name": "A1", "recto": "YGYYRRR", "verso": "GBGGYBB"}]
    (tmp_path / "own.json").write_text(json.dumps(rows))
    done = subprocess.run(
        [sys.executable, "-m", "dalapapa", "print", "position", "--position", "-", "--set",
         "own.json", "-o", "p.PDF"],
        input="A1-3@5,5", capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "p.PDF").exists()


def test_the_command_explains_itself() -> None:
    shown = " ".join(command("--help").out.split())  # However it is folded.
    for name, description in WHAT.items():
        assert f"{name} {description}" in shown
    for option in catalogue():
        assert option.name == "what" or f"--{option.name}" in shown
        if option.name == "design":
            assert all(str(choice) in re.sub(r"-\s+", "-", shown) for choice in option.choices)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--size", "600"), "domino_too_large"),
        (("--design", "hexagons"), "unknown_design"),
        (("--paper", "a3"), "unknown_paper"),
        (("--offset", "12,0"), "bad_offset"),
        (("poster",), "unknown_print"),
        (("-o", "missing/set.pdf"), "unwritable_path"),
        (("-o", "set.txt"), "bad_output"),
        (("--arrangement", "sheet", "--size", "70"), "bad_arrangement"),
        (("72", "--arrangement", "sheet"), "bad_arrangement"),
        (("puzzle", "--position", "PRYGB+0@0,0"), "usage"),
        (("--position", "-"), "usage"),
        (("position", "--position", "PRYGB+0@0,0 BYRGB+0@1,0"), "overlap"),
        *(((what, "--set", "120"), "usage") for what in ("box", "72", "booklet")),
    ],
)
def test_the_command_refuses_in_one_line(
    tmp_path: File, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: str
) -> None:
    monkeypatch.chdir(tmp_path)
    target = () if "-o" in arguments else ("-o", "set.pdf")
    done = command(*arguments, *target)
    assert done.code == 2
    assert done.out == ""
    assert re.fullmatch(rf"Error \({code}\): [^\n]+\.\n", done.err), done.err
    assert list(tmp_path.iterdir()) == []


def test_types_and_helpers_are_what_they_seem() -> None:
    assert set(get_args(Font)) == set(FILES)
    assert edge(0, 0, 0) == (1, 0)
