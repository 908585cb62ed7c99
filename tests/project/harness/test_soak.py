"""The soak: it notices what it looks for, a short one is in order, and nothing of it stays."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.soak.chaos import limit_file_size, stop_for_a_while
from benchmarks.soak.course import run_servers
from benchmarks.soak.figures import MORE, WRONG, Figures, Stayed, is_successful, rows
from benchmarks.soak.servers import Vitals, children
from dalapapa.client import Server
from tests.support.judge import Findings
from tests.support.paths import ROOT
from tests.support.processes import process_state
from tests.support.serving import PATIENCE, uncounted
from tests.support.signals import hear_signals
from tests.support.waiting import wait_until, wait_until_sync

pytestmark = pytest.mark.anyio


# -- the verdict -----------------------------------------------------------------------------------


def wrong_ones() -> list[tuple[str, Figures]]:
    """Figures in which one thing is wrong."""
    found = [
        (kind, Figures("", found=Findings(**{kind: ["x"]}))) for kind in Findings.__struct_fields__
    ]
    found += [
        (kind, Figures("", stayed=Stayed(**{kind: ["x"]}))) for kind in Stayed.__struct_fields__
    ]
    for kind in ("changed", "still", "tracebacks", "ended"):
        changed: dict[str, Any] = {kind: ["x"]}
        found.append((kind, Figures("", **changed)))
    return [*found, ("failed", Figures("", failed=Counter({"GET /": 1})))]


def test_every_wrong_figure_is_noticed() -> None:
    assert is_successful(Figures("", acknowledged=1))
    assert not is_successful(Figures("")), "no game was played"
    for kind, figures in wrong_ones():
        figures.acknowledged = 1
        assert not is_successful(figures), kind
    assert len(wrong_ones()) == len(WRONG) + 1, "a changed log counts as lost"


def test_the_table_shows_every_figure() -> None:
    figures = [figures for _, figures in wrong_ones()]
    figures[0].refused["stale"] = 3
    figures[0].faults["kills: server"] = 1000
    cells = {row[0]: row[1:] for row in rows(figures) if row}
    for what in WRONG:
        assert sorted(cells[what])[-1] == "1", what
    assert cells["refused to players: stale"][0] == "3"
    assert cells["kills"][0] == cells["kills: server"][0] == "1,000"


def test_growth_after_a_second_wave_is_noticed() -> None:
    first = Vitals(100_000_000, 50, 10, 3)
    for number, name in enumerate(Vitals._fields):
        for more, noticed in ((0, False), (1, True)):
            second = list(first)
            second[number] += MORE[number] + more
            stayed = Stayed()
            stayed.compare("server", first, Vitals(*second))
            assert [bool(getattr(stayed, field)) for field in Vitals._fields] == [
                noticed and field == name for field in Vitals._fields
            ]


# -- faults ----------------------------------------------------------------------------------------


WRITER = """
import sys
with open("file", "wb", buffering=0) as file:
    for _ in sys.stdin:
        try:
            file.write(b"x" * 1000)
            print("written", flush=True)
        except OSError:
            print("full", flush=True)
"""


async def test_a_disk_can_be_full_and_a_process_stand_still(tmp_path: Path) -> None:
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WRITER, cwd=tmp_path,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert writer.stdin
    assert writer.stdout
    file = tmp_path / "file"
    ask, answers = writer.stdin, writer.stdout

    async def write() -> bytes:
        ask.write(b"\n")
        return await answers.readline()

    def stands_still() -> bool:
        return process_state(writer.pid) == "T"

    try:
        async with asyncio.timeout(PATIENCE):
            async with limit_file_size([writer.pid], 50_000):
                while await write() != b"full\n":
                    pass
                assert file.stat().st_size == 50_000
            assert await write() == b"written\n"
            assert file.stat().st_size == 51_000
        async with stop_for_a_while([writer.pid]):
            await wait_until(stands_still, "a process that stands still")
        await wait_until(lambda: not stands_still(), "a process that goes on")
    finally:
        writer.kill()
        await writer.communicate()


TRACEBACK = "Traceback (most recent call last):\n  File x\nValueError: doctored\n"


@pytest.mark.thorough
async def test_a_server_has_the_clock_of_the_soak_and_is_looked_after(tmp_path: Path) -> None:
    database = f"sqlite+aiosqlite:///{tmp_path / 'tables.db'}"
    async with asyncio.timeout(PATIENCE), run_servers(database, 1, tmp_path) as (here,):
        here.page.ahead = -3_600_000
        assert here.url
        async with Server(here.url) as server:
            new = await server.create(game="classic", seats=[None, "random"], host="Ann")
            history = await server.ask("GET", f"/tables/{new['id']}/history")
        # Both are of this moment; how long the server took to answer does not matter.
        assert abs(history[0]["at"] + 3_600_000 - 1000 * time.time()) < 1000 * PATIENCE
        await wait_until(lambda: here.page.tasks, "the tasks of the server")
        assert here.vitals().memory > 10_000_000
        nurse = asyncio.create_task(here.look_after())
        group = here.group
        with open(here.output.name, "a") as output:
            output.write(TRACEBACK)
        os.kill(group, signal.SIGKILL)  # Not by us, as far as it knows.
        await wait_until(lambda: here.group != group and here.url, "another server")
        nurse.cancel()
        assert len(here.ended) == 1
        assert here.tracebacks == ["ValueError: doctored"]


# -- the whole of it -------------------------------------------------------------------------------


def soaking(folder: Path, *words: str) -> subprocess.Popen[str]:
    """A soak, as `make soak` starts it, with a folder for its files."""
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.soak", *words],
        cwd=ROOT, env={**uncounted(), "TMPDIR": str(folder)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=hear_signals,
    )  # fmt: skip


@pytest.mark.thorough
def test_a_short_soak_is_successful(tmp_path: Path) -> None:
    with soaking(tmp_path, "--minutes", "0.6", "--tables", "6", "--strangers", "3") as soak:
        result, _ = soak.communicate(timeout=5 * PATIENCE)
    assert soak.returncode == 0, result
    figures = dict(re.findall(r"│ ([^│]*?) +│ +(.*?) │\n", result))
    acknowledged = [
        int(one.strip().replace(",", "")) for one in figures["moves acknowledged"].split("│")
    ]
    kills = [int(one.strip()) for one in figures["kills"].split("│")]
    assert len(acknowledged) == len(kills) == 2, "on both stores"
    assert min(acknowledged) > 20
    assert min(kills) > 2


def family(pid: int) -> set[tuple[int, str]]:
    """All processes that come from one, and when they were started."""
    found = set()
    for child in children(pid):
        with contextlib.suppress(OSError):
            found.add((child, _begun(child)))
        found |= family(child)
    return found


def _begun(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]


def alive(process: tuple[int, str]) -> bool:
    try:
        return _begun(process[0]) == process[1]
    except OSError:
        return False


@pytest.mark.thorough
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_stays_of_an_interrupted_soak(tmp_path: Path, how: signal.Signals) -> None:
    with soaking(tmp_path, "--minutes", "5", "--store", "postgres") as soak:

        def all_processes() -> set[tuple[int, str]] | None:
            found = family(soak.pid)
            return found if len(found) >= 15 else None

        found = wait_until_sync(all_processes, "PostgreSQL, servers and their workers")
        soak.send_signal(how)
        soak.communicate(timeout=PATIENCE)
    assert soak.returncode != 0
    wait_until_sync(lambda: not any(map(alive, found)), "the end of all processes of the soak")
    if how is not signal.SIGKILL:
        assert not list(tmp_path.iterdir())
