"""Ctrl+C: a command ends within a second, with its processes, and tells what it has found so far.

Imports next to nothing, as it is there before anything else is.
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

CODE = 130
"""What a command ends with after Ctrl+C, as shells do: 128 and the number of the signal."""

GRACE = 0.7
"""Seconds in which a command may tell what it knows and tidy up."""


def end_at_once(_signal: int = 0, _frame: FrameType | None = None) -> NoReturn:
    """End this process, its workers and the programs they have started, without another word."""
    processes = sys.modules.get("multiprocessing.process")
    workers = processes.active_children() if processes else []
    pids = [worker.pid for worker in workers if worker.pid]
    if sys.platform == "linux":
        for pid in pids:
            _send(pid, signal.SIGSTOP)  # From now on it starts no programs.
        for pid in find_descendants(pids):
            _send(pid, signal.SIGKILL)
    for worker in workers:
        with suppress(Exception):
            worker.kill()
    os._exit(CODE)


def _send(pid: int, number: int) -> None:
    with suppress(OSError):
        os.kill(pid, number)


def find_descendants(pids: Iterable[int]) -> list[int]:
    """The processes that come from these, on Linux."""
    children: dict[int, list[int]] = {}
    with suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit() and (parent := _find_parent(name)):
                children.setdefault(parent, []).append(int(name))
    found: list[int] = []
    left = list(pids)
    while left:
        more = children.get(left.pop(), [])
        found += more
        left += more
    return found


def _find_parent(pid: str) -> int:
    """The parent of a process; 0 if the process is gone."""
    with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:
        # The name of the program, in brackets, may contain anything.
        return int(file.read().rpartition(b")")[2].split()[1])
    return 0


def interrupted(_signal: int, _frame: FrameType | None) -> NoReturn:
    """The handler of SIGINT while a command runs: what it was doing is left, but not for long."""
    limit_the_end()
    raise KeyboardInterrupt


def limit_the_end() -> None:
    """From now on there is only a moment left; another Ctrl+C ends that, too."""
    signal.signal(signal.SIGINT, end_at_once)
    timer = threading.Timer(GRACE, end_at_once)
    timer.daemon = True
    timer.start()


def end_if_interrupt_is_lost(unraisable: sys.UnraisableHookArgs) -> None:
    """End when Ctrl+C comes inside a destructor or a weakref callback, where nothing can be raised.

    Python would print a traceback and go on.
    """
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        end_at_once()
    sys.__unraisablehook__(unraisable)


class Wish:
    """Whether somebody wants the work to end."""

    stop = False


@contextmanager
def stopping() -> Iterator[Wish]:
    """For work that asks now and then whether to stop: Ctrl+C is a wish here, not an exception."""
    wish = Wish()
    before = signal.getsignal(signal.SIGINT)

    def handle(_signal: int, _frame: FrameType | None) -> None:
        wish.stop = True
        if before is interrupted:
            limit_the_end()

    if threading.current_thread() is not threading.main_thread():
        yield wish
        return
    signal.signal(signal.SIGINT, handle)
    try:
        yield wish
    finally:
        if signal.getsignal(signal.SIGINT) is handle:
            signal.signal(signal.SIGINT, before)


@contextmanager
def deaf() -> Iterator[None]:
    """Processes started here never hear Ctrl+C, which is for whoever has started them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
