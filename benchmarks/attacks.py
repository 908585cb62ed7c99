"""Attacks: what players at their tables notice while a stranger does the worst they can.

A server process runs as `dalapapa play` does, without a proxy; the attackers are processes of
their own and come from other addresses of this machine (`tests/support/flooding.py`). The p99 is
of the moves of players, asked for and made durable, calm and while the attack goes on; the memory
is the server's.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from .report import Column, Effort, Row, Rows, Section, format_time

ENTRIES = 15_000
"""Of the long log."""


def measure(effort: Effort) -> Rows:
    from tests.support import flooding

    rows: Rows = {}
    single = {**flooding.ATTACKS, **flooding.CROWDS}
    for attack in (*single, "all at once"):
        with (
            tempfile.TemporaryDirectory() as folder,
            flooding.server(Path(folder), ENTRIES) as process,
        ):
            attacks = [attack] if attack in single else [*flooding.ATTACKS]
            found = asyncio.run(flooding.measured(process, attacks, 3 * effort.seconds))
        rows[attack] = {
            "calm": found.calm,
            "p99": found.during,
            "before": found.memory_before,
            "memory": found.memory,
            "seen": found.seen,
        }
    return rows


def describe_outcome(row: Row) -> str:
    return ", ".join(f"{what.partition(': ')[2]} {n}" for what, n in row["seen"].items())[:40]


P99 = Column("during", lambda row: format_time(row["p99"]))
SECTION = Section(
    "Attacks: the p99 of other players' moves",
    (
        Column("calm", lambda row: format_time(row["calm"])),
        P99,
        Column("memory before", lambda row: f"{row['before']:.0f} MB"),
        Column("during", lambda row: f"{row['memory']:.0f} MB"),
        Column("the attacker saw", describe_outcome, "left"),
    ),
    P99,
    measure,
)
