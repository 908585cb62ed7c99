"""What came out of a run: a table, and whether it is in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table as Grid

from tests.support.judge import Findings

from ..report import format_time
from .servers import Vitals

MORE = Vitals(memory=40_000_000, files=12, tasks=8, children=3)
"""What a second wave may leave on top of a first one: caches, connections of a pool, workers that
were not needed before."""


class Stayed(msgspec.Struct):
    """What was left behind."""

    memory: list[str] = []
    files: list[str] = []
    tasks: list[str] = []
    children: list[str] = []
    sockets: list[str] = []
    temporary: list[str] = []
    """Files."""
    processes: list[str] = []
    """That belong to servers which are gone."""

    def compare(self, server: str, first: Vitals, second: Vitals) -> None:
        """Note what a server has after a second wave, and had not after the first."""
        for name, one, two, more in zip(Vitals._fields, first, second, MORE, strict=True):
            if two > one + more:
                getattr(self, name).append(f"{server}: {one:,}, then {two:,}")


class Figures(msgspec.Struct):
    """Of one store."""

    store: str
    minutes: float = 0.0
    tables: int = 0
    acknowledged: int = 0
    messages: int = 0
    found: Findings = msgspec.field(default_factory=Findings)
    changed: list[str] = []
    """Tables whose log was another one in the end than when it was judged."""
    still: list[str] = []
    """Tables where a program or a time was forgotten."""
    tracebacks: list[str] = []
    ended: list[str] = []
    """Servers that ended by themselves, or did not when they were asked to."""
    failed: Counter[str] = msgspec.field(default_factory=Counter)
    """Requests that were answered with 500."""
    stayed: Stayed = msgspec.field(default_factory=Stayed)
    refused: Counter[str] = msgspec.field(default_factory=Counter)
    faults: Counter[str] = msgspec.field(default_factory=Counter)
    tried: Counter[str] = msgspec.field(default_factory=Counter)
    """Tricks of strangers."""
    reconnected: int = 0
    peak: int = 0
    """Bytes of the largest server."""
    quiet: list[float] = []
    """Seconds from a move to its answer while only strangers disturb, ascending."""
    all: list[float] = []
    """The same, also in storms."""


WRONG: dict[str, Callable[[Figures], list[str]]] = {
    "lost": lambda f: [*f.found.lost, *f.changed],
    "doubled": lambda f: f.found.doubled,
    "refused, and made": lambda f: f.found.made_anyway,
    "sent what is not so": lambda f: f.found.untrue,
    "tables that stood still": lambda f: f.still,
    "tracebacks": lambda f: f.tracebacks,
    "servers that ended unasked, or did not end": lambda f: f.ended,
    "answers of 500": lambda f: list(f.failed.elements()),
    "leaks: secrets": lambda f: f.found.leaks,
    "leaks: memory": lambda f: f.stayed.memory,
    "leaks: open files": lambda f: f.stayed.files,
    "leaks: tasks": lambda f: f.stayed.tasks,
    "leaks: sockets": lambda f: f.stayed.sockets,
    "leaks: workers": lambda f: f.stayed.children,
    "leaks: processes of dead servers": lambda f: f.stayed.processes,
    "leaks: temporary files": lambda f: f.stayed.temporary,
}
"""What must be 0."""


def is_successful(figures: Figures) -> bool:
    """Whether everything that must be 0 is, and there was something to look at."""
    return figures.acknowledged > 0 and not any(wrong(figures) for wrong in WRONG.values())


def _p99(seconds: list[float]) -> str:
    return format_time(seconds[len(seconds) * 99 // 100]) if seconds else ""


def rows(all: list[Figures]) -> list[list[str]]:
    """The lines of the table: what, and for each store how much."""

    def line(what: str, text: Callable[[Figures], Any]) -> list[str]:
        found = [text(figures) for figures in all]
        return [what, *(f"{one:,}" if isinstance(one, int) else one for one in found)]

    def counted(what: str, counts: Callable[[Figures], Counter[str]]) -> list[list[str]]:
        names = sorted({name for figures in all for name in counts(figures)})
        return [
            [f"{what}{name}", *(f"{counts(figures)[name]:,}" for figures in all)] for name in names
        ]

    return [
        line("minutes", lambda f: f"{f.minutes:.1f}"),
        line("tables", lambda f: f.tables),
        line("moves acknowledged", lambda f: f.acknowledged),
        line("messages searched", lambda f: f.messages),
        [],
        *([what, *(f"{len(of(figures)):,}" for figures in all)] for what, of in WRONG.items()),
        [],
        line("p99, only strangers disturb", lambda f: _p99(f.quiet)),
        line("p99, always", lambda f: _p99(f.all)),
        line("largest server", lambda f: f"{f.peak / 1e6:.0f} MB"),
        line("connections made again", lambda f: f.reconnected),
        [],
        line("kills", lambda f: sum(n for what, n in f.faults.items() if "kills" in what)),
        *counted("", lambda f: f.faults),
        [],
        line("tricks of strangers", lambda f: f.tried.total()),
        *counted("refused to players: ", lambda f: f.refused),
    ]


def show(all: list[Figures]) -> None:
    """Print the table, and the first of what is wrong."""
    grid = Grid(title="Soak")
    grid.add_column("what", no_wrap=True)
    for figures in all:
        grid.add_column(figures.store, justify="right")
    for row in rows(all):
        if row:
            grid.add_row(*row)
        else:
            grid.add_section()
    console = Console(width=100)
    console.print(grid)
    for figures in all:
        for what, wrong in WRONG.items():
            for one in wrong(figures)[:5]:
                console.print(f"{figures.store}, {what}: {one}", markup=False, highlight=False)
