"""Arrays from a view: a learning program sees what a person in its seat sees.

The viewer is always the first player; the others follow clockwise.
`docs/environments/index.md` lists every plane and fact.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

from ..core.extras import require
from ..core.tiles import COLOURS, TileSet
from ..drawing import draw, to_png
from ..games.moves import Move
from ..games.turns import TurnView
from ..kernel.episode import EpisodeArrays
from ..kernel.painter import Painter
from ..kernel.planes import FACE, MARKED, MAX_CELL_VALUE
from ..kernel.table import Table
from .actions import Actions, Window
from .observer import EACH, SHARED, Fact, Facts, Observer

try:
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray
    from PIL import Image
except ModuleNotFoundError:
    require("rl")
    raise

SIDE = 512
"""Pixels of a frame, always the same: videos need that."""

BIGGEST = np.iinfo(np.int16).max


class Arrays:
    """The arrays of one game or of many, a row for each."""

    def __init__(
        self, actions: Actions[Any, Any], tiles: TileSet, players: int, games: int, points: bool
    ) -> None:
        window, slots = actions.window, actions.slots
        planes = MARKED + 2 * actions.observer.marking
        self.board: NDArray[np.int8] = np.zeros((games, planes, window, window), np.int8)
        self.hand: NDArray[np.int8] = np.zeros((games, slots, 2 * FACE * len(COLOURS)), np.int8)
        self.unseen: NDArray[np.int8] = np.zeros((games, len(tiles)), np.int8)
        facts = len(actions.observer.facts(players))
        self.facts: NDArray[np.int16] = np.zeros((games, facts), np.int16)
        self.points: NDArray[np.int16] | None = (
            np.zeros((games, actions.count), np.int16) if points else None
        )
        self.mask: NDArray[np.int8] = np.zeros((games, actions.count), np.int8)
        self.legal: NDArray[np.int32] = np.zeros((games, actions.count), np.int32)
        self.rewards: NDArray[np.float64] = np.zeros((games, players))

    def rows(self, game: int) -> EpisodeArrays:
        """The arrays of one game, flat, for the kernel to write into."""
        return EpisodeArrays(
            self.board[game].reshape(-1),
            self.hand[game].reshape(-1),
            self.unseen[game],
            self.facts[game],
            self.mask[game],
            self.legal[game],
            None if self.points is None else self.points[game],
            self.rewards[game],
        )

    def list_arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of an observation, by name."""
        found: dict[str, NDArray[Any]] = {
            "board": self.board,
            "hand": self.hand,
            "unseen": self.unseen,
            "facts": self.facts,
        }
        return found if self.points is None else {**found, "points": self.points}

    def list_all(self) -> list[NDArray[Any]]:
        """All arrays, also those of legal actions and rewards."""
        return [array for array in vars(self).values() if array is not None]

    def space(self) -> spaces.Dict:
        low = {"facts": -BIGGEST, "points": -BIGGEST}
        high = {"board": MAX_CELL_VALUE, "facts": BIGGEST, "points": BIGGEST}
        arrays: dict[str, spaces.Space[Any]] = {
            name: spaces.Box(low.get(name, 0), high.get(name, 1), array.shape[1:], array.dtype.type)
            for name, array in self.list_arrays().items()
        }
        mask = spaces.Box(0, 1, self.mask.shape[1:], np.int8)
        return spaces.Dict({"observation": spaces.Dict(arrays), "action_mask": mask})


class Looker:
    """Writes what a view shows into the arrays of one game."""

    def __init__(
        self, observer: Observer[Any, Any], tiles: TileSet, rows: EpisodeArrays, size: int
    ) -> None:
        self.observer = observer
        self.rows = rows
        self.painter: Painter = Painter(size, rows.board, rows.mask, rows.legal)
        self.places: dict[str, int] = {name: place for place, name in enumerate(tiles.names)}
        faces = [tiles[name].recto + tiles[name].verso for name in tiles.names]
        self.faces: NDArray[np.int8] = np.array(
            [[colour == one for colour in face for one in COLOURS] for face in faces], np.int8
        )
        self.fact_values: tuple[Fact[Any], ...] = (*SHARED.values(), *observer.shared.values())
        self.player_values: tuple[Facts[Any], ...] = (*EACH.values(), *observer.each.values())

    def look(self, view: TurnView) -> None:
        rows, order = self.rows, list_clockwise(view)
        hand = [self.places[name] for name in view.hand]
        slots = hand[: self.observer.slots]
        rows.hand[:] = 0
        if slots:
            rows.hand[: len(slots) * self.faces.shape[1]] = self.faces[slots].reshape(-1)
        rows.unseen[:] = 1
        rows.unseen[hand] = 0
        rows.unseen[[self.places[laying.tile] for laying in view.table.layings]] = 0
        facts = [int(read(view)) for read in self.fact_values]
        facts += [int(read(view, seat)) for seat in order for read in self.player_values]
        rows.facts[:] = [max(-BIGGEST, min(BIGGEST, fact)) for fact in facts]
        self.painter.paint(view.table)
        for laying in self.observer.turn(view):
            for x, y in laying.cells:
                self.painter.paint_turn(x, y, 1)
        for mark in self.observer.marks(view):
            self.painter.paint_mark(view.table, mark.disc, order.index(mark.player) + 1)


def write_points(
    actions: Actions[Any, Any], view: TurnView, legal: dict[int, Move]
) -> NDArray[np.int16]:
    """The classic points of each legal laying, less the charge."""
    charge = actions.observer.charge(view)
    window = Window(view.table, actions.window)
    found = np.zeros(actions.count, np.int16)
    for name in view.hand:
        for laying, earned in view.table.scored(name):
            number = actions.find_laying_number(view, window, laying)
            if number in legal:
                found[number] = earned.points - charge
    return found


def list_clockwise(view: TurnView) -> list[int]:
    """All seats, the viewer first."""
    players = len(view.hand_counts)
    return [(view.player + step) % players for step in range(players)]


def draw_picture(table: Table) -> NDArray[np.uint8]:
    """The layout in the middle of a square, as large as it can be."""
    with Image.open(BytesIO(to_png(draw(table.layings, table.tiles)))) as image:
        drawn = image.convert("RGB")
    drawn.thumbnail((SIDE, SIDE))
    frame = Image.new("RGB", (SIDE, SIDE), drawn.getpixel((0, 0)))  # The cloth.
    frame.paste(drawn, ((SIDE - drawn.width) // 2, (SIDE - drawn.height) // 2))
    return np.array(frame)
