"""Draws a position as a picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..core.geometry import Cell, Disc
from ..core.notation import Laying
from ..core.tiles import TileSet
from .domino import domino, frame, half_colours, whole_symbol
from .glyphs import lettering, measure_lettering
from .marks import (
    UNMARKED,
    Marks,
    clash_mark,
    ghost_frame,
    group_label,
    group_line,
    last_frame,
    laying_badges,
    place_mark,
)
from .markup import Element, element
from .outlines import HALF, UNIT, Command, Outline
from .palettes import PIECES, THEMES, Theme
from .style import PLAIN, Style

_MAX_LINES = 60
"""The most lines in each direction: on a very large table, not every cell has its own."""

_TEXT, _TEXT_WIDTH = 17, 56
"""The height and maximum width of a coordinate, in units, if every cell has its line."""

_MARGIN = 0.5
"""The cells of free cloth around the position."""


def draw(
    layings: Sequence[Laying],
    tiles: TileSet,
    *,
    style: Style = PLAIN,
    marks: Marks = UNMARKED,
) -> str:
    """Draw a standalone SVG document of a position; the same input gives the same text.

    The picture shows all layings and marks with half a cell around them. One cell is 100 units of
    the drawing and `style.cell` pixels wide; cell 0,0 has its corner at the origin. Layings need
    not be legal; an unknown domino raises `UnknownDomino`. The text has no ids, scripts, style
    sheets, fonts or pictures, so that a page can contain it.
    """
    shown = picture(layings, tiles, style, marks)
    left, top, width, height = shown.box
    scale, cloth = style.cell / UNIT, THEMES[style.theme].cloth
    return element(
        "svg",
        element("title", "Dalapapa"),
        element("desc", _describe(len(layings), shown.contacts)),
        element("rect", class_="cloth", x=left, y=top, width=width, height=height, fill=cloth),
        *shown.layers,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        width=width * scale,
        height=height * scale,
        viewBox=shown.box,
    ).to_svg() + "\n"  # fmt: skip


class Box(NamedTuple):
    """The cells of a picture, without those at right and bottom."""

    left: int
    top: int
    right: int
    bottom: int


class Picture(NamedTuple):
    """The content of a picture, for SVG and for prints."""

    box: tuple[float, float, float, float]
    """Left, top, width and height, in units."""
    contacts: int
    layers: tuple[Element, ...]
    """From the lowest to the topmost."""


def picture(
    layings: Sequence[Laying], tiles: TileSet, style: Style = PLAIN, marks: Marks = UNMARKED
) -> Picture:
    """Draw a position as a value; `draw` writes it."""
    colours = half_colours(layings, tiles)
    whole = {disc: two[0] for disc, two in colours.items() if len(two) == 2 and two[0] == two[1]}
    box = _box(layings, marks)
    margin = _MARGIN + (0.5 * _grid_step(box) if style.grid else 0)
    left, top = (near - margin for near in box[:2])
    right, bottom = (far + margin for far in box[2:])
    shown = left * UNIT, top * UNIT, (right - left) * UNIT, (bottom - top) * UNIT
    return Picture(shown, len(whole), tuple(_layers(layings, tiles, style, marks, box, whole)))


def _describe(dominoes: int, contacts: int) -> str:
    discs = dominoes + contacts
    first = f"{dominoes} {'domino' if dominoes == 1 else 'dominoes'}"
    return f"{first}, {discs} {'disc' if discs == 1 else 'discs'}."


def _layers(
    layings: Sequence[Laying],
    tiles: TileSet,
    style: Style,
    marks: Marks,
    box: Box,
    whole: dict[Disc, str],
) -> Iterator[Element]:
    """Draw everything on the cloth, from the lowest to the topmost; `whole` are the contacts."""
    theme = THEMES[style.theme]
    if style.grid:
        yield from _grid(box, theme)
    if not layings and not marks.ghosts:
        yield _empty(style)
    yield from (place_mark(cell, theme.text) for cell in marks.places)
    yield from _ground(layings, style)
    yield from (_laying(laying, tiles, style, "laying", whole) for laying in layings)
    yield from (last_frame(laying, style) for laying in marks.last)
    if style.has_symbols:
        yield from (whole_symbol(disc, colour, style) for disc, colour in whole.items())
    yield from (_laying(laying, tiles, style, "ghost") for laying in marks.ghosts)
    yield from (ghost_frame(laying, style) for laying in marks.ghosts)
    yield from (group_line(group, i, style) for i, group in enumerate(marks.groups))
    for turn, laying in enumerate(layings, start=1):
        yield from laying_badges(
            laying, str(turn) if style.numbers else "", laying.tile if style.names else ""
        )
    yield from map(clash_mark, marks.clashes)
    for group in marks.groups:
        yield from group_label(group)


def _box(layings: Iterable[Laying], marks: Marks) -> Box:
    """Find the cells to show; an empty table shows a few around the origin."""
    shown = (*layings, *marks.ghosts, *marks.last)
    cells: list[Cell] = [cell for laying in shown for cell in laying.cells]
    cells += marks.places
    discs = [*marks.clashes, *(disc for group in marks.groups for disc in group.discs)]
    # A disc is between two cells: one of them, with the margin, is enough to show it.
    cells += [(x // 2, y // 2) for x, y in discs]
    xs, ys = zip(*(cells or [(-1, -1), (2, 1)]), strict=True)
    return Box(min(xs), min(ys), max(xs) + 1, max(ys) + 1)


def _laying(
    laying: Laying, tiles: TileSet, style: Style, kind: str, whole: Collection[Disc] = ()
) -> Element:
    drawn = domino(laying, tiles[laying.tile].face(laying.side), style, whole)
    opacity = {"opacity": 0.78} if kind == "ghost" else {}
    return element("g", element("title", str(laying)), *drawn, class_=kind, **opacity)


def _ground(layings: Sequence[Laying], style: Style) -> Iterator[Element]:
    """Draw the shadow of the dominoes, and the dark gaps between them."""
    if not layings:
        return
    ground = [element("rect", **frame(laying, style, 0)) for laying in layings]
    yield element("g", *ground, class_="shadow", opacity=0.22, transform="translate(2 4)")
    # Hide the cloth where the round corners of four cells meet.
    cells = {cell for laying in layings for cell in laying.cells}
    corners: list[Command] = []
    for x, y in sorted(cells):
        if {(x - 1, y), (x, y - 1), (x - 1, y - 1)} <= cells:
            corners.append(("M", (x * UNIT - 5, y * UNIT - 5)))
            corners += [("h", (10,)), ("v", (10,)), ("h", (-10,)), ("z", ())]
    if corners:
        ground.append(element("path", d=Outline(tuple(corners))))
    yield element("g", *ground, class_="seams", fill=PIECES[style.pieces].seam)


def _empty(style: Style) -> Element:
    """Draw the place of the first domino."""
    place = frame(Laying("", "+", 0, 0, 0), style, -2)
    return element(
        "g",
        element("rect", **place, stroke_dasharray=(10, 8), stroke_linecap="round"),
        element("path", d=style.discs.disc.place(UNIT, HALF)),
        class_="empty",
        fill="none",
        stroke=THEMES[style.theme].text,
        stroke_width=3,
        opacity=0.6,
    )


def _grid_step(box: Box) -> int:
    """Choose the number of cells between lines: 1, 2, 5, 10, 20, 50, ..."""
    span = max(box.right - box.left, box.bottom - box.top)
    step = 1
    while span > _MAX_LINES * step:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


def _grid(box: Box, theme: Theme) -> Iterator[Element]:
    """Draw lines between the cells, and coordinates along the north and the west side.

    The coordinates are outside `box`, within half a cell and half a step of cells.
    """
    step = _grid_step(box)
    columns = range(-(-box.left // step) * step, box.right + 1, step)
    rows = range(-(-box.top // step) * step, box.bottom + 1, step)
    width, height = (box.right - box.left) * UNIT, (box.bottom - box.top) * UNIT
    lines: list[Command] = []
    for x in columns:
        lines += [("M", (x * UNIT, box.top * UNIT)), ("v", (height,))]
    for y in rows:
        lines += [("M", (box.left * UNIT, y * UNIT)), ("h", (width,))]
    d = Outline(tuple(lines))
    yield element("path", class_="grid", stroke=theme.grid, stroke_width=2 * step, d=d)
    outside = 36 * step
    for x in columns:
        if x < box.right:
            yield _coordinate(x, x * UNIT + HALF, box.top * UNIT - outside, step, theme)
    for y in rows:
        if y < box.bottom:
            yield _coordinate(y, box.left * UNIT - outside, y * UNIT + HALF, step, theme)


def _coordinate(value: int, x: float, y: float, step: int, theme: Theme) -> Element:
    wide = measure_lettering(str(value), _TEXT)
    return lettering(str(value), x, y, step * _TEXT * min(1, _TEXT_WIDTH / wide), theme.text)
