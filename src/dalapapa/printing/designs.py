"""The look of prints: seven designs, dominoes, discs, the name of the game, mosaics.

Each design is printed in colour, with little ink, or in grey with symbols.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from msgspec.structs import replace

from ..core.geometry import STEPS, turn_direction
from ..core.notation import Laying
from ..core.tiles import TileSet
from ..drawing.domino import list_coloured_parts
from ..drawing.outlines import UNIT, Outline, Segments, circle, parse_outline, rectangle, trace
from ..drawing.palettes import PALETTES, ink, luminance
from ..drawing.shapes import SHAPES, SYMBOLS
from ..kernel.solver import Frame, solve
from .sheet import BLACK, GREY, WHITE, Item, Look, Path, Piece, Sheet, Text
from .texts import text_width

NAME = "Dalapapa"

_BEARING = 0.061
"""The white space left of the first letter, in parts of the font size. The name is moved left by
it, so that it is flush with the text below."""

_LOGO = (("M8 20a12 12 0 0 1 24 0z", "R"), ("M8 20a12 12 0 0 0 24 0z", "Y"))
"""The disc of the logo, of two half-discs, in a square of 40."""

_HOLLOW, _HOLLOW_PIECE, _BEYOND = 0.8, 0.78, 0.8
"""The white share of a disc in the low-ink version, alone and on a domino; and how far outwards the
white of a half-disc is moved, in units."""

_NAME_HEIGHT, _NAME_DROP = 6.4, 23.5
"""Size of a name and how far its baseline lies below the centre, in units of a hundredth cell."""

_MAX_SEARCH_NODES = 200_000
"""Far more than a mosaic of the standard sets needs."""

DESIGNS = {
    "squares-original": ("squares", "original", "white"),
    "squares-black": ("squares", "classic", "black"),
    "squares-white": ("squares", "classic", "white"),
    "rounds-black": ("rounds", "classic", "black"),
    "rounds-white": ("rounds", "classic", "white"),
    "octagons-black": ("octagons", "classic", "black"),
    "octagons-white": ("octagons", "classic", "white"),
}
"""The shape of the discs, the palette, and the body of the dominoes."""

BODIES = {"black": "#161616", "white": WHITE}
"""Neutral, unlike the wood on the screen, so that a printer uses only its black ink."""


def look(design: str, ink: str, *, symbols: bool = False, names: bool = False) -> Look:
    """Make the look of a design for the ink `colour`, `low` or `grey`."""
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


def choose_print_ink(paint: str) -> str:
    """Choose the ink of a sign on `paint` as on the screen, but a pure black or white."""
    return WHITE if ink(paint) == WHITE else BLACK


def place_piece(laying: Laying, tiles: TileSet, x: float, y: float, cell: float) -> Piece:
    """Turn a laying into a piece; x, y is the corner of cell 0,0."""
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


def flatten(sheet: Sheet) -> Iterator[Path | Text]:
    """List the items of a sheet, with pieces as paths and texts."""
    for item in sheet.items:
        if isinstance(item, Piece):
            assert sheet.look is not None, "a sheet with pieces has a look"
            yield from piece_items(item, sheet.look)
        else:
            yield item


def piece_items(piece: Piece, look: Look) -> Iterator[Path | Text]:
    """List the discs, half-discs, links, symbols and name of a piece, in the order of drawing.

    They have the outlines of the screen, without rim, round corners or shadow. The half-discs end
    a hair inside the edge (`drawing.shapes.GAP`), so that the body shows as a seam where two
    dominoes meet. The seam shows where to cut, and hides a cut that is a quarter of a millimetre
    off. The body is drawn once, with its bleed, for all dominoes that touch.
    """
    parts = list(list_coloured_parts(look.shape, piece.face, piece.rotation))
    discs = [(part, colour) for part, colour in parts if part.kind != "link"]
    scale = piece.cell / UNIT
    # The middle of the domino goes to the centre of the piece.
    middle, _ = parts[0]
    left = piece.x - middle.x / UNIT * piece.cell
    top = piece.y - middle.y / UNIT * piece.cell

    def trace_part(outline: Outline, x: float, y: float, size: float, quarter: int) -> Segments:
        return trace(outline, left + x * scale, top + y * scale, size * scale, quarter)

    for part, colour in parts:
        path = trace_part(part.outline, part.x, part.y, 1, part.quarter)
        yield Path(path, look.paints[colour])
    if look.hollow:
        for part, _ in discs:
            # A little outwards, so that no line of paint is left along the seam.
            out = _BEYOND if part.kind == "half" else 0
            dx, dy = STEPS[part.quarter]
            x, y = part.x + dx * out, part.y + dy * out
            yield Path(trace_part(part.outline, x, y, _HOLLOW_PIECE, part.quarter), look.body)
    if look.symbols:
        for part, colour in discs:
            x, y, radius = part.symbol
            radius *= _HOLLOW_PIECE if look.hollow else 1
            fill = look.paints[colour] if look.hollow else choose_print_ink(look.paints[colour])
            # Turned with the domino, so that all dominoes look alike when they are cut out.
            yield Path(trace_part(SYMBOLS[colour], x, y, radius, piece.rotation), fill)
    if look.names:
        yield _name(piece, look, scale)


def _name(piece: Piece, look: Look, scale: float) -> Text:
    """Write the name and face, `PRYGB+`, in small letters on the central disc."""
    drop = _NAME_DROP * (0.86 if look.hollow else 1) * scale
    step_x, step_y = STEPS[turn_direction(2, piece.rotation)]
    fill = BLACK if look.hollow else choose_print_ink(look.paints[piece.face[0]])
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
    """Measure from the middle of a disc to its furthest point to the right."""
    return max(x for _, points in trace(SHAPES[shape].disc, 0, 0) for x, _ in points)


def disc(look: Look, colour: str, x: float, y: float, radius: float) -> Iterator[Item]:
    """Draw a disc in the shape of a design, as wide as a circle of this radius."""
    outline, scale = SHAPES[look.shape].disc, radius / _reach(look.shape)
    yield Path(trace(outline, x, y, scale), look.paints[colour])
    if look.hollow:
        yield Path(trace(outline, x, y, scale * _HOLLOW), look.body)


def sign_colour(look: Look, colour: str) -> str:
    """Choose the colour of a sign on a disc; yellow on white would be unreadable."""
    return BLACK if look.hollow else choose_print_ink(look.paints[colour])


def name_size(width: float, name: str = NAME) -> float:
    """Find the font size at which the name has this width."""
    return width / (text_width(name, 1, "display") - 2 * _BEARING)


def wordmark(x: float, y: float, size: float, fill: str, name: str = NAME) -> Text:
    """Write the name of the game as on the screen; x is its first stem, y the baseline."""
    return Text(x - _BEARING * size, y, name, size, "display", fill=fill)


def logo(look: Look, x: float, y: float, side: float) -> Iterator[Item]:
    """Draw the logo of the screen (`web/public/icon.svg`) in the colours of a design."""
    scale = side / 40
    box = rectangle(x, y, side, side, 9 * scale)
    yield Path(box, stroke=GREY, width=0.3) if look.hollow else Path(box, BODIES["black"])
    for outline, colour in _LOGO:
        yield Path(trace(parse_outline(outline), x, y, scale), look.paints[colour])
    for middle, colour in ((7, "G"), (33, "B")):
        yield Path(circle(x + middle * scale, y + middle * scale, 4 * scale), look.paints[colour])


@cache
def _fill_rectangle(tiles: TileSet, columns: int, rows: int) -> Sequence[Laying]:
    """Find layings that fill a rectangle; empty for a set that cannot do it."""
    frame = Frame.rectangle(columns, rows)
    solutions = solve(
        frame, tiles, list(tiles.names), seed="cover", faces="recto", budget=_MAX_SEARCH_NODES
    ).solutions
    return solutions[0] if solutions else ()


def mosaic(
    look: Look, tiles: TileSet, size: tuple[int, int], corner: tuple[float, float], cell: float
) -> Iterator[Item]:
    """Draw a rectangle of cells, filled with dominoes whose contacts all match."""
    (columns, rows), (left, top) = size, corner
    layings = _fill_rectangle(tiles, columns, rows)
    if layings and look.body != WHITE:
        yield Path(rectangle(left, top, columns * cell, rows * cell), look.body)
    for laying in layings:
        yield from piece_items(place_piece(laying, tiles, left, top, cell), look)


def convert_to_greys(sheet: Sheet) -> Sheet:
    """Convert a sheet to greys; dominoes have their own grey look (`look`)."""
    return replace(sheet, items=tuple(map(_convert_item, sheet.items)))


def _convert_item(item: Item) -> Item:
    if isinstance(item, Text):
        return replace(item, fill=_to_grey(item.fill))
    if isinstance(item, Path):
        fill, stroke = (colour and _to_grey(colour) for colour in (item.fill, item.stroke))
        return replace(item, fill=fill, stroke=stroke)
    return item


@cache
def _to_grey(colour: str) -> str:
    """Find the grey of the same brightness."""
    level = round(255 * luminance(colour) ** (1 / 2.2))
    return f"#{level:02x}{level:02x}{level:02x}"
