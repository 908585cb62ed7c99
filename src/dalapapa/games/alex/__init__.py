"""Alex: everybody looks for the best turn with the same two dominoes (rules 7)."""
