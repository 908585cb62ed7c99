"""One domino: its wood, its half-discs and central disc, its links and symbols."""

from __future__ import annotations

from collections.abc import Collection

from ..errors import BadOptions
from ..geometry import STEPS, Disc, edge, turned
from ..notation import Laying, shortened
from ..tiles import COLOURS, Tile
from .halves import centre, halves
from .markup import escaped
from .palettes import PIECES, ink
from .paths import HALF, UNIT, number, place
from .shapes import GAP
from .style import PLAIN, Style
from .symbols import symbol

WHOLE_SYMBOL, HALF_SYMBOL = 15.5, 9.8
"""Radius of the symbols on discs and on half-discs, in units."""

SYMBOL_INSET = 18.5
"""From the edge to the middle of the symbol on a half-disc, in units."""


def frame(laying: Laying, style: Style, grow: float) -> str:
    """Attributes of the rectangle round a laying, `grow` units outside its cells."""
    (x, y), (other_x, other_y) = laying.cells
    left, top = min(x, other_x) * UNIT - grow, min(y, other_y) * UNIT - grow
    width = (abs(x - other_x) + 1) * UNIT + 2 * grow
    height = (abs(y - other_y) + 1) * UNIT + 2 * grow
    names = ("x", "y", "width", "height", "rx")
    values = (left, top, width, height, style.discs.corner + GAP + grow)
    return " ".join(f'{name}="{number(v)}"' for name, v in zip(names, values, strict=True))


def domino(laying: Laying, face: str, style: Style, whole: Collection[Disc] = ()) -> str:
    """The element of one laid domino, showing `face`.

    Contacts in `whole` get no symbol here: theirs is drawn once, across both dominoes.
    """
    pieces = PIECES[style.pieces]
    paints = style.colours.paints
    parts = _parts(laying, face, style)
    body = f'<rect {frame(laying, style, -GAP)} fill="{pieces.body}" stroke="{pieces.rim}"/>'
    discs = "".join(
        f'<g class="{colour}" fill="{paints[colour]}">{"".join(parts[colour])}</g>'
        for colour in COLOURS
        if colour in parts
    )
    symbols = _symbols(laying, face, style, whole) if style.has_symbols else ""
    return body + discs + symbols


def _parts(laying: Laying, face: str, style: Style) -> dict[str, list[str]]:
    """By colour: the elements of the central disc, the half-discs and the links."""
    shape = style.discs
    colours = {centre(laying): face[0]}
    x, y = (c * HALF for c in centre(laying))
    parts = {face[0]: [f'<path class="disc" d="{place(shape.disc, x, y)}"/>']}
    for disc, direction, colour in halves(laying, face):
        colours[disc] = colour
        d = place(shape.half, disc[0] * HALF, disc[1] * HALF, quarter=direction)
        parts.setdefault(colour, []).append(f'<path class="half" d="{d}"/>')
    for cell in laying.cells:
        x, y = (c * UNIT + HALF for c in cell)
        for direction in range(4):
            colour = colours[edge(*cell, direction)]
            if colour == colours[edge(*cell, turned(direction, 1))]:
                d = place(shape.link, x, y, quarter=direction)
                parts[colour].append(f'<path class="link" d="{d}"/>')
    return parts


def _symbols(laying: Laying, face: str, style: Style, whole: Collection[Disc]) -> str:
    """The symbols of the central disc and of the open half-discs."""
    text = whole_symbol(centre(laying), face[0], style)
    for disc, direction, colour in halves(laying, face):
        if disc not in whole:
            x, y = (
                c * HALF - step * SYMBOL_INSET
                for c, step in zip(disc, STEPS[direction], strict=True)
            )
            text += _symbol(colour, x, y, HALF_SYMBOL, style)
    return text


def whole_symbol(disc: Disc, colour: str, style: Style) -> str:
    """The symbol of a complete disc."""
    return _symbol(colour, disc[0] * HALF, disc[1] * HALF, WHOLE_SYMBOL, style)


def _symbol(colour: str, x: float, y: float, radius: float, style: Style) -> str:
    fill = ink(style.colours.paints[colour])
    return f'<path class="symbol" fill="{fill}" d="{symbol(colour, x, y, radius)}"/>'


def draw_face(face: str, style: Style = PLAIN) -> str:
    """A `<g>` of one face lying flat, 200 x 100 units with its north-west corner at 0, 0.

    `face` is seven colour letters in the order C W NW NE E SE SW. The fragment needs no
    definitions and has no ids, so any number of them can stand in one document.
    """
    if len(face) != 7 or not set(face) <= set(COLOURS):
        raise BadOptions(
            f"{shortened(face)} is not a face: it is seven letters of R, Y, G and B.", "bad_face"
        )
    drawn = domino(Laying("", "+", 0, 0, 0), face, style)
    return f'<g class="face">{drawn}</g>'


def draw_tile(tile: Tile, style: Style = PLAIN) -> str:
    """An `<svg>` of a domino's two faces side by side, recto first, on no background.

    It stands alone as a file and also inline in a page: a few kilobytes, no ids.
    """
    margin, apart = 6, 24
    width, height = 4 * UNIT + apart + 2 * margin, UNIT + 2 * margin
    scale = style.cell / UNIT
    label = escaped(f"{tile.name}: recto {tile.recto}, verso {tile.verso}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}"'
        f' width="{number(width * scale)}" height="{number(height * scale)}"'
        f' viewBox="{-margin} {-margin} {width} {height}"><title>{label}</title>'
        f"{draw_face(tile.recto, style)}"
        f'<g transform="translate({2 * UNIT + apart})">{draw_face(tile.verso, style)}</g></svg>'
    )
