"""A symbol for every colour, so that colour itself is never needed.

A flame, a sun, a leaf and a ring of water: solid, crossed, slanted and hollow, which
stay apart even when a symbol is only a few pixels wide.
"""

from __future__ import annotations

from .paths import place

OUTLINES = {
    "R": "M0 -1.08L1.04 0.76L-1.04 0.76Z",
    "Y": "M-0.31 -1L0.31 -1L0.31 -0.31L1 -0.31L1 0.31L0.31 0.31L0.31 1L-0.31 1L-0.31 0.31"
    "L-1 0.31L-1 -0.31L-0.31 -0.31Z",
    "G": "M-0.94 0.94A1.5 0 1 0.94 -0.94A1.5 0 1 -0.94 0.94Z",
    # The inner circle runs the other way round, which makes it a hole without a fill rule.
    "B": "M-1 0A1 1 1 1 0A1 1 1 -1 0ZM-0.5 0A0.5 1 0 0.5 0A0.5 1 0 -0.5 0Z",
}


def symbol(colour: str, x: float, y: float, radius: float) -> str:
    """Path data, to be filled, of the symbol of a colour letter; upright, in units."""
    return place(OUTLINES[colour], x, y, radius)
