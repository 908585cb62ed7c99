"""Games between bots on a Ray cluster of this machine, beside processes of the same number.

python -m benchmarks ray_cluster
"""

from __future__ import annotations

import time

from dalapapa.bots.arena import Simulation, SimulationTotals, play_games

from .report import Column, Effort, Row, Rows, Section, format_digits

JOBS = 2
KINDS = {"greedy": 4000, "medium": 400}
"""Games for each second of effort, by bot."""
ROUNDS = 3


def measure_one(bot: str, games: int, engine: str) -> float:
    """Games a second; the cluster runs already."""
    what = Simulation("classic", (bot, bot), {}, "benchmark", games)
    totals = SimulationTotals(what)
    began = time.perf_counter()
    for score in play_games(what, JOBS, engine):
        totals.add(score)
    return games / (time.perf_counter() - began)


def measure(effort: Effort) -> Rows:
    rows: Rows = {}
    measure_one("random", JOBS, "ray")  # Starts the cluster.
    for bot, rate in KINDS.items():
        games = int(rate * effort.seconds)
        found: dict[str, list[float]] = {"local": [], "ray": []}
        for turn in range(ROUNDS):
            for engine in ("local", "ray") if turn % 2 else ("ray", "local"):
                found[engine].append(measure_one(bot, games, engine))
        for engine, rates in found.items():
            rows[f"{bot}: {engine}"] = {"rate": sorted(rates)[ROUNDS // 2]}
        rows[f"{bot}: ray"]["of local"] = (
            rows[f"{bot}: ray"]["rate"] / rows[f"{bot}: local"]["rate"]
        )
    return rows


def _share(row: Row) -> str:
    return f"{row['of local']:.2f}" if "of local" in row else ""


RATE = Column("games a second", lambda row: format_digits(row["rate"]))
SECTION = Section(f"Ray: {JOBS} processes", (RATE, Column("of local", _share)), RATE, measure)
