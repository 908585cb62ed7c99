"""How the server processes of one database learn of each other's moves and viewers."""
