"""Work in other processes: bots, reviews, questions about positions, and preview images."""
