"""Arlequin: everybody fills a frame of 8 x 10 with one of the three piles (rules 6)."""

from .rules import Arlequin, ArlequinOptions, ArlequinState, ArlequinView, frames_for, pile_of

__all__ = ["Arlequin", "ArlequinOptions", "ArlequinState", "ArlequinView", "frames_for", "pile_of"]
