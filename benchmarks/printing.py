"""Printing: seconds and size of what `dalapapa print` makes, from options to bytes.

The claim is that a full design takes less than two seconds and 300 kB. The command itself also
starts Python and loads its modules: that is a line of its own.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from dalapapa.printing import make_pdf
from dalapapa.printing.designs import DESIGNS

from .report import Column, Effort, Row, Rows, Section

PRINTS: dict[str, dict[str, Any]] = {
    **{f"design, {design}": {"design": design} for design in DESIGNS},
    "design, low ink, symbols, names": {"ink": "low", "symbols": True, "names": True},
    "design, grey, names": {"ink": "grey", "names": True},
    "Dalapapa 72": {"what": "72"},
    "booklet, whole pages": {"what": "booklet"},
    "booklet, half pages": {"what": "booklet", "pages": "half"},
    "score board": {"what": "board"},
}


def measure_print(options: dict[str, Any], seconds: float) -> Row:
    """Median time of as many prints as fit into some seconds, after a first one."""
    size = len(make_pdf(options))
    times: list[float] = []
    end = time.perf_counter() + seconds
    while not times or time.perf_counter() < end:
        started = time.perf_counter()
        make_pdf(options)
        times.append(time.perf_counter() - started)
    return {"seconds": statistics.median(times), "bytes": size}


def measure_command() -> Row:
    """The whole command, once, as a person waits for it."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "set.pdf"
        started = time.perf_counter()
        words = [sys.executable, "-m", "dalapapa", "print", "-o", str(target)]
        subprocess.run(words, check=True, capture_output=True)
        spent = time.perf_counter() - started
        return {"seconds": spent, "bytes": target.stat().st_size}


def measure(effort: Effort) -> Rows:
    rows = {name: measure_print(options, effort.seconds / 4) for name, options in PRINTS.items()}
    return {**rows, "the whole command": measure_command()}


MAIN = Column("seconds", lambda row: f"{row['seconds']:.3f}")
SECTION = Section(
    "Printing", (MAIN, Column("kB", lambda row: f"{row['bytes'] / 1000:.0f}")), MAIN, measure
)
