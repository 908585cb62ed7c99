"""The page of metrics, as Prometheus reads it."""

from __future__ import annotations

import re


def parse_metrics(text: str) -> dict[str, float]:
    """Read samples by name and labels; a malformed line fails the test."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("# "):
            read = re.fullmatch(
                r"(\w+(?:\{(?:\w+=\"(?:[^\"\\\n]|\\.)*\",?)*\})?) ([\d.e+-]+)", line
            )
            assert read, line
            found[read[1]] = float(read[2])
    return found
