"""Alex: everybody looks for the best turn with the same two dominoes (rules 7)."""

from .rules import OUT, Alex, AlexOptions, AlexState, AlexView, own_best

__all__ = ["OUT", "Alex", "AlexOptions", "AlexState", "AlexView", "own_best"]
