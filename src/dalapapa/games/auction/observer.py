"""What a learning program observes of Auction (rules 2), and how it bids."""

from __future__ import annotations

from collections.abc import Mapping

from ...adapters.observer import CHANCE, SCORES, EpisodeRequest, Fact, Facts
from ...kernel.episode import Episode, EpisodeArrays
from ...kernel.episode_points import AuctionEpisode
from ..classic.observer import CLASSIC, PointsObserver, make_terms
from ..moves import Call, Move, Raise
from .rules import LISTED_BIDS, LOWEST_BID, AuctionState, AuctionView

BIDS = tuple(f"bid_{number}" for number in range(1, LISTED_BIDS + 1))
"""The actions to call or to raise: the lowest possible bid, and two more for each next one."""


class AuctionObserver(PointsObserver[AuctionState, AuctionView]):
    """The classic numbers, and the auction."""

    others: tuple[str, ...] = ("end", "pass", "follow", "decline", *BIDS)
    shared: Mapping[str, Fact[AuctionView]] = {
        **CLASSIC,
        "auctioned": lambda view: view.auctioned,
        "bid": lambda view: view.bidding.bid if view.bidding else 0,
    }
    each: Mapping[str, Facts[AuctionView]] = {
        **SCORES,
        "declined": lambda view, seat: seat in view.declined,
        "holder": lambda view, seat: view.bidding is not None and view.bidding.holder == seat,
        "asked": lambda view, seat: view.bidding is not None and view.bidding.asked == seat,
        "out": lambda view, seat: view.bidding is not None and seat in view.bidding.out,
    }

    def action(self, view: AuctionView, move: Move) -> str:
        if isinstance(move, Call):
            return BIDS[(move.bid - LOWEST_BID) // 2]
        if isinstance(move, Raise) and view.bidding is not None:
            return BIDS[(move.bid - view.bidding.bid) // 2 - 1]
        return super().action(view, move)

    def episode(self, asked: EpisodeRequest, rows: EpisodeArrays) -> Episode:
        terms, repeated = make_terms(asked.options), asked.options.auctions == "repeated"
        return AuctionEpisode(
            asked.tiles, self.terms(asked), asked.window, rows, CHANCE, terms, repeated
        )
