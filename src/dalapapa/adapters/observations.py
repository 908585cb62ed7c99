"""Arrays from a view: what a learning program sees, which is what a person in its seat sees.

Players are told as seen from the viewer, who is always the first; the others follow clockwise.
`docs/adapters.md` lists every plane and fact.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..geometry import EAST, SLOTS, WEST, second_cell, slot_side, turned
from ..notation import Laying
from ..tiles import COLOURS, TileSet
from .actions import HAND_SLOTS, MARKING, Window, cell_of

FACE = 7
"""Colours of a face."""

LAID, SIDES, TURN, GROUP, CLOSED, MARKED = 0, 1, 17, 18, 20, 22
"""The first planes of each kind: `SIDES` has 16, the last three 2 each (east, south)."""

MOST = np.iinfo(np.int8).max
BIGGEST = np.iinfo(np.int16).max

Fact = Callable[[Any], int]
Facts = Callable[[Any, int], int]

SHARED: dict[str, Fact] = {
    "setup": lambda view: view.phase == "setup",
    "laid": lambda view: len(view.table),
    "bag": lambda view: view.bag_count,
}
EACH: dict[str, Facts] = {
    "active": lambda view, seat: view.active == seat,
    "hand": lambda view, seat: view.hand_counts[seat],
}
"""What every game tells: once, and of each player."""

_SCORES: dict[str, Facts] = {"score": lambda view, seat: view.scores[seat]}
_CLASSIC: dict[str, Fact] = {
    "target": lambda view: view.options.target,
    "turn": lambda view: len(view.turn),
    "last_round": lambda view: view.last_round,
}
OWN_SHARED: dict[str, dict[str, Fact]] = {
    "classic": _CLASSIC,
    "auction": {
        **_CLASSIC,
        "auctioned": lambda view: view.auctioned,
        "bid": lambda view: view.bidding.bid if view.bidding else 0,
    },
    "conquest": {**_CLASSIC, "marked": lambda view: view.marked},
    "gone": {"again": lambda view: view.again},
    "72": {
        "reserve": lambda view: view.reserve,
        "turn": lambda view: view.laid is not None,
        "last_turns": lambda view: view.last_turns or 0,
    },
}
OWN_EACH: dict[str, dict[str, Facts]] = {
    "classic": _SCORES,
    "auction": {
        **_SCORES,
        "declined": lambda view, seat: seat in view.declined,
        "holder": lambda view, seat: bool(view.bidding) and view.bidding.holder == seat,
        "asked": lambda view, seat: bool(view.bidding) and view.bidding.asked == seat,
        "out": lambda view, seat: bool(view.bidding) and seat in view.bidding.out,
    },
    "conquest": {**_SCORES, "marks_left": lambda view, seat: view.marks_left[seat]},
    "gone": {},
    "72": {
        **_SCORES,
        "dealer": lambda view, seat: view.dealer == seat,
        "tokens": lambda view, seat: view.tokens[seat],
        "markers_left": lambda view, seat: view.markers_left[seat],
        "premium": lambda view, seat: view.premium == seat,
    },
}
"""What one game tells besides."""


def plane_count(game: str) -> int:
    """Planes of the board."""
    return MARKED + 2 * (game in MARKING)


def fact_names(game: str, players: int) -> tuple[str, ...]:
    """The names of the facts, in order; those of players end with their distance clockwise."""
    each = {**EACH, **OWN_EACH[game]}
    return (
        *SHARED,
        *OWN_SHARED[game],
        *(f"{name}_{step}" for step in range(players) for name in each),
    )


def facts(view: Any) -> NDArray[np.int16]:
    """The numbers of a view."""
    shared = {**SHARED, **OWN_SHARED[view.game]}
    each = {**EACH, **OWN_EACH[view.game]}
    found = [int(read(view)) for read in shared.values()]
    for seat in clockwise(view):
        found += [int(tell(view, seat)) for tell in each.values()]
    return np.array(np.clip(found, -BIGGEST, BIGGEST), np.int16)


def clockwise(view: Any) -> list[int]:
    """All seats, the viewer first."""
    players = len(view.hand_counts)
    return [(view.viewer + step) % players for step in range(players)]


def hand(view: Any, tiles: TileSet) -> NDArray[np.int8]:
    """For each slot of the hand, the colours of recto and verso, one of four set for each."""
    found = np.zeros((HAND_SLOTS[view.game], 2, FACE, len(COLOURS)), np.int8)
    for slot, name in enumerate(view.hand[: len(found)]):
        for side, face in enumerate((tiles[name].recto, tiles[name].verso)):
            for place, colour in enumerate(face):
                found[slot, side, place, COLOURS.index(colour)] = 1
    return found.reshape(len(found), -1)


def unseen(view: Any, tiles: TileSet) -> NDArray[np.int8]:
    """For each domino of the set: whether it is in the bag or in another hand."""
    seen = {laying.tile for laying in view.table.layings}.union(view.hand)
    return np.array([name not in seen for name in tiles.names], np.int8)


def board(view: Any, tiles: TileSet, size: int) -> NDArray[np.int8]:
    """The planes of the window."""
    planes = np.zeros((plane_count(view.game), size, size), np.int8)
    window = Window(view.table, size)
    latest = _turn(view)
    places: list[int] = []
    for laying in view.table.layings:
        painted = _painted(tiles[laying.tile].face(laying.side), laying.rotation)
        left, top = laying.x - window.left, laying.y - window.top
        for dx, dy, plane in painted:
            x, y = left + dx, top + dy
            if 0 <= x < size and 0 <= y < size:
                places.append((plane * size + y) * size + x)
    planes.reshape(-1)[places] = 1
    for laying in latest:
        for cell in laying.cells:
            if (place := window.place(cell)) is not None:
                planes[TURN][place] = 1
    whose = _marks(view)
    for group in view.table.groups():
        owner = max([whose.get(disc, 0) for disc in group.discs]) if whose else 0
        for disc in group.discs:
            cell, side = cell_of(disc)
            if (place := window.place(cell)) is not None:
                planes[GROUP + side][place] = min(group.size, MOST)
                planes[CLOSED + side][place] = group.closed
                if owner:
                    planes[MARKED + side][place] = owner
    return planes


def _turn(view: Any) -> set[Laying]:
    """What was laid in the turn under way."""
    if view.game == "gone":
        return set()
    laid = (view.laid,) if view.game == "72" else view.turn
    return {one.laying for one in laid if one is not None}


def _marks(view: Any) -> dict[tuple[int, int], int]:
    """Whose mark is on a disc: 1 for the viewer, 2 for the next one clockwise, and so on."""
    if view.game not in MARKING:
        return {}
    marks = view.marks if view.game == "conquest" else view.markers
    order = clockwise(view)
    return {mark.disc: order.index(mark.player) + 1 for mark in marks}


@cache
def _painted(face: str, rotation: int) -> tuple[tuple[int, int, int], ...]:
    """What a domino sets: x and y from its first cell, and the plane.

    The side between its two cells has the colour of the centre.
    """
    one, two = (0, 0), second_cell(0, 0, rotation)
    sides = [(*one, turned(EAST, rotation), face[0]), (*two, turned(WEST, rotation), face[0])]
    sides += [(*slot_side(0, 0, rotation, slot), face[slot + 1]) for slot in range(len(SLOTS))]
    found = [(x, y, SIDES + 4 * direction + COLOURS.index(c)) for x, y, direction, c in sides]
    return (*one, LAID), (*two, LAID), *found
