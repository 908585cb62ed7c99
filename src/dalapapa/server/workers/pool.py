"""Worker processes for jobs that would hold up the event loop.

`pebble.ProcessPool` (5.2) was measured as a replacement, and not taken:

* A small job takes 94 to 130 us here and 610 to 870 us with pebble, because three threads poll
  queues; the server's own process uses 66 us of a core for it instead of 112 us or more. An idle
  pool of pebble uses 1.7 ms of a core in each second, and a server has five pools.
* If the server is killed, our workers end with it; pebble's go on as orphans. Ctrl+C while pebble's
  workers start prints a traceback of each, and they are gone; ours ignore it from the beginning.
* A job whose worker was killed by someone else is tried once more here; with pebble, it fails.
* pebble's queue has no limit and no order by address, so `FairQueue` and the slots, a third of this
  module, would remain.

Starting a worker (0.3 to 0.5 s), time limits, and removing jobs that no client awaits are alike.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
import traceback
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import perf_counter
from typing import Any, TypeVar

from ...core.errors import DalapapaError, TooHard, Unavailable
from ...core.interrupts import ignore_sigint
from ...games.installed import load_only_on_request
from ..monitoring import metrics
from ..traffic.limits import ConcurrencyLimit, make_busy_error

T = TypeVar("T")

CORES = os.cpu_count() or 2

CONTEXT: Any = multiprocessing.get_context("spawn")
"""Workers are not forked, because this process has threads and an event loop."""

MAX_ATTEMPTS = 2
"""Workers that a job may lose: one may have been killed for another reason than the job."""


class LostWorker(TooHard):
    """A job took too long, or ended its process: `reason` says which, for the log."""

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class Job:
    """A job that waits or runs, and the future of its result."""

    def __init__(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        on_start: Callable[[], None],
        time_limit_s: float | None = None,
    ) -> None:
        self.function = function
        self.args = args
        self.on_start = on_start
        self.time_limit_s = time_limit_s
        """A limit other than that of all jobs."""
        self.result: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class FairQueue:
    """Waiting jobs: addresses take turns, so that a flood delays only its own jobs."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Job]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, address: str, job: Job) -> None:
        """Append a job to those of its address."""
        self._waiting.setdefault(address, deque()).append(job)

    def take(self) -> tuple[str, Job]:
        """Remove and return the next job; its address then waits for all others."""
        address, jobs = self._waiting.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            self._waiting[address] = jobs
        return address, job

    def remove(self, address: str, job: Job) -> bool:
        """Remove a job; return whether it was still waiting."""
        jobs = self._waiting.get(address, deque())
        if job not in jobs:
            return False
        jobs.remove(job)
        if not jobs:
            del self._waiting[address]
        return True

    def find_newest(self, count: Callable[[str], int]) -> tuple[str, Job]:
        """Return the newest job of the waiting address for which `count` is the largest."""
        address = max(self._waiting, key=count)
        return address, self._waiting[address][-1]

    def clear(self) -> list[tuple[str, Job]]:
        """Remove and return all jobs."""
        jobs = [(address, job) for address, queue in self._waiting.items() for job in queue]
        self._waiting.clear()
        return jobs


class Workers:
    """Processes that run one job at a time; addresses take turns.

    They start with the first job. When jobs that wait or run have taken all `slots`, further jobs
    are refused; but an address that has far fewer than another one takes a slot from it. A job that
    takes longer than `time_limit_s` ends with its process. `nice` lowers the priority of the
    processes.
    """

    def __init__(
        self,
        size: int,
        time_limit_s: float,
        slots: ConcurrencyLimit | None = None,
        nice: int = 0,
        kind: str = "any",
    ) -> None:
        self.kind: str = kind
        """Their name in metrics."""
        self.time_limit_s = time_limit_s
        self.slots: ConcurrencyLimit = ConcurrencyLimit() if slots is None else slots
        self.nice = nice
        self.processes: set[Worker] = set()
        self.idle: list[Worker] = []
        """Processes without a job."""
        self.size = size
        self._threads = ThreadPoolExecutor(size, "worker")  # Each waits for one process.
        self._queue = FairQueue()
        self._running = 0
        self._closed = False

    @property
    def pending(self) -> int:
        """Jobs that wait or run."""
        return len(self.slots)

    async def ask(
        self,
        job: Callable[..., T],
        *args: Any,
        address: str = "",
        on_start: Callable[[], None] = lambda: None,
        time_limit_s: float | None = None,
    ) -> T:
        """Run a job, a function of a module; return its result, or raise its error.

        Arguments and result are pickled. If the caller is cancelled, a waiting job is removed; a
        job that runs keeps its slot until it ends. `on_start` is called when it starts. Raises
        `LostWorker` if the job takes too long (`time_limit_s`, or the limit of all jobs) or ends
        its process.
        """
        if self._closed:
            raise _make_stop_error()
        self._free_slot(address)
        self.slots.take(address)
        queued = Job(job, args, on_start, time_limit_s)
        self._queue.add(address, queued)
        self._start_next()
        began = perf_counter()
        try:
            result: T = await queued.result
            return result
        finally:
            if self._queue.remove(address, queued):
                self.slots.leave(address)
            metrics.QUESTION_SECONDS.observe(perf_counter() - began, self.kind, _name_job(job))

    def _free_slot(self, address: str) -> None:
        """If all slots are taken, refuse the newest job of the address that has the most."""
        if len(self.slots) < self.slots.max_total or not self._queue:
            return
        other, job = self._queue.find_newest(self.slots.count)
        if self.slots.count(other) >= self.slots.count(address) + 2:
            self._refuse(other, job, make_busy_error())

    def _refuse(self, address: str, job: Job, refusal: Unavailable) -> None:
        if self._queue.remove(address, job):
            self.slots.leave(address)
        if not job.result.done():
            job.result.set_exception(refusal)

    def _start_next(self) -> None:
        """Start jobs while there are workers for them."""
        loop = asyncio.get_running_loop()
        while self._queue and self._running < self.size:
            address, job = self._queue.take()
            self._running += 1
            job.on_start()
            finish = partial(self._finish, address, job)

            def notify(done: Future[Any], finish: Callable[[Future[Any]], None] = finish) -> None:
                with contextlib.suppress(RuntimeError):  # The loop is closed: no caller waits.
                    loop.call_soon_threadsafe(finish, done)

            self.submit(job).add_done_callback(notify)

    def submit(self, job: Job) -> Future[Any]:
        """Run a job in a worker; a subclass may run it elsewhere."""
        return self._threads.submit(self._run, job)

    def _finish(self, address: str, job: Job, done: Future[Any]) -> None:
        self._running -= 1
        self.slots.leave(address)
        error = _make_stop_error() if done.cancelled() else done.exception()
        if not job.result.done():
            if error is None:
                job.result.set_result(done.result())
            else:
                job.result.set_exception(error)
        if not self._closed:
            self._start_next()

    def close(self) -> None:
        """End the processes immediately."""
        self._closed = True
        for address, job in self._queue.clear():
            self.slots.leave(address)
            self._refuse(address, job, _make_stop_error())
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in tuple(self.processes):
            self._end(worker)

    def _run(self, job: Job) -> Any:
        limit = self.time_limit_s if job.time_limit_s is None else job.time_limit_s
        reason = "it ended its process"
        for _ in range(MAX_ATTEMPTS):
            if self._closed:
                raise _make_stop_error()
            worker = self._take_worker()
            try:
                answer = worker.run(job.function, job.args, limit)
            except TimeoutError:
                metrics.WORKERS_ENDED.add(self.kind, "too_long")
                self._end(worker)
                reason = "it took too long"
                break
            except (EOFError, OSError):  # The process has ended.
                metrics.WORKERS_ENDED.add(self.kind, "died")
                self._end(worker)
                continue
            self.idle.append(worker)
            if isinstance(answer, Exception):
                raise answer
            return answer
        raise LostWorker("This is too hard for this server.", reason)

    def _take_worker(self) -> Worker:
        """Return an idle worker that no other process has killed, or a new one."""
        with contextlib.suppress(IndexError):
            while not (worker := self.idle.pop()).process.is_alive():
                metrics.WORKERS_ENDED.add(self.kind, "died")
                self._end(worker)
            return worker
        worker = Worker(self.nice)
        self.processes.add(worker)
        if self._closed:  # `close` did not see it.
            self._end(worker)
        return worker

    def _end(self, worker: Worker) -> None:
        self.processes.discard(worker)
        worker.process.kill()
        worker.process.join()


def _name_job(job: Callable[..., Any]) -> str:
    """The name of a job for metrics; for a wrapped one, that of the function that it wraps."""
    while isinstance(job, partial):
        job = job.args[-1] if job.args and callable(job.args[-1]) else job.func
    return getattr(job, "__name__", "other")


def _make_stop_error() -> Unavailable:
    return Unavailable("The server is stopping: try again later.", "busy")


class Worker:
    """One process, and the pipe to it."""

    def __init__(self, nice: int) -> None:
        self.pipe: Connection
        self.pipe, theirs = CONTEXT.Pipe()
        self.process: BaseProcess = CONTEXT.Process(target=_work, args=(theirs, nice), daemon=True)
        resource_tracker.ensure_running()  # Starting it would unblock signals in this thread.
        with ignore_sigint():  # Ctrl+C is for the server alone.
            self.process.start()
        theirs.close()
        self._ready = False

    def run(self, job: Callable[..., Any], args: tuple[Any, ...], time_limit_s: float) -> Any:
        """Return the result or the error of a job; only one thread may call this at a time."""
        if not self._ready:
            self.pipe.recv()  # The time limit excludes the start of the process, ...
            self._ready = True
        self.pipe.send((job, args))
        self.pipe.recv()  # ... and the import of what the job needs.
        if not self.pipe.poll(time_limit_s):
            raise TimeoutError
        return self.pipe.recv()


def _work(pipe: Connection, nice: int) -> None:
    """Run jobs in a worker process, which ends with its server, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Where `deaf` cannot do it.
    if hasattr(os, "nice"):
        os.nice(nice)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    load_only_on_request()
    with contextlib.suppress(EOFError, OSError):  # The server has ended.
        pipe.send("ready")
        while True:
            job, args = pipe.recv()
            pipe.send("started")
            try:
                answer = job(*args)
            except DalapapaError as error:
                answer = error
            except Exception:
                answer = RuntimeError(traceback.format_exc())
            pipe.send(answer)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(0)
