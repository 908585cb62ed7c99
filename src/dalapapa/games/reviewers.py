"""The reviewers of our games."""

from __future__ import annotations

from typing import Any

from ..coach.races import RaceReviewer
from ..coach.reviewer import Reviewer
from .alex.reviewer import AlexReviewer
from .alex.rules import Alex
from .arlequin.rules import Arlequin
from .auction.reviewer import AuctionReviewer
from .auction.rules import Auction
from .classic.reviewer import ClassicReviewer
from .classic.rules import Classic
from .conquest.reviewer import ConquestReviewer
from .conquest.rules import Conquest
from .dalapapa72.reviewer import Reviewer72
from .dalapapa72.rules import Dalapapa72
from .game import AnyGame
from .gone.reviewer import GoneReviewer
from .gone.rules import Gone
from .puzzle.rules import Puzzle

REVIEWER_CLASSES: dict[type[AnyGame], type[Reviewer[Any]]] = {
    Classic: ClassicReviewer,
    Auction: AuctionReviewer,
    Conquest: ConquestReviewer,
    Gone: GoneReviewer,
    Puzzle: RaceReviewer,
    Arlequin: RaceReviewer,
    Alex: AlexReviewer,
    Dalapapa72: Reviewer72,
}
"""Variants do not inherit a reviewer, because they may change what turns are judged by."""
