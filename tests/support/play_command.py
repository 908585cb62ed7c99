"""`dalapapa play` in a process of its own."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from tests.support.serving import PATIENCE


def make_play_command(*words: str) -> list[str]:
    return [sys.executable, "-u", "-m", "dalapapa", "play", "--no-browser", *words]


@contextlib.contextmanager
def run_play(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `dalapapa play` with its own data folder; yield the process and its address."""
    environment = {**os.environ, "XDG_DATA_HOME": str(folder)}
    with subprocess.Popen(
        make_play_command(*words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        try:
            assert process.stdout is not None
            with kill_if_silent(process):
                line = process.stdout.readline()
            found = re.fullmatch(
                r"Dalapapa is at (http://127\.0\.0\.1:\d+)/ \(Ctrl\+C stops it\)\n", line
            )
            assert found, line
            yield process, found[1]
        finally:
            process.kill()


@contextlib.contextmanager
def kill_if_silent(process: subprocess.Popen[str]) -> Iterator[None]:
    """Kill a process after a time without an answer, which also ends its output."""
    timer = threading.Timer(PATIENCE, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def end_process(process: subprocess.Popen[str], how: signal.Signals) -> tuple[int, str, str]:
    process.send_signal(how)
    out, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, out, errors
