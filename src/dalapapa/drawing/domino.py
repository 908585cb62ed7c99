"""One domino: the places of its parts, and how to draw them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from ..core.errors import BadOptions
from ..core.geometry import EAST, STEPS, Disc, edge, half_discs, slot_side, turn_direction
from ..core.notation import Laying, shorten
from ..core.tiles import COLOURS, Tile, TileSet
from .markup import Attribute, Element, element
from .outlines import HALF, UNIT, Outline
from .palettes import PIECES, ink
from .shapes import GAP, SHAPES, SYMBOLS
from .style import PLAIN, Style

WHOLE_SYMBOL, HALF_SYMBOL = 15.5, 9.8
"""The radius of the symbols on discs and on half-discs, in units."""

SYMBOL_INSET = 18.5
"""The distance from the edge to the middle of the symbol on a half-disc, in units."""


class DominoPart(NamedTuple):
    """A disc, half-disc or link of a domino: its outline, turned by quarters, at x, y in units."""

    kind: str
    outline: Outline
    x: int
    y: int
    quarter: int
    letters: tuple[int, ...]
    """The places of its colour in the face. A link has two, and exists if they are equal."""

    @property
    def symbol(self) -> tuple[float, float, float]:
        """The middle and the radius of the symbol on a disc or half-disc."""
        if self.kind == "disc":
            return self.x, self.y, WHOLE_SYMBOL
        dx, dy = STEPS[self.quarter]
        return self.x - dx * SYMBOL_INSET, self.y - dy * SYMBOL_INSET, HALF_SYMBOL


@cache
def parts(shape: str, rotation: int = 0) -> tuple[DominoPart, ...]:
    """List the disc, the half-discs in the order of a face, and all links of a domino on 0,0."""
    laying, outlines = Laying("", "+", rotation, 0, 0), SHAPES[shape]
    x, y = edge(0, 0, turn_direction(EAST, rotation))
    found = [DominoPart("disc", outlines.disc, x * HALF, y * HALF, 0, (0,))]
    letters = {(x, y): 0}
    for letter, (x, y) in enumerate(half_discs(0, 0, rotation), start=1):
        letters[x, y] = letter
        direction = slot_side(0, 0, rotation, letter - 1)[2]
        found.append(DominoPart("half", outlines.half, x * HALF, y * HALF, direction, (letter,)))
    for x, y in laying.cells:
        for direction in range(4):
            sides = direction, turn_direction(direction, 1)
            joined = tuple(letters[edge(x, y, side)] for side in sides)
            at = x * UNIT + HALF, y * UNIT + HALF
            found.append(DominoPart("link", outlines.link, *at, direction, joined))
    return tuple(found)


def list_coloured_parts(
    shape: str, face: str, rotation: int = 0
) -> Iterator[tuple[DominoPart, str]]:
    """List the parts of a face with their colours."""
    for part in parts(shape, rotation):
        colour = face[part.letters[0]]
        if colour == face[part.letters[-1]]:
            yield part, colour


def half_colours(layings: Iterable[Laying], tiles: TileSet) -> dict[Disc, list[str]]:
    """Map every edge with half-discs to their colours, in the order of laying."""
    colours: dict[Disc, list[str]] = {}
    for laying in layings:
        face = tiles[laying.tile].face(laying.side)
        discs = half_discs(laying.x, laying.y, laying.rotation)
        for disc, colour in zip(discs, face[1:], strict=True):
            colours.setdefault(disc, []).append(colour)
    return colours


def find_clashes(layings: Iterable[Laying], tiles: TileSet) -> tuple[Disc, ...]:
    """List the addresses, ascending, where half-discs of different colours meet."""
    colours = half_colours(layings, tiles)
    return tuple(sorted(disc for disc, found in colours.items() if len(set(found)) > 1))


def frame(laying: Laying, style: Style, grow: float) -> dict[str, Attribute]:
    """Return the attributes of the rectangle around a laying, `grow` units outside its cells."""
    (x, y), (other_x, other_y) = laying.cells
    return {
        "x": min(x, other_x) * UNIT - grow,
        "y": min(y, other_y) * UNIT - grow,
        "width": (abs(x - other_x) + 1) * UNIT + 2 * grow,
        "height": (abs(y - other_y) + 1) * UNIT + 2 * grow,
        "rx": style.discs.corner + GAP + grow,
    }


def domino(
    laying: Laying, face: str, style: Style, whole: Collection[Disc] = ()
) -> Iterator[Element]:
    """Draw one laid domino, showing `face`.

    Contacts in `whole` get no symbol here: `whole_symbol` draws it across both dominoes.
    """
    pieces = PIECES[style.pieces]
    yield element("rect", **frame(laying, style, -GAP), fill=pieces.body, stroke=pieces.rim)
    left, top = laying.x * UNIT, laying.y * UNIT
    found = list(list_coloured_parts(style.shape, face, laying.rotation))
    drawn: dict[str, list[Element]] = {}
    for part, colour in found:
        d = part.outline.place(left + part.x, top + part.y, quarter=part.quarter)
        drawn.setdefault(colour, []).append(element("path", class_=part.kind, d=d))
    for colour in COLOURS:
        if colour in drawn:
            paint = style.colours.paints[colour]
            yield element("g", *drawn[colour], class_=colour, fill=paint)
    if style.has_symbols:
        for part, colour in found:
            disc = (left + part.x) // HALF, (top + part.y) // HALF
            if part.kind == "disc" or (part.kind == "half" and disc not in whole):
                x, y, radius = part.symbol
                yield _symbol(colour, left + x, top + y, radius, style)


def whole_symbol(disc: Disc, colour: str, style: Style) -> Element:
    """Draw the symbol of a complete disc."""
    return _symbol(colour, disc[0] * HALF, disc[1] * HALF, WHOLE_SYMBOL, style)


def _symbol(colour: str, x: float, y: float, radius: float, style: Style) -> Element:
    fill = ink(style.colours.paints[colour])
    return element("path", class_="symbol", fill=fill, d=SYMBOLS[colour].place(x, y, radius))


def face_element(face: str, style: Style) -> Element:
    """Draw a face as an element; `draw_face` writes it."""
    if len(face) != 7 or not set(face) <= set(COLOURS):
        raise BadOptions(
            f"A face must be seven letters of R, Y, G and B, not {shorten(face)}.", "bad_face"
        )
    return element("g", *domino(Laying("", "+", 0, 0, 0), face, style), class_="face")


def draw_face(face: str, style: Style = PLAIN) -> str:
    """Write a `<g>` of one horizontal face: 200 x 100 units, its north-west corner at 0, 0.

    `face` is seven colour letters in the order C W NW NE E SE SW. The fragment needs no
    definitions and has no ids, so that a document can contain any number of them.
    """
    return face_element(face, style).to_svg()


def draw_tile(tile: Tile, style: Style = PLAIN) -> str:
    """Write an `<svg>` of a domino's two faces side by side, recto first, without background.

    It can be a file or part of a page: a few kilobytes, no ids.
    """
    margin, apart = 6, 24
    width, height = 4 * UNIT + apart + 2 * margin, UNIT + 2 * margin
    scale = style.cell / UNIT
    label = f"{tile.name}: recto {tile.recto}, verso {tile.verso}"
    verso = face_element(tile.verso, style)
    return element(
        "svg",
        element("title", label),
        face_element(tile.recto, style),
        element("g", verso, transform=f"translate({2 * UNIT + apart})"),
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        aria_label=label,
        width=width * scale,
        height=height * scale,
        viewBox=(-margin, -margin, width, height),
    ).to_svg()
