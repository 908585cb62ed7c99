"""Auction: the classic game in which a turn can be bought (rules 2)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from ...core.errors import IllegalMove
from ..classic.rules import ClassicGame, ClassicOptions, ClassicState, ClassicView
from ..events import AuctionWon, Called, Declined, Event, Followed, LeftAuction, Paid, Raised
from ..game import Step, add_points
from ..moves import Call, Decline, Follow, Move, Pass, Raise

LOWEST_BID = 2
HIGHEST_BID = 1_000_000
"""Bids are not limited by the score, but no game reaches so many points."""
LISTED_BIDS = 5
"""The number of possible bids among the legal moves; any higher even number is legal."""

ASKED_S = 0.2
"""The time to answer whether one calls an auction, which every turn asks."""


class AuctionOptions(ClassicOptions, frozen=True, forbid_unknown_fields=True):
    """The options of the classic game, and how often a turn is auctioned."""

    auctions: Annotated[
        Literal["once", "repeated"],
        Meta(description="how often a turn may be auctioned", extra={"omit_default": True}),
    ] = "once"


class Bidding(msgspec.Struct, frozen=True):
    """An auction in progress."""

    bid: int
    holder: int
    """The player with the highest bid, or who followed."""
    asked: int
    """The player who must answer."""
    out: tuple[int, ...] = ()
    """The players who have passed."""


class AuctionState(ClassicState, frozen=True, kw_only=True):
    """A classic state, and the auction of the turn."""

    options: AuctionOptions
    bidding: Bidding | None = None
    auctioned: bool = False
    """This turn has had its only auction."""
    declined: tuple[int, ...] = ()
    """The players who have declined to call one this turn, or have left one."""
    home: int = 0
    """The player whose regular turn it is; the winner of an auction plays instead."""


class AuctionView(ClassicView, frozen=True, kw_only=True):
    """What one viewer sees: bids are public."""

    options: AuctionOptions
    bidding: Bidding | None
    auctioned: bool
    declined: tuple[int, ...]


class Auction(ClassicGame[AuctionOptions, AuctionState, AuctionView]):
    """Rules 2."""

    name = "auction"

    def actors(self, state: AuctionState) -> tuple[int, ...]:
        """Before the first laying: the active player, and all players who may call."""
        if state.bidding is not None:
            return (state.bidding.asked,)
        callers = [seat for seat in self.actors_out_of_turn(state) if seat not in state.declined]
        return (*super().actors(state), *callers)

    def next_actors(self, state: AuctionState) -> tuple[int, ...]:
        """Bots are asked clockwise whether they call, then the active player plays."""
        actors = self.actors(state)
        return actors[1:2] or actors

    def actors_out_of_turn(self, state: AuctionState) -> tuple[int, ...]:
        """The players who may call, clockwise; also those who have declined."""
        if not self._may_call(state):
            return ()
        return tuple([s for s in self._clockwise(state, state.active) if state.hands[s]])

    def can_try(self, view: AuctionView) -> bool:
        """A bidder looks for the turn that is worth the bid."""
        return view.bidding is not None or super().can_try(view)

    def thinking_time(self, view: AuctionView, pace: float) -> float:
        asked = view.viewer != view.active and view.bidding is None
        return ASKED_S if asked else super().thinking_time(view, pace)

    def legal_moves(self, view: AuctionView) -> list[Move]:
        """The moves of the classic game, and the next few possible bids.

        A player who has declined is not asked again, but may call until the first laying.
        """
        player = view.viewer
        if player is None or view.phase == "over":
            return []
        if view.bidding is not None:
            if player != view.bidding.asked:
                return []
            if player == view.active:
                return [Follow(player), Pass(player)]
            bids = range(view.bidding.bid + 2, view.bidding.bid + 2 + 2 * LISTED_BIDS, 2)
            raises: list[Move] = [Raise(player, bid) for bid in bids] if view.hand else []
            return [*raises, Pass(player)]
        if player == view.active:
            return super().legal_moves(view)
        if view.phase != "play" or view.turn or view.auctioned or not view.hand:
            return []
        if player in view.declined:
            return []
        calls = range(LOWEST_BID, LOWEST_BID + 2 * LISTED_BIDS, 2)
        return [Decline(player), *(Call(player, bid) for bid in calls)]

    def apply(self, state: AuctionState, move: Move) -> Step[AuctionState]:
        if isinstance(move, Call | Decline):
            self.check_player(state, move)
            return self._call(state, move)
        if state.bidding is not None:
            self.check_player(state, move)
            return self._answer(state, state.bidding, move)
        if isinstance(move, Raise | Follow):
            self.check_player(state, move)
            raise IllegalMove("There is no auction to bid in.", "no_auction")
        return super().apply(state, move)

    def _may_call(self, state: AuctionState) -> bool:
        """Whether an auction may be called: until the first laying, once a turn or repeatedly."""
        return (
            state.phase == "play"
            and not state.turn
            and not state.auctioned
            and state.bidding is None
        )

    def _call(self, state: AuctionState, move: Call | Decline) -> Step[AuctionState]:
        seat = move.player
        if seat == state.active:
            raise IllegalMove("It is your turn: only the others can call an auction.", "own_turn")
        if not self._may_call(state):
            raise IllegalMove("It is too late to call an auction this turn.", "too_late")
        if isinstance(move, Decline):
            if seat in state.declined:
                raise IllegalMove("You have already declined.", "already_declined")
            return Step(replace(state, declined=(*state.declined, seat)), (Declined(seat),))
        self._check_bid(state, seat, move.bid, LOWEST_BID)
        bidding = Bidding(move.bid, seat, seat)
        return self._go_round(state, bidding, [Called(seat, move.bid)])

    def _check_bid(self, state: AuctionState, seat: int, bid: int, least: int) -> None:
        if type(bid) is not int or bid % 2 or not least <= bid <= HIGHEST_BID:
            raise IllegalMove(f"A bid must be an even number, at least {least} now.", "bad_bid")
        if not state.hands[seat]:
            raise IllegalMove("You have no domino to play a turn with.", "no_dominoes")

    def _answer(self, state: AuctionState, bidding: Bidding, move: Move) -> Step[AuctionState]:
        """Carry out an answer: the active player follows or passes; others raise or pass."""
        seat = move.player
        if seat != bidding.asked:
            raise IllegalMove("It is not your turn to answer the bid.", "not_your_turn")
        event: Event
        if isinstance(move, Pass):
            event = LeftAuction(seat)
            bidding = replace(bidding, out=(*bidding.out, seat))
        elif isinstance(move, Follow) and seat == state.active:
            event = Followed(seat, bidding.bid)
            bidding = replace(bidding, holder=seat)
        elif isinstance(move, Raise) and seat != state.active:
            self._check_bid(state, seat, move.bid, bidding.bid + 2)
            event = Raised(seat, move.bid)
            bidding = replace(bidding, bid=move.bid, holder=seat)
        elif isinstance(move, Raise):
            raise IllegalMove("In your own turn you must follow or pass.", "must_follow")
        elif isinstance(move, Follow):
            raise IllegalMove("Only the active player can follow: raise or pass.", "must_raise")
        else:
            raise IllegalMove("An auction is under way: answer the bid.", "auction_running")
        return self._go_round(state, bidding, [event])

    def _go_round(
        self, state: AuctionState, bidding: Bidding, events: list[Event]
    ) -> Step[AuctionState]:
        """Ask the next player clockwise who is not out; the last one left wins."""
        for seat in self._clockwise(state, bidding.asked):
            if seat not in bidding.out and seat != bidding.holder:
                bidding = replace(bidding, asked=seat)
                return Step(replace(state, bidding=bidding, before=None), tuple(events))
        return self._end_auction(state, bidding.holder, bidding.bid, events)

    def _end_auction(
        self, state: AuctionState, winner: int, bid: int, events: list[Event]
    ) -> Step[AuctionState]:
        """The winner pays and plays the turn (rules 2).

        If auctions are repeated, all others have just declined this turn: bots are not asked again,
        so that they cannot sell it without end. A person may still call.
        """
        events.append(AuctionWon(winner, bid))
        if winner == state.active:
            payments = [(winner, -bid // 2)]
        else:
            payments = [(winner, -bid), (state.active, bid)]
        scores = state.scores
        for seat, points in payments:
            scores = add_points(scores, seat, points)
            events.append(Paid(seat, points))
        state = replace(state, scores=scores, active=winner, bidding=None)
        if state.options.auctions == "once":
            return Step(replace(state, auctioned=True), tuple(events))
        others = tuple(self._clockwise(state, winner))
        return Step(replace(state, declined=others), tuple(events))

    def _clockwise(self, state: AuctionState, seat: int) -> list[int]:
        """The other seats, clockwise from the left of this one."""
        return [(seat + step) % state.players for step in range(1, state.players)]

    def _reset_turn(self, state: AuctionState) -> AuctionState:
        fresh = super()._reset_turn(state)
        return replace(fresh, bidding=None, auctioned=False, declined=(), home=state.active)

    def _ends_round(self, state: AuctionState) -> bool:
        """Whether play passes the seat of the last player of the round, by jump or by step."""
        players = state.players
        home = (state.home - state.options.first) % players
        jump = (state.active - state.home) % players
        return home + jump + 1 >= players
