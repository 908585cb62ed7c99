"""The figures of the rulebook as items, drawn by `drawing`, so that print and screen look alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

import msgspec

from ..drawing import GroupMark, Marks, Style, draw, draw_face, find_clashes
from ..drawing.palettes import PALETTES
from ..drawing.paths import UNIT
from ..geometry import Disc
from ..kernel.table import Table
from ..notation import Laying, parse_position
from ..points import Group
from ..rulebook import figures
from ..tiles import TileSet, standard
from .designs import DESIGNS
from .options import PrintOptions
from .outlines import Segments, circle, moved, read_path, rectangle
from .sheet import BLACK, RED, WHITE, Item, Path, Text

_NOT_PRINTED = {"cloth", "shadow"}
_TRIMMED = 40
"""Of the half cell that a picture leaves free around its dominoes: on paper, little is enough."""

_INHERITED = ("fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap")


class Figure(msgspec.Struct, frozen=True):
    """Items in units of a hundredth cell, from 0, 0 to width, height."""

    items: tuple[Item, ...]
    width: float
    height: float

    def at(self, x: float, y: float, scale: float) -> list[Item]:
        """The items on a page."""
        return [scaled(item, x, y, scale) for item in self.items]


def scaled(item: Item, x: float, y: float, scale: float) -> Item:
    """An item made larger or smaller, then moved."""
    replace = msgspec.structs.replace
    if isinstance(item, Path):
        return replace(
            item,
            segments=moved(item.segments, x, y, scale),
            width=item.width * scale,
            dash=tuple(length * scale for length in item.dash),
        )
    at = {"x": item.x * scale + x, "y": item.y * scale + y}
    if isinstance(item, Text):
        return replace(item, size=item.size * scale, **at)
    return replace(item, cell=item.cell * scale, **at)


def style_of(options: PrintOptions) -> Style:
    """The look of the screen that comes nearest to a design and ink."""
    shape, palette, body = DESIGNS[options.design]
    palette = "grey" if options.ink == "grey" else palette
    assert palette in PALETTES
    pieces = "white" if options.ink == "low" else body
    return Style(shape=shape, palette=palette, pieces=pieces, symbols=options.symbols)  # type: ignore[arg-type]


def figure(name: str, style: Style) -> Figure:
    """A figure of the rulebook."""
    data = figures()[name]
    tiles = standard(data.get("set", "120"))
    if "tiles" in data:
        return _dominoes(data, tiles, style)
    before = parse_position(data["position"])
    words = data.get("turn") or ([data["laying"]] if data["laying"] else [])
    own = [Laying.parse(word) for word in words]
    marks = Marks(groups=_groups(data, before, own, tiles), last=tuple(own))
    svg = draw([*before, *own], tiles, style=style, marks=marks)
    red = BLACK if style.palette == "grey" else RED
    crosses = "".join(_cross(disc, red) for disc in find_clashes([*before, *own], tiles))
    return _trimmed(read_svg(svg.replace("</svg>", f"{crosses}</svg>")))


def _trimmed(figure: Figure) -> Figure:
    items = tuple(scaled(item, -_TRIMMED, -_TRIMMED, 1) for item in figure.items)
    return Figure(items, figure.width - 2 * _TRIMMED, figure.height - 2 * _TRIMMED)


def _cross(disc: Disc, colour: str) -> str:
    """Where two colours meet that must not: larger than on a screen, for a figure is small."""
    x, y = disc[0] * UNIT // 2, disc[1] * UNIT // 2
    return (
        f'<circle cx="{x}" cy="{y}" r="18" fill="{WHITE}" stroke="{BLACK}" stroke-width="4"/>'
        f'<path d="M{x - 8} {y - 8}L{x + 8} {y + 8}M{x - 8} {y + 8}L{x + 8} {y - 8}"'
        f' fill="none" stroke="{colour}" stroke-width="6" stroke-linecap="round"/>'
    )


def _groups(
    data: dict[str, Any], before: list[Laying], own: list[Laying], tiles: TileSet
) -> tuple[GroupMark, ...]:
    """The groups with labels, else those that the figure's own layings close."""
    labels: dict[str, Disc] = {name: tuple(at) for name, at in data.get("labels", {}).items()}
    if not labels and not data["closes"]:
        return ()
    table = Table(tiles, before)
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
    return tuple(
        GroupMark(group.discs, str(group.size))
        for group in groups
        if group.closed and group.discs not in closed
    )


def _dominoes(data: dict[str, Any], tiles: TileSet, style: Style) -> Figure:
    """Dominoes by themselves, a row for each: label, recto, verso; lines may join some discs."""
    labels = {tile: label for label, tile in data.get("labels", {}).items()}
    items: list[Item] = []
    row = UNIT + 20
    start, end = 70 if labels else 12, 12
    for number, name in enumerate(data["tiles"]):
        middle = number * row + UNIT / 2 + 10
        if name in labels:
            items.append(Path(circle(26, middle, 24), WHITE, BLACK, 3))
            items.append(Text(26, middle + 12, labels[name], 34, "bold", "middle"))
        for left, side in ((start, "+"), (start + 2 * UNIT + 20, "-")):
            face = draw_face(tiles[name].face(side), style)
            svg = f'<svg viewBox="0 0 {2 * UNIT} {UNIT}">{face}</svg>'
            drawn = [*read_svg(svg).items, *_shape(data.get("outline", {}).get(side, []))]
            items += [scaled(item, left, number * row + 10, 1) for item in drawn]
    return Figure(tuple(items), start + 4 * UNIT + 20 + end, len(data["tiles"]) * row)


def _shape(discs: list[Disc]) -> list[Path]:
    """Lines that join some discs of a domino, and so draw the shape it is named after."""
    if not discs:
        return []
    places = [(x * UNIT / 2, y * UNIT / 2) for x, y in discs]
    lines = read_path("M" + "L".join(f"{x:g} {y:g}" for x, y in places) + "Z")
    dots = [Path(circle(x, y, 9), WHITE, BLACK, 3) for x, y in places]
    return [Path(lines, None, BLACK, 11), Path(lines, None, WHITE, 6), *dots]


def read_svg(svg: str) -> Figure:
    """A picture that `drawing` made, without the cloth and the shadows."""
    root = ElementTree.fromstring(svg)
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    items = tuple(scaled(path, -left, -top, 1) for path in _paths(root, {}))
    return Figure(items, width, height)


def _paths(element: ElementTree.Element, inherited: dict[str, str]) -> Iterator[Path]:
    looks = inherited | {
        name: element.attrib[name] for name in _INHERITED if name in element.attrib
    }
    for child in element:
        if child.get("class") in _NOT_PRINTED:
            continue
        yield from _paths(child, looks)
    kind = element.tag.rpartition("}")[2]
    segments: Segments = ()
    if kind == "path":
        segments = read_path(element.attrib["d"])
    elif kind == "rect":
        x, y, wide, high = (float(element.get(n, "0")) for n in ("x", "y", "width", "height"))
        segments = rectangle(x, y, wide, high, float(element.get("rx", "0")))
    elif kind == "circle":
        segments = circle(*(float(element.attrib[name]) for name in ("cx", "cy", "r")))
    if not segments:
        return
    fill, stroke = looks.get("fill", BLACK), looks.get("stroke", "none")
    dashes = looks.get("stroke-dasharray", "")
    yield Path(
        segments,
        None if fill == "none" else fill,
        None if stroke == "none" else stroke,
        float(looks.get("stroke-width", "1")),
        tuple(float(length) for length in dashes.split()),
        looks.get("stroke-linecap") == "round",
    )
