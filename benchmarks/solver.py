"""The frame solver: piles, all 120 dominoes, and hints; CP-SAT on the same frames.

Median and worst time and median nodes (CP-SAT's are its branches) of several runs, each with a
seed of its own. Our times include everything, and the first of each kind also pays for its
frame; CP-SAT's do not include the making of its model. A run that gave up counts with the time
until then: `>` says that the true figure is greater.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

from dalapapa.core import geometry
from dalapapa.core.notation import Laying
from dalapapa.core.tiles import standard
from dalapapa.kernel.solver import Frame, hint, solve

from . import cp_sat
from .report import (
    Column,
    Effort,
    Row,
    Rows,
    Section,
    compare_with_peer,
    format_factor,
    format_time,
)

SET = standard()
PILE_FRAME = Frame.rectangle(8, 10)
WHOLE_FRAME = Frame.rectangle(15, 16)
PEER = "CP-SAT"
PEER_RUNS = 3
"""At most so many runs of CP-SAT for each line: it takes long."""


class Run(NamedTuple):
    """One attempt: how it ended, the nodes it looked at, and its seconds."""

    outcome: str
    nodes: int
    seconds: float


def pile(number: int) -> list[str]:
    return [tile.name for tile in SET.tiles if tile.pile == number]


def fill_frame(frame: Frame, names: list[str], limit: float, seed: int) -> Run:
    """A frame filled by our solver."""
    started = time.perf_counter()
    end = started + limit
    solved = solve(frame, SET, names, seed=str(seed), stop=lambda _: time.perf_counter() > end)
    spent = time.perf_counter() - started
    outcome = "solved" if solved.solutions else "none" if solved.complete else "gave_up"
    return Run(outcome, solved.nodes, spent)


def fill_by_peer(frame: Frame, names: list[str], limit: float, seed: int) -> Run:
    """The same by CP-SAT; our solver must agree that what it found is a layout."""
    outcome, layout, branches, spent = cp_sat.Model(frame, SET, names, seed).solve(limit)
    assert outcome != "none", "our solver fills this frame"
    if outcome == "solved":
        checked = solve(frame, SET, names, layout).solutions
        assert [set(layout)] == [set(solution) for solution in checked]
    return Run(outcome, branches, spent)


def ask_hint(names: list[str], position: list[Laying]) -> Run:
    started = time.perf_counter()
    found = hint(PILE_FRAME, SET, names, position)
    return Run(found.outcome, found.nodes, time.perf_counter() - started)


def part_of_a_solution(names: list[str], seed: int, compact: bool) -> list[Laying]:
    """Half of a layout that can be completed: its upper rows, or any 20 dominoes."""
    layout = list(solve(PILE_FRAME, SET, names, seed=f"half {seed}").solutions[0])
    if not compact:
        Random(seed).shuffle(layout)
    return layout[:20]


def upper_rows(names: list[str], seed: int, rows: int) -> list[Laying]:
    """The upper rows filled with any dominoes of the pile: perhaps a dead end."""
    frame = Frame.rectangle(8, rows)
    return list(solve(frame, SET, names, seed=f"rows {seed}").solutions[0])


def play_by_contacts(names: list[str], seed: int, most: int) -> list[Laying]:
    """Lay like a person who looks only at contacts, at least two for each domino."""
    rng = Random(seed)
    left, laid = list(names), list[Laying]()
    shown: dict[geometry.Disc, str] = {}
    covered: set[geometry.Cell] = set()
    for _ in range(20_000):
        x, y = rng.choice(PILE_FRAME.cells)
        laying = Laying(rng.choice(left), rng.choice("+-"), rng.randrange(4), x, y)  # type: ignore[arg-type]
        if any(cell in covered or cell not in PILE_FRAME.number for cell in laying.cells):
            continue
        face = SET[laying.tile].face(laying.side)
        halves = {
            geometry.edge(*geometry.slot_side(x, y, laying.rotation, slot)): face[slot + 1]
            for slot in range(6)
        }
        meets = [shown[edge] == colour for edge, colour in halves.items() if edge in shown]
        if all(meets) and (len(meets) >= 2 or not laid):
            laid.append(laying)
            left.remove(laying.tile)
            covered.update(laying.cells)
            shown.update(halves)
            if len(laid) == most:
                break
    return laid


POSITIONS: dict[str, Callable[[list[str], int], list[Laying]]] = {
    "upper half solved": partial(part_of_a_solution, compact=True),
    "any half solved": partial(part_of_a_solution, compact=False),
    "4 rows filled": partial(upper_rows, rows=4),
    "5 rows filled": partial(upper_rows, rows=5),
    "6 rows filled": partial(upper_rows, rows=6),
    "7 rows filled": partial(upper_rows, rows=7),
    "8 by contacts": partial(play_by_contacts, most=8),
    "12 by contacts": partial(play_by_contacts, most=12),
    "20 by contacts": partial(play_by_contacts, most=20),
}
"""Of a pile and a seed: what lies in the frame when a hint is asked for."""


def summarize(runs: list[Run]) -> Row:
    seconds = [run.seconds for run in runs]
    return {
        "outcomes": dict(sorted(Counter(run.outcome for run in runs).items())),
        "median": statistics.median(seconds),
        "worst": max(seconds),
        "nodes": statistics.median(run.nodes for run in runs),
    }


def measure(effort: Effort) -> Rows:
    tasks = {f"pile {n} in 8 x 10": (PILE_FRAME, pile(n)) for n in (1, 2, 3)}
    tasks["all 120 in 15 x 16"] = WHOLE_FRAME, list(SET.names)
    seeds = range(effort.runs)
    rows: Rows = {}
    with_peer = cp_sat.is_installed()
    if not with_peer:
        print(f"Skipping {PEER}: ortools is not installed.", file=sys.stderr)
    for what, (frame, names) in tasks.items():
        ours = [fill_frame(frame, names, effort.limit, seed) for seed in seeds]
        rows[f"{what}, ours"] = summarize(ours)
        if with_peer:
            theirs = [fill_by_peer(frame, names, effort.limit, seed) for seed in seeds[:PEER_RUNS]]
            rows[f"{what}, {PEER}"] = peer = summarize(theirs)
            rows[f"{what}, ours"]["peer unfinished"] = has_unfinished(peer)
    compare_with_peer(rows, PEER, lambda row: 1 / row["median"])
    for what, make in POSITIONS.items():
        runs = []
        for seed in seeds:
            names = pile(1 + seed % 3)
            runs.append(ask_hint(names, make(names, seed)))
        rows[f"hint: {what}"] = summarize(runs)
    return rows


def has_unfinished(row: Row) -> bool:
    """Whether the median run gave up."""
    counts: dict[str, int] = row["outcomes"]
    return 2 * counts.get("gave_up", 0) >= sum(counts.values())


def describe_outcomes(row: Row) -> str:
    return ", ".join(f"{count} {outcome}" for outcome, count in row["outcomes"].items())


def describe_median(row: Row) -> str:
    return f"{'> ' if has_unfinished(row) else ''}{format_time(row['median'])}"


def describe_factor(row: Row) -> str:
    return f"{'> ' if row.get('peer unfinished') else ''}{format_factor(row.get('against peer'))}"


MEDIAN = Column("median", describe_median)
SECTION = Section(
    "Frame solver",
    (
        Column("outcomes", describe_outcomes, "left"),
        MEDIAN,
        Column("worst", lambda row: format_time(row["worst"])),
        Column("nodes", lambda row: f"{row['nodes']:,.0f}"),
        Column(f"against {PEER}", describe_factor),
    ),
    MEDIAN,
    measure,
)
