"""What all sections share: their form, how they are printed, and the committed run."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table as Grid

RESULTS = Path(__file__).with_name("results.json")
WIDTH = 120

Row = dict[str, Any]
"""The figures of one line: rates a second, times in seconds."""

Rows = dict[str, Row]
"""Lines by name. Those whose names have the same subject belong together."""


class Effort(NamedTuple):
    """How much to measure."""

    seconds: float
    """Spent on each rate."""
    runs: int
    """Runs of the solver for each line."""
    limit: float
    """Seconds after which one run of a solver gives up."""


class Column(NamedTuple):
    """A column of a table."""

    title: str
    text: Callable[[Row], str]
    justify: Any = "right"


class Section(NamedTuple):
    """A table of figures."""

    title: str
    columns: tuple[Column, ...]
    main: Column
    """The one that is shown for the committed run, too."""
    measure: Callable[[Effort], Rows]


def subject(name: str) -> str:
    """What a line is about: its name up to the first comma or colon."""
    return re.split("[,:]", name)[0]


def compare_with_peer(rows: Rows, peer: str, speed: Callable[[Row], float]) -> None:
    """Add to each line how many times as fast it is as the line of a peer, if there is one."""
    for name, row in rows.items():
        other = rows.get(f"{subject(name)}, {peer}")
        if other is not None:
            row["against peer"] = speed(row) / speed(other)


def show(section: Section, rows: Rows, before: Rows) -> None:
    """Print the figures beside those of the committed run."""
    grid = Grid(title=f"{section.title}, one core, Python {platform.python_version()}")
    grid.add_column("what", no_wrap=True)
    lines = {
        name: [
            *(column.text(row) for column in section.columns),
            section.main.text(before[name]) if name in before else "",
        ]
        for name, row in rows.items()
    }
    titles = (*section.columns, Column("committed run", section.main.text))
    for column, texts in zip(titles, zip(*lines.values(), strict=True), strict=True):
        # Titles may break between words, figures not.
        grid.add_column(column.title, justify=column.justify, min_width=max(map(len, texts)))
    last = None
    for name, line in lines.items():
        if last not in (None, subject(name)):
            grid.add_section()
        last = subject(name)
        grid.add_row(name, *line)
    Console(width=WIDTH).print(grid)


def read_committed(section: str) -> Rows:
    """The lines of a section in the committed run."""
    rows: Rows = _results().get(section, {})
    return rows


def save(section: str, rows: Rows) -> None:
    """Make these lines the committed run of their section; the others stay."""
    results = {**_results(), section: _round(rows)}
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")


def _results() -> dict[str, Rows]:
    found: dict[str, Rows] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    return found


def _round(value: Any) -> Any:
    """Floats to three digits, all the way down."""
    if isinstance(value, dict):
        return {key: _round(inner) for key, inner in value.items()}
    return float(f"{value:.3g}") if isinstance(value, float) else value


def format_digits(value: float) -> str:
    """At least three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def format_time(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def format_factor(ratio: float | None) -> str:
    """How many times as fast; nothing if there is no peer."""
    if ratio is None:
        return ""
    return f"{ratio:,.0f}x" if ratio >= 100 else f"{ratio:.2f}x"
