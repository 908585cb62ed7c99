"""How long a program takes for a move: as long as a person of its level, where that matters.

In turns, a move should only be seen to happen. Where the quickest acts (rules 5 to 7), a level
is a pace, too (`Program.takes`). These are means: whoever keeps the clock, a server or a
simulation, lets chance decide who is next.
"""

from __future__ import annotations

from collections.abc import Sequence

A_MOVE = 0.7
"""Seconds for a move in a turn: enough to see what happens."""

LAY = 2.0
"""To lay what was found, in a frame or to show a turn."""


def quickest(rates: Sequence[float], chance: float) -> int:
    """Who acts next of some who make so many moves a second; `chance` is from 0 to 1."""
    left = chance * sum(rates)
    for place, rate in enumerate(rates[:-1]):
        left -= rate
        if left < 0:
            return place
    return len(rates) - 1
