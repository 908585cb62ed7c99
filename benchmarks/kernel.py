"""The kernel and the public command.

The plain C++ version of `plain.cpp` (full enumeration, no cleverness) is built and run beside
ours when there is a C++ compiler, and both must agree on every best turn.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from dalapapa.core.notation import print_position
from dalapapa.core.tiles import standard
from dalapapa.kernel.table import Table

from .report import (
    Column,
    Effort,
    Rows,
    Section,
    compare_with_peer,
    format_digits,
    format_factor,
    format_time,
)
from .timing import rate

HERE = Path(__file__).parent
PEER = "plain C++"
SIZES = (10, 30, 60, 100)
"""Dominoes on the table for the best turn."""

Case = tuple[Table, list[str]]


def cases(size: int, count: int, kind: type[Table] = Table) -> list[Case]:
    """Tables as games make them (layings with more points are likelier), and a hand each."""
    found = []
    for number in range(count):
        rng = Random(f"{size}/{number}")
        names = list(standard().names)
        rng.shuffle(names)
        table = kind(standard())
        while len(table) < size and len(names) > 2:
            scored = table.scored(names.pop())
            if scored:
                table.lay(scored[int(len(scored) * rng.random() ** 4)][0])
        found.append((table, names[-2:]))
    return found


def interpreted_table() -> type[Table]:
    """The same kernel, run by Python instead of compiled."""
    from tests.support import interpreted

    return interpreted.interpreted_table()


def layings_rate(tables: list[Case], seconds: float) -> float:
    """Scored layings a second: the best turn with one domino scores each of them once."""
    counted = [(table, hand[:1], len(table.legal(hand[0]))) for table, hand in tables]

    def work() -> int:
        for table, hand, _ in counted:
            table.best_turn(hand)
        return sum(count for _, _, count in counted)

    return rate(work, seconds)


def turn_rate(tables: list[Case], seconds: float) -> float:
    """Exact best turns with two dominoes a second."""

    def work() -> int:
        for table, hand in tables:
            table.best_turn(hand)
        return len(tables)

    return rate(work, seconds)


def enumeration_rate(tables: list[Case], seconds: float) -> float:
    """The same by looking at every turn (`best_turns`), compiled but without cleverness."""

    def work() -> int:
        for table, hand in tables:
            table.best_turns(hand, 1)
        return len(tables)

    return rate(work, seconds)


def command_rate(games: int) -> float:
    """Complete greedy two-player games to 60 a second, through the public command."""
    words = [sys.executable, "-m", "dalapapa", "simulate", "--game", "classic", "--players"]
    words += ["greedy,greedy", "--games", str(games), "--jobs", "1"]
    started = time.perf_counter()
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    spent = time.perf_counter() - started
    inside = re.search(r"(\d+) games a second", done.stdout)
    assert inside, done.stdout
    return games / spent


def answer_rate(*words: str) -> float:
    """Short commands a second, from the shell's side: its inverse is the time to answer."""

    def work() -> int:
        subprocess.run(
            [sys.executable, "-m", "dalapapa", *words], stdout=subprocess.DEVNULL, check=True
        )
        return 1

    return rate(work, 1.5)


class Plain:
    """The plain C++ version, built into a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.program = folder / "plain"
        compiler = shutil.which("g++") or shutil.which("c++")
        if compiler is None:
            raise FileNotFoundError("no C++ compiler")
        flags = ["-std=c++17", "-O3", "-march=native"]
        words = [compiler, *flags, str(HERE / "plain.cpp"), "-o", str(self.program)]
        subprocess.run(words, check=True)
        set_file = folder / "dominoes"
        set_file.write_text("\n".join(f"{t.name} {t.recto} {t.verso}" for t in standard().tiles))
        self.environment = {**os.environ, "DOMINOES": str(set_file)}

    def games(self, count: int) -> dict[str, Any]:
        words = [str(self.program), "games", str(count), "1"]
        done = subprocess.run(
            words, capture_output=True, text=True, check=True, env=self.environment
        )
        counts: dict[str, Any] = json.loads(done.stdout)
        return counts

    def best(self, tables: list[Case]) -> tuple[list[int], float]:
        """Points of the best turns, and turns a second."""
        lines = [f"{print_position(table.layings)} | {' '.join(hand)}" for table, hand in tables]
        done = subprocess.run(
            [str(self.program), "best"], input="\n".join(lines) + "\n", capture_output=True,
            text=True, check=True, env=self.environment,
        )  # fmt: skip
        points = [int(line) for line in done.stdout.split()]
        seconds = float(re.findall(r"[\d.eE+-]+", done.stderr)[0])
        return points, len(tables) / seconds


def rates(seconds: float) -> dict[str, float]:
    """All figures, by name; units a second."""
    found: dict[str, float] = {}
    slow = interpreted_table()
    middle = cases(30, 12)
    found["scored layings, compiled"] = layings_rate(middle, seconds)
    found["scored layings, interpreted"] = layings_rate(cases(30, 12, slow), seconds)
    with tempfile.TemporaryDirectory() as folder:
        try:
            plain: Plain | None = Plain(Path(folder))
        except (FileNotFoundError, subprocess.CalledProcessError) as error:
            print(f"Skipping the plain C++ version: {error}", file=sys.stderr)
            plain = None
        for size in SIZES:
            tables = cases(size, 12)
            found[f"best turn at {size}, compiled"] = turn_rate(tables, seconds)
            found[f"best turn at {size}, every turn looked at"] = enumeration_rate(tables, seconds)
            found[f"best turn at {size}, interpreted"] = turn_rate(
                cases(size, 2, slow), seconds / 2
            )
            if plain is not None:
                points, turns = plain.best(tables * 20)
                ours = []
                for table, hand in tables:
                    turn = table.best_turn(hand)
                    assert turn is not None
                    ours.append(turn.points)
                assert points == ours * 20, "the two programs must agree"
                found[f"best turn at {size}, {PEER}"] = turns
        if plain is not None:
            counts = plain.games(300)
            found[f"scored layings, {PEER}"] = counts["layings_scored"] / counts["seconds"]
            found[f"greedy games, {PEER}"] = counts["games"] / counts["seconds"]
    found["greedy games, public command"] = command_rate(2000)
    position = print_position(cases(60, 1)[0][0].layings)
    hand = cases(60, 1)[0][1]
    found["command, tiles"] = answer_rate("tiles")
    found["command, best at 60"] = answer_rate("best", "--position", position, "--hand", *hand)
    found["command, legal at 60"] = answer_rate("legal", "--position", position, "--tile", hand[0])
    return found


def order(name: str) -> tuple[str, int, str]:
    """By subject, and by the size of the table."""
    size = re.search(r"at (\d+)", name)
    return name.split(" at ")[0].split(",")[0], int(size[1]) if size else 0, name


def measure(effort: Effort) -> Rows:
    found = rates(effort.seconds)
    rows = {name: {"a second": found[name]} for name in sorted(found, key=order)}
    compare_with_peer(rows, PEER, lambda row: row["a second"])
    return rows


A_SECOND = Column("a second", lambda row: format_digits(row["a second"]))
SECTION = Section(
    "Kernel and command",
    (
        A_SECOND,
        Column("each", lambda row: format_time(1 / row["a second"])),
        Column(f"against {PEER}", lambda row: format_factor(row.get("against peer"))),
    ),
    A_SECOND,
    measure,
)
