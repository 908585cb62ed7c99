"""Arlequin: everybody fills a frame of 8 x 10 with one of the three piles (rules 6)."""
