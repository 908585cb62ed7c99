"""The classic game, on which Auction and Conquest build (rules 1)."""

from .rules import Classic, ClassicGame, ClassicOptions, ClassicState, ClassicView

__all__ = ["Classic", "ClassicGame", "ClassicOptions", "ClassicState", "ClassicView"]
