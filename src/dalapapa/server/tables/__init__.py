"""Online tables of one process: which are in memory, who is there, and who moves next."""
