"""How Conquest is reviewed (rules 3): turns as in the classic game, chances by bots."""

from typing import ClassVar

from ..classic.reviewer import PointsReviewer
from .rules import ConquestState


class ConquestReviewer(PointsReviewer[ConquestState]):
    """Points of turns; chances by whole games."""

    work: ClassVar[int] = 2_500
    moments: ClassVar[int] = 16
