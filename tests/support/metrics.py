"""The page of metrics, as Prometheus reads it."""

from __future__ import annotations

import re

from dalapapa.server.monitoring import metrics


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


def list_names() -> set[str]:
    """The names of all series, as a dashboard asks for them."""
    names = {metric.name for metric in (*metrics.READINGS, *metrics.COUNTERS)}
    parts = ("bucket", "sum", "count")
    return names | {f"{one.name}_{part}" for one in metrics.HISTOGRAMS for part in parts}
