"""What games share in which players take turns with dominoes from their hands."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec.structs import replace

from ..errors import IllegalMove
from ..kernel.table import Table
from ..notation import shortened
from ..tiles import TileSet
from .bag import Bag
from .events import Drew, Ended, Event, Outcome
from .game import Game, State, Step, View, with_item
from .moves import Lay, Move
from .options import tile_set

HAND = 2
"""Dominoes that a player draws back up to, in most of them."""

S = TypeVar("S", bound="TurnState")


class TurnState(State, frozen=True, kw_only=True):
    """A table, a bag, hands, and whose turn it is. Frozen, and so is the table."""

    table: Table
    bag: Bag
    hands: tuple[tuple[str, ...], ...]
    active: int

    @property
    def players(self) -> int:
        return len(self.hands)


class TurnView(View, frozen=True, kw_only=True):
    """What one viewer sees. Hidden: the other hands, the bag's order and the seed."""

    table: Table
    bag_count: int
    hand: tuple[str, ...]
    """The viewer's own dominoes; a spectator has none."""
    hand_counts: tuple[int, ...]
    active: int


class TurnGame(Game):
    """One player acts at a time."""

    def tiles(self, options: Any) -> TileSet:
        return tile_set(options.set)

    def laid(self, state: Any) -> int:
        return len(state.table)

    def actors(self, state: Any) -> tuple[int, ...]:
        return () if state.phase == "over" else (state.active,)

    def view_fields(self, state: Any, viewer: int | None) -> dict[str, Any]:
        return {
            "table": state.table,
            "bag_count": len(state.bag),
            "hand": () if viewer is None else state.hands[viewer],
            "hand_counts": tuple([len(hand) for hand in state.hands]),
            "active": state.active,
        }

    def check_turn(self, state: TurnState, move: Move) -> None:
        """Refuse a move of anybody but the active player."""
        self.check_player(state, move)
        if move.player != state.active:
            raise IllegalMove("It is not your turn.", "not_your_turn")

    def check_in_hand(self, state: TurnState, move: Lay) -> None:
        """Refuse the laying of a domino that the active player does not hold."""
        self.check_laying(move)
        if move.laying.tile not in state.hands[state.active]:
            raise IllegalMove(f"{shortened(move.laying.tile)} is not in your hand.", "not_in_hand")

    def over(self, state: TurnState, outcome: Outcome, events: list[Event]) -> Step:
        """The last step of a game."""
        events.append(Ended(outcome))
        return Step(replace(state, phase="over", outcome=outcome), tuple(events))


def drawn_by(state: S, seat: int, count: int, events: list[Event]) -> S:
    """The state after a player drew up to `count` dominoes; an empty bag gives nothing."""
    drawn, bag = state.bag.draw(count)
    if not drawn:
        return state
    events.append(Drew(seat, len(drawn), drawn))
    hands = with_item(state.hands, seat, state.hands[seat] + drawn)
    return replace(state, bag=bag, hands=hands)


def without(hand: tuple[str, ...], tile: str) -> tuple[str, ...]:
    """A hand after one of its dominoes was laid."""
    return tuple([name for name in hand if name != tile])
