"""A domino as paths: the outlines of the screen, without rim, round corners or shadow.

The half-discs end a hair inside the edge (`drawing.shapes.GAP`), so that the body shows as a seam
where two dominoes meet: it says where to cut, and forgives a cut or a turn of the paper that is a
quarter of a millimetre off. The body itself is drawn once for all dominoes that lie together, with
its bleed.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..drawing.domino import HALF_SYMBOL, SYMBOL_INSET, WHOLE_SYMBOL
from ..drawing.halves import centre, halves
from ..drawing.palettes import ink as screen_ink
from ..drawing.paths import HALF, UNIT
from ..drawing.shapes import SHAPES
from ..drawing.symbols import OUTLINES
from ..geometry import STEPS, edge, turned
from ..notation import Laying
from .outlines import trace
from .sheet import BLACK, WHITE, Look, Path, Piece, Sheet, Text

_HOLLOW, _BEYOND = 0.78, 0.8
"""What is left white of a disc in the low-ink version; how far that of a half-disc is moved out."""

_NAME_HEIGHT, _NAME_DROP = 6.4, 23.5
"""Size of a name and how far its baseline lies below the centre, in units of a hundredth cell."""


def ink(paint: str) -> str:
    """The ink of a sign on `paint`, as on the screen, though of a black that is black ink alone."""
    return WHITE if screen_ink(paint) == WHITE else BLACK


def flat(sheet: Sheet) -> Iterator[Path | Text]:
    """All that is on a sheet, with its pieces taken apart."""
    for item in sheet.items:
        if isinstance(item, Piece):
            assert sheet.look is not None, "a sheet with pieces has a look"
            yield from taken_apart(item, sheet.look)
        else:
            yield item


def taken_apart(piece: Piece, look: Look) -> Iterator[Path | Text]:
    """The discs, half-discs, links, symbols and the name of a piece, in the order of drawing."""
    laying = Laying("", "+", piece.rotation, 0, 0)
    (x, y), (other_x, other_y) = laying.cells
    scale = piece.cell / UNIT
    # The laying's own middle comes to lie on the piece's centre.
    left = piece.x - (x + other_x + 1) / 2 * piece.cell
    top = piece.y - (y + other_y + 1) / 2 * piece.cell
    shape = SHAPES[look.shape]
    middle = centre(laying)
    colours = {middle: piece.face[0]}
    whole = [(shape.disc, middle, 0, piece.face[0])]
    for disc, direction, colour in halves(laying, piece.face):
        colours[disc] = colour
        whole.append((shape.half, disc, direction, colour))

    def place(unit_x: float, unit_y: float) -> tuple[float, float]:
        return left + unit_x * scale, top + unit_y * scale

    for outline, disc, direction, colour in whole:
        at = place(disc[0] * HALF, disc[1] * HALF)
        yield Path(trace(outline, *at, scale, direction), look.paints[colour])
    for cell in laying.cells:
        for direction in range(4):
            colour = colours[edge(*cell, direction)]
            if colour == colours[edge(*cell, turned(direction, 1))]:
                at = place(cell[0] * UNIT + HALF, cell[1] * UNIT + HALF)
                yield Path(trace(shape.link, *at, scale, direction), look.paints[colour])
    if look.hollow:
        for outline, disc, direction, _ in whole:
            # A little outwards, so that no trace of the paint is left along the seam.
            out = _BEYOND if outline is shape.half else 0
            step_x, step_y = STEPS[direction]
            at = place(disc[0] * HALF + step_x * out, disc[1] * HALF + step_y * out)
            yield Path(trace(outline, *at, scale * _HOLLOW, direction), look.body)
    if look.symbols:
        for outline, disc, direction, colour in whole:
            is_half = outline is shape.half
            step_x, step_y = STEPS[direction] if is_half else (0, 0)
            at = place(
                disc[0] * HALF - step_x * SYMBOL_INSET, disc[1] * HALF - step_y * SYMBOL_INSET
            )
            radius = (HALF_SYMBOL if is_half else WHOLE_SYMBOL) * scale
            radius *= _HOLLOW if look.hollow else 1
            fill = look.paints[colour] if look.hollow else ink(look.paints[colour])
            # Turned with the domino: cut out, all of them look alike.
            yield Path(trace(OUTLINES[colour], *at, radius, piece.rotation), fill)
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
