"""Charts: values with their intervals, in panels of rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor

import msgspec

from .glyphs import lettering, measure_lettering
from .markup import escape_text
from .outlines import format_numbers
from .palettes import PALETTES, THEMES

_WIDTH, _MARGIN, _ROW, _HEAD, _FOOT = 560, 24, 34, 64, 34
"""Sizes of a panel in pixels: width, margin, height of a row, space above and below the rows."""

_TITLE, _TEXT, _SMALL = 17, 13, 10
"""The heights of capitals, in pixels."""

_INK, _BAR, _DOT = "#2c2822", "#4a443a", PALETTES["classic"].paints["B"]
_THEME = THEMES["light"]

_MAX_TICKS = 7

_MAX_NAME_WIDTH = 180


class ChartRow(msgspec.Struct, frozen=True):
    """A value with its interval."""

    name: str
    value: float
    low: float
    high: float


class Panel(msgspec.Struct, frozen=True):
    """Rows under a title."""

    title: str
    note: str
    rows: tuple[ChartRow, ...]


def draw_chart(panels: Sequence[Panel], axis: str, columns: int = 1) -> str:
    """Draw a standalone SVG document: all panels on one scale, which `axis` explains.

    It has its own background, so that it is readable on light and dark pages.
    """
    columns = min(columns, len(panels))
    heights = [_HEAD + _ROW * len(panel.rows) + _FOOT for panel in panels]
    rows = [max(heights[i : i + columns]) for i in range(0, len(panels), columns)]
    names = max(
        measure_lettering(_shorten_name(row.name), _TEXT) for panel in panels for row in panel.rows
    )
    scale = _Scale(panels, left=names + 2 * _MARGIN, right=_WIDTH - _MARGIN - 76)
    width, height = columns * _WIDTH, sum(rows) + 2 * _MARGIN
    drawn = ""
    for number, panel in enumerate(panels):
        x, y = _WIDTH * (number % columns), _MARGIN + sum(rows[: number // columns])
        drawn += f'<g class="panel" transform="translate({x} {y})">'
        drawn += f"{''.join(_panel(panel, scale))}</g>"
    words = "; ".join(f"{panel.title}: {', '.join(map(_describe, panel.rows))}" for panel in panels)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"<title>{escape_text(axis)}</title><desc>{escape_text(words)}.</desc>"
        f'<rect class="cloth" width="{width}" height="{height}" rx="10" fill="{_THEME.cloth}"/>'
        f"{drawn}{_draw_text(axis, width - _MARGIN, height - 14, _SMALL, _THEME.text, 1)}</svg>\n"
    )


class _Scale:
    """Converts values to pixels of a panel, with ticks at round numbers."""

    def __init__(self, panels: Sequence[Panel], left: float, right: float) -> None:
        ends = [end for panel in panels for row in panel.rows for end in (row.low, row.high)]
        low, high = min(ends), max(ends)
        self.step = 10
        while (high - low) / self.step > _MAX_TICKS - 2:
            self.step = self.step * 5 // 2 if str(self.step)[0] == "2" else self.step * 2
        self.first = floor(low / self.step) * self.step
        self.last = ceil(high / self.step) * self.step
        if self.first == self.last:
            self.first, self.last = self.first - self.step, self.last + self.step
        self.left, self.right = left, right

    @property
    def ticks(self) -> range:
        return range(self.first, self.last + 1, self.step)

    def at(self, value: float) -> float:
        part = (value - self.first) / (self.last - self.first)
        return self.left + part * (self.right - self.left)


def _panel(panel: Panel, scale: _Scale) -> Iterator[str]:
    yield _draw_text(panel.title, _MARGIN, 14, _TITLE, _INK, -1)
    yield _draw_text(panel.note, _MARGIN, 40, _SMALL, _THEME.text, -1)
    top, bottom = _HEAD - 4, _HEAD + _ROW * len(panel.rows)
    for tick in scale.ticks:
        x = scale.at(tick)
        width = 2.4 if tick == 0 else 1.2
        yield (
            f'<path class="tick" stroke="{_THEME.text if tick == 0 else _THEME.grid}"'
            f' stroke-width="{width}" d="M{format_numbers(x, top)}V{bottom}"/>'
        )
        yield _draw_text(f"{tick:+}" if tick else "0", x, bottom + 14, _SMALL, _THEME.text)
    for number, row in enumerate(panel.rows):
        yield from _row(row, _HEAD + _ROW * (number + 0.5), scale)


def _row(row: ChartRow, y: float, scale: _Scale) -> Iterator[str]:
    yield _draw_text(_shorten_name(row.name), scale.left - _MARGIN, y, _TEXT, _INK, 1)
    low, value, high = (scale.at(end) for end in (row.low, row.value, row.high))
    yield (
        f'<g class="row"><title>{escape_text(_describe(row))}</title>'
        f'<path fill="none" stroke="{_BAR}" stroke-width="2.4" stroke-linecap="round"'
        f' d="M{format_numbers(low, y - 6)}v12M{format_numbers(low, y)}H{format_numbers(high)}'
        f'M{format_numbers(high, y - 6)}v12"/>'
        f'<circle cx="{format_numbers(value)}" cy="{format_numbers(y)}" r="6.5" fill="{_DOT}"'
        f' stroke="{_INK}" stroke-width="2"/></g>'
    )
    yield _draw_text(_format_signed(row.value), _WIDTH - _MARGIN, y, _TEXT, _INK, 1)


def _shorten_name(name: str) -> str:
    """Remove the middle of a long name, to leave room for the bars."""
    short, ends = name, len(name) // 2
    while measure_lettering(short, _TEXT) > _MAX_NAME_WIDTH:
        ends -= 1
        short = f"{name[:ends]}..{name[-ends:]}"
    return short


def _format_signed(value: float) -> str:
    return f"{round(value):+}" if round(value) else "0"


def _describe(row: ChartRow) -> str:
    low, value, high = map(_format_signed, (row.low, row.value, row.high))
    return f"{row.name} {value} ({low} to {high})"


def _draw_text(text: str, x: float, y: float, height: float, ink: str, side: int = 0) -> str:
    """Draw text whose left end (side -1), middle (0) or right end (1) is at x."""
    return lettering(text, x - side * measure_lettering(text, height) / 2, y, height, ink).to_svg()
