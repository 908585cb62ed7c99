"""Puzzle: each player fills a small frame with dominoes from the common middle (rules 5)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ...core.errors import BadInput, BadOptions, IllegalMove
from ...core.figures import (
    NAMED_FIGURES,
    FrameFigure,
    can_be_tiled,
    find_places,
    make_rectangle,
    read_figure,
)
from ...core.geometry import Cell
from ...core.notation import Laying, shorten
from ...core.tiles import TileSet
from ..bag import Bag
from ..events import TakenOut, Took, WentBack
from ..game import LAYING_S, Step, replace_item
from ..moves import GiveUp, Lay, Move, PlayersMove, PutBack, Take, TakeOut
from ..options import SetChoice, resolve_set
from ..race import Minutes, Race, RaceState, RaceView

MIN_CELLS = 16
"""The default frame is the smallest: only a larger one may be agreed."""

MAX_PLACE = 1000
"""How far from the cell 0,0 a frame without a place may lie."""

FIND_S = 14.0
"""The time to find a domino that fits in a small frame."""


class PuzzleOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What players agree on beforehand."""

    width: Annotated[int, Meta(ge=2, le=60, description="cells of a frame from west to east")] = 4
    height: Annotated[
        int, Meta(ge=2, le=60, description="cells of a frame from north to south")
    ] = 4
    figure: Annotated[
        str,
        Meta(
            description="shape of a frame: rectangle (of width and height), another of these, or"
            " rows of x and . with / between them",
            extra={"omit_default": True, "choices": ("rectangle", *NAMED_FIGURES)},
        ),
    ] = "rectangle"
    place: Annotated[
        Literal["fixed", "free"],
        Meta(
            description="whether a frame has its place, or only its shape",
            extra={"omit_default": True},
        ),
    ] = "fixed"
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


def find_figure(options: PuzzleOptions) -> FrameFigure:
    """The shape of a frame; refuses every other text."""
    if options.figure == "rectangle":
        return make_rectangle(options.width, options.height)
    try:
        return read_figure(options.figure)
    except BadInput as error:
        raise BadOptions(str(error), "bad_figure") from None


def _name_figure(options: PuzzleOptions) -> str:
    if options.figure == "rectangle":
        return f"{options.width} x {options.height}"
    return f"the figure {shorten(options.figure)}"


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
        figure = find_figure(options)
        cells, shape = len(figure), _name_figure(options)
        if cells % 2 or cells < MIN_CELLS:
            raise BadOptions(
                f"A frame must have an even number of cells, at least {MIN_CELLS};"
                f" {shape} has {cells}.",
                "bad_frame",
            )
        needed = players * cells // 2
        if needed > len(bag):
            raise BadOptions(
                f"{players} frames of {shape} need {needed} dominoes, but the set has {len(bag)}.",
                "bad_frame",
            )
        if not can_be_tiled(figure):
            raise BadOptions(f"Dominoes cannot cover the cells of {shape}.", "bad_frame")
        state = PuzzleState(
            options=options,
            phase="play",
            frames=((),) * players,
            middle=frozenset(bag.names),
            held=(None,) * players,
        )
        return Step(state, ())

    def frames(
        self, options: PuzzleOptions, layings: tuple[Laying, ...]
    ) -> Sequence[Collection[Cell]]:
        """The figure in its place; without a place, wherever it can contain the layings."""
        figure = find_figure(options)
        covered = [cell for laying in layings for cell in laying.cells]
        if options.place == "fixed":
            return (figure,)
        if any(max(map(abs, cell)) > MAX_PLACE for cell in covered):
            return ()
        return find_places(figure, covered)

    def dominoes(self, options: PuzzleOptions) -> int:
        return len(find_figure(options)) // 2

    def supply(self, view: PuzzleView) -> tuple[str, ...]:
        held = view.held[view.viewer] if view.viewer is not None else None
        own = [laying.tile for laying in view.frame]
        return (*own, *((held,) if held else ()), *view.middle)

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
