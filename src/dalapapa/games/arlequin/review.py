"""How Arlequin is reviewed (rules 6): as a race."""

from ...coach.races import RaceReviewer


class Reviewer(RaceReviewer):
    """Which layings led nowhere, as far as it can be proved."""
