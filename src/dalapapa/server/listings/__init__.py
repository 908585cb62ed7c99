"""Lists of online tables, cached for all clients: the lobby, and the tables of a player."""
