"""Numbers with their uncertainty: exact, or the mean of samples with a 95% interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import sqrt

import msgspec

Z_95 = 1.96
"""The half-width of a 95% interval, in standard deviations."""

STUDENT = (Z_95, 2.372, 2.822, 2.556, 1.590)
"""Parts of `width` in 1 / (n - 1) to the powers 0, 1, ..."""

UNSEEN_SAMPLES = 3
"""If n samples all agree, about 3 of n + 3 may still lie anywhere else (the rule of three)."""


class Estimate(msgspec.Struct, frozen=True):
    """A number with its interval. An exact one is its own interval and rests on no samples."""

    value: float
    low: float
    high: float
    samples: int = 0
    exact: bool = False

    def round_values(self) -> Estimate:
        """Rounded to four digits, for the coach."""
        value, low, high = (round(one, 4) for one in (self.value, self.low, self.high))
        return Estimate(value, low, high, self.samples, self.exact)


def make_exact(value: float) -> Estimate:
    """Make an estimate of a number that is known exactly."""
    return Estimate(value, value, value, exact=True).round_values()


def compute_width(count: int) -> float:
    """`Z_95` for a deviation that is estimated from `count` values (Student's t)."""
    free = float(count - 1)
    return sum(part / free**power for power, part in enumerate(STUDENT))


def estimate_mean(values: Sequence[float]) -> Estimate:
    """The mean of samples; a single one has no spread."""
    count = len(values)
    mean = sum(values) / count
    known = max(count, 2)
    squares = sum([(value - mean) ** 2 for value in values])
    half = compute_width(known) * sqrt(squares / (known - 1) / count)
    return Estimate(mean, mean - half, mean + half, count)


def estimate_bounded_mean(
    values: Sequence[float], least: float = -1.0, most: float = 1.0
) -> Estimate:
    """The mean of samples that lie between two bounds."""
    found = estimate_mean(values)
    mean = found.value
    # Where samples agree, their variance does not show what was not sampled.
    agreeing = max(Counter(values).values()) / found.samples
    share = agreeing * UNSEEN_SAMPLES / (found.samples + UNSEEN_SAMPLES)
    low = max(least, min(found.low, mean - share * (mean - least)))
    high = min(most, max(found.high, mean + share * (most - mean)))
    return Estimate(mean, low, high, found.samples).round_values()


def estimate_share(wins: float, count: int) -> Estimate:
    """The share of games that were won; a shared victory counts in part.

    Wilson's interval, which is also correct near 0 and 1.
    """
    share = wins / count
    middle = (share + Z_95 * Z_95 / (2 * count)) / (1 + Z_95 * Z_95 / count)
    spread = sqrt(share * (1 - share) / count + Z_95 * Z_95 / (4 * count * count))
    half = Z_95 * spread / (1 + Z_95 * Z_95 / count)
    low, high = max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
    return Estimate(share, low, high, count).round_values()
