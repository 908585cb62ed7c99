"""Puzzle: each player fills a small frame with dominoes from the common middle (rules 5)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ...core.errors import BadOptions, IllegalMove
from ...core.geometry import Cell
from ...core.notation import Laying, shorten
from ...core.tiles import TileSet
from ...kernel.solver import Frame
from ..bag import Bag
from ..events import TakenOut, Took, WentBack
from ..game import LAYING_S, Step, replace_item
from ..moves import GiveUp, Lay, Move, PlayersMove, PutBack, Take, TakeOut
from ..options import SetChoice, resolve_set
from ..race import Minutes, Race, RaceState, RaceView

MIN_CELLS = 16
"""The default frame is the smallest: only a larger one may be agreed."""

FIND_S = 14.0
"""The time to find a domino that fits in a small frame."""


class PuzzleOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What players agree on beforehand."""

    width: Annotated[int, Meta(ge=2, le=60, description="cells of a frame from west to east")] = 4
    height: Annotated[
        int, Meta(ge=2, le=60, description="cells of a frame from north to south")
    ] = 4
    minutes: Minutes = 0
    set: Annotated[SetChoice, Meta(description="the dominoes")] = "120"


class PuzzleState(RaceState, frozen=True, kw_only=True):
    """A race, the middle, and what each player holds."""

    options: PuzzleOptions
    middle: frozenset[str]
    held: tuple[str | None, ...]


class PuzzleView(RaceView, frozen=True, kw_only=True):
    """Everything."""

    options: PuzzleOptions
    middle: tuple[str, ...]
    """In the order of the set."""
    held: tuple[str | None, ...]


class Puzzle(Race[PuzzleOptions, PuzzleState, PuzzleView]):
    """Rules 5. A single player practises."""

    name = "puzzle"
    seats: range = range(1, 11)

    def thinking_time(self, view: PuzzleView, pace: float) -> float:
        return (LAYING_S if view.held[view.player] else FIND_S) / pace

    def tiles(self, options: PuzzleOptions) -> TileSet:
        return resolve_set(options.set)

    def begin(self, players: int, options: PuzzleOptions, bag: Bag) -> Step[PuzzleState]:
        """All dominoes lie in the middle."""
        cells = options.width * options.height
        if cells % 2 or cells < MIN_CELLS:
            raise BadOptions(
                f"A frame must have an even number of cells, at least {MIN_CELLS};"
                f" {options.width} x {options.height} has {cells}.",
                "bad_frame",
            )
        needed = players * cells // 2
        if needed > len(bag):
            raise BadOptions(
                f"{players} frames of {options.width} x {options.height} need {needed}"
                f" dominoes, but the set has {len(bag)}.",
                "bad_frame",
            )
        state = PuzzleState(
            options=options,
            phase="play",
            frames=((),) * players,
            middle=frozenset(bag.names),
            held=(None,) * players,
        )
        return Step(state, ())

    def cells(self, options: PuzzleOptions, layings: tuple[Laying, ...]) -> Collection[Cell]:  # noqa: ARG002
        return Frame.rectangle(options.width, options.height).number

    def dominoes(self, options: PuzzleOptions) -> int:
        return options.width * options.height // 2

    def supply(self, view: PuzzleView) -> tuple[str, ...]:
        held = view.held[view.viewer] if view.viewer is not None else None
        own = [laying.tile for laying in view.frame]
        return (*own, *((held,) if held else ()), *view.middle)

    def targets(self, view: PuzzleView) -> tuple[Frame, ...]:
        return (Frame.rectangle(view.options.width, view.options.height),)

    def view_fields(self, state: PuzzleState, viewer: int | None) -> dict[str, Any]:  # noqa: ARG002
        names = self.tiles(state.options).names
        return {"middle": tuple([name for name in names if name in state.middle])}

    def legal_moves(self, view: PuzzleView) -> list[Move]:
        player = view.viewer
        if view.phase == "over" or player is None or player in view.given_up:
            return []
        held = view.held[player]
        moves: list[Move] = []
        if held is None:
            moves += [Take(player, name) for name in view.middle]
            moves += [TakeOut(player, laying.tile) for laying in view.frame]
        else:
            layout = self.layout(view.options, view.frame)
            moves += [Lay(player, laying) for laying in layout.legal([held])]
            moves.append(PutBack(player))
        return [*moves, GiveUp(player)]

    def act(self, state: PuzzleState, move: PlayersMove) -> Step[PuzzleState]:
        if isinstance(move, Take):
            return self._take(state, move.player, move.tile)
        if isinstance(move, TakeOut):
            return self._take_out(state, move.player, move.tile)
        if isinstance(move, Lay):
            self.check_laying(move)
            if state.held[move.player] != move.laying.tile:
                raise IllegalMove(f"You do not hold {move.laying.tile}.", "not_in_hand")
            step = self.lay_in_frame(state, move.player, move.laying)
            empty = replace_item(state.held, move.player, None)
            return Step(replace(step.state, held=empty), step.events)
        if isinstance(move, PutBack):
            if state.held[move.player] is None:
                raise IllegalMove("You hold no domino to put back.", "empty_hand")
            return self.release(state, move.player)
        raise self.no_such_move()

    def _take(self, state: PuzzleState, player: int, tile: str) -> Step[PuzzleState]:
        """Take a domino from the middle, one at a time; a second player is refused."""
        self._check_empty(state, player)
        if not isinstance(tile, str) or tile not in self.tiles(state.options):
            name = shorten(tile) if isinstance(tile, str) else "of that name"
            raise IllegalMove(f"There is no domino {name}.", "unknown_domino")
        if tile not in state.middle:
            mine = any(laying.tile == tile for laying in state.frames[player])
            where = "is in your frame" if mine else "is taken: another player was faster"
            raise IllegalMove(f"{tile} {where}.", "taken")
        holding = replace_item(state.held, player, tile)
        after = replace(state, held=holding, middle=state.middle - {tile})
        return Step(after, (Took(player, tile),))

    def _take_out(self, state: PuzzleState, player: int, tile: str) -> Step[PuzzleState]:
        """Take a domino from one's own frame into the hand."""
        self._check_empty(state, player)
        after, laying = self.take_from_frame(state, player, tile)
        after = replace(after, held=replace_item(state.held, player, tile))
        return Step(after, (TakenOut(player, laying),))

    def _check_empty(self, state: PuzzleState, player: int) -> None:
        held = state.held[player]
        if held is not None:
            raise IllegalMove(f"You hold {held}: lay it or put it back first.", "hand_full")

    def release(self, state: PuzzleState, player: int) -> Step[PuzzleState]:
        """Put the domino in a player's hand back into the middle."""
        held = state.held[player]
        if held is None:
            return Step(state, ())
        holding = replace_item(state.held, player, None)
        after = replace(state, held=holding, middle=state.middle | {held})
        return Step(after, (WentBack(player, held),))
