"""Worker processes: what takes a while is worked out there, never where people wait."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import perf_counter
from typing import Any, TypeVar

from ..errors import DalapapaError, TooHard, Unavailable
from ..interrupts import deaf
from . import metrics
from .limits import ConcurrencyLimit

T = TypeVar("T")

CORES = os.cpu_count() or 2

CONTEXT: Any = multiprocessing.get_context("spawn")
"""How a worker starts. It is not forked: this process has threads and an event loop."""


class Workers:
    """Processes that do one job after the other, first come, first served.

    They start when the first job comes. With all `places` taken by jobs that wait or are under
    way, others are refused; a job that takes more than `seconds` ends with its process. `nice` ones
    give way to the rest of the machine.
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
        self._threads = ThreadPoolExecutor(number, "worker")  # Each waits for one process.
        self._closed = False

    @property
    def asked(self) -> int:
        """Jobs that wait or are under way."""
        return len(self.places)

    async def ask(self, job: Callable[..., T], *args: Any, address: str = "") -> T:
        """What a job gives, or raises. It is a function of a module, and all is pickled.

        Whoever does not wait for it any more keeps the place if it was begun, until it is done.
        """
        loop = asyncio.get_running_loop()
        self.places.take(address)

        def leave(_: object) -> None:
            with contextlib.suppress(RuntimeError):  # The loop is closed: nobody counts any more.
                loop.call_soon_threadsafe(self.places.leave, address)

        try:
            answer = self._threads.submit(self._answer, job, args)
        except RuntimeError:
            self.places.leave(address)
            raise Unavailable("The server stops.", "busy") from None
        answer.add_done_callback(leave)
        began = perf_counter()
        try:
            return await asyncio.wrap_future(answer)
        finally:
            name = getattr(job.func if isinstance(job, partial) else job, "__name__", "other")
            metrics.QUESTION_SECONDS.observe(perf_counter() - began, self.kind, name)

    def close(self) -> None:
        """End the processes, whatever they do."""
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in tuple(self.alive):
            self._end(worker)

    def _answer(self, job: Callable[..., T], args: tuple[Any, ...]) -> T:
        for _ in range(2):  # Whoever killed a worker may not have meant this job.
            if self._closed:
                raise Unavailable("The server stops.", "busy")
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
