"""Auction: the classic game in which a turn can be bought (rules 2)."""

from .rules import LOWEST_BID, OFFERS, Auction, AuctionState, AuctionView, Bidding

__all__ = ["LOWEST_BID", "OFFERS", "Auction", "AuctionState", "AuctionView", "Bidding"]
