"""Base classes of games on one table, most of them played in turns with dominoes in hand."""

from __future__ import annotations

from typing import Annotated, Any, Self, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ..core.errors import BadOptions, IllegalMove
from ..core.notation import Laying, shorten
from ..core.points import SECOND_DOMINO_CHARGE, Earned
from ..core.tiles import TileSet
from ..kernel.table import Table
from .bag import Bag, fill_bag
from .events import Drew, Event, Laid
from .game import Game, State, Step, View, replace_item
from .moves import Lay, Move
from .options import SetChoice, resolve_set

HAND = 2
"""Dominoes that a player draws back up to, in most of these games."""


class SetOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options with the set of dominoes, which is the last option of every game."""

    @property
    def set(self) -> SetChoice:
        raise NotImplementedError


class SharedTableState(State, frozen=True, kw_only=True):
    """A table and a bag. Frozen, and so is the table."""

    table: Table
    bag: Bag
    before: Self | None = None
    """The state that undo returns to; None if nothing of this turn can be undone."""

    def undone(self) -> Self:
        """The state that undo returns to, inside a turn only: a draw is never undone."""
        if self.before is None:
            raise IllegalMove("You have nothing to take back in this turn.", "nothing_to_undo")
        return self.before


class SharedTableView(View, frozen=True, kw_only=True):
    """What one viewer sees. The order of the bag and the seed are hidden."""

    table: Table
    bag_count: int


class TurnState(SharedTableState, frozen=True, kw_only=True):
    """The hands, and whose turn it is."""

    hands: tuple[tuple[str, ...], ...]
    active: int

    @property
    def players(self) -> int:
        return len(self.hands)


class TurnView(SharedTableView, frozen=True, kw_only=True):
    """What one viewer sees. The other hands are hidden, too."""

    hand: tuple[str, ...]
    """The viewer's own dominoes; a spectator has none."""
    hand_counts: tuple[int, ...]
    active: int


class TargetOptions(SetOptions, frozen=True, forbid_unknown_fields=True):
    """Options of a game for points, played in rounds until a player has reached the target."""

    target: Annotated[int, Meta(ge=60, le=240, description="points to reach")] = 60
    first: Annotated[int, Meta(ge=0, le=3, description="the seat of the youngest, who begins")] = 0

    # A variant overrides these by an option or by a fixed number. Rules, kernel, bots and coach
    # read them here.

    charge = SECOND_DOMINO_CHARGE
    """Points that each domino of a turn costs after the first one."""
    hand = HAND
    """Dominoes that a player draws back up to, and may lay in a turn."""


class TargetView(TurnView, frozen=True, kw_only=True):
    """A view of a game for points, in which every laying of a turn earns points."""

    options: TargetOptions
    scores: tuple[int, ...]
    turn: tuple[Laid, ...]
    """The layings of the current turn."""

    @property
    def charge(self) -> int:
        """The charge of the next domino of this turn."""
        return self.options.charge if self.turn else 0


OptionsT = TypeVar("OptionsT", bound=SetOptions)
StateT = TypeVar("StateT", bound=SharedTableState)
ViewT = TypeVar("ViewT", bound=SharedTableView)
TurnStateT = TypeVar("TurnStateT", bound=TurnState)
TurnViewT = TypeVar("TurnViewT", bound=TurnView)


class SharedTableGame(Game[OptionsT, StateT, ViewT]):
    """A game in which all players lay on the same table."""

    def tiles(self, options: OptionsT) -> TileSet:
        return resolve_set(options.set)

    def count_laid(self, state: StateT) -> int:
        return len(state.table)

    def view_fields(self, state: StateT, viewer: int | None) -> dict[str, Any]:
        can_undo = state.before is not None and viewer in self.actors(state)
        return {"bag_count": len(state.bag), "can_undo": can_undo}


class TurnGame(SharedTableGame[OptionsT, TurnStateT, TurnViewT]):
    """One player acts at a time."""

    def actors(self, state: TurnStateT) -> tuple[int, ...]:
        return () if state.phase == "over" else (state.active,)

    def playable_tiles(self, view: TurnViewT) -> tuple[str, ...]:
        return view.hand

    def can_try(self, view: TurnViewT) -> bool:
        return view.viewer != view.active

    def view_fields(self, state: TurnStateT, viewer: int | None) -> dict[str, Any]:
        shown = super().view_fields(state, viewer)
        shown["hand"] = () if viewer is None else state.hands[viewer]
        shown["hand_counts"] = tuple(map(len, state.hands))
        return shown

    def set_up(
        self,
        state: TurnStateT,
        table: Table,
        hands: tuple[tuple[str, ...], ...] | None,
        scores: tuple[int, ...],
    ) -> Step[TurnStateT]:
        """The other dominoes are in the bag, in the order that follows from the seed."""
        used = {laying.tile for laying in table.layings}.union(*hands or ())
        order = fill_bag(table.tiles.names, state.bag.seed).names
        bag = Bag(tuple([name for name in order if name not in used]), state.bag.seed)
        if "scores" in state.__struct_fields__:
            state = replace(state, scores=scores)
        elif any(scores):
            raise BadOptions(f"{self.name} has no scores during a game.", "bad_scores")
        sizes = tuple(map(len, state.hands))
        if state.phase != "play":
            sizes = (getattr(state.options, "hand", HAND),) * state.players
        none: tuple[tuple[str, ...], ...] = ((),) * state.players
        state = replace(state, phase="play", table=table, bag=bag, hands=hands or none)
        events: list[Event] = []
        for step in range(state.players if hands is None else 0):
            seat = (state.active + step) % state.players
            state = draw_for(state, seat, sizes[seat], events)
        if not state.hands[state.active]:
            raise BadOptions(
                f"The player in seat {state.active} begins and needs a domino.", "bad_hands"
            )
        return Step(state, tuple(events))

    def check_turn(self, state: TurnStateT, move: Move) -> None:
        """Refuse a move of any other player than the active one."""
        self.check_player(state, move)
        if move.player != state.active:
            raise IllegalMove("It is not your turn.", "not_your_turn")

    def check_in_hand(self, state: TurnStateT, move: Lay) -> None:
        """Refuse the laying of a domino that the active player does not hold."""
        self.check_laying(move)
        if move.laying.tile not in state.hands[state.active]:
            raise IllegalMove(f"{shorten(move.laying.tile)} is not in your hand.", "not_in_hand")

    def check_stuck(self, state: TurnStateT) -> None:
        """Refuse to pass while a domino in hand can be laid."""
        for name in state.hands[state.active]:
            if state.table.can_lay(name):
                raise IllegalMove(f"You can lay {name}, so you cannot pass.", "cannot_pass")


def lay_for_active(state: TurnStateT, laying: Laying) -> tuple[TurnStateT, Earned]:
    """The state after the active player laid a domino from the hand, and what that earns."""
    table, earned = state.table.followed(laying)
    hand = remove_tile(state.hands[state.active], laying.tile)
    return replace(state, table=table, hands=replace_item(state.hands, state.active, hand)), earned


def draw_for(state: TurnStateT, seat: int, count: int, events: list[Event]) -> TurnStateT:
    """The state after a player drew up to `count` dominoes; an empty bag gives nothing."""
    drawn, bag = state.bag.draw(count)
    if not drawn:
        return state
    events.append(Drew(seat, len(drawn), drawn))
    hands = replace_item(state.hands, seat, state.hands[seat] + drawn)
    return replace(state, bag=bag, hands=hands)


def remove_tile(hand: tuple[str, ...], tile: str) -> tuple[str, ...]:
    """A hand after one of its dominoes was laid."""
    return tuple([name for name in hand if name != tile])


def list_layings(view: TurnView) -> list[Move]:
    """Every laying of the dominoes in hand."""
    player, legal = view.player, view.table.legal
    return [Lay(player, one) for name in view.hand for one in legal(name)]
