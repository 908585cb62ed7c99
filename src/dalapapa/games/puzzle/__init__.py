"""Puzzle: each player fills a small frame with dominoes from the common middle (rules 5)."""
