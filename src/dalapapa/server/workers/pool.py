"""Worker processes: what takes a while is worked out there, never where people wait."""

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
from ...core.interrupts import deaf
from ..monitoring import metrics
from ..traffic.limits import ConcurrencyLimit, busy

T = TypeVar("T")

CORES = os.cpu_count() or 2

CONTEXT: Any = multiprocessing.get_context("spawn")
"""How a worker starts. It is not forked: this process has threads and an event loop."""


class Job:
    """A job that waits or is under way, and the future of its answer."""

    def __init__(
        self, function: Callable[..., Any], args: tuple[Any, ...], on_begin: Callable[[], None]
    ) -> None:
        self.function = function
        self.args = args
        self.on_begin = on_begin
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class FairQueue:
    """Jobs that wait: addresses take turns, so that a flood delays its own answers."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[Job]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def add(self, address: str, job: Job) -> None:
        """Let a job wait behind the others of its address."""
        self._waiting.setdefault(address, deque()).append(job)

    def take(self) -> tuple[str, Job]:
        """The next job; the other jobs of its address come after those of all others."""
        address, jobs = self._waiting.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            self._waiting[address] = jobs
        return address, job

    def remove(self, address: str, job: Job) -> bool:
        """Take a job out; False if it waits no more."""
        jobs = self._waiting.get(address, deque())
        if job not in jobs:
            return False
        jobs.remove(job)
        if not jobs:
            del self._waiting[address]
        return True

    def find_newest_of(self, count: Callable[[str], int]) -> tuple[str, Job]:
        """The newest job of the waiting address for which `count` is the largest."""
        address = max(self._waiting, key=count)
        return address, self._waiting[address][-1]

    def clear(self) -> list[tuple[str, Job]]:
        """Take all jobs out."""
        found = [(address, job) for address, jobs in self._waiting.items() for job in jobs]
        self._waiting.clear()
        return found


class Workers:
    """Processes that do one job after the other; addresses take turns.

    They start when the first job comes. With all `places` taken by jobs that wait or are under
    way, others are refused; but an address that has far fewer than another one takes its place. A
    job that takes more than `seconds` ends with its process. `nice` ones give way to the rest of
    the machine.
    """

    def __init__(
        self,
        number: int,
        seconds: float,
        places: ConcurrencyLimit | None = None,
        nice: int = 0,
        kind: str = "any",
    ) -> None:
        self.kind: str = kind
        """What they are called in metrics."""
        self.seconds = seconds
        self.places = ConcurrencyLimit() if places is None else places
        self.nice = nice
        self.alive: set[Worker] = set()
        self._idle: list[Worker] = []
        self.number = number
        self._threads = ThreadPoolExecutor(number, "worker")  # Each waits for one process.
        self._queue = FairQueue()
        self._running = 0
        self._closed = False

    @property
    def asked(self) -> int:
        """Jobs that wait or are under way."""
        return len(self.places)

    async def ask(
        self,
        job: Callable[..., T],
        *args: Any,
        address: str = "",
        on_begin: Callable[[], None] = lambda: None,
    ) -> T:
        """What a job gives, or raises. It is a function of a module, and all is pickled.

        Whoever does not wait for it any more keeps the place if it was begun, until it is done.
        `on_begin` is called when it begins.
        """
        if self._closed:
            raise _stopped()
        self._make_room(address)
        self.places.take(address)
        asked = Job(job, args, on_begin)
        self._queue.add(address, asked)
        self._begin_next()
        began = perf_counter()
        try:
            done: T = await asked.answer
            return done
        finally:
            if self._queue.remove(address, asked):
                self.places.leave(address)
            name = getattr(job.func if isinstance(job, partial) else job, "__name__", "other")
            metrics.QUESTION_SECONDS.observe(perf_counter() - began, self.kind, name)

    def _make_room(self, address: str) -> None:
        """If all places are taken, refuse the newest job of the address with the most of them."""
        if len(self.places) < self.places.most or not self._queue:
            return
        other, job = self._queue.find_newest_of(self.places.count)
        if self.places.count(other) >= self.places.count(address) + 2:
            self._refuse(other, job, busy())

    def _refuse(self, address: str, job: Job, refusal: Unavailable) -> None:
        if self._queue.remove(address, job):
            self.places.leave(address)
        if not job.answer.done():
            job.answer.set_exception(refusal)

    def _begin_next(self) -> None:
        """Begin jobs while there are workers for them."""
        loop = asyncio.get_running_loop()
        while self._queue and self._running < self.number:
            address, job = self._queue.take()
            self._running += 1
            job.on_begin()
            done = partial(self._finish, address, job)

            def tell(answer: Future[Any], done: Callable[[Future[Any]], None] = done) -> None:
                with contextlib.suppress(RuntimeError):  # The loop is closed: no caller waits.
                    loop.call_soon_threadsafe(done, answer)

            self._submit(job).add_done_callback(tell)

    def _submit(self, job: Job) -> Future[Any]:
        return self._threads.submit(self._answer, job.function, job.args)

    def _finish(self, address: str, job: Job, answer: Future[Any]) -> None:
        self._running -= 1
        self.places.leave(address)
        error = _stopped() if answer.cancelled() else answer.exception()
        if not job.answer.done():
            if error is None:
                job.answer.set_result(answer.result())
            else:
                job.answer.set_exception(error)
        if not self._closed:
            self._begin_next()

    def close(self) -> None:
        """End the processes, whatever they do."""
        self._closed = True
        for address, job in self._queue.clear():
            self.places.leave(address)
            self._refuse(address, job, _stopped())
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in tuple(self.alive):
            self._end(worker)

    def _answer(self, job: Callable[..., T], args: tuple[Any, ...]) -> T:
        for _ in range(2):  # Whoever killed a worker may not have meant this job.
            if self._closed:
                raise _stopped()
            worker = self._free_one()
            try:
                answer = worker.ask(job, args, self.seconds)
            except TimeoutError:
                metrics.WORKERS_ENDED.add(self.kind, "too_long")
                self._end(worker)
                break
            except (EOFError, OSError):  # It has died.
                metrics.WORKERS_ENDED.add(self.kind, "died")
                self._end(worker)
                continue
            self._idle.append(worker)
            if isinstance(answer, Exception):
                raise answer
            done: T = answer
            return done
        raise TooHard("This is too hard for this server.")

    def _free_one(self) -> Worker:
        """A worker with nothing to do, or a new one."""
        try:
            worker = self._idle.pop()
        except IndexError:
            worker = Worker(self.nice)
            self.alive.add(worker)
            if self._closed:  # Meanwhile: nobody else would end it.
                self._end(worker)
        return worker

    def _end(self, worker: Worker) -> None:
        self.alive.discard(worker)
        worker.process.kill()
        worker.process.join()


def _stopped() -> Unavailable:
    return Unavailable("The server stops.", "busy")


class Worker:
    """One process, and the pipe to it."""

    def __init__(self, nice: int) -> None:
        self.pipe: Connection
        self.pipe, theirs = CONTEXT.Pipe()
        self.process: BaseProcess = CONTEXT.Process(target=_work, args=(theirs, nice), daemon=True)
        resource_tracker.ensure_running()  # Else starting it would make us hear signals again.
        with deaf():  # Ctrl+C is for the server alone.
            self.process.start()
        theirs.close()
        self._ready = False

    def ask(self, job: Callable[..., Any], args: tuple[Any, ...], seconds: float) -> Any:
        """What a job gives, or the error it raised; only one thread asks at a time."""
        if not self._ready:
            self.pipe.recv()  # Beginning takes its time, which is not the job's.
            self._ready = True
        self.pipe.send((job, args))
        self.pipe.recv()  # Neither is importing what the job needs.
        if not self.pipe.poll(seconds):
            raise TimeoutError
        return self.pipe.recv()


def _work(pipe: Connection, nice: int) -> None:
    """The life of a worker. It ends with its server, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Where `deaf` cannot do it.
    if hasattr(os, "nice"):
        os.nice(nice)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):  # It has gone.
        pipe.send("ready")
        while True:
            job, args = pipe.recv()
            pipe.send("begun")
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
