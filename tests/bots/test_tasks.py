"""Games in other processes, which may be killed, and on Ray, which writes to standard output."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from dalapapa import Match
from dalapapa.bots.arena import MAX_LOSSES, run_tasks
from dalapapa.core.errors import Unavailable
from dalapapa.core.interrupts import Terminated
from tests.support.installing import installing, put

FATAL = 5


def square(folder: Path, deaths: int, number: int) -> int:
    """Square a number; for one of them, the process is killed a few times."""
    if number == FATAL and len(list(folder.iterdir())) < deaths:
        (folder / str(os.getpid())).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


@pytest.mark.parametrize("deaths", [1, MAX_LOSSES])
def test_what_a_killed_worker_did_is_done_again(
    deaths: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "dalapapa"):
        found = list(run_tasks(partial(square, tmp_path, deaths), range(200), jobs=2))
    assert found == [number * number for number in range(200)]
    said = [one.getMessage() for one in caplog.records]
    assert said == ["A worker process ended unexpectedly: its games are played again."] * deaths


def test_workers_that_are_killed_each_time_are_given_up(tmp_path: Path) -> None:
    found: list[int] = []
    running = run_tasks(partial(square, tmp_path, 1000), range(200), jobs=2)
    with pytest.raises(Unavailable, match="4 times at the same place") as refusal:
        found.extend(running)
    assert refusal.value.code == "lost_worker"
    assert found == [number * number for number in range(FATAL)]


STARTING = """
import os, signal
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dalapapa.bots import arena

def begin():
    arena._handle_sigterm()
    os.kill(os.getpid(), signal.SIGTERM)

try:
    ProcessPoolExecutor(1, initializer=begin).submit(print).result()
except BrokenExecutor:
    print("broken")
"""


def test_a_worker_that_is_ended_while_it_starts_prints_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTING], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("broken\n", "")


KILLED = """
import os, pathlib, signal
from dalapapa.bots import Bot

class Own(Bot):
    def begin(self):
        folder = pathlib.Path({folder!r})
        if self.seed != "trial" and len(list(folder.iterdir())) < {deaths}:
            (folder / str(os.getpid())).touch()
            os.kill(os.getpid(), signal.SIGKILL)

    def choose(self, view):
        return view.legal[-1]
"""


@pytest.mark.parametrize("deaths", [1, 1000])
def test_a_simulation_survives_a_killed_worker(
    deaths: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = tmp_path / "killed"
    killed.mkdir()
    words = ("simulate", "--players", "own,random", "--games", "6", "--json", "--jobs", "2")
    with installing(tmp_path / "installed", monkeypatch) as path:
        source = KILLED.format(folder=str(killed), deaths=deaths)
        put(path, "own_bot", source, "dalapapa.bots", own="own_bot:Own")
        done = subprocess.run(
            [sys.executable, "-m", "dalapapa", *words], capture_output=True, text=True, check=False
        )
    assert "Traceback" not in done.stderr
    assert "A worker process ended unexpectedly: its games are played again." in done.stderr
    if deaths == 1:
        assert done.returncode == 0
        assert json.loads(done.stdout)["games"] == 6
    else:
        assert done.returncode == 2
        assert "Interrupted after 0 of 6 games." in done.stderr
        assert "Error (lost_worker): A worker process ended unexpectedly" in done.stderr


TALKATIVE = """
import os, subprocess, sys

print("importing")
os.write(1, b"by a library ")

def init(**how):
    print("starting")
    subprocess.run(["echo", "by a process"])

def is_initialized():
    return False

class Remote:
    def __init__(self, work):
        self.work = work

    def remote(self, *words):
        return lambda: self.work(*words)

def remote(**how):
    return Remote

def put(value):
    return value

def cluster_resources():
    return {"CPU": 2.0}

def get(future):
    print("fetching")
    return future()

class exceptions:
    class RayTaskError(Exception): pass
    class RayError(Exception): pass

sys.modules["ray.exceptions"] = exceptions
"""


@pytest.mark.parametrize("command", ["simulate --players", "ladder --levels"])
def test_what_ray_writes_does_not_reach_the_results(command: str, tmp_path: Path) -> None:
    (tmp_path / "ray.py").write_text(TALKATIVE)
    here = [str(tmp_path), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    words = (*command.split(), "random,greedy", "--games", "4", "--json")

    def run(*engine: str) -> tuple[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "dalapapa", *words, *engine], capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(here)}, check=True,
        )  # fmt: skip
        return done.stdout, done.stderr

    out, err = run("--engine", "ray")
    assert out == run("--jobs", "1")[0]
    for text in ("importing", "by a library", "starting", "by a process", "fetching"):
        assert text in err


def test_a_bot_of_a_package_cannot_keep_a_worker_from_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may catch nothing, but a failing bot is caught, also if it ends Python."""
    source = (
        "from dalapapa.bots import Bot\nfrom dalapapa.core.interrupts import Terminated\n\n\n"
        "class Own(Bot):\n    def choose(self, view):\n        raise Terminated\n"
    )
    with installing(tmp_path / "installed", monkeypatch) as path:
        put(path, "own_bot", source, "dalapapa.bots", own="own_bot:Own")
        match = Match(players=["own", "random"], seed="x")
        with pytest.raises(Terminated):
            match.run()
