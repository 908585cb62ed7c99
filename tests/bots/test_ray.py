"""Tasks on a real Ray cluster of two nodes on this machine: lost nodes, memory, order."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dalapapa.bots import ray_engine
from dalapapa.bots.arena import Simulation, SimulationTotals, play_games, run_tasks
from dalapapa.core.errors import BadOptions, Unavailable
from tests.support.missing import Missing

pytestmark = pytest.mark.thorough

GAMES = 300


@pytest.fixture(scope="module", autouse=True)
def _ray() -> None:
    try:
        import ray  # noqa: F401
    except ImportError:
        raise Missing("Ray", "Get it with `.venv/bin/pip install ray`.") from None


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A head node without cores, and two nodes with one each."""
    import ray
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    try:
        for _ in range(2):
            cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        ray.init(address=cluster.address, log_to_driver=False)
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()


def square(number: int) -> int:
    return number * number


def fail_at(bad: int, number: int) -> int:
    if number == bad:
        raise BadOptions("This number is bad.", "bad_number")
    return number


def die_at(folder: Path, deaths: int, bad: int, number: int) -> int:
    """One task kills its worker a few times."""
    if number == bad and len(list(folder.iterdir())) < deaths:
        (folder / str(os.getpid())).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def run(work: Any, tasks: Any) -> Iterator[Any]:
    return run_tasks(work, tasks, jobs=2, engine="ray")


def test_a_node_that_dies_in_the_middle_changes_no_result(cluster: Any) -> None:
    what = Simulation("classic", ("greedy", "random"), {}, "ray", GAMES)
    expected = SimulationTotals(what)
    for score in play_games(what):
        expected.add(score)
    found = SimulationTotals(what)
    for number, score in enumerate(play_games(what, engine="ray")):
        found.add(score)
        if number == GAMES // 4:
            (node, _) = cluster.worker_nodes
            cluster.remove_node(node, allow_graceful=False)
    assert found.summarize() == expected.summarize()


def test_results_come_in_order_and_in_batches(cluster: Any) -> None:
    assert list(run(square, range(50_000))) == [number * number for number in range(50_000)]


def test_a_killed_worker_is_replaced(cluster: Any, tmp_path: Path) -> None:
    assert list(run(partial(die_at, tmp_path, 2, 70), range(100))) == list(range(100))
    assert len(list(tmp_path.iterdir())) == 2


def test_workers_that_are_killed_each_time_are_given_up(cluster: Any, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="6 times") as refused:
        list(run(partial(die_at, tmp_path, 1000, 70), range(100)))
    assert refused.value.code == "lost_worker"


def test_a_refusal_of_a_task_is_that_of_the_caller(cluster: Any) -> None:
    with pytest.raises(BadOptions, match="bad") as refused:
        list(run(partial(fail_at, 5), range(100)))
    assert refused.value.code == "bad_number"


def test_a_million_tasks_need_no_more_memory(cluster: Any) -> None:
    """With the results, the driver would hold some 100 MB."""
    next(iter(run(square, range(10))))  # What Ray imports does not count.
    tracemalloc.start()
    try:
        assert sum(run(square, range(1_000_000))) == sum(n * n for n in range(1_000_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20_000_000


def test_a_caller_that_stops_early_cancels_the_rest(cluster: Any) -> None:
    running = run(square, range(10**9))
    assert [next(running) for _ in range(5)] == [0, 1, 4, 9, 16]
    running.close()  # type: ignore[attr-defined]
    assert list(run(square, range(5))) == [0, 1, 4, 9, 16]


def test_the_command_prints_results_only_and_nothing_is_reported() -> None:
    words = ["simulate", "--players", "greedy,random", "--games", "40", "--json"]

    def simulate(*more: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "dalapapa", *words, *more]
        return subprocess.run(command, capture_output=True, text=True, check=True)

    done = simulate("--engine", "ray", "--jobs", "2")
    assert json.loads(done.stdout) == json.loads(simulate().stdout)
    assert "Usage stats collection is enabled" not in done.stderr


@pytest.mark.parametrize(
    ("size", "count", "seconds", "expected"),
    [(1, 1, 0.0, 4), (100, 100, 2.0, 50), (8, 8, 100.0, 1), (9_000, 9_000, 0.1, 10_000)],
)
def test_batches_take_about_a_second(size: int, count: int, seconds: float, expected: int) -> None:
    assert ray_engine._adapt_size(size, count, seconds) == expected
