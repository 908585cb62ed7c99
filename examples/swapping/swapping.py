"""Swapping: the classic game with a move of its own, which exchanges a domino for two points."""

from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from dalapapa.core.errors import IllegalMove
from dalapapa.games.classic import ClassicGame, ClassicOptions, ClassicState, ClassicView
from dalapapa.games.events import Drew, ScoreChange
from dalapapa.games.game import GameParts, Step, add_points, replace_item
from dalapapa.games.moves import End, Move, Pass, PlayersMove
from dalapapa.games.turns import remove_tile


def load_texts() -> dict[str, Any]:
    """What pages call the move, its event and the option."""
    from swapping_texts import TEXTS

    return TEXTS


class SwappingOptions(ClassicOptions, frozen=True, forbid_unknown_fields=True):
    """What players agree on beforehand."""

    swap_cost: Annotated[int, Meta(ge=0, le=9, description="points for a swap")] = 2


class Swap(PlayersMove, frozen=True, tag="swap"):
    """Put a domino back into the bag, and draw another one."""

    tile: str


class Swapped(ScoreChange, frozen=True, tag="swapped"):
    """A player swapped a domino."""

    tile: str
    points: int  # pyright: ignore[reportIncompatibleMethodOverride]


class SwappingState(ClassicState, frozen=True, kw_only=True):
    """A classic state, and whether the active player has swapped in this turn."""

    options: SwappingOptions
    swapped: bool = False


class SwappingView(ClassicView, frozen=True, kw_only=True):
    """What one viewer sees."""

    options: SwappingOptions
    swapped: bool


class Swapping(ClassicGame[SwappingOptions, SwappingState, SwappingView]):
    """Before you lay, you may pay to swap one domino."""

    name = "swapping"
    move_types = (Swap,)
    parts = GameParts(texts=load_texts)

    def legal_moves(self, view: SwappingView) -> list[Move]:
        moves = super().legal_moves(view)
        can_swap = view.phase == "play" and view.bag_count and not (view.turn or view.swapped)
        if moves and can_swap:
            moves += [Swap(view.player, tile) for tile in view.hand]
        return moves

    def apply(self, state: SwappingState, move: Move) -> Step[SwappingState]:
        if isinstance(move, Swap):
            return self.swap(state, move)
        step = super().apply(state, move)
        if isinstance(move, End | Pass):
            return replace(step, state=replace(step.state, swapped=False))
        return step

    def swap(self, state: SwappingState, move: Swap) -> Step[SwappingState]:
        """Draw first, so that another domino comes."""
        self.check_turn(state, move)
        if move not in self.legal_moves(self.view(state, state.active)):
            raise IllegalMove("You can swap once, before you lay.", "illegal_move")
        seat, cost, (drawn, bag) = state.active, state.options.swap_cost, state.bag.draw(1)
        hand = remove_tile(state.hands[seat], move.tile) + drawn
        after = replace(
            state,
            bag=bag.put_back((move.tile,)),
            hands=replace_item(state.hands, seat, hand),
            scores=add_points(state.scores, seat, -cost),
            swapped=True,
        )
        return Step(after, (Swapped(seat, move.tile, -cost), Drew(seat, 1, drawn)))


GAME = Swapping()
