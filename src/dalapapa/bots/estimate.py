"""Numbers with their uncertainty, and the strength of players.

An estimate is exact, or the mean of samples with a 95% interval.

Where several sit at a table, each wins with a chance that is proportional to a strength of its
own: for two this is the model of Bradley and Terry, for more that of Luce. Elo is that strength
on a scale on which 400 points mean ten times as much. The strengths are those that make the
results most likely; a shared victory counts as its shares.

A bag is the unit of chance: it is played from every seat, and only the mean of those games counts.
So intervals are over bags. Half a bag in which luck alone decides is added to those of each
meeting, so that winning all of a few games does not count as certainty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, log, sqrt

import msgspec

Z_95 = 1.96
"""The half-width of a 95% interval, in standard deviations."""

STUDENT = (Z_95, 2.372, 2.822, 2.556, 1.590)
"""The coefficients of `compute_width`: of 1 / (n - 1) to the powers 0, 1, ..."""

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


POINTS = 400 / log(10)
"""Elo points to one unit of the logarithm of the odds."""

PRIOR_BAGS = 0.5
"""Bags decided by luck alone that are added to every meeting: one drawn game of two players."""


class Meeting(msgspec.Struct, frozen=True):
    """Two players by their numbers, and the mean share of the victories of `one` in each bag."""

    one: int
    other: int
    shares: Sequence[float]


def estimate_wins(shares: Sequence[float], players: int = 2) -> Estimate:
    """The share of the games that is won, from that in each bag."""
    mean, variance = _estimate(shares, players)
    half = Z_95 * sqrt(variance)
    low, high = max(mean - half, 0.0), min(mean + half, 1.0)
    return Estimate(sum(shares) / len(shares), low, high, len(shares))


def compute_ratings(
    count: int, meetings: Sequence[Meeting], anchor: int = 0, players: int = 2
) -> list[Estimate]:
    """The Elo of players 0 to `count` - 1, above that of the player `anchor`, which is 0.

    The meetings must link all players. Intervals are those of the difference to the anchor.
    """
    found = [_estimate(meeting.shares, players) for meeting in meetings]
    weights = [len(meeting.shares) + PRIOR_BAGS for meeting in meetings]
    strengths = [0.0] * count
    longest = 1.0
    while longest > 1e-6:
        chances = [_chance(strengths[met.one] - strengths[met.other], players) for met in meetings]
        bends = [weight * p * (1 - p) for weight, p in zip(weights, chances, strict=True)]
        influences = _influences(count, meetings, bends, anchor)
        pulls = [
            weight * (mean - p)
            for weight, (mean, _), p in zip(weights, found, chances, strict=True)
        ]
        # Newton's step, never far: the logarithm of a chance is flat where that is near 1.
        step = [_dot(row, pulls) for row in influences]
        longest = max(map(abs, step))
        strengths = [at + part / max(longest, 1) for at, part in zip(strengths, step, strict=True)]
    # With other bags, each meeting would pull by so much more or less.
    variances = [weight**2 * v for weight, (_, v) in zip(weights, found, strict=True)]
    halves = [Z_95 * sqrt(_dot([part**2 for part in row], variances)) for row in influences]
    return [
        Estimate(POINTS * strength, POINTS * (strength - half), POINTS * (strength + half))
        for strength, half in zip(strengths, halves, strict=True)
    ]


def _estimate(shares: Sequence[float], players: int) -> tuple[float, float]:
    """The mean share and its variance, with the bags that are added."""
    even = 1 / players
    count = len(shares) + PRIOR_BAGS
    mean = (sum(shares) + PRIOR_BAGS * even) / count
    squares = sum((share - mean) ** 2 for share in shares)
    squares += PRIOR_BAGS * (even * (1 - mean) ** 2 + (1 - even) * mean**2)
    return mean, squares / (count - 1) / count


def _chance(ahead: float, players: int) -> float:
    """The chance to win against `players` - 1 others, each `ahead` weaker in log-odds."""
    return 1 / (1 + (players - 1) * exp(-ahead))


def _influences(
    count: int, meetings: Sequence[Meeting], bends: Sequence[float], anchor: int
) -> list[list[float]]:
    """How far each player moves when a meeting pulls by 1; the anchor never does.

    `bends` is how hard each meeting resists: together, a matrix that is inverted here. It is
    symmetric and positive, so that no pivots need to be looked for.
    """
    rows = [[0.0] * count + [float(i == j) for j in range(count)] for i in range(count)]
    for met, bend in zip(meetings, bends, strict=True):
        for one, other in ((met.one, met.other), (met.other, met.one)):
            rows[one][one] += bend
            rows[one][other] -= bend
    others = [player for player in range(count) if player != anchor]
    for i in others:
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in others:
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i], strict=True)]
    rows[anchor] = [0.0] * 2 * count
    for row in rows:
        row[count + anchor] = 0.0
    return [[row[count + met.one] - row[count + met.other] for met in meetings] for row in rows]


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
