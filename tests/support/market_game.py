"""A game for tests of pages: moves with many variants, one that is undone, and texts with HTML."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from dalapapa.games.classic import ClassicGame, ClassicOptions, ClassicState, ClassicView
from dalapapa.games.events import PlayersEvent
from dalapapa.games.game import GameParts, Step
from dalapapa.games.moves import Move, PlayersMove, Undo

MAX_COINS = 40

TEXTS = {
    "en": {
        "moves": {
            "nap": {"label": "<b>Nap</b>", "help": "You can take it back."},
            "trade": {"label": "Trade", "variant": "{tile} to {partner:player} for {coins}"},
        },
        "events": {"napped": "{player} naps & <i>snores</i>"},
        "options": {"mood": {"label": "Mood", "choices": {"calm": "Calm <br>"}}},
    }
}


class MarketOptions(ClassicOptions, frozen=True, forbid_unknown_fields=True):
    """What players agree on beforehand."""

    mood: Literal["calm", "busy"] = "calm"
    motto: Annotated[str, Meta(max_length=20, description="of the market")] = ""
    stalls: Annotated[tuple[int, int], Meta(description="left and right")] = (3, 4)


class Nap(PlayersMove, frozen=True, tag="nap"):
    """Do nothing, before you lay."""


class Trade(PlayersMove, frozen=True, tag="trade"):
    """Say that you would give a domino."""

    tile: str
    coins: int
    partner: int


class Napped(PlayersEvent, frozen=True, tag="napped"):
    """It has a text."""


class Woken(PlayersEvent, frozen=True, tag="woken_up"):
    """It has no text."""

    hours_slept: int


class Traded(PlayersEvent, frozen=True, tag="traded"):
    """It has no text."""

    tile: str
    coins: int
    partner: int
    notes: str = "x" * 500


class MarketState(ClassicState, frozen=True, kw_only=True):
    """A classic state, and what was done before the laying."""

    napping: bool = False


class MarketView(ClassicView, frozen=True, kw_only=True):
    """What one viewer sees."""

    napping: bool


class Market(ClassicGame[MarketOptions, MarketState, MarketView]):
    """Trade before you lay."""

    name = "market"
    move_types = (Nap, Trade)
    parts = GameParts(texts=lambda: TEXTS)

    def legal_moves(self, view: MarketView) -> list[Move]:
        moves = super().legal_moves(view)
        if moves and view.phase == "play" and not view.turn and not view.napping:
            seat, partner = view.player, (view.player + 1) % len(view.hand_counts)
            moves.append(Nap(seat))
            for tile in view.hand:
                moves += [Trade(seat, tile, coins, partner) for coins in range(1, MAX_COINS + 1)]
        return moves

    def apply(self, state: MarketState, move: Move) -> Step[MarketState]:
        if isinstance(move, Undo) and state.napping and not state.turn:
            self.check_turn(state, move)
            return Step(state.undone(), (Woken(state.active, 8),))
        if isinstance(move, Nap | Trade):
            self.check_turn(state, move)
            if move not in self.legal_moves(self.view(state, state.active)):
                raise self.no_such_move()
            if isinstance(move, Trade):
                event: Any = Traded(state.active, move.tile, move.coins, move.partner)
                return Step(state, (event,))
            return Step(replace(state, napping=True, before=state), (Napped(state.active),))
        step = super().apply(state, move)
        if step.state.active != state.active:
            return replace(step, state=replace(step.state, napping=False))
        return step


GAME = Market()
