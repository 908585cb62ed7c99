"""What a learner observes of Auction (rules 2), and how it bids."""

from __future__ import annotations

from typing import ClassVar

from ...adapters.observer import SCORES, Fact, Facts
from ..classic import observe
from ..moves import Call, Move, Raise
from .rules import LOWEST_BID, OFFERS, AuctionView

BIDS = tuple(f"bid_{number}" for number in range(1, OFFERS + 1))
"""To call or to raise: the lowest bid that is possible, and each two more."""


class Observer(observe.Observer):
    """The classic numbers, and the auction."""

    others: ClassVar[tuple[str, ...]] = ("end", "pass", "follow", "decline", *BIDS)
    shared: ClassVar[dict[str, Fact]] = {
        **observe.CLASSIC,
        "auctioned": lambda view: view.auctioned,
        "bid": lambda view: view.bidding.bid if view.bidding else 0,
    }
    each: ClassVar[dict[str, Facts]] = {
        **SCORES,
        "declined": lambda view, seat: seat in view.declined,
        "holder": lambda view, seat: bool(view.bidding) and view.bidding.holder == seat,
        "asked": lambda view, seat: bool(view.bidding) and view.bidding.asked == seat,
        "out": lambda view, seat: bool(view.bidding) and seat in view.bidding.out,
    }

    def action(self, view: AuctionView, move: Move) -> str:
        if isinstance(move, Call):
            return BIDS[(move.bid - LOWEST_BID) // 2]
        if isinstance(move, Raise) and view.bidding is not None:
            return BIDS[(move.bid - view.bidding.bid) // 2 - 1]
        return super().action(view, move)
