"""How Auction is reviewed (rules 2): turns as in the classic game, chances by bots."""

from typing import ClassVar

from ..classic.reviewer import PointsReviewer
from .rules import AuctionState


class AuctionReviewer(PointsReviewer[AuctionState]):
    """Points of turns; chances by whole games."""

    work: ClassVar[int] = 13_000
    moments: ClassVar[int] = 16
