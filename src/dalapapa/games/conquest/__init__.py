"""Conquest: the classic game with three marks for each player (rules 3)."""
