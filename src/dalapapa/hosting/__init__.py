"""An online table without I/O: its log, its state, the messages to viewers and the legal moves.

The server uses it, and so can an engine in the browser: it needs nothing but msgspec. Times, random
numbers and storage come from the caller."""
