"""Arlequin: each player fills a frame of 8 x 10 cells with one of the three piles (rules 6)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from ...core.errors import BadOptions, IllegalMove
from ...core.figures import make_rectangle
from ...core.geometry import Cell
from ...core.notation import Laying
from ...core.tiles import TileSet, standard
from ..bag import Bag, shuffle_by_seed
from ..events import TakenOut
from ..game import Step
from ..moves import GiveUp, Lay, Move, PlayersMove, TakeOut
from ..race import Minutes, Race, RaceState, RaceView

SHORT, LONG = 8, 10
"""Cells along the sides of a frame."""

DOMINOES = SHORT * LONG // 2

PILES = (1, 2, 3)

FIND_S = 30.0
"""The time to find a domino for a frame that takes the whole pile."""


class ArlequinOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What players agree on beforehand."""

    piles: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=3)], ...],
        Meta(description="the pile of each player; by default drawn at random"),
    ] = ()
    minutes: Minutes = 0


class ArlequinState(RaceState, frozen=True, kw_only=True):
    """A race, and the pile of each player."""

    options: ArlequinOptions
    piles: tuple[int, ...]


class ArlequinView(RaceView, frozen=True, kw_only=True):
    """Everything."""

    options: ArlequinOptions
    piles: tuple[int, ...]

    @property
    def pile(self) -> tuple[str, ...]:
        """The dominoes that the viewer has not laid yet."""
        if self.viewer is None:
            return ()
        laid = {laying.tile for laying in self.frame}
        return tuple([name for name in list_pile(self.piles[self.viewer]) if name not in laid])


def list_pile(number: int) -> tuple[str, ...]:
    """The 40 dominoes of a pile."""
    return standard().pile(number)


FRAMES = make_rectangle(SHORT, LONG), make_rectangle(LONG, SHORT)
"""Upright and lying."""


class Arlequin(Race[ArlequinOptions, ArlequinState, ArlequinView]):
    """Rules 6. A single player plays against the clock."""

    name = "arlequin"
    seats: range = range(1, 4)
    many_moves = True  # 27,521 at the beginning.

    def tiles(self, options: ArlequinOptions) -> TileSet:  # noqa: ARG002
        return standard()

    def begin(self, players: int, options: ArlequinOptions, bag: Bag) -> Step[ArlequinState]:
        """A pile for each player."""
        piles = options.piles
        if not piles:
            drawn = shuffle_by_seed(tuple(map(str, PILES)), f"{bag.seed}/piles", 0)
            piles = tuple([int(pile) for pile in drawn[:players]])
        if len(piles) != players or len(set(piles)) != players:
            raise BadOptions(
                f"{players} players need {players} different piles, each 1, 2 or 3.", "bad_piles"
            )
        state = ArlequinState(options=options, phase="play", frames=((),) * players, piles=piles)
        return Step(state, ())

    def thinking_time(self, view: ArlequinView, pace: float) -> float:  # noqa: ARG002
        return FIND_S / pace

    def frames(
        self,
        options: ArlequinOptions,  # noqa: ARG002
        layings: tuple[Laying, ...],
    ) -> Sequence[Collection[Cell]]:
        """Upright and lying, as the player likes: both until only one is left."""
        cells = [cell for laying in layings for cell in laying.cells]
        return [frame for frame in FRAMES if frame.issuperset(cells)]

    def dominoes(self, options: ArlequinOptions) -> int:  # noqa: ARG002
        return DOMINOES

    def supply(self, view: ArlequinView) -> tuple[str, ...]:
        return () if view.viewer is None else list_pile(view.piles[view.viewer])

    def legal_moves(self, view: ArlequinView) -> list[Move]:
        player = view.viewer
        if view.phase == "over" or player is None or player in view.given_up:
            return []
        return [
            *self._layings(view, player, view.pile),
            *(TakeOut(player, laying.tile) for laying in view.frame),
            GiveUp(player),
        ]

    def legal_layings(self, view: ArlequinView, tile: str) -> list[Move]:
        player = view.viewer
        if view.phase == "over" or player is None or player in view.given_up:
            return []
        return self._layings(view, player, (tile,) if tile in view.pile else ())

    def _layings(self, view: ArlequinView, player: int, names: tuple[str, ...]) -> list[Move]:
        """The layings of these dominoes by the viewer."""
        layout = self.layout(view.options, view.frame)
        return [Lay(player, laying) for laying in layout.legal(names)]

    def act(self, state: ArlequinState, move: PlayersMove) -> Step[ArlequinState]:
        if isinstance(move, Lay):
            self.check_laying(move)
            tile = move.laying.tile
            if any(laying.tile == tile for laying in state.frames[move.player]):
                raise IllegalMove(f"{tile} is already in your frame.", "already_laid")
            if tile not in list_pile(state.piles[move.player]):
                raise IllegalMove(f"{tile} is not in your pile.", "not_in_hand")
            return self.lay_in_frame(state, move.player, move.laying)
        if isinstance(move, TakeOut):
            after, laying = self.take_from_frame(state, move.player, move.tile)
            return Step(after, (TakenOut(move.player, laying),))
        raise self.no_such_move()
