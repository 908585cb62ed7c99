"""The classic game, on which Auction and Conquest build (rules 1)."""

from .rules import HAND, Classic, ClassicOptions, ClassicState, ClassicView

__all__ = ["HAND", "Classic", "ClassicOptions", "ClassicState", "ClassicView"]
