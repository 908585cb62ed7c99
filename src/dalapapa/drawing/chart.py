"""Charts: values with their intervals, in panels of rows. Knows nothing of what is measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor

import msgspec

from .glyphs import lettering, text_width
from .markup import escaped
from .outlines import numbers
from .palettes import PALETTES, THEMES

_WIDTH, _MARGIN, _ROW, _HEAD, _FOOT = 560, 24, 34, 64, 34
"""Of a panel, in pixels: its width, the free border, a row, the lines above and below the rows."""

_TITLE, _TEXT, _SMALL = 17, 13, 10
"""Heights of capitals, in pixels."""

_INK, _BAR, _DOT = "#2c2822", "#4a443a", PALETTES["classic"].paints["B"]
_THEME = THEMES["light"]

_MOST_TICKS = 7

_NAME = 180
"""The most pixels that the name of a row takes."""


class Row(msgspec.Struct, frozen=True):
    """A value with its interval."""

    name: str
    value: float
    low: float
    high: float


class Panel(msgspec.Struct, frozen=True):
    """Rows under a title."""

    title: str
    note: str
    rows: tuple[Row, ...]


def draw_chart(panels: Sequence[Panel], axis: str, columns: int = 1) -> str:
    """A standalone SVG document: all panels on one scale, which `axis` explains.

    It has a ground of its own, so that it can be read on light and dark pages alike.
    """
    columns = min(columns, len(panels))
    heights = [_height(panel) for panel in panels]
    rows = [max(heights[i : i + columns]) for i in range(0, len(panels), columns)]
    names = max(text_width(_fitted(row.name), _TEXT) for panel in panels for row in panel.rows)
    scale = _Scale(panels, left=names + 2 * _MARGIN, right=_WIDTH - _MARGIN - 76)
    width, height = columns * _WIDTH, sum(rows) + 2 * _MARGIN
    drawn = ""
    for number, panel in enumerate(panels):
        x, y = _WIDTH * (number % columns), _MARGIN + sum(rows[: number // columns])
        drawn += f'<g class="panel" transform="translate({x} {y})">'
        drawn += f"{''.join(_panel(panel, scale))}</g>"
    words = "; ".join(f"{panel.title}: {', '.join(map(_told, panel.rows))}" for panel in panels)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f"<title>{escaped(axis)}</title><desc>{escaped(words)}.</desc>"
        f'<rect class="cloth" width="{width}" height="{height}" rx="10" fill="{_THEME.cloth}"/>'
        f"{drawn}{_written(axis, width - _MARGIN, height - 14, _SMALL, _THEME.text, 1)}</svg>\n"
    )


class _Scale:
    """From values to pixels of a panel, with ticks at round numbers."""

    def __init__(self, panels: Sequence[Panel], left: float, right: float) -> None:
        ends = [end for panel in panels for row in panel.rows for end in (row.low, row.high)]
        low, high = min(ends), max(ends)
        self.step = 10
        while (high - low) / self.step > _MOST_TICKS - 2:
            self.step = self.step * 5 // 2 if str(self.step)[0] == "2" else self.step * 2
        self.first, self.last = (
            floor(low / self.step) * self.step,
            ceil(high / self.step) * self.step,
        )
        if self.first == self.last:
            self.first, self.last = self.first - self.step, self.last + self.step
        self.left, self.right = left, right

    @property
    def ticks(self) -> range:
        return range(self.first, self.last + 1, self.step)

    def at(self, value: float) -> float:
        part = (value - self.first) / (self.last - self.first)
        return self.left + part * (self.right - self.left)


def _height(panel: Panel) -> int:
    return _HEAD + _ROW * len(panel.rows) + _FOOT


def _panel(panel: Panel, scale: _Scale) -> Iterator[str]:
    yield _written(panel.title, _MARGIN, 14, _TITLE, _INK, -1)
    yield _written(panel.note, _MARGIN, 40, _SMALL, _THEME.text, -1)
    top, bottom = _HEAD - 4, _HEAD + _ROW * len(panel.rows)
    for tick in scale.ticks:
        x = scale.at(tick)
        width = 2.4 if tick == 0 else 1.2
        yield (
            f'<path class="tick" stroke="{_THEME.text if tick == 0 else _THEME.grid}"'
            f' stroke-width="{width}" d="M{numbers(x, top)}V{bottom}"/>'
        )
        yield _written(f"{tick:+}" if tick else "0", x, bottom + 14, _SMALL, _THEME.text)
    for number, row in enumerate(panel.rows):
        yield from _row(row, _HEAD + _ROW * (number + 0.5), scale)


def _row(row: Row, y: float, scale: _Scale) -> Iterator[str]:
    yield _written(_fitted(row.name), scale.left - _MARGIN, y, _TEXT, _INK, 1)
    low, value, high = (scale.at(end) for end in (row.low, row.value, row.high))
    yield (
        f'<g class="row"><title>{escaped(_told(row))}</title>'
        f'<path fill="none" stroke="{_BAR}" stroke-width="2.4" stroke-linecap="round"'
        f' d="M{numbers(low, y - 6)}v12M{numbers(low, y)}H{numbers(high)}'
        f'M{numbers(high, y - 6)}v12"/>'
        f'<circle cx="{numbers(value)}" cy="{numbers(y)}" r="6.5" fill="{_DOT}"'
        f' stroke="{_INK}" stroke-width="2"/></g>'
    )
    yield _written(_signed(row.value), _WIDTH - _MARGIN, y, _TEXT, _INK, 1)


def _fitted(name: str) -> str:
    """A name that leaves room for the bars: if long, without its middle."""
    fitted, ends = name, len(name) // 2
    while text_width(fitted, _TEXT) > _NAME:
        ends -= 1
        fitted = f"{name[:ends]}..{name[-ends:]}"
    return fitted


def _signed(value: float) -> str:
    return f"{round(value):+}" if round(value) else "0"


def _told(row: Row) -> str:
    return f"{row.name} {_signed(row.value)} ({_signed(row.low)} to {_signed(row.high)})"


def _written(text: str, x: float, y: float, height: float, ink: str, side: int = 0) -> str:
    """Text whose left end (side -1), middle (0) or right end (1) is at x."""
    return lettering(text, x - side * text_width(text, height) / 2, y, height, ink).to_svg()
