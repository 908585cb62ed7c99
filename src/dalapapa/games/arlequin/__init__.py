"""Arlequin: each player fills a frame of 8 x 10 cells with one of the three piles (rules 6)."""
