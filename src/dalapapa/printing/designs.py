"""The seven designs of the print set, each in colour, with little ink, or in grey with symbols."""

from __future__ import annotations

from ..drawing.palettes import PALETTES, luminance
from .sheet import WHITE, Look

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


def tone(colour: str, ink: str) -> str:
    """A colour of something that is not a domino: as it is, or its grey."""
    if ink != "grey":
        return colour
    level = round(255 * luminance(colour) ** (1 / 2.2))
    return f"#{level:02x}{level:02x}{level:02x}"
