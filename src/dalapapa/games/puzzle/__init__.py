"""Puzzle: everybody fills a small frame from the common middle (rules 5)."""
