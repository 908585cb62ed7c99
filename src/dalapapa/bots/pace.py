"""How long a program takes for a move: as long as a person of its level, where that matters.

In turns, a move should only be seen to happen. Where the quickest acts (rules 5 to 7), a level
is a pace, too. These are means: whoever keeps the clock, a server or a simulation, lets chance
decide who is next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..games.alex import AlexView
from ..games.arlequin import ArlequinView
from ..games.auction import AuctionView
from ..games.puzzle import PuzzleView

A_MOVE = 0.7
"""Seconds for a move in a turn: enough to see what happens."""

ASKED = 0.2
"""To be asked whether one calls an auction (rules 2), as happens in every turn."""

FIND = 14.0
"""To find a domino that fits in a small frame (rules 5)."""

FIND_OF_PILE = 30.0
"""To find one for a frame that takes the whole pile (rules 6)."""

LAY = 2.0
"""To lay what was found, in a frame or to show a turn."""

LOOK = 12.0
"""To find a turn to announce, as long as nobody has (rules 7)."""

LOOK_AGAIN = 7.0
"""To find a better one than was announced, or that there is none."""


def seconds(view: Any, pace: float) -> float:
    """What the next move takes somebody who sees `view`; `pace` is 1 for medium."""
    if isinstance(view, PuzzleView):
        return (LAY if view.held[view.viewer or 0] else FIND) / pace
    if isinstance(view, ArlequinView):
        return FIND_OF_PILE / pace
    if isinstance(view, AlexView):
        return {"show": LAY, "look": LOOK}.get(view.phase, LOOK_AGAIN) / pace
    if isinstance(view, AuctionView) and view.viewer != view.active and view.bidding is None:
        return ASKED
    return A_MOVE


def quickest(rates: Sequence[float], chance: float) -> int:
    """Who acts next of some who make so many moves a second; `chance` is from 0 to 1."""
    left = chance * sum(rates)
    for place, rate in enumerate(rates[:-1]):
        left -= rate
        if left < 0:
            return place
    return len(rates) - 1
