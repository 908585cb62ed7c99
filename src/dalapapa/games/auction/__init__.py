"""Auction: the classic game in which a turn can be bought (rules 2)."""
