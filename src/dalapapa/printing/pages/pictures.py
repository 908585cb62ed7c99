"""Single layouts on paper: a position, a puzzle with its solution, a solution of Arlequin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ...core.errors import BadInput, BadOptions, DalapapaError
from ...core.figures import FrameFigure, can_be_tiled, make_rectangle, read_figure
from ...core.layout import Layout
from ...core.notation import Laying, Side, parse_position, shorten
from ...core.tiles import TileSet
from ...drawing.outlines import Segments, line, rectangle
from ...kernel.solver import Frame, solve
from ..designs import look, place_piece
from ..options import PrintOptions
from ..page_parts import Box, bounds, head_line, scale_bar
from ..sheet import BLACK, GREY, MARGIN, WHITE, Item, Look, Path, Piece, Sheet, Text
from ..texts import lines, paragraph, say
from .dominoes import FRAME, layouts

MAX_CELL_MM, MIN_CELL_MM = 24.0, 0.75
"""A domino of the standard size, and the smallest that is legible."""

MAX_CELLS = 80
"""The cells of the frame of a puzzle."""

_MAX_SEARCH_NODES = 2_000_000
"""About a second; a fraction of it is usually enough."""

_Edge = tuple[bool, int, int, int]
"""Whether an edge of a frame is upright, where it is, and from where to where it goes."""

_TOP, _SMALL = MARGIN + 9, 2.1


def position_sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    """Make a sheet of layings that fit together, with their text below."""
    layings = parse_position(options.position)
    if not layings:
        raise BadOptions("The position has no laying: give at least one.", "bad_position")
    layout = Layout(tiles, None)
    names = set[str]()
    for number, laying in enumerate(layings, start=1):
        try:
            if laying.tile in names:
                raise BadOptions(
                    f"{laying}: {laying.tile} is already in the position.", "already_laid"
                )
            layout.lay(laying)
        except DalapapaError as error:
            raise error.at_laying(number) from None
        names.add(laying.tile)
    return (layout_sheet(options, say("position", options.language), layings, tiles),)


def solution_sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    """Make a sheet of a pile of Arlequin as a full rectangle: the printed one, or one by seed."""
    layings: Sequence[Laying] = layouts()[options.pile]
    if options.seed != "0":
        layings = _solve_frame(
            make_rectangle(*FRAME), tiles, list(tiles.pile(options.pile)), options.seed
        )
    language = options.language
    title = say("solution_pile", language, pile=say("pile", language, n=options.pile))
    return (layout_sheet(options, title, layings, tiles),)


def puzzle_sheets(options: PrintOptions, tiles: TileSet) -> tuple[Sheet, ...]:
    """Make a sheet with the empty frame and its dominoes, and another with the solution."""
    language, paper = options.language, options.format
    figure = _read_frame(options.frame)
    columns, rows = figure.size
    solution = _solve_frame(figure, tiles, list(tiles.names), options.seed)
    names = sorted(laying.tile for laying in solution)
    shape = f" {columns} × {rows}" if figure.is_rectangle else ""
    title = f"{say('puzzle', language)}{shape}"
    chosen = look(options.design, options.ink, symbols=options.symbols)
    width = paper.width - 2 * MARGIN
    top = _TOP + 6
    items: list[Item] = [
        *head_line(paper, f"Dalapapa – {title}", say("game_by", language)),
        *scale_bar(paper, language),
        *paragraph(MARGIN, top, width, say("puzzle_how", language), 3.4),
    ]
    top += 4.6 * len(lines(say("puzzle_how", language), width, 3.4)) + 2
    # As large as possible while the dominoes below keep a third of the page.
    high = (paper.height - top - MARGIN - 10) * 0.64
    cell = min(MAX_CELL_MM, width / columns, high / rows)
    left = (paper.width - columns * cell) / 2
    items += empty_frame(left, top, figure, cell)
    top += rows * cell + 8
    items += stock(names, tiles, chosen, (MARGIN, top, paper.width - MARGIN,
                                          paper.height - MARGIN - 8))  # fmt: skip
    solution_title = f"{title}: {say('solution', language)}"
    return (
        Sheet(title, paper.width, paper.height, tuple(items), chosen),
        layout_sheet(options, solution_title, solution, tiles),
    )


def _read_frame(text: str) -> FrameFigure:
    """Read the figure of a frame: a rectangle as WxH, or another one."""
    try:
        figure = read_figure(text)
    except BadInput:
        figure = FrameFigure()
    if not figure or len(figure) % 2 or len(figure) > MAX_CELLS or not can_be_tiled(figure):
        raise BadOptions(
            "A frame must look like 4x4, cross or .xx./xxxx/.xx., with an even number of cells,"
            f" at most {MAX_CELLS}, that dominoes can cover, not {shorten(text)}.",
            "bad_frame",
        )
    return figure


def _solve_frame(
    figure: FrameFigure, tiles: TileSet, names: list[str], seed: str
) -> tuple[Laying, ...]:
    found = solve(Frame(figure), tiles, names, seed=seed, budget=_MAX_SEARCH_NODES)
    if not found.solutions:
        raise BadOptions(
            f"Found no layout of {shorten(str(figure))}: try another seed or frame.", "not_found"
        )
    return found.solutions[0]


def layout_sheet(
    options: PrintOptions,
    title: str,
    layings: Sequence[Laying],
    tiles: TileSet,
    marked: Sequence[Laying] = (),
) -> Sheet:
    """Make a sheet of layings as large as the page allows, with their text.

    Marked layings have a line around them.
    """
    paper = options.format
    chosen = look(options.design, options.ink, symbols=options.symbols, names=options.names)
    width = paper.width - 2 * MARGIN
    text = lines(" ".join(map(str, layings)), width, _SMALL)
    foot = paper.height - MARGIN - 8 - len(text) * _SMALL * 1.35
    cells = [cell for laying in layings for cell in laying.cells]
    xs, ys = zip(*cells, strict=True)
    columns, rows = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    cell = min(MAX_CELL_MM, (width - 2) / columns, (foot - _TOP - 4) / rows)
    if cell < MIN_CELL_MM:
        raise BadOptions(
            f"A position of {columns} x {rows} cells is too large for {paper.name}: choose"
            " a larger paper or a smaller position.",
            "position_too_large",
        )
    left = (paper.width - columns * cell) / 2 - min(xs) * cell
    top = _TOP + max(0.0, (foot - _TOP - 4 - rows * cell) / 3) - min(ys) * cell
    pieces = [place_piece(laying, tiles, left, top, cell) for laying in layings]
    items: list[Item] = [
        *head_line(paper, f"Dalapapa – {title}", say("game_by", options.language)),
        *scale_bar(paper, options.language),
        *draw_pieces(pieces, chosen),
        *_marks([bounds(place_piece(laying, tiles, left, top, cell)) for laying in marked]),
    ]
    items += [
        Text(MARGIN, foot + (number + 0.5) * _SMALL * 1.35, row, _SMALL, fill=GREY)
        for number, row in enumerate(text)
    ]
    return Sheet(title, paper.width, paper.height, tuple(items), chosen)


def _marks(boxes: Sequence[Box]) -> Iterator[Item]:
    """Draw lines that are visible on dark and on light dominoes."""
    for left, top, right, bottom in boxes:
        box = rectangle(left, top, right - left, bottom - top)
        yield Path(box, stroke=WHITE, width=2.2)
        yield Path(box, stroke=BLACK, width=0.8)


def draw_pieces(pieces: Sequence[Piece], chosen: Look) -> Iterator[Item]:
    """Draw dominoes that are not to be cut out, each with its body and a hairline around it."""
    for piece in pieces:
        left, top, right, bottom = bounds(piece)
        hair = GREY if chosen.body == WHITE else "#555555"
        box = rectangle(left, top, right - left, bottom - top)
        yield Path(box, chosen.body, hair, 0.15)
        yield piece


def empty_frame(left: float, top: float, figure: FrameFigure, cell: float) -> Iterator[Item]:
    """Draw the border of a frame and its cells."""
    inner: list[_Edge] = []
    border: list[_Edge] = []
    for is_upright in (True, False):
        columns, rows = figure.size if is_upright else figure.size[::-1]
        for column in range(columns + 1):
            # The edges between two columns (or rows), in runs of the same kind.
            kinds = [
                sum((x, y)[:: 1 if is_upright else -1] in figure for x in (column - 1, column))
                for y in range(rows)
            ]
            start = 0
            for kind, run in groupby(kinds):
                end = start + len(list(run))
                if kind:
                    (inner if kind == 2 else border).append((is_upright, column, start, end))
                start = end

    def draw(edge: _Edge) -> Segments:
        is_upright, column, start, end = edge
        at, begin, over = column * cell, start * cell, end * cell
        if is_upright:
            return line(left + at, top + begin, left + at, top + over)
        return line(left + begin, top + at, left + over, top + at)

    for edge in inner:
        yield Path(draw(edge), stroke="#bbbbbb", width=0.2, dash=(1, 1))
    if figure.is_rectangle:
        columns, rows = figure.size
        yield Path(rectangle(left, top, columns * cell, rows * cell), stroke="#333333", width=0.6)
        return
    for edge in border:
        yield Path(draw(edge), stroke="#333333", width=0.6, round=True)


def stock(
    names: Sequence[str], tiles: TileSet, chosen: Look, box: tuple[float, float, float, float]
) -> Iterator[Item]:
    """Draw the dominoes with both faces and names, in the columns that make them largest."""
    left, top, right, bottom = box
    best = 0.0
    columns = 1
    for count in range(1, 9):
        rows = -(-len(names) // count)
        cell = min((right - left) / count / 5.2, (bottom - top) / rows / 1.75, 14.0)
        if cell > best:
            best, columns = cell, count
    rows = -(-len(names) // columns)
    for number, name in enumerate(names):
        x = left + number // rows * (right - left) / columns
        y = top + number % rows * best * 1.75
        yield Text(x, y + best * 0.42, name, best * 0.42, "strong")
        faces: tuple[tuple[float, Side], ...] = ((1, "+"), (3.3, "-"))
        pieces = [
            Piece(name, side, tiles[name].face(side), x + at * best, y + best * 1.06, 0, best)
            for at, side in faces
        ]
        yield from draw_pieces(pieces, chosen)
