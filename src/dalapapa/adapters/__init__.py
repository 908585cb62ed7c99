"""Adapters for external programs (`docs/bots.md`).

`zoo` and `batch` are environments of the turn games for learning programs (extra `rl`);
`remote_bot` lets any program that speaks JSON lines play at a server's table.
"""
