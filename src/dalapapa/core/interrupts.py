"""Ctrl+C: a command ends within a second, with its processes, and prints partial results.

This module imports little, because it is loaded before all others.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

EXIT_CODE = 130
"""The exit code after Ctrl+C, as in shells: 128 and the number of the signal."""

GRACE_PERIOD_S = 0.7
"""The time for a command to print partial results and clean up."""


class Terminated(SystemExit):
    """A worker must end. What a bot of a package raises is caught, even `SystemExit`; not this."""


def end_immediately(_signal: int = 0, _frame: FrameType | None = None) -> NoReturn:
    """End this process, its workers and the programs that they started, without output."""
    processes = sys.modules.get("multiprocessing.process")
    workers = processes.active_children() if processes else []
    pids = [worker.pid for worker in workers if worker.pid]
    if sys.platform == "linux":
        for pid in pids:
            _send(pid, signal.SIGSTOP)  # So that it starts no more programs.
        for pid in find_descendants(pids):
            _send(pid, signal.SIGKILL)
    for worker in workers:
        with suppress(Exception):
            worker.kill()
    os._exit(EXIT_CODE)


def _send(pid: int, number: int) -> None:
    with suppress(OSError):
        os.kill(pid, number)


def find_descendants(pids: Iterable[int]) -> list[int]:
    """List the descendants of processes, on Linux."""
    children: dict[int, list[int]] = {}
    with suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit() and (parent := _find_parent(name)):
                children.setdefault(parent, []).append(int(name))
    descendants: list[int] = []
    left = list(pids)
    while left:
        more = children.get(left.pop(), [])
        descendants += more
        left += more
    return descendants


def _find_parent(pid: str) -> int:
    """Return the parent of a process; 0 if the process is gone."""
    with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
        # The name of the program, in brackets, may contain anything.
        return int(file.read().rpartition(b")")[2].split()[1])
    return 0


def handle_interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    """Interrupt a running command: the handler of SIGINT."""
    start_grace_period()
    raise KeyboardInterrupt


def start_grace_period() -> None:
    """End the process after the grace period, or at another Ctrl+C."""
    signal.signal(signal.SIGINT, end_immediately)
    timer = threading.Timer(GRACE_PERIOD_S, end_immediately)
    timer.daemon = True
    timer.start()


def end_if_interrupt_is_lost(unraisable: sys.UnraisableHookArgs) -> None:
    """End when Ctrl+C comes inside a destructor or a weakref callback, where nothing can be raised.

    Python would print a traceback and continue.
    """
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        end_immediately()
    sys.__unraisablehook__(unraisable)


class StopRequest:
    """Whether the user wants the work to end."""

    stop = False


@contextmanager
def watch_interrupts() -> Iterator[StopRequest]:
    """Turn Ctrl+C into a request that the work polls, instead of an exception."""
    request = StopRequest()
    before = signal.getsignal(signal.SIGINT)

    def handle(_signal: int, _frame: FrameType | None) -> None:
        request.stop = True
        if before is handle_interrupt:
            start_grace_period()

    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield request
    finally:
        if signal.getsignal(signal.SIGINT) is handle:
            signal.signal(signal.SIGINT, before)


@contextmanager
def ignore_sigint() -> Iterator[None]:
    """Start processes that ignore Ctrl+C, because this process handles it for them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
