"""How Puzzle is reviewed (rules 5): as a race."""

from ...coach.races import RaceReviewer
from .rules import PuzzleState


class PuzzleReviewer(RaceReviewer[PuzzleState]):
    """Which layings led nowhere, where that can be proved."""
