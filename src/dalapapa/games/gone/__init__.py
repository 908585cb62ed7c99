"""Gone, the children's game (rules 4)."""
