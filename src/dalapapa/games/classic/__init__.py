"""The classic game, on which Auction and Conquest build (rules 1)."""

from .rules import Classic, ClassicOptions, ClassicState, ClassicView

__all__ = ["Classic", "ClassicOptions", "ClassicState", "ClassicView"]
