"""The page of metrics, as Prometheus reads it."""

from __future__ import annotations

import re


def parse_metrics(text: str) -> dict[str, float]:
    """What Prometheus reads, by name and labels; every line has its form."""
    found = {}
    for line in text.splitlines():
        if not line.startswith("# "):
            read = re.fullmatch(
                r"(\w+(?:\{(?:\w+=\"(?:[^\"\\\n]|\\.)*\",?)*\})?) ([\d.e+-]+)", line
            )
            assert read, line
            found[read[1]] = float(read[2])
    return found
