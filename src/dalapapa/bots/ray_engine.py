"""Tasks on a Ray cluster: in batches, with a bounded number in flight.

The tasks of a batch take about a second, so that Ray's own work does not count, and a limited
number of batches is in flight, so that a million games need no more memory here than a hundred.
Results come in the order of the tasks. Ray repeats batches whose worker or node is lost; the same
task gives the same result, and writes the same record.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Sequence
from time import perf_counter
from typing import Any, TypeVar

from ..core.errors import Unavailable
from ..core.extras import require
from ..core.streams import stdout_as_stderr

Task = TypeVar("Task")
Result = TypeVar("Result")

BATCH_S = 1.0
"""The time that a batch should take."""

MAX_BATCH_TASKS = 10_000

BATCHES_PER_CORE = 3
"""Batches in flight, of which a core works on one."""

MAX_RETRIES = 5
"""How often Ray repeats a batch whose worker or node was lost."""


def run_on_ray(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Generator[Result]:
    """Run `work` on each task, and yield the results in the order of the tasks.

    `jobs` is the number of cores of a new cluster; the address in RAY_ADDRESS takes precedence.
    """
    require("ray", code="no_ray")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Nothing is reported to anyone.
    with stdout_as_stderr():  # Ray and its processes write there what they do.
        import ray

        if not ray.is_initialized():
            own = None if "RAY_ADDRESS" in os.environ else jobs
            ray.init(num_cpus=own, include_dashboard=False, log_to_driver=False)
        run: Any = ray.remote(num_cpus=1, max_retries=MAX_RETRIES)(_run_batch)
        shared_work = ray.put(work)
    waiting: deque[Any] = deque()
    size, begun = 1, 0
    try:
        while begun < len(tasks) or waiting:
            with stdout_as_stderr():
                while begun < len(tasks) and len(waiting) < _count_slots(ray):
                    batch = tasks[begun : begun + size]
                    waiting.append(run.remote(shared_work, batch))
                    begun += len(batch)
                results, seconds = _get(ray, waiting[0])
            waiting.popleft()
            size = _adapt_size(size, len(results), seconds)
            yield from results
    finally:  # Also if the generator is closed.
        with stdout_as_stderr():
            for batch in waiting:
                ray.cancel(batch, force=True)


def _run_batch(work: Callable[[Task], Result], tasks: Sequence[Task]) -> tuple[list[Result], float]:
    """The results of some tasks, and the seconds that they took."""
    began = perf_counter()
    return [work(task) for task in tasks], perf_counter() - began


def _count_slots(ray: Any) -> int:
    """How many batches may be in flight: nodes come and go."""
    return max(1, int(BATCHES_PER_CORE * ray.cluster_resources().get("CPU", 1)))


def _adapt_size(size: int, count: int, seconds: float) -> int:
    """The size of the next batch: at most four times the present one."""
    fitting = int(count * BATCH_S / max(seconds, 1e-6))
    return max(1, min(fitting, 4 * size, MAX_BATCH_TASKS))


def _get(ray: Any, batch: Any) -> tuple[list[Any], float]:
    """The results of a batch; refuses if its workers are lost each time."""
    from ray import exceptions

    try:
        results: tuple[list[Any], float] = ray.get(batch)
    except exceptions.RayTaskError as error:
        raise error.cause from None
    except (exceptions.RayError, ConnectionError) as error:
        raise Unavailable(
            f"The Ray cluster has lost the same games {MAX_RETRIES + 1} times, or is gone"
            f" ({type(error).__name__}): look at its log.",
            "lost_worker",
        ) from None
    return results
