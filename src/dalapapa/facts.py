"""The known facts about the author's dominoes, and a check of a set (`docs/tiles.md`).

We know of no list of his pieces. All six facts hold for the standard set; a custom set need not
have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from .core.tiles import COLOURS, Tile, TileSet, count_halves, half_turn
from .kernel.solver import Frame, solve

SHEET = (8, 10)
"""The cells of the rectangle that a pile fills."""

MAX_NODES, MAX_NODES_OF_SHEET = 5_000_000, 40_000_000
"""The limits of the search for a rectangle: with both faces, and then with fronts only. They take
up to half a minute for each pile."""

PILES = (1, 2, 3)


class Fact(msgspec.Struct, frozen=True):
    """One fact, and whether it holds for a set. `holds` is None if the search gave up."""

    fact: str
    says: str
    holds: bool | None
    reason: str = ""
    """The first reason why it does not hold, or is not known."""


def check_facts(tiles: TileSet) -> tuple[Fact, ...]:
    """Check F1 to F6 for a set. This may take a minute, because F6 needs a search."""
    return tuple(_check_fact(name, says, check, tiles) for name, (says, check) in FACTS.items())


def _check_fact(
    name: str, says: str, check: Callable[[TileSet], Iterator[str]], tiles: TileSet
) -> Fact:
    try:
        reason = next(check(tiles), "")
    except _NotKnown as unknown:
        return Fact(name, says, None, str(unknown))
    return Fact(name, says, not reason, reason)


class _NotKnown(Exception):
    """The search gave up."""


def _faces(tile: Tile) -> tuple[str, str]:
    return tile.recto, tile.verso


def _f1(tiles: TileSet) -> Iterator[str]:
    if len(tiles) != 120:
        yield f"there are {len(tiles)}"
    seen: dict[frozenset[str], str] = {}
    for tile in tiles.tiles:
        look = frozenset(min(face, half_turn(face)) for face in _faces(tile))
        if look in seen:
            yield f"{seen[look]} and {tile.name} are the same"
        seen[look] = tile.name
    if missing := set(COLOURS) - set(
        "".join(face for tile in tiles.tiles for face in _faces(tile))
    ):
        yield f"nothing is {' or '.join(sorted(missing))}"


def _f2(tiles: TileSet) -> Iterator[str]:
    for tile in tiles.tiles:
        for face in _faces(tile):
            if len(set(face[1:])) != 3:
                yield f"colours of the half-discs of {tile.name} ({face}): {len(set(face[1:]))}"
        if missing := set(COLOURS) - set(tile.recto[1:] + tile.verso[1:]):
            yield f"{min(missing)} is missing on both faces of {tile.name}"


def _f3(tiles: TileSet) -> Iterator[str]:
    """Check the counts only: no source says how the faces complement each other."""
    for tile in tiles.tiles:
        count = count_halves(tile.recto) + count_halves(tile.verso)
        if any(count[colour] != 4 for colour in COLOURS):
            counts = ", ".join(f"{count[colour]} {colour}" for colour in COLOURS)
            yield f"{tile.name} has {counts}"


def _f4(tiles: TileSet) -> Iterator[str]:
    for tile in tiles.tiles:
        if tile.pile is None:
            yield f"{tile.name} belongs to no pile"
    for pile in PILES:
        if len(tiles.pile(pile)) != 40:
            yield f"pile {pile} has {len(tiles.pile(pile))}"


def _f5(tiles: TileSet) -> Iterator[str]:
    shown: dict[str, set[str]] = {}
    for figure, places in (("pyramid", ({2, 3}, {5, 6})), ("bridge", ({1, 4},))):
        shown[figure] = {
            tile.name
            for tile in tiles.tiles
            if any(_figure_places(face) in places for face in _faces(tile))
        }
        if len(shown[figure]) != 24:
            yield f"{len(shown[figure])} show a {figure}"
    left = len(tiles) - len(shown["pyramid"] | shown["bridge"])
    if left != 72:
        yield f"without them, {left} are left"


def _figure_places(face: str) -> set[int]:
    """List the half-discs in the colour of the centre: 1 to 6, clockwise from the west."""
    return {place for place in range(1, 7) if face[place] == face[0]}


def _f6(tiles: TileSet) -> Iterator[str]:
    for reason in _f4(tiles):
        yield f"there are no three piles of 40: {reason}"
    for pile in PILES:
        frame, names = Frame.rectangle(*SHEET), tiles.pile(pile)
        # Fronts alone, as on a printed sheet, may suffice where both faces are too many to try.
        result = solve(frame, tiles, names, budget=MAX_NODES)
        if not result.solutions and not result.complete:
            sheet = solve(frame, tiles, names, faces="recto", budget=MAX_NODES_OF_SHEET)
            if not sheet.solutions:
                raise _NotKnown(f"the search gave up pile {pile} without a result")
        elif not result.solutions:
            yield f"pile {pile} cannot"


FACTS: dict[str, tuple[str, Callable[[TileSet], Iterator[str]]]] = {
    "F1": ("120 dominoes with two faces, all different, in four colours", _f1),
    "F2": ("the half-discs of a face use three colours; no colour is missing on both faces", _f2),
    "F3": ("opposite faces complement each other: four halves of each colour on a domino", _f3),
    "F4": ("three piles of 40: on each face, blue and its partner make four halves", _f4),
    "F5": ("24 pyramids and 24 bridges; without them, 72 are left", _f5),
    "F6": ("each pile fills a rectangle of 8 x 10 cells with matching contacts", _f6),
}
