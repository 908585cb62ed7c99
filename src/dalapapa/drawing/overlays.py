"""Marks as drawn: frames, outlines, badges and the writing on top of the dominoes.

Every line is cased: light on a dark line that is a little wider, so that it is seen on
black and on white wood, on either cloth and on any paint.
"""

from __future__ import annotations

from ..geometry import Cell, Disc
from ..notation import Laying
from .domino import frame
from .glyphs import STROKE, text_width, write
from .marks import GroupMark
from .outline import group_outline
from .paths import HALF, UNIT, number, numbers
from .style import Style

_DARK, _LIGHT = "#14120f", "#ffffff"

_DASHES = ("", "14 7", "2 7", "16 6 2 6", "7 5")
"""Dashes of the first, second, ... marked group, and round again."""

_ROUND = 'stroke-linecap="round" stroke-linejoin="round"'


def _cased(kind: str, element: str, width: float, dashes: str = "") -> str:
    """`element` (without its brackets) as a light line on a dark one."""
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<g class="{kind}" fill="none" {_ROUND}>'
        f'<{element} stroke="{_DARK}" stroke-width="{number(width + 3.6)}"/>'
        f'<{element} stroke="{_LIGHT}" stroke-width="{number(width)}"{dash}/></g>'
    )


def last_frame(laying: Laying, style: Style) -> str:
    """The solid frame of a laying just made."""
    return _cased("last", f"rect {frame(laying, style, 2)}", 4)


def ghost_frame(laying: Laying, style: Style) -> str:
    """The dashed frame of a laying only thought of."""
    return _cased("ghost-frame", f"rect {frame(laying, style, 0)}", 2.6, "9 8")


def place_mark(cell: Cell, colour: str) -> str:
    """A dotted square on a cell within reach."""
    x, y = (c * UNIT for c in cell)
    return (
        f'<g class="place" fill="none" stroke="{colour}" stroke-width="4" {_ROUND}>'
        f'<rect x="{x + 12}" y="{y + 12}" width="76" height="76" rx="14"'
        f' stroke-dasharray="0 9.5"/><circle cx="{x + HALF}" cy="{y + HALF}" r="3.5"'
        f' fill="{colour}" stroke="none"/></g>'
    )


def group_line(group: GroupMark, index: int, style: Style) -> str:
    """The line round a group; `index` counts the marked groups from 0."""
    d = group_outline(group.discs, style.shape, grow=-1)
    return _cased("group", f'path d="{d}"', 3.4, _DASHES[index % len(_DASHES)])


def group_label(group: GroupMark) -> str:
    """The label of a group, on the disc nearest to the group's middle."""
    if not group.label or not group.discs:
        return ""
    count = len(group.discs)
    mean_x, mean_y = (sum(disc[i] for disc in group.discs) / count for i in (0, 1))
    x, y = min(group.discs, key=lambda d: ((d[0] - mean_x) ** 2 + (d[1] - mean_y) ** 2, d))
    return badge(group.label, x * HALF, y * HALF, 22)


def badge(text: str, x: float, y: float, height: float) -> str:
    """Text on a light pill, centred on x, y; it shrinks to fit on a cell."""
    height *= min(1, 0.8 * UNIT / text_width(text, height))
    width = max(text_width(text, height) + 0.9 * height, 1.8 * height)
    tall = 1.8 * height
    return (
        f'<g class="badge"><rect x="{number(x - width / 2)}" y="{number(y - tall / 2)}"'
        f' width="{number(width)}" height="{number(tall)}" rx="{number(tall / 2)}"'
        f' fill="{_LIGHT}" stroke="{_DARK}" stroke-width="2"/>'
        f"{lettering(text, x, y, height, _DARK)}</g>"
    )


def lettering(text: str, x: float, y: float, height: float, colour: str) -> str:
    """Text without a ground, centred on x, y."""
    return (
        f'<path class="text" fill="none" stroke="{colour}" {_ROUND}'
        f' stroke-width="{number(height * STROKE)}" d="{write(text, x, y, height)}"/>'
    )


def clash_mark(disc: Disc) -> str:
    """A crossed badge on a disc whose halves disagree; both paints and both symbols show.

    It is small enough to leave the symbols on the two halves free.
    """
    x, y = (c * HALF for c in disc)
    return (
        f'<g class="clash" stroke="{_DARK}" {_ROUND}>'
        f'<circle cx="{x}" cy="{y}" r="10" fill="{_LIGHT}" stroke-width="2.5"/>'
        f'<path stroke-width="3.6" d="M{numbers(x - 4, y - 4)}l8 8m0-8l-8 8"/></g>'
    )


def laying_badges(laying: Laying, number_text: str, name: str) -> str:
    """The number of a laying on its first half, its name on the second; both optional."""
    return "".join(
        badge(text, x * UNIT + HALF, y * UNIT + HALF, 15)
        for text, (x, y) in zip((number_text, name), laying.cells, strict=True)
        if text
    )
