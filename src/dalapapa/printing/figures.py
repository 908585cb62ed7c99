"""The figures of the rulebook, drawn by `drawing` so that print and screen look alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ..core.geometry import Disc
from ..core.notation import Laying, parse_position
from ..core.points import Group
from ..core.tiles import TileSet, standard
from ..drawing import GroupMark, Marks, Style, find_clashes, mark_sizes
from ..drawing.domino import face_element
from ..drawing.markup import Attribute, Element
from ..drawing.outlines import UNIT, Outline, circle, line, polygon, rectangle
from ..drawing.palettes import PALETTES
from ..drawing.svg import picture
from ..kernel.table import Table
from ..rulebook import figures
from .designs import DESIGNS
from .options import PrintOptions
from .sheet import BLACK, RED, WHITE, Item, Path, Text

_TRIMMED = 40
"""Units removed from the half cell around the dominoes of a picture, to save paper."""


class Figure(msgspec.Struct, frozen=True):
    """Items in units of a hundredth cell, from 0, 0 to width, height."""

    items: tuple[Item, ...]
    width: float
    height: float


def screen_style(options: PrintOptions) -> Style:
    """Choose the screen style that is nearest to a design and ink."""
    shape, palette, body = DESIGNS[options.design]
    palette = "grey" if options.ink == "grey" else palette
    assert palette in PALETTES
    pieces = "white" if options.ink == "low" else body
    return Style(shape=shape, palette=palette, pieces=pieces, symbols=options.symbols)  # type: ignore[arg-type]


def figure(name: str, style: Style) -> Figure:
    """Draw a figure of the rulebook."""
    data = figures()[name]
    tiles = standard(data.get("set", "120"))
    if "tiles" in data:
        return _dominoes(data, tiles, style)
    before = parse_position(data["position"])
    words = data.get("turn") or ([data["laying"]] if data["laying"] else [])
    own = [Laying.parse(word) for word in words]
    marks = Marks(groups=_groups(data, before, own, tiles), last=tuple(own))
    drawn = picture([*before, *own], tiles, style, marks)
    left, top, width, height = drawn.box
    items = [path for layer in drawn.layers for path in _paths(layer, {})]
    red = BLACK if style.palette == "grey" else RED
    for disc in find_clashes([*before, *own], tiles):
        items += _cross(disc, red)
    x, y = -left - _TRIMMED, -top - _TRIMMED
    trimmed = tuple(item.move(x, y) for item in items)
    return Figure(trimmed, width - 2 * _TRIMMED, height - 2 * _TRIMMED)


def _cross(disc: Disc, colour: str) -> Iterator[Path]:
    """Mark a clash; the mark is larger than on a screen, because a figure is small."""
    x, y = disc[0] * UNIT // 2, disc[1] * UNIT // 2
    yield Path(circle(x, y, 18), WHITE, BLACK, 4)
    lines = line(x - 8, y - 8, x + 8, y + 8) + line(x - 8, y + 8, x + 8, y - 8)
    yield Path(lines, None, colour, 6, round=True)


def _groups(
    data: dict[str, Any], before: list[Laying], own: list[Laying], tiles: TileSet
) -> tuple[GroupMark, ...]:
    """List the groups with labels, or else those that the figure's last layings close."""
    labels: dict[str, Disc] = {name: tuple(at) for name, at in data.get("labels", {}).items()}
    if not labels and not data["closes"]:
        return ()
    table = Table(before, tiles)
    closed: set[tuple[Disc, ...]] = {group.discs for group in table.groups() if group.closed}
    if not (labels and "joins" in data):
        for laying in own:
            table.lay(laying)
    groups: list[Group] = table.groups()
    if labels:
        return tuple(
            GroupMark(next(group.discs for group in groups if at in group.discs), label)
            for label, at in labels.items()
        )
    return mark_sizes(one for one in groups if one.closed and one.discs not in closed)


def _dominoes(data: dict[str, Any], tiles: TileSet, style: Style) -> Figure:
    """Draw single dominoes, one in each row: label, recto, verso, and lines between discs."""
    labels = {tile: label for label, tile in data.get("labels", {}).items()}
    items: list[Item] = []
    row = UNIT + 20
    start, end = 70 if labels else 12, 12
    for number, name in enumerate(data["tiles"]):
        middle = number * row + UNIT / 2 + 10
        if name in labels:
            items.append(Path(circle(26, middle, 24), WHITE, BLACK, 3))
            items.append(Text(26, middle + 12, labels[name], 34, "strong", "middle"))
        for left, side in ((start, "+"), (start + 2 * UNIT + 20, "-")):
            face = _paths(face_element(tiles[name].face(side), style), {})
            drawn = [*face, *_shape(data.get("outline", {}).get(side, []))]
            items += [item.move(left, number * row + 10) for item in drawn]
    return Figure(tuple(items), start + 4 * UNIT + 20 + end, len(data["tiles"]) * row)


def _shape(discs: list[Disc]) -> list[Path]:
    """Draw lines between discs of a domino, in the shape that it is named after."""
    if not discs:
        return []
    places = [(x * UNIT / 2, y * UNIT / 2) for x, y in discs]
    lines = polygon(places)
    dots = [Path(circle(x, y, 9), WHITE, BLACK, 3) for x, y in places]
    return [Path(lines, None, BLACK, 11), Path(lines, None, WHITE, 6), *dots]


def _paths(element: Element, inherited: Mapping[str, Attribute]) -> Iterator[Path]:
    """List the paths of an element of `drawing`, without shadows."""
    looks = {**inherited, **element.attributes}
    if looks.get("class_") == "shadow":
        return
    for child in element.children:
        if isinstance(child, Element):
            yield from _paths(child, looks)
    match element.tag, looks:
        case "path", {"d": Outline() as outline}:
            segments = outline.segments()
        case "rect", {"x": _, "y": _, "width": _, "height": _, "rx": _}:
            segments = rectangle(*_numbers(looks, "x", "y", "width", "height", "rx"))
        case "circle", _:
            segments = circle(*_numbers(looks, "cx", "cy", "r"))
        case _:
            return
    fill, stroke = looks.get("fill", BLACK), looks.get("stroke", "none")
    dashes = looks.get("stroke_dasharray")
    (width,) = _numbers({"stroke_width": 1, **looks}, "stroke_width")
    if segments:
        yield Path(
            segments,
            None if fill == "none" else str(fill),
            None if stroke == "none" else str(stroke),
            width,
            dashes if isinstance(dashes, tuple) else (),
            looks.get("stroke_linecap") == "round",
        )


def _numbers(attributes: Mapping[str, Attribute], *names: str) -> list[float]:
    """Read numbers among attributes, rounded to hundredths of a unit as on the screen."""
    values = [attributes[name] for name in names]
    return [round(value, 2) for value in values if isinstance(value, int | float)]
