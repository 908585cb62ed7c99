"""Work in other processes: bots, reviews, questions, preview images and games of packages."""
