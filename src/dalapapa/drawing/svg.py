"""The one way from a position to a picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from ..geometry import Cell, Disc
from ..notation import Laying
from ..tiles import TileSet
from .domino import domino, frame, whole_symbol
from .grid import Box, draw_grid, grid_step
from .halves import half_colours
from .marks import UNMARKED, Marks
from .markup import escaped
from .overlays import (
    clash_mark,
    ghost_frame,
    group_label,
    group_line,
    last_frame,
    laying_badges,
    place_mark,
)
from .palettes import PIECES, THEMES
from .paths import HALF, UNIT, number, numbers, place
from .style import PLAIN, Style

_MARGIN = 0.5
"""Free cloth round the position, in cells."""


def draw(
    layings: Sequence[Laying],
    tiles: TileSet,
    *,
    style: Style = PLAIN,
    marks: Marks = UNMARKED,
) -> str:
    """A standalone SVG document of a position; the same input gives the same text.

    The picture shows all layings and marks with half a cell around them. One cell is 100
    units of the drawing and `style.cell` pixels wide; cell 0,0 has its corner at the
    origin. Layings are drawn as they come, legal or not; an unknown domino raises
    `UnknownDomino`. The text has no ids, scripts, style sheets, fonts or pictures, so it
    can also stand inline in a page.
    """
    colours = half_colours(layings, tiles)
    whole = {disc: two[0] for disc, two in colours.items() if len(two) == 2 and two[0] == two[1]}
    box = _box(layings, marks)
    margin = _MARGIN + (0.5 * grid_step(box) if style.grid else 0)
    left, top = (near - margin for near in box[:2])
    right, bottom = (far + margin for far in box[2:])
    x, y, width, height = (c * UNIT for c in (left, top, right - left, bottom - top))
    scale = style.cell / UNIT
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' width="{number(width * scale)}" height="{number(height * scale)}"'
        f' viewBox="{" ".join(map(number, (x, y, width, height)))}">'
        f"<title>Dalapapa</title><desc>{_describe(len(layings), len(whole))}</desc>"
        f'<rect class="cloth" x="{number(x)}" y="{number(y)}" width="{number(width)}"'
        f' height="{number(height)}" fill="{THEMES[style.theme].cloth}"/>'
        f"{''.join(_layers(layings, tiles, style, marks, box, whole))}</svg>\n"
    )


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
) -> Iterator[str]:
    """Everything on the cloth, from the lowest to the topmost; `whole` are the contacts."""
    theme = THEMES[style.theme]
    if style.grid:
        yield from draw_grid(box, theme)
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
        yield laying_badges(
            laying, str(turn) if style.numbers else "", laying.tile if style.names else ""
        )
    yield from map(clash_mark, marks.clashes)
    yield from map(group_label, marks.groups)


def _box(layings: Iterable[Laying], marks: Marks) -> Box:
    """All cells that have something to show; an empty table shows a few round the origin."""
    shown = (*layings, *marks.ghosts, *marks.last)
    cells: list[Cell] = [cell for laying in shown for cell in laying.cells]
    cells += marks.places
    discs = [*marks.clashes, *(disc for group in marks.groups for disc in group.discs)]
    # A disc lies between two cells; either of them, with the margin, brings it in.
    cells += [(x // 2, y // 2) for x, y in discs]
    xs, ys = zip(*(cells or [(-1, -1), (2, 1)]), strict=True)
    return Box(min(xs), min(ys), max(xs) + 1, max(ys) + 1)


def _laying(
    laying: Laying, tiles: TileSet, style: Style, kind: str, whole: Collection[Disc] = ()
) -> str:
    drawn = domino(laying, tiles[laying.tile].face(laying.side), style, whole)
    opacity = ' opacity=".78"' if kind == "ghost" else ""
    return f'<g class="{kind}"{opacity}><title>{escaped(str(laying))}</title>{drawn}</g>'


def _ground(layings: Sequence[Laying], style: Style) -> Iterator[str]:
    """What lies under the dominoes: their shadow, and the dark of the gaps between them."""
    if not layings:
        return
    rects = "".join(f"<rect {frame(laying, style, 0)}/>" for laying in layings)
    yield f'<g class="shadow" opacity=".22" transform="translate(2 4)">{rects}</g>'
    # No cloth shines through where the round corners of four cells meet.
    cells = {cell for laying in layings for cell in laying.cells}
    corners = "".join(
        f"M{numbers(x * UNIT - 5, y * UNIT - 5)}h10v10h-10z"
        for x, y in sorted(cells)
        if {(x - 1, y), (x, y - 1), (x - 1, y - 1)} <= cells
    )
    if corners:
        rects += f'<path d="{corners}"/>'
    yield f'<g class="seams" fill="{PIECES[style.pieces].seam}">{rects}</g>'


def _empty(style: Style) -> str:
    """Where the first domino will lie."""
    return (
        f'<g class="empty" fill="none" stroke="{THEMES[style.theme].text}" stroke-width="3"'
        f' opacity=".6"><rect {frame(Laying("", "+", 0, 0, 0), style, -2)}'
        ' stroke-dasharray="10 8" stroke-linecap="round"/>'
        f'<path d="{place(style.discs.disc, UNIT, HALF)}"/></g>'
    )
