"""Puzzle: everybody fills a small frame from the common middle (rules 5)."""

from .rules import Puzzle, PuzzleOptions, PuzzleState, PuzzleView

__all__ = ["Puzzle", "PuzzleOptions", "PuzzleState", "PuzzleView"]
