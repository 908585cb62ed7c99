"""Doors for other people's programs (`docs/adapters.md`).

`zoo` is a PettingZoo environment of the turn games (extra `rl`); `guest` lets any program that
speaks JSON lines sit at a server's table. Nothing is imported here: each stands alone.
"""
