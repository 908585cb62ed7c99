"""How Arlequin is reviewed (rules 6): as a race."""

from ...coach.races import RaceReviewer
from .rules import ArlequinState


class ArlequinReviewer(RaceReviewer[ArlequinState]):
    """Which layings led nowhere, where that can be proved."""
