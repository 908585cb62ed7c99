"""How Puzzle is reviewed (rules 5): as a race."""

from ...coach.races import RaceReviewer


class Reviewer(RaceReviewer):
    """Which layings led nowhere, as far as it can be proved."""
