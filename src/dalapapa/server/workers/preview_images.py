"""Pictures for link previews: a position beside the name of the game; workers draw them.

They have no text, so that they are the same in all languages, and show only what a spectator may
see.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import as_file, files

from ... import problems
from ...core.errors import BadInput
from ...core.geometry import Cell
from ...core.notation import Laying
from ...core.tiles import TileSet, standard
from ...drawing import Marks, Style, to_png
from ...drawing.markup import Element, element
from ...drawing.palettes import PALETTES
from ...drawing.svg import Picture, picture
from ...kernel.table import Table
from ...problems import FrameProblem, ProblemRequest

WIDTH, HEIGHT = 1200, 630
"""Pixels, as social networks recommend."""

MAX_HAND = 18
"""Dominoes beside a position: as many as in the largest frame."""

_GROUND, _INK = "#f7f3ea", "#14120f"
"""The colours of pages (`tokens.css`)."""

_STYLE = Style()

_BOARD = 440, 35, 725, 560
"""The box of the position: left, top, width, height."""

_WORD = 60, 128, 78
"""The name of the game: left, baseline, font size."""

_HAND = 48, 210, 340, 380
"""The box of the dominoes in hand."""

DEFAULT_POSITION = (
    "DRBGY+0@0,0 DBGYR+1@0,-2 ZBGYR-0@1,1 PRGYB-3@0,2 DBRYG+0@-2,1 DRYBG-1@1,-2 ZYGBR-2@-1,2"
    " BRGBY+2@-1,0 ZYBGR+0@0,-3 CRGYB+1@2,-1 PGBRY-0@-2,-1 BBRGY+2@4,0 ZBYGR+3@-3,2 CYBGR+1@-2,-3"
    " DRGYB-3@-1,-2 ZGYRB+1@4,1 AYGBR+2@3,-2 BYBGR+1@3,1 PYRBG+1@4,-3 DYBGR+3@-3,-2"
)
"""The table of the home page, for the default picture."""


def draw_table_preview(table: Table) -> bytes:
    """A picture of a table."""
    return _render(picture(table.layings, table.tiles, _STYLE))


def draw_position_preview(position: str, hand: tuple[str, ...], set: str) -> bytes:
    """A picture of a position and dominoes in hand."""
    tiles = standard(set)
    if len(hand) > MAX_HAND:
        raise BadInput(f"A picture can show a hand of at most {MAX_HAND} dominoes.", "bad_hand")
    table = Table.parse(position, tiles)
    return _render(picture(table.layings, tiles, _STYLE), _draw_faces(hand, tiles))


def draw_problem_preview(request: ProblemRequest) -> bytes:
    """A picture of a problem without its solution."""
    problem = problems.make_problem(request)
    tiles = standard()
    if not isinstance(problem, FrameProblem):
        return _render(picture(problem.position, tiles, _STYLE), _draw_faces(problem.hand, tiles))
    columns, rows = problem.size
    cells: tuple[Cell, ...] = tuple((x, y) for y in range(rows) for x in range(columns))
    given = {laying.tile for laying in problem.position}
    free = [name for name in problem.tiles if name not in given]
    board = picture(problem.position, tiles, _STYLE, Marks(places=cells))
    return _render(board, _draw_faces(free, tiles))


def draw_default_preview() -> bytes:
    """The default picture, which is a file of the client (`web/public/preview.png`)."""
    return draw_position_preview(DEFAULT_POSITION, (), "120")


def _draw_faces(names: Sequence[str], tiles: TileSet) -> Picture | None:
    """The fronts of dominoes, separate from each other."""
    if not names:
        return None
    in_row = 1 if len(names) <= 2 else 2 if len(names) <= 8 else 3
    layings = [
        Laying(name, "+", 0, 3 * (number % in_row), 2 * (number // in_row))
        for number, name in enumerate(names)
    ]
    return picture(layings, tiles, _STYLE)


def _render(board: Picture, hand: Picture | None = None) -> bytes:
    left, line, size = _WORD
    paints = PALETTES[_STYLE.palette].paints.values()
    parts = [
        element("rect", width=WIDTH, height=HEIGHT, fill=_GROUND),
        element(
            "text", "Dalapapa", x=left, y=line, fill=_INK,
            font_family="Outfit", font_weight="800", font_size=size,
        ),
        *[
            element("circle", cx=left + 18 + 44 * number, cy=line + 46, r=16, fill=paint)
            for number, paint in enumerate(paints)
        ],
        _place(board, *_BOARD),
    ]  # fmt: skip
    if hand is not None:
        parts.append(_place(hand, *_HAND))
    svg = element(
        "svg", *parts, xmlns="http://www.w3.org/2000/svg", width=WIDTH, height=HEIGHT
    ).to_svg()
    font = files("dalapapa.printing").joinpath("fonts", "Outfit-ExtraBold.ttf")
    with as_file(font) as path:
        return to_png(svg, fonts=[str(path)])


def _place(shown: Picture, x: float, y: float, width: float, height: float) -> Element:
    return element(
        "svg", *shown.layers, x=x, y=y, width=width, height=height, viewBox=shown.box
    )  # fmt: skip
