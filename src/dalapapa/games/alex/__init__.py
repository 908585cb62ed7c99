"""Alex: all players look for the best turn with the same two dominoes (rules 7)."""
