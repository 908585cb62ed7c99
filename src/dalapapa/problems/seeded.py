"""Random numbers that follow from a seed, by SHA-256 alone."""

from __future__ import annotations

from hashlib import sha256

VERSION = 2
"""The version of all problems: another one changes the problem of every seed and day."""


def randbelow(seed: str, below: int) -> int:
    """A number from 0 to `below` - 1."""
    return int.from_bytes(sha256(seed.encode()).digest()[:8]) % below


def make_attempt_seed(kind: str, grade: int, seed: str) -> str:
    """The common prefix of the seeds of all attempts at a problem."""
    return f"dalapapa/problem/{VERSION}/{kind}/{grade}/{seed}"
