"""Numbers that say how sure they are: exact, or the mean of samples with a 95 % interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt

import msgspec

from ..bots.elo import WIDTH as Z
from ..bots.elo import width

UNSEEN = 3
"""If n samples all agree, about 3 of n + 3 may still lie anywhere else (the rule of three)."""


class Estimate(msgspec.Struct, frozen=True):
    """A number. An exact one is its own interval and rests on no samples."""

    value: float
    low: float
    high: float
    samples: int = 0

    @property
    def exact(self) -> bool:
        return not self.samples


def exactly(value: float) -> Estimate:
    """A number that is known."""
    value = round(value, 4)
    return Estimate(value, value, value)


def mean_of(values: Sequence[float], least: float = -1.0, most: float = 1.0) -> Estimate:
    """The mean of samples that lie between two bounds."""
    count = len(values)
    mean = sum(values) / count
    known = max(count, 2)
    variance = sum([(value - mean) ** 2 for value in values]) / (known - 1)
    half = width(known) * sqrt(variance / count)
    # As far as samples agree, their variance tells nothing of what was not met.
    agreeing = max(Counter(values).values()) / count
    share = agreeing * UNSEEN / (count + UNSEEN)
    low = max(least, min(mean - half, mean - share * (mean - least)))
    high = min(most, max(mean + half, mean + share * (most - mean)))
    return Estimate(round(mean, 4), round(low, 4), round(high, 4), count)


def share_of(wins: float, count: int) -> Estimate:
    """The share of games that were won of those played, a shared victory being part of one.

    Wilson's interval, which is honest near 0 and 1, too.
    """
    share = wins / count
    middle = (share + Z * Z / (2 * count)) / (1 + Z * Z / count)
    spread = sqrt(share * (1 - share) / count + Z * Z / (4 * count * count))
    half = Z * spread / (1 + Z * Z / count)
    low, high = max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
    return Estimate(round(share, 4), round(low, 4), round(high, 4), count)
