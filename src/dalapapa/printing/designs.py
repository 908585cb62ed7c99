"""How the game looks in print: its seven designs, its dominoes and discs, its name, a mosaic.

Each design is printed in colour, with little ink, or in grey with symbols.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from ..core.geometry import STEPS, turned
from ..core.notation import Laying
from ..core.tiles import TileSet
from ..drawing.domino import shown
from ..drawing.outlines import UNIT, Outline, Segments, circle, drawn, rectangle, trace
from ..drawing.palettes import PALETTES
from ..drawing.palettes import ink as screen_ink
from ..drawing.shapes import SHAPES, SYMBOLS
from ..kernel.solver import Frame, solve
from .sheet import BLACK, GREY, WHITE, Item, Look, Path, Piece, Sheet, Text
from .texts import text_width

NAME = "Dalapapa"

_BEARING = 0.061
"""The white beside its first letter, in parts of its size: set so far to the left, it is flush with
what is below it."""

_LOGO = (("M8 20a12 12 0 0 1 24 0z", "R"), ("M8 20a12 12 0 0 0 24 0z", "Y"))
"""The disc of the logo, of two half-discs, in a square of 40."""

_HOLLOW, _HOLLOW_PIECE, _BEYOND = 0.8, 0.78, 0.8
"""What is left white of a disc in the low-ink version, by itself and on a domino; how far that of a
half-disc is moved out."""

_NAME_HEIGHT, _NAME_DROP = 6.4, 23.5
"""Size of a name and how far its baseline lies below the centre, in units of a hundredth cell."""

_PATIENCE = 200_000
"""Nodes of a search: far more than a mosaic of the standard sets needs."""

DESIGNS = {
    "squares-original": ("squares", "original", "white"),
    "squares-black": ("squares", "classic", "black"),
    "squares-white": ("squares", "classic", "white"),
    "rounds-black": ("rounds", "classic", "black"),
    "rounds-white": ("rounds", "classic", "white"),
    "octagons-black": ("octagons", "classic", "black"),
    "octagons-white": ("octagons", "classic", "white"),
}
"""Shape of the discs, palette, and what they stand on."""

BODIES = {"black": "#161616", "white": WHITE}
"""Neutral, unlike the wood on the screen: a printer then needs its black ink only."""


def look(design: str, ink: str, *, symbols: bool = False, names: bool = False) -> Look:
    """How the dominoes of a design are printed with an ink of colour, low or grey."""
    shape, palette, body = DESIGNS[design]
    colours = PALETTES["grey" if ink == "grey" else palette]
    return Look(
        shape=shape,
        paints=colours.paints,
        body=WHITE if ink == "low" else BODIES[body],
        symbols=symbols or colours.needs_symbols,
        hollow=ink == "low",
        names=names,
    )


def ink(paint: str) -> str:
    """The ink of a sign on `paint`, as on the screen, though of a black that is black ink alone."""
    return WHITE if screen_ink(paint) == WHITE else BLACK


def placed(laying: Laying, tiles: TileSet, x: float, y: float, cell: float) -> Piece:
    """A laying as a piece; x, y is the corner of cell 0,0."""
    (one_x, one_y), (two_x, two_y) = laying.cells
    return Piece(
        laying.tile,
        laying.side,
        tiles[laying.tile].face(laying.side),
        x + (one_x + two_x + 1) / 2 * cell,
        y + (one_y + two_y + 1) / 2 * cell,
        laying.rotation,
        cell,
    )


def flat(sheet: Sheet) -> Iterator[Path | Text]:
    """All that is on a sheet, with its pieces taken apart."""
    for item in sheet.items:
        if isinstance(item, Piece):
            assert sheet.look is not None, "a sheet with pieces has a look"
            yield from piece_items(item, sheet.look)
        else:
            yield item


def piece_items(piece: Piece, look: Look) -> Iterator[Path | Text]:
    """The discs, half-discs, links, symbols and the name of a piece, in the order of drawing.

    They have the outlines of the screen, without rim, round corners or shadow. The half-discs end
    a hair inside the edge (`drawing.shapes.GAP`), so that the body shows as a seam where two
    dominoes meet: it says where to cut, and forgives a cut or a turn of the paper that is a quarter
    of a millimetre off. The body is drawn once for all dominoes that lie together, with its bleed.
    """
    found = list(shown(look.shape, piece.face, piece.rotation))
    discs = [(part, colour) for part, colour in found if part.kind != "link"]
    scale = piece.cell / UNIT
    # The middle of the domino comes to lie on the piece's centre.
    middle, _ = found[0]
    left = piece.x - middle.x / UNIT * piece.cell
    top = piece.y - middle.y / UNIT * piece.cell

    def placed(outline: Outline, x: float, y: float, size: float, quarter: int) -> Segments:
        return trace(outline, left + x * scale, top + y * scale, size * scale, quarter)

    for part, colour in found:
        path = placed(part.outline, part.x, part.y, 1, part.quarter)
        yield Path(path, look.paints[colour])
    if look.hollow:
        for part, _ in discs:
            # A little outwards, so that no trace of the paint is left along the seam.
            out = _BEYOND if part.kind == "half" else 0
            dx, dy = STEPS[part.quarter]
            x, y = part.x + dx * out, part.y + dy * out
            yield Path(placed(part.outline, x, y, _HOLLOW_PIECE, part.quarter), look.body)
    if look.symbols:
        for part, colour in discs:
            x, y, radius = part.symbol
            radius *= _HOLLOW_PIECE if look.hollow else 1
            fill = look.paints[colour] if look.hollow else ink(look.paints[colour])
            # Turned with the domino: cut out, all of them look alike.
            yield Path(placed(SYMBOLS[colour], x, y, radius, piece.rotation), fill)
    if look.names:
        yield _name(piece, look, scale)


def _name(piece: Piece, look: Look, scale: float) -> Text:
    """The name and face, `PRYGB+`, small on the central disc, as one types it."""
    drop = _NAME_DROP * (0.86 if look.hollow else 1) * scale
    step_x, step_y = STEPS[turned(2, piece.rotation)]
    fill = BLACK if look.hollow else ink(look.paints[piece.face[0]])
    return Text(
        piece.x + step_x * drop,
        piece.y + step_y * drop,
        f"{piece.tile}{piece.side}",
        _NAME_HEIGHT * scale,
        anchor="middle",
        fill=fill,
        turn=piece.rotation,
    )


@cache
def _reach(shape: str) -> float:
    """From the middle of a disc to its furthest point to the right."""
    return max(x for _, points in trace(SHAPES[shape].disc, 0, 0) for x, _ in points)


def disc(look: Look, colour: str, x: float, y: float, radius: float) -> Iterator[Item]:
    """A disc in the shape of a design, as wide as a circle of this radius."""
    outline, scale = SHAPES[look.shape].disc, radius / _reach(look.shape)
    yield Path(trace(outline, x, y, scale), look.paints[colour])
    if look.hollow:
        yield Path(trace(outline, x, y, scale * _HOLLOW), look.body)


def written(look: Look, colour: str) -> str:
    """The colour of a sign on such a disc; yellow on white could not be read."""
    return BLACK if look.hollow else ink(look.paints[colour])


def name_size(width: float, name: str = NAME) -> float:
    """The size at which the name is so wide."""
    return width / (text_width(name, 1, "display") - 2 * _BEARING)


def wordmark(x: float, y: float, size: float, fill: str, name: str = NAME) -> Text:
    """The name of the game as on the screen; its first stem begins at x, and y is its line."""
    return Text(x - _BEARING * size, y, name, size, "display", fill=fill)


def logo(look: Look, x: float, y: float, side: float) -> Iterator[Item]:
    """The logo of the screen (`web/public/icon.svg`) in the colours of a design."""
    scale = side / 40
    box = rectangle(x, y, side, side, 9 * scale)
    yield Path(box, stroke=GREY, width=0.3) if look.hollow else Path(box, BODIES["black"])
    for outline, colour in _LOGO:
        yield Path(trace(drawn(outline), x, y, scale), look.paints[colour])
    for middle, colour in ((7, "G"), (33, "B")):
        yield Path(circle(x + middle * scale, y + middle * scale, 4 * scale), look.paints[colour])


@cache
def _filled(tiles: TileSet, columns: int, rows: int) -> Sequence[Laying]:
    """Layings that fill a rectangle, or none for a set that cannot do it."""
    frame = Frame.rectangle(columns, rows)
    found = solve(
        frame, tiles, list(tiles.names), seed="cover", faces="recto", budget=_PATIENCE
    ).solutions
    return found[0] if found else ()


def mosaic(
    look: Look, tiles: TileSet, size: tuple[int, int], corner: tuple[float, float], cell: float
) -> Iterator[Item]:
    """A rectangle of so many cells, filled with dominoes of which every contact matches."""
    (columns, rows), (left, top) = size, corner
    layings = _filled(tiles, columns, rows)
    if layings and look.body != WHITE:
        yield Path(rectangle(left, top, columns * cell, rows * cell), look.body)
    for laying in layings:
        yield from piece_items(placed(laying, tiles, left, top, cell), look)
